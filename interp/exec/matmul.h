// A batch of matrix products as one step: oneDNN for large f32 products, loops of our own for the rest.
#pragma once
#include <memory>
#include <string>

#include "interp/exec/matmul_loops.h"
#include "interp/exec/step.h"

namespace glia::interp::exec {

// What all steps of a plan share.
class MatrixLibrary {
 public:
  explicit MatrixLibrary(size_t workers);
  ~MatrixLibrary();
  struct State;
  State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// One axis of the batch: its size, and what it moves in a, b and c.
struct BatchAxis {
  int64_t size, a, b, c;
};

struct MatrixProduct {
  DType dtype;
  MatrixSizes sizes;
  std::vector<BatchAxis> batch;
  SlotId a, b, c;
  int64_t a_offset = 0, b_offset = 0;
};

bool library_takes(const MatrixProduct& p);  // a matter of speed: the library is slow on small products
bool loops_take(const MatrixProduct& p);     // whether the strides are right for the loops
Unit make_matmul(const MatrixLibrary& library, const MatrixProduct& p);

}  // namespace glia::interp::exec
