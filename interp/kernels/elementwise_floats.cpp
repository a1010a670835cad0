// Elementwise ops that take floats only.
#include "interp/kernels/elementwise.h"

namespace glia::interp {

namespace {
struct OnFloats {
  template <class Op>
  static constexpr bool holds = Op::takes == ir::Takes::floats;
};
}  // namespace

Kernel float_kernel(ir::OpId op) { return find_elementwise(op, OnFloats{}, ir::ElementwiseOps{}); }

}  // namespace glia::interp
