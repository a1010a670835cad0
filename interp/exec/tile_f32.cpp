// The tile loops of f32.
#include "interp/exec/tile_loops.h"

namespace glia::interp::exec {

template <>
TileFn elementwise_tile_of<float>(ir::OpId op, unsigned scalars) { return find_loop<float, false>(ir::ElementwiseOps{}, op, scalars); }

}  // namespace glia::interp::exec
