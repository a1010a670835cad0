// Reductions in a fixed pairwise order, which depends on the sizes alone.
#pragma once
#include <cstddef>

#include "base/dtype.h"
#include "ir/func.h"

namespace glia::interp::exec {

// x is [outer, count, inner]; the middle axis goes away for rows first .. last of the result, [outer, inner], where a
// row is one outer index (inner = 1) or a block of `reduce_columns` of one.
using ReduceFn = void (*)(const void* x, void* out, size_t count, size_t inner, size_t first, size_t last);

inline constexpr size_t reduce_columns = 512;

ReduceFn reduce_rows(ir::OpId op, DType dtype);     // inner = 1; null where there is no such loop
ReduceFn reduce_columns_of(ir::OpId op, DType dtype);

}  // namespace glia::interp::exec
