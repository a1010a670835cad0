// The tile loops of integers and bools.
#include "interp/exec/tile_loops.h"

namespace glia::interp::exec {

template <>
TileFn elementwise_tile_of<int64_t>(ir::OpId op, unsigned scalars) { return find_loop<int64_t, false>(ir::ElementwiseOps{}, op, scalars); }
template <>
TileFn elementwise_tile_of<int32_t>(ir::OpId op, unsigned scalars) { return find_loop<int32_t, false>(ir::ElementwiseOps{}, op, scalars); }
template <>
TileFn elementwise_tile_of<int8_t>(ir::OpId op, unsigned scalars) { return find_loop<int8_t, false>(ir::ElementwiseOps{}, op, scalars); }
template <>
TileFn elementwise_tile_of<uint8_t>(ir::OpId op, unsigned scalars) { return find_loop<uint8_t, false>(ir::ElementwiseOps{}, op, scalars); }

TileFn elementwise_tile_of_bool(ir::OpId op, unsigned scalars) { return find_loop<uint8_t, true>(ir::ElementwiseOps{}, op, scalars); }

}  // namespace glia::interp::exec
