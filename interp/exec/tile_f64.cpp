// The tile loops of f64.
#include "interp/exec/tile_loops.h"

namespace glia::interp::exec {

template <>
TileFn elementwise_tile_of<double>(ir::OpId op, unsigned scalars) { return find_loop<double, false>(ir::ElementwiseOps{}, op, scalars); }

}  // namespace glia::interp::exec
