// Slices by index, and their transpose.
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "interp/kernels/families.h"

namespace glia::interp {

namespace {
// The axes of x and of the index as five counts: x is [b, a, n, c], the index [b, j], slices [b, a, j, c].
struct Layout {
  int64_t b, a, n, j, c;
};

Layout layout(const KernelCall& call, std::span<const int64_t> x, const View& index) {
  const auto axis = static_cast<size_t>(call.attrs.integer(ir::AttrKey::axis));
  const auto batch = static_cast<size_t>(call.attrs.has(ir::AttrKey::batch) ? call.attrs.integer(ir::AttrKey::batch) : 0);
  return {element_count(x.first(batch)), element_count(x.subspan(batch, axis - batch)), x[axis], element_count(index.shape.subspan(batch)),
          element_count(x.subspan(axis + 1))};
}

// The indexes as i64, each inside 0..n-1.
std::expected<std::vector<int64_t>, std::string> checked_indexes(const View& index, int64_t n, int64_t axis) {
  std::vector<int64_t> result(static_cast<size_t>(index.size()));
  with_element(index.dtype, [&]<class T>() {
    for (size_t i = 0; i < result.size(); ++i) result[i] = static_cast<int64_t>(index.as<T>()[i]);
  });
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i] >= 0 && result[i] < n) continue;
    const std::string place = index.rank() == 0 ? "" : " at " + position(static_cast<int64_t>(i), index.shape) + " of the indexes";
    return std::unexpected(fmt::format("index {}{} is outside 0..{}: axis {} has size {}", result[i], place, n, axis, n));
  }
  return result;
}
}  // namespace

template <>
KernelResult run_kernel<ir::Gather>(const KernelCall& call) {
  const Layout l = layout(call, call.args[0].shape, call.args[1]);
  const auto index = checked_indexes(call.args[1], l.n, call.attrs.integer(ir::AttrKey::axis));
  if (!index) return std::unexpected(index.error());
  const size_t bytes = static_cast<size_t>(l.c) * dtype_size(call.out.dtype);
  if (bytes == 0) return {};
  const std::byte* x = call.args[0].as<std::byte>();
  std::byte* r = call.out.as<std::byte>();
  for (int64_t b = 0; b < l.b; ++b)
    for (int64_t a = 0; a < l.a; ++a)
      for (int64_t j = 0; j < l.j; ++j, r += bytes)
        std::memcpy(r, x + static_cast<size_t>((b * l.a + a) * l.n + (*index)[static_cast<size_t>(b * l.j + j)]) * bytes, bytes);
  return {};
}

// Adds in row-major order of the updates, 16-bit floats in f32.
template <>
KernelResult run_kernel<ir::ScatterAdd>(const KernelCall& call) {
  const Layout l = layout(call, call.out.shape, call.args[1]);
  const auto index = checked_indexes(call.args[1], l.n, call.attrs.integer(ir::AttrKey::axis));
  if (!index) return std::unexpected(index.error());
  with_element(call.out.dtype, [&]<class T>() {
    using C = std::conditional_t<is_real<T>, Compute<T>, uint64_t>;
    std::vector<C> sum(static_cast<size_t>(call.out.size()), C(0));
    const T* update = call.args[0].as<T>();
    for (int64_t b = 0; b < l.b; ++b)
      for (int64_t a = 0; a < l.a; ++a)
        for (int64_t j = 0; j < l.j; ++j, update += l.c) {
          C* to = sum.data() + ((b * l.a + a) * l.n + (*index)[static_cast<size_t>(b * l.j + j)]) * l.c;
          for (int64_t i = 0; i < l.c; ++i) to[i] += static_cast<C>(update[i]);
        }
    for (size_t i = 0; i < sum.size(); ++i) call.out.as<T>()[i] = static_cast<T>(sum[i]);
  });
  return {};
}

// The result may be the memory of x itself: then only the slices named are touched.
template <>
KernelResult run_kernel<ir::AddAt>(const KernelCall& call) {
  const Layout l = layout(call, call.out.shape, call.args[2]);
  const auto index = checked_indexes(call.args[2], l.n, call.attrs.integer(ir::AttrKey::axis));
  if (!index) return std::unexpected(index.error());
  const size_t bytes = static_cast<size_t>(call.out.size()) * dtype_size(call.out.dtype);
  if (call.out.data != call.args[0].data && bytes > 0) std::memcpy(call.out.data, call.args[0].data, bytes);
  with_element(call.out.dtype, [&]<class T>() {
    using C = std::conditional_t<is_real<T>, Compute<T>, uint64_t>;
    const T* update = call.args[1].as<T>();
    for (int64_t b = 0; b < l.b; ++b)
      for (int64_t a = 0; a < l.a; ++a)
        for (int64_t j = 0; j < l.j; ++j, update += l.c) {
          T* to = call.out.as<T>() + ((b * l.a + a) * l.n + (*index)[static_cast<size_t>(b * l.j + j)]) * l.c;
          for (int64_t i = 0; i < l.c; ++i) to[i] = static_cast<T>(static_cast<C>(to[i]) + static_cast<C>(update[i]));
        }
  });
  return {};
}

}  // namespace glia::interp
