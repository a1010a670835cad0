// Products of matrices by plain loops, for what the matrix library does not take or takes slowly: one row or column,
// small sizes, other element types. Sums run over k in order, or in fixed lanes.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/dtype.h"

namespace glia::interp::exec {

// c[m, n] = sum over k of a[m, k] * b[k, n], with strides in elements. c's columns are next to each other, and so are
// b's, or else the k of both (`dots`).
struct MatrixSizes {
  int64_t m, n, k;
  int64_t a_m, a_k, b_k, b_n, c_m;
};

using MatrixFn = void (*)(const MatrixSizes& s, const void* a, const void* b, void* c);
MatrixFn matrix_loop(DType dtype, bool dots);  // null where there is none

}  // namespace glia::interp::exec
