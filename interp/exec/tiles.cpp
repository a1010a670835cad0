// Tile loops that only move, choose or convert, and the way from an element type to its loops. See tiles.h.
#include "interp/exec/tiles.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "interp/exec/clones.h"

namespace glia::interp::exec {

TileFn elementwise_tile(ir::OpId op, DType in, unsigned scalars) {
  switch (in) {
    case DType::f32: return elementwise_tile_of<float>(op, scalars);
    case DType::f64: return elementwise_tile_of<double>(op, scalars);
    case DType::i64: return elementwise_tile_of<int64_t>(op, scalars);
    case DType::i32: return elementwise_tile_of<int32_t>(op, scalars);
    case DType::i8: return elementwise_tile_of<int8_t>(op, scalars);
    case DType::u8: return elementwise_tile_of<uint8_t>(op, scalars);
    case DType::boolean: return elementwise_tile_of_bool(op, scalars);
    case DType::bf16:
    case DType::f16:
    case DType::any_float:
    case DType::any_int:
    case DType::any_num: return nullptr;
  }
  return nullptr;
}

// ---- by the size of the element ----------------------------------------------------------------

template <class T, unsigned scalars>
struct SelectLoop {
  GLIA_CLONES static void run(void* dst, const void* const* src, size_t n);
};

template <class T, unsigned scalars>
void SelectLoop<T, scalars>::run(void* dst, const void* const* src, size_t n) {
  T* __restrict out = static_cast<T*>(dst);
  const uint8_t* c = static_cast<const uint8_t*>(src[0]);
  const T* x = static_cast<const T*>(src[1]);
  const T* y = static_cast<const T*>(src[2]);
  for (size_t i = 0; i < n; ++i) {
    const T a = x[scalars & 2 ? 0 : i], b = y[scalars & 4 ? 0 : i];
    out[i] = c[i] ? a : b;
  }
}

template <class T>
static TileFn select_of(unsigned scalars) {
  constexpr TileFn loops[] = {&SelectLoop<T, 0>::run, &SelectLoop<T, 2>::run, &SelectLoop<T, 4>::run, &SelectLoop<T, 6>::run};
  return scalars & 1 ? nullptr : loops[scalars / 2];
}

template <class T>
struct FillLoop {
  static void run(void* dst, const void* const* src, size_t n) { std::fill_n(static_cast<T*>(dst), n, *static_cast<const T*>(src[0])); }
};

template <class T>
static void copy_run(T* __restrict out, const T* src, int64_t stride, size_t n) {
  if (stride == 1) std::memcpy(out, src, n * sizeof(T));
  else if (stride == 0) std::fill_n(out, n, *src);
  else for (size_t i = 0; i < n; ++i) out[i] = src[static_cast<int64_t>(i) * stride];
}

// The innermost axis runs in one loop; the others count up like an odometer.
template <class T>
static void walk_loop(void* dst, const void* src, const Walk& w, size_t start, size_t n) {
  T* out = static_cast<T*>(dst);
  const T* from = static_cast<const T*>(src) + w.offset;
  const size_t rank = w.sizes.size();
  if (rank == 0) return copy_run(out, from, 0, n);
  const size_t inner = static_cast<size_t>(w.sizes[rank - 1]);
  size_t line = start / inner, column = start % inner;
  while (n > 0) {
    int64_t at = static_cast<int64_t>(column) * w.strides[rank - 1];
    for (size_t rest = line, k = rank - 1; k-- > 0; rest /= static_cast<size_t>(w.sizes[k]))
      at += static_cast<int64_t>(rest % static_cast<size_t>(w.sizes[k])) * w.strides[k];
    const size_t run = std::min(n, inner - column);
    copy_run(out, from + at, w.strides[rank - 1], run);
    out += run, n -= run, column = 0, ++line;
  }
}

TileFn select_tile(DType dtype, unsigned scalars) {
  switch (dtype_size(dtype)) {
    case 1: return select_of<uint8_t>(scalars);
    case 2: return select_of<uint16_t>(scalars);
    case 4: return select_of<uint32_t>(scalars);
    case 8: return select_of<uint64_t>(scalars);
    default: return nullptr;
  }
}

TileFn fill_tile(DType dtype) {
  switch (dtype_size(dtype)) {
    case 1: return &FillLoop<uint8_t>::run;
    case 2: return &FillLoop<uint16_t>::run;
    case 4: return &FillLoop<uint32_t>::run;
    case 8: return &FillLoop<uint64_t>::run;
    default: return nullptr;
  }
}

WalkFn walk_tile(size_t element_bytes) {
  switch (element_bytes) {
    case 1: return &walk_loop<uint8_t>;
    case 2: return &walk_loop<uint16_t>;
    case 4: return &walk_loop<uint32_t>;
    case 8: return &walk_loop<uint64_t>;
    default: return nullptr;
  }
}

Walk simplified(Walk w) {
  Walk out{w.offset, {}, {}};
  for (size_t k = 0; k < w.sizes.size(); ++k) {
    if (w.sizes[k] == 1) continue;
    if (!out.sizes.empty() && out.strides.back() == w.strides[k] * w.sizes[k]) {
      out.sizes.back() *= w.sizes[k];
      out.strides.back() = w.strides[k];
    } else {
      out.sizes.push_back(w.sizes[k]);
      out.strides.push_back(w.strides[k]);
    }
  }
  return out;
}

// ---- conversion --------------------------------------------------------------------------------

template <class From, class To>
static To convert(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // The bounds as floats: the upper one is exact or rounds up to 2^k, from where on the conversion would overflow.
    constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
    constexpr From high = static_cast<From>(std::numeric_limits<To>::max());
    if (x != x) return To(0);
    return x <= low ? std::numeric_limits<To>::min() : x >= high ? std::numeric_limits<To>::max() : static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class From, class To>
struct CastLoop {
  GLIA_CLONES static void run(void* dst, const void* const* src, size_t n);
};

template <class From, class To>
void CastLoop<From, To>::run(void* dst, const void* const* src, size_t n) {
  To* __restrict out = static_cast<To*>(dst);
  const From* x = static_cast<const From*>(src[0]);
  for (size_t i = 0; i < n; ++i) out[i] = convert<From, To>(x[i]);
}

template <class From>
struct ToBoolLoop {
  static void run(void* dst, const void* const* src, size_t n) {
    for (size_t i = 0; i < n; ++i) static_cast<uint8_t*>(dst)[i] = static_cast<const From*>(src[0])[i] != From(0);
  }
};

template <class From>
static TileFn cast_from(DType to) {
  switch (to) {
    case DType::f32: return &CastLoop<From, float>::run;
    case DType::f64: return &CastLoop<From, double>::run;
    case DType::i64: return &CastLoop<From, int64_t>::run;
    case DType::i32: return &CastLoop<From, int32_t>::run;
    case DType::i8: return &CastLoop<From, int8_t>::run;
    case DType::u8: return &CastLoop<From, uint8_t>::run;
    case DType::boolean: return &ToBoolLoop<From>::run;
    case DType::bf16:
    case DType::f16:
    case DType::any_float:
    case DType::any_int:
    case DType::any_num: return nullptr;
  }
  return nullptr;
}

TileFn cast_tile(DType from, DType to) {
  switch (from) {
    case DType::f32: return cast_from<float>(to);
    case DType::f64: return cast_from<double>(to);
    case DType::i64: return cast_from<int64_t>(to);
    case DType::i32: return cast_from<int32_t>(to);
    case DType::i8: return cast_from<int8_t>(to);
    case DType::u8:
    case DType::boolean: return cast_from<uint8_t>(to);
    case DType::bf16:
    case DType::f16:
    case DType::any_float:
    case DType::any_int:
    case DType::any_num: return nullptr;
  }
  return nullptr;
}

}  // namespace glia::interp::exec
