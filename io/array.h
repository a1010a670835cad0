// What a reader hands over: a dense array of plain bytes, row-major, little endian. It has no ties to
// tensors, so that the readers need nothing above base/.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/dtype.h"
#include "base/error.h"

namespace glia::io {

static_assert(std::endian::native == std::endian::little, "arrays are kept as the host keeps numbers");

// Bytes of an array of this shape, or nothing where a size is negative or the product does not fit. Zero
// sizes are left out of the product, so that strides stay in range too.
inline std::optional<int64_t> byte_count(DType dtype, std::span<const int64_t> shape) {
  int64_t product = static_cast<int64_t>(dtype_size(dtype));
  bool empty = false;
  for (int64_t n : shape) {
    if (n < 0) return std::nullopt;
    if (n == 0) empty = true;
    if (n != 0 && product > std::numeric_limits<int64_t>::max() / n) return std::nullopt;
    if (n != 0) product *= n;
  }
  return empty ? 0 : product;
}

// Whether elements of `dtype` may be read as T. The half types are read as uint16_t, booleans as bytes.
template <class T>
constexpr bool holds(DType dtype) {
  if (sizeof(T) != dtype_size(dtype)) return false;
  return std::is_floating_point_v<T> == (dtype == DType::f32 || dtype == DType::f64);
}

struct Array {
  DType dtype = DType::f32;
  std::vector<int64_t> shape;    // empty for one number
  std::vector<std::byte> bytes;  // exactly byte_count(dtype, shape)

  int64_t size() const { return static_cast<int64_t>(bytes.size() / dtype_size(dtype)); }
  int64_t rows() const { return shape.empty() ? 0 : shape[0]; }

  template <class T>
  std::span<const T> as() const {
    GLIA_CHECK(holds<T>(dtype), "an array is read as another type");
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <class T>
  std::span<T> as() {
    GLIA_CHECK(holds<T>(dtype), "an array is written as another type");
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

// Filled with zeros.
inline Array make_array(DType dtype, std::vector<int64_t> shape) {
  const auto count = byte_count(dtype, shape);
  GLIA_CHECK(count.has_value(), "an array of an impossible size");
  return {dtype, std::move(shape), std::vector<std::byte>(static_cast<size_t>(*count))};
}

}  // namespace glia::io
