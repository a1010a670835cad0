// A dense tensor at run time: element type, sizes, and elements in row-major order without gaps. The buffer is shared
// between copies; whoever writes into a tensor made it.
#pragma once
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interp/element.h"
#include "io/array.h"

namespace glia::interp {

// Memory aligned for vector loads.
class Buffer {
 public:
  static constexpr size_t alignment = 64;
  static std::shared_ptr<Buffer> make(size_t bytes);  // null where memory is short; the contents are undefined
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  Buffer(std::byte* data, size_t size) : data_(data), size_(size) {}
  std::byte* data_;
  size_t size_;
};

int64_t element_count(std::span<const int64_t> shape);

struct Tensor {
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
  std::shared_ptr<Buffer> data;

  // A tensor of undefined elements, or why there is none: too large, or no memory.
  static std::expected<Tensor, std::string> allocate(DType dtype, std::vector<int64_t> shape);
  static Tensor zeros(DType dtype, std::vector<int64_t> shape);  // stops where memory is short
  static Tensor from(const io::Array& array);
  io::Array to_array() const;

  template <class T>
  static Tensor scalar(T value) {
    Tensor t = zeros(dtype_of<T>, {});
    t.as<T>()[0] = value;
    return t;
  }
  template <class T>
  static Tensor of(std::vector<int64_t> shape, const std::vector<std::type_identity_t<T>>& values) {
    Tensor t = zeros(dtype_of<T>, std::move(shape));
    GLIA_CHECK(values.size() == static_cast<size_t>(t.size()), "as many values as the shape says");
    std::copy(values.begin(), values.end(), t.as<T>().begin());
    return t;
  }

  int64_t size() const { return element_count(shape); }
  size_t rank() const { return shape.size(); }
  size_t byte_size() const { return static_cast<size_t>(size()) * dtype_size(dtype); }

  template <class T>
  std::span<const T> as() const {
    GLIA_CHECK(dtype_of<T> == dtype, "a tensor is read as another type");
    return {reinterpret_cast<const T*>(data->data()), static_cast<size_t>(size())};
  }
  template <class T>
  std::span<T> as() {
    GLIA_CHECK(dtype_of<T> == dtype, "a tensor is written as another type");
    return {reinterpret_cast<T*>(data->data()), static_cast<size_t>(size())};
  }
};

// One element as a wide number, whatever its type.
double element_real(const Tensor& t, int64_t index);
int64_t element_int(const Tensor& t, int64_t index);  // of an integer or boolean tensor

// Row i along the leading axis, and rows put one over another; `row_shape` serves where there are none.
Tensor row(const Tensor& t, int64_t i);
std::expected<Tensor, std::string> stack(std::span<const Tensor* const> rows, DType dtype, std::span<const int64_t> row_shape);

bool same_bits(const Tensor& a, const Tensor& b);  // type, sizes and every bit

}  // namespace glia::interp
