// Windows along an axis, and their transpose.
#include <fmt/format.h>

#include <vector>

#include "interp/kernels/families.h"

namespace glia::interp {

using ir::AttrKey;

namespace {
// x is [a, n, c], the windows [a, count, size, c].
struct Windows {
  int64_t a, n, c, count, size, stride, dilation;
};

std::expected<Windows, std::string> windows_of(const KernelCall& call, std::span<const int64_t> x, std::span<const int64_t> w) {
  const auto axis = static_cast<size_t>(call.attrs.integer(AttrKey::axis));
  const auto how = call.dims(AttrKey::shape);
  Windows r{element_count(x.first(axis)), x[axis], element_count(x.subspan(axis + 1)), w[axis], how[0], how[1], how[2]};
  if (r.size < 1 || r.stride < 1 || r.dilation < 1)
    return std::unexpected(fmt::format("windows of size {}, stride {} and dilation {}: each is at least 1", r.size, r.stride, r.dilation));
  if (r.count < 1 || (r.count - 1) * r.stride + (r.size - 1) * r.dilation >= r.n)
    return std::unexpected(fmt::format("a window over {} elements is longer than axis {} of size {}", (r.size - 1) * r.dilation + 1, axis, r.n));
  return r;
}

// f(place in x, place among the windows) for every run of c elements.
template <class F>
void for_each_run(const Windows& w, F&& f) {
  for (int64_t a = 0, to = 0; a < w.a; ++a)
    for (int64_t i = 0; i < w.count; ++i)
      for (int64_t j = 0; j < w.size; ++j, to += w.c) f((a * w.n + i * w.stride + j * w.dilation) * w.c, to);
}
}  // namespace

template <>
KernelResult run_kernel<ir::Window>(const KernelCall& call) {
  const auto w = windows_of(call, call.args[0].shape, call.out.shape);
  if (!w) return std::unexpected(w.error());
  with_element(call.out.dtype, [&]<class T>() {
    const T* x = call.args[0].as<T>();
    T* r = call.out.as<T>();
    for_each_run(*w, [&](int64_t from, int64_t to) {
      for (int64_t k = 0; k < w->c; ++k) r[to + k] = x[from + k];
    });
  });
  return {};
}

template <>
KernelResult run_kernel<ir::Fold>(const KernelCall& call) {
  const auto w = windows_of(call, call.out.shape, call.args[0].shape);
  if (!w) return std::unexpected(w.error());
  with_element(call.out.dtype, [&]<class T>() {
    using C = std::conditional_t<is_real<T>, Compute<T>, uint64_t>;
    std::vector<C> sum(static_cast<size_t>(call.out.size()), C(0));
    const T* x = call.args[0].as<T>();
    for_each_run(*w, [&](int64_t at, int64_t from) {
      for (int64_t k = 0; k < w->c; ++k) sum[static_cast<size_t>(at + k)] += static_cast<C>(x[from + k]);
    });
    for (size_t i = 0; i < sum.size(); ++i) call.out.as<T>()[i] = static_cast<T>(sum[i]);
  });
  return {};
}

}  // namespace glia::interp
