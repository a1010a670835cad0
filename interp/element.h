// The C++ type of each element type, and the way from one to the other.
#pragma once
#include <type_traits>
#include <utility>

#include "base/dtype.h"
#include "base/error.h"
#include "interp/half.h"

namespace glia::interp {

template <class T>
struct ElementOf;
template <>
struct ElementOf<float> {
  static constexpr DType dtype = DType::f32;
};
template <>
struct ElementOf<double> {
  static constexpr DType dtype = DType::f64;
};
template <>
struct ElementOf<BFloat16> {
  static constexpr DType dtype = DType::bf16;
};
template <>
struct ElementOf<Float16> {
  static constexpr DType dtype = DType::f16;
};
template <>
struct ElementOf<int64_t> {
  static constexpr DType dtype = DType::i64;
};
template <>
struct ElementOf<int32_t> {
  static constexpr DType dtype = DType::i32;
};
template <>
struct ElementOf<int8_t> {
  static constexpr DType dtype = DType::i8;
};
template <>
struct ElementOf<uint8_t> {
  static constexpr DType dtype = DType::u8;
};
template <>
struct ElementOf<bool> {
  static constexpr DType dtype = DType::boolean;
};

template <class T>
inline constexpr DType dtype_of = ElementOf<T>::dtype;
template <class T>
inline constexpr bool is_half = std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16>;
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T> || is_half<T>;

// What elements of type T are computed in, and what long sums of them are kept in. Integers wrap, so that their sums
// are kept without a sign.
template <class T>
using Compute = std::conditional_t<is_half<T>, float, T>;
template <class T>
using Accumulate = std::conditional_t<is_real<T>, double, uint64_t>;

// Back from the accumulator, rounded once.
template <class T>
constexpr T narrow(Accumulate<T> x) {
  return static_cast<T>(x);
}

// f.template operator()<T>() for the C++ type of `dtype`.
template <class F>
decltype(auto) with_element(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f32:
      return f.template operator()<float>();
    case DType::f64:
      return f.template operator()<double>();
    case DType::bf16:
      return f.template operator()<BFloat16>();
    case DType::f16:
      return f.template operator()<Float16>();
    case DType::i64:
      return f.template operator()<int64_t>();
    case DType::i32:
      return f.template operator()<int32_t>();
    case DType::i8:
      return f.template operator()<int8_t>();
    case DType::u8:
      return f.template operator()<uint8_t>();
    case DType::boolean:
      return f.template operator()<bool>();
    case DType::any_float:
    case DType::any_int:
    case DType::any_num:
      break;
  }
  internal_error(__FILE__, __LINE__, "a concrete element type", std::string(dtype_name(dtype)));
}

}  // namespace glia::interp
