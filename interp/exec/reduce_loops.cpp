// See reduce_loops.h. Lanes are written out as arrays, so that the compiler needs no licence to reorder sums.
#include "interp/exec/reduce_loops.h"

#include <algorithm>
#include <limits>

#include "interp/exec/clones.h"
#include "ir/ops/all.h"

namespace glia::interp::exec {

namespace {

// What starts a reduction, and how two parts become one.
struct AddUp {
  template <class T> static constexpr T start() { return T(0); }
  template <class T> static T join(T x, T y) { return ir::Add::eval(x, y); }
};
struct Multiply {
  template <class T> static constexpr T start() { return T(1); }
  template <class T> static T join(T x, T y) { return ir::Mul::eval(x, y); }
};
template <class T>
constexpr T lowest() { return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest(); }
template <class T>
constexpr T highest() { return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max(); }
struct Largest {
  template <class T> static constexpr T start() { return lowest<T>(); }
  template <class T> static T join(T x, T y) { return x > y || x != x ? x : y; }
};
struct Smallest {
  template <class T> static constexpr T start() { return highest<T>(); }
  template <class T> static T join(T x, T y) { return x < y || x != x ? x : y; }
};

constexpr size_t lanes = 32, leaf = 1024, leaf_rows = 32;

template <class How, class T>
inline T reduce_leaf(const T* x, size_t n) {
  if (n < lanes) {
    T sum = How::template start<T>();
    for (size_t i = 0; i < n; ++i) sum = How::join(sum, x[i]);
    return sum;
  }
  T lane[lanes];
  for (size_t l = 0; l < lanes; ++l) lane[l] = x[l];
  size_t i = lanes;
  for (; i + lanes <= n; i += lanes)
    for (size_t l = 0; l < lanes; ++l) lane[l] = How::join(lane[l], x[i + l]);
  for (size_t l = 0; i < n; ++i, ++l) lane[l] = How::join(lane[l], x[i]);
  for (size_t half = lanes / 2; half > 0; half /= 2)
    for (size_t l = 0; l < half; ++l) lane[l] = How::join(lane[l], lane[l + half]);
  return lane[0];
}

// A binary counter of partial results: leaf k joins those before it as its carries fall, which is the pairwise tree.
template <class How, class T>
inline T reduce_line(const T* x, size_t n) {
  if (n <= leaf) return reduce_leaf<How>(x, n);
  T parts[64];
  size_t depth = 0, k = 0;
  for (size_t i = 0; i < n; i += leaf, ++k) {
    T part = reduce_leaf<How>(x + i, std::min(leaf, n - i));
    for (size_t carry = k; carry & 1; carry >>= 1) part = How::join(parts[--depth], part);
    parts[depth++] = part;
  }
  while (depth > 1) --depth, parts[depth - 1] = How::join(parts[depth - 1], parts[depth]);
  return parts[0];
}

template <class How, class T>
struct Rows {
  GLIA_CLONES static void run(const void* x, void* out, size_t count, size_t inner, size_t first, size_t last);
};

template <class How, class T>
void Rows<How, T>::run(const void* x, void* out, size_t count, size_t, size_t first, size_t last) {
  for (size_t r = first; r < last; ++r) static_cast<T*>(out)[r] = reduce_line<How>(static_cast<const T*>(x) + r * count, count);
}

template <class How, class T>
inline void reduce_leaf_rows(const T* x, size_t rows, size_t stride, size_t width, T* __restrict sum) {
  for (size_t c = 0; c < width; ++c) sum[c] = rows > 0 ? x[c] : How::template start<T>();
  for (size_t r = 1; r < rows; ++r)
    for (size_t c = 0; c < width; ++c) sum[c] = How::join(sum[c], x[r * stride + c]);
}

// As reduce_line, on a block of columns at a time.
template <class How, class T>
inline void reduce_block(const T* x, size_t rows, size_t stride, size_t width, T* __restrict out) {
  if (rows <= leaf_rows) return reduce_leaf_rows<How>(x, rows, stride, width, out);
  T parts[24][reduce_columns];  // up to 32 * 2^23 rows by the tree; longer ones join early
  size_t depth = 0, k = 0;
  for (size_t r = 0; r < rows; r += leaf_rows, ++k) {
    reduce_leaf_rows<How>(x + r * stride, std::min(leaf_rows, rows - r), stride, width, parts[depth]);
    for (size_t carry = k; (carry & 1) || depth == 23; carry >>= 1, --depth)
      for (size_t c = 0; c < width; ++c) parts[depth - 1][c] = How::join(parts[depth - 1][c], parts[depth][c]);
    ++depth;
  }
  for (; depth > 1; --depth)
    for (size_t c = 0; c < width; ++c) parts[depth - 2][c] = How::join(parts[depth - 2][c], parts[depth - 1][c]);
  std::copy_n(parts[0], width, out);
}

template <class How, class T>
struct Columns {
  GLIA_CLONES static void run(const void* x, void* out, size_t count, size_t inner, size_t first, size_t last);
};

template <class How, class T>
void Columns<How, T>::run(const void* x, void* out, size_t count, size_t inner, size_t first, size_t last) {
  const size_t blocks = (inner + reduce_columns - 1) / reduce_columns;
  for (size_t b = first; b < last; ++b) {
    const size_t outer = b / blocks, column = b % blocks * reduce_columns, width = std::min(reduce_columns, inner - column);
    reduce_block<How>(static_cast<const T*>(x) + outer * count * inner + column, count, inner, width, static_cast<T*>(out) + outer * inner + column);
  }
}

template <class How>
ReduceFn pick(DType dtype, bool rows) {
  auto of = [rows]<class T>() { return rows ? &Rows<How, T>::run : &Columns<How, T>::run; };
  switch (dtype) {
    case DType::f32: return of.template operator()<float>();
    case DType::f64: return of.template operator()<double>();
    case DType::i64: return of.template operator()<int64_t>();
    case DType::i32: return of.template operator()<int32_t>();
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

ReduceFn find(ir::OpId op, DType dtype, bool rows) {
  if (op == ir::op<ir::Sum>) return pick<AddUp>(dtype, rows);
  if (op == ir::op<ir::Prod>) return pick<Multiply>(dtype, rows);
  if (op == ir::op<ir::ReduceMax>) return pick<Largest>(dtype, rows);
  if (op == ir::op<ir::ReduceMin>) return pick<Smallest>(dtype, rows);
  return nullptr;
}

}  // namespace

ReduceFn reduce_rows(ir::OpId op, DType dtype) { return find(op, dtype, true); }
ReduceFn reduce_columns_of(ir::OpId op, DType dtype) { return find(op, dtype, false); }

}  // namespace glia::interp::exec
