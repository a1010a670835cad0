// Elementwise ops that take integers or booleans, or those and floats.
#include "interp/kernels/elementwise.h"

namespace glia::interp {

namespace {
struct NotOnlyFloats {
  template <class Op>
  static constexpr bool holds = Op::takes != ir::Takes::floats;
};
}  // namespace

Kernel number_kernel(ir::OpId op) { return find_elementwise(op, NotOnlyFloats{}, ir::ElementwiseOps{}); }

}  // namespace glia::interp
