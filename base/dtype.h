// Element types, shared by the readers (io), the compiler (ir) and the tensors (interp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace glia {

// The last three are generic: within one signature each stands for one type, and they are gone after
// specialisation.
enum class DType : uint8_t { f32, f64, bf16, f16, i64, i32, i8, u8, boolean, any_float, any_int, any_num };

constexpr bool is_float(DType t) {
  return t == DType::f32 || t == DType::f64 || t == DType::bf16 || t == DType::f16 || t == DType::any_float;
}
constexpr bool is_int(DType t) {
  return t == DType::i64 || t == DType::i32 || t == DType::i8 || t == DType::u8 || t == DType::any_int;
}
constexpr bool is_num(DType t) { return t != DType::boolean; }
constexpr bool is_generic(DType t) { return t >= DType::any_float; }

constexpr std::string_view dtype_name(DType t) {
  constexpr std::string_view names[] = {"f32", "f64", "bf16", "f16", "i64", "i32", "i8", "u8", "bool", "float", "int", "num"};
  return names[static_cast<size_t>(t)];
}

constexpr std::optional<DType> dtype_from_name(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(DType::any_num); ++i)
    if (dtype_name(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  return std::nullopt;
}

// Bytes of one element; 0 for the generic ones.
constexpr size_t dtype_size(DType t) {
  constexpr size_t sizes[] = {4, 8, 2, 2, 8, 4, 1, 1, 1, 0, 0, 0};
  return sizes[static_cast<size_t>(t)];
}

}  // namespace glia
