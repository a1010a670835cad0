#include "tests/laws/case.h"

#include <gtest/gtest.h>

namespace glia::laws {

ir::DimList Inputs::dims(const std::vector<int64_t>& sizes) {
  ir::DimList list;
  for (int64_t s : sizes) list.push_back(dim(s));
  return list;
}

ir::Value Inputs::real(const std::vector<int64_t>& shape, ir::Range range) {
  Tensor t = Tensor::zeros(DType::f64, shape);
  std::uniform_real_distribution<double> draw(range.low, range.high);
  for (double& x : t.as<double>()) x = draw(random);
  data.push_back(t);
  return b.param(b.types().tensor(DType::f64, dims(shape)));
}

ir::Value Inputs::integer(const std::vector<int64_t>& shape, int64_t low, int64_t high, DType dtype) {
  Tensor t = Tensor::zeros(dtype, shape);
  std::uniform_int_distribution<int64_t> draw(low, high - 1);
  if (dtype == DType::i32)
    for (int32_t& x : t.as<int32_t>()) x = static_cast<int32_t>(draw(random));
  else
    for (int64_t& x : t.as<int64_t>()) x = draw(random);
  data.push_back(t);
  return b.param(b.types().tensor(dtype, dims(shape)));
}

ir::Value Inputs::flag(const std::vector<int64_t>& shape) {
  Tensor t = Tensor::zeros(DType::boolean, shape);
  for (bool& x : t.as<bool>()) x = random() % 2;
  data.push_back(t);
  return b.param(b.types().tensor(DType::boolean, dims(shape)));
}

ir::Value Inputs::emit(ir::OpId op, std::vector<ir::Value> args, ir::Attrs attrs) {
  std::vector<ir::ValueId> ids;
  for (const ir::Value& a : args) ids.push_back(a.id);
  return b.emit(op, ids, std::move(attrs));
}

Made make_case(ir::Module& m, const Case& c, int64_t n) {
  Inputs in(m, c.name, n);
  ir::Value y = c.build(in);
  in.b.result(y.id);
  ir::TypeId type = y.type();
  return {in.b.finish_into_module(), in.data, type};
}

Made weighted(ir::Module& m, const Made& of) {
  ir::Builder b(m, "weighted");
  std::vector<ir::ValueId> args;
  for (ir::ValueId p : m[of.func].params) args.push_back(b.param(m[of.func][p].type).id);
  ir::Value y = ir::inline_func(b, m[of.func], args)[0], w = b.param(y.type());
  b.result(ir::sum(y * w).id);
  Made made{{}, of.data, {}};
  std::vector<int64_t> shape;
  for (ir::DimId d : ir::Shape(m.types.shape(of.type))) shape.push_back(*m.types.dims.known(d));
  Tensor t = Tensor::zeros(DType::f64, shape);
  std::mt19937 random(11);
  for (double& x : t.as<double>()) x = std::uniform_real_distribution<double>(0.5, 1.5)(random);
  made.data.push_back(t);
  made.func = b.finish_into_module();
  made.type = m.types.tensor(DType::f64);
  return made;
}

std::vector<size_t> float_params(const ir::Module& m, ir::FuncId f) {
  std::vector<size_t> found;
  for (size_t i = 0; i < m[f].params.size(); ++i)
    if (is_float(m.types.dtype(m[f][m[f].params[i]].type))) found.push_back(i);
  return found;
}

std::vector<interp::Value> run(const ir::Module& m, ir::FuncId f, const std::vector<interp::Value>& args) {
  auto results = interp::evaluate(m, m[f], args);
  EXPECT_TRUE(results.has_value()) << m[f].name << ": " << (results ? "" : results.error().message);
  return results ? *results : std::vector<interp::Value>{};
}

}  // namespace glia::laws
