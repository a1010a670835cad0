// One small function per op, with inputs: what the laws are checked on.
#pragma once
#include <functional>
#include <random>
#include <string>

#include "interp/evaluate.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::laws {

using interp::Tensor;

// Builds a function and, with each parameter, a value for it.
struct Inputs {
  ir::Builder b;
  std::mt19937 random;
  int64_t n;
  std::vector<interp::Value> data;

  Inputs(ir::Module& m, std::string name, int64_t size) : b(m, std::move(name)), random(static_cast<uint32_t>(7 + size)), n(size) {}

  ir::DimId dim(int64_t size) { return b.dims().constant(size); }
  ir::DimList dims(const std::vector<int64_t>& sizes);
  ir::Value real(const std::vector<int64_t>& shape, ir::Range range = {-2, 2});  // f64
  ir::Value integer(const std::vector<int64_t>& shape, int64_t low, int64_t high, DType dtype = DType::i32);  // low..high-1
  ir::Value flag(const std::vector<int64_t>& shape);
  ir::Value emit(ir::OpId op, std::vector<ir::Value> args, ir::Attrs attrs = {});
};

struct Case {
  ir::OpId op;
  std::string name;
  std::function<ir::Value(Inputs&)> build;
};

std::vector<Case> cases();  // of all ops that compute tensors
inline constexpr int64_t sizes[] = {0, 1, 2, 3, 17};

// A finished case: the function gives the op's result.
struct Made {
  ir::FuncId func;
  std::vector<interp::Value> data;
  ir::TypeId type;
};
Made make_case(ir::Module& m, const Case& c, int64_t n);

// The function to one number: the sum of the results times weights, which come as one more parameter.
Made weighted(ir::Module& m, const Made& of);
std::vector<size_t> float_params(const ir::Module& m, ir::FuncId f);

std::vector<interp::Value> run(const ir::Module& m, ir::FuncId f, const std::vector<interp::Value>& args);

}  // namespace glia::laws
