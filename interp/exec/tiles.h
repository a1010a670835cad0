// The inner loops of fused groups: one op over one tile, which stays in the first-level cache.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/dtype.h"
#include "ir/func.h"

namespace glia::interp::exec {

// dst[i] = op(src[0][i], src[1][i], ..) for i below n. dst overlaps no source.
using TileFn = void (*)(void* dst, const void* const* src, size_t n);

// Bit k of `scalars`: argument k is one element that stands for all. Null where there is no such loop.
TileFn elementwise_tile(ir::OpId op, DType in, unsigned scalars);
TileFn select_tile(DType dtype, unsigned scalars);  // bits 1 and 2 only
TileFn cast_tile(DType from, DType to);
TileFn fill_tile(DType dtype);                      // one element repeated

template <class T>
TileFn elementwise_tile_of(ir::OpId op, unsigned scalars);  // bool is uint8_t with is_bool below
TileFn elementwise_tile_of_bool(ir::OpId op, unsigned scalars);

// How a tensor is read in another order: sizes and strides in elements, outermost first.
struct Walk {
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;
};

// The elements start .. start + n of the walk over src, in order.
using WalkFn = void (*)(void* dst, const void* src, const Walk& walk, size_t start, size_t n);
WalkFn walk_tile(size_t element_bytes);

// Axes of size 1 dropped and neighbours that are one run joined.
Walk simplified(Walk walk);

}  // namespace glia::interp::exec
