// Walks over the elements of a tensor that lie at strides in memory.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace glia::interp {

using Strides = std::vector<int64_t>;

inline Strides row_major(std::span<const int64_t> shape) {
  Strides s(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) s[i - 1] = s[i] * shape[i];
  return s;
}

// f(a, b, ...) for every index of `shape` in row-major order, with the offset of that index under each of the strides.
// `N` offsets go along; they start at `offsets`.
template <size_t N, class F>
void for_each_offset(std::span<const int64_t> shape, const std::array<Strides, N>& strides, std::array<int64_t, N> offsets, F&& f) {
  for (int64_t n : shape)
    if (n == 0) return;
  std::vector<int64_t> index(shape.size(), 0);
  for (;;) {
    f(offsets);
    size_t axis = shape.size();
    for (;;) {
      if (axis == 0) return;
      --axis;
      for (size_t k = 0; k < N; ++k) offsets[k] += strides[k][axis];
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
      for (size_t k = 0; k < N; ++k) offsets[k] -= strides[k][axis] * shape[axis];
    }
  }
}

}  // namespace glia::interp
