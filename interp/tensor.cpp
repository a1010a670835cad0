// Memory of tensors, and their way to and from the arrays of the readers.
#include "interp/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <new>

namespace glia::interp {

std::shared_ptr<Buffer> Buffer::make(size_t bytes) {
  const size_t padded = (bytes + alignment - 1) / alignment * alignment;
  if (bytes > size_t{1} << 39) return nullptr;  // 512 GiB: no machine that this runs on has it, so do not ask
  void* memory = ::operator new(padded == 0 ? alignment : padded, std::align_val_t(alignment), std::nothrow);
  if (memory == nullptr) return nullptr;
  return std::shared_ptr<Buffer>(new Buffer(static_cast<std::byte*>(memory), bytes));
}

Buffer::~Buffer() { ::operator delete(data_, std::align_val_t(alignment)); }

int64_t element_count(std::span<const int64_t> shape) {
  int64_t n = 1;
  for (int64_t d : shape) n *= d;
  return n;
}

std::expected<Tensor, std::string> Tensor::allocate(DType dtype, std::vector<int64_t> shape) {
  const auto bytes = io::byte_count(dtype, shape);
  if (!bytes) return std::unexpected(fmt::format("there is no tensor of shape [{}]", fmt::join(shape, ", ")));
  auto buffer = Buffer::make(static_cast<size_t>(*bytes));
  if (!buffer) return std::unexpected(fmt::format("no memory for {}[{}] ({} bytes)", dtype_name(dtype), fmt::join(shape, ", "), *bytes));
  return Tensor{dtype, std::move(shape), std::move(buffer)};
}

Tensor Tensor::zeros(DType dtype, std::vector<int64_t> shape) {
  auto t = allocate(dtype, std::move(shape));
  GLIA_CHECK(t.has_value(), t.error());
  std::memset(t->data->data(), 0, t->data->size());
  return std::move(*t);
}

Tensor Tensor::from(const io::Array& array) {
  Tensor t = zeros(array.dtype, array.shape);
  GLIA_CHECK(t.byte_size() == array.bytes.size(), "an array has as many bytes as its shape says");
  if (!array.bytes.empty()) std::memcpy(t.data->data(), array.bytes.data(), array.bytes.size());
  if (t.dtype == DType::boolean)  // a byte of a file may be anything; a bool is 0 or 1
    for (std::byte *b = t.data->data(), *end = b + t.byte_size(); b != end; ++b) *b = std::byte(*b != std::byte(0));
  return t;
}

io::Array Tensor::to_array() const {
  io::Array array = io::make_array(dtype, shape);
  if (!array.bytes.empty()) std::memcpy(array.bytes.data(), data->data(), array.bytes.size());
  return array;
}

double element_real(const Tensor& t, int64_t index) {
  return with_element(t.dtype, [&]<class T>() { return static_cast<double>(t.as<T>()[static_cast<size_t>(index)]); });
}

int64_t element_int(const Tensor& t, int64_t index) {
  GLIA_CHECK(!is_float(t.dtype), "an integer is read from floats");
  return with_element(t.dtype, [&]<class T>() { return static_cast<int64_t>(t.as<T>()[static_cast<size_t>(index)]); });
}

Tensor row(const Tensor& t, int64_t i) {
  GLIA_CHECK(!t.shape.empty() && i >= 0 && i < t.shape[0], "a row inside the tensor");
  Tensor r = Tensor::zeros(t.dtype, {t.shape.begin() + 1, t.shape.end()});
  const size_t bytes = r.byte_size();
  if (bytes > 0) std::memcpy(r.data->data(), t.data->data() + static_cast<size_t>(i) * bytes, bytes);
  return r;
}

std::expected<Tensor, std::string> stack(std::span<const Tensor* const> rows, DType dtype, std::span<const int64_t> row_shape) {
  std::vector<int64_t> shape{static_cast<int64_t>(rows.size())};
  shape.insert(shape.end(), row_shape.begin(), row_shape.end());
  auto result = Tensor::allocate(dtype, std::move(shape));
  if (!result) return result;
  std::byte* to = result->data->data();
  for (const Tensor* r : rows) {
    if (r->dtype != dtype || !std::equal(r->shape.begin(), r->shape.end(), row_shape.begin(), row_shape.end()))
      return std::unexpected(
          fmt::format("rows of different shapes are stacked: [{}] and [{}]", fmt::join(row_shape, ", "), fmt::join(r->shape, ", ")));
    if (r->byte_size() > 0) std::memcpy(to, r->data->data(), r->byte_size());
    to += r->byte_size();
  }
  return result;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && a.shape == b.shape &&
         (a.byte_size() == 0 || std::memcmp(a.data->data(), b.data->data(), a.byte_size()) == 0);
}

}  // namespace glia::interp
