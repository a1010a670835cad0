// See matmul_loops.h.
#include "interp/exec/matmul_loops.h"

#include <algorithm>
#include <type_traits>

#include "interp/exec/clones.h"

namespace glia::interp::exec {

namespace {

// Integers wrap: they are multiplied without a sign.
template <class T>
struct WrapOf { using type = T; };
template <>
struct WrapOf<int32_t> { using type = uint32_t; };
template <>
struct WrapOf<int64_t> { using type = uint64_t; };
template <class T>
using Wrap = typename WrapOf<T>::type;

constexpr int64_t width = 64, lanes = 32;

// A few rows by a block of columns, kept in registers while k runs.
template <int rows, class T>
inline void multiply_block(const MatrixSizes& s, const T* a, const T* b, T* c) {
  T sum[rows][width] = {};
  for (int64_t k = 0; k < s.k; ++k)
    for (int r = 0; r < rows; ++r) {
      const T x = a[r * s.a_m + k * s.a_k];
      for (int64_t j = 0; j < width; ++j) sum[r][j] += x * b[k * s.b_k + j];
    }
  for (int r = 0; r < rows; ++r) std::copy_n(sum[r], width, c + r * s.c_m);
}

template <class T>
inline void multiply_rest(const MatrixSizes& s, const T* a, const T* b, T* c, int64_t n) {
  T sum[width] = {};
  for (int64_t k = 0; k < s.k; ++k) {
    const T x = a[k * s.a_k];
    for (int64_t j = 0; j < n; ++j) sum[j] += x * b[k * s.b_k + j];
  }
  std::copy_n(sum, n, c);
}

template <class T>
inline T dot(const T* a, const T* b, int64_t n) {
  T lane[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t l = 0; l < lanes; ++l) lane[l] += a[i + l] * b[i + l];
  for (int64_t l = 0; i < n; ++i, ++l) lane[l] += a[i] * b[i];
  for (int64_t half = lanes / 2; half > 0; half /= 2)
    for (int64_t l = 0; l < half; ++l) lane[l] += lane[l + half];
  return lane[0];
}

template <class T>
struct Multiply {
  GLIA_CLONES static void run(const MatrixSizes& s, const void* a, const void* b, void* c);
};

template <class T>
void Multiply<T>::run(const MatrixSizes& s, const void* a, const void* b, void* c) {
  for (int64_t j = 0; j < s.n; j += width) {
    const T* y = static_cast<const T*>(b) + j;
    int64_t i = 0;
    for (; s.n - j >= width && i + 2 <= s.m; i += 2)
      multiply_block<2>(s, static_cast<const T*>(a) + i * s.a_m, y, static_cast<T*>(c) + i * s.c_m + j);
    for (; i < s.m; ++i) {
      const T* x = static_cast<const T*>(a) + i * s.a_m;
      T* z = static_cast<T*>(c) + i * s.c_m + j;
      if (s.n - j >= width) multiply_block<1>(s, x, y, z);
      else multiply_rest(s, x, y, z, s.n - j);
    }
  }
}

template <class T>
struct Dots {
  GLIA_CLONES static void run(const MatrixSizes& s, const void* a, const void* b, void* c);
};

template <class T>
void Dots<T>::run(const MatrixSizes& s, const void* a, const void* b, void* c) {
  for (int64_t i = 0; i < s.m; ++i)
    for (int64_t j = 0; j < s.n; ++j)
      static_cast<T*>(c)[i * s.c_m + j] = dot(static_cast<const T*>(a) + i * s.a_m, static_cast<const T*>(b) + j * s.b_n, s.k);
}

template <class T>
MatrixFn pick(bool dots) { return dots ? &Dots<Wrap<T>>::run : &Multiply<Wrap<T>>::run; }

}  // namespace

MatrixFn matrix_loop(DType dtype, bool dots) {
  switch (dtype) {
    case DType::f32: return pick<float>(dots);
    case DType::f64: return pick<double>(dots);
    case DType::i64: return pick<int64_t>(dots);
    case DType::i32: return pick<int32_t>(dots);
    case DType::i8:
    case DType::u8:
    case DType::bf16:
    case DType::f16:
    case DType::boolean:
    case DType::any_float:
    case DType::any_int:
    case DType::any_num: return nullptr;
  }
  return nullptr;
}

}  // namespace glia::interp::exec
