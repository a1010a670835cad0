// Ops that move elements to other places: each is a copy between two walks over memory.
#include <fmt/format.h>

#include <cstring>

#include "interp/kernels/families.h"
#include "interp/kernels/strides.h"

namespace glia::interp {

using ir::AttrKey;
using ir::Ints;

namespace {
// f.operator()<U>() for an unsigned type as wide as an element: moving needs no more than the width.
template <class F>
void with_width(DType dtype, F&& f) {
  switch (dtype_size(dtype)) {
    case 1:
      return f.template operator()<uint8_t>();
    case 2:
      return f.template operator()<uint16_t>();
    case 4:
      return f.template operator()<uint32_t>();
    default:
      return f.template operator()<uint64_t>();
  }
}

// to[t(index)] = from[s(index)] for every index of `shape`; the last axis is a plain loop.
void copy_strided(DType dtype, std::span<const int64_t> shape, const void* from, const Strides& s, int64_t s0, void* to, const Strides& t,
                  int64_t t0) {
  const int64_t n = shape.empty() ? 1 : shape.back(), step_s = shape.empty() ? 0 : s.back(), step_t = shape.empty() ? 0 : t.back();
  with_width(dtype, [&]<class U>() {
    const U* source = static_cast<const U*>(from);
    U* target = static_cast<U*>(to);
    const auto outer = shape.empty() ? shape : shape.first(shape.size() - 1);
    if (n == 0) return;
    for_each_offset<2>(outer, {s, t}, {s0, t0}, [&](const auto& at) {
      const U* a = source + at[0];
      U* b = target + at[1];
      if (step_s == 1 && step_t == 1) std::memcpy(b, a, static_cast<size_t>(n) * sizeof(U));
      else
        for (int64_t i = 0; i < n; ++i) b[i * step_t] = a[i * step_s];
    });
  });
}

void copy_all(const View& from, const View& to) {
  const size_t bytes = static_cast<size_t>(to.size()) * dtype_size(to.dtype);
  if (bytes > 0 && from.data != to.data) std::memcpy(to.data, from.data, bytes);
}
}  // namespace

template <>
KernelResult run_kernel<ir::Select>(const KernelCall& c) {
  const bool* cond = c.args[0].as<bool>();
  const int64_t n = c.out.size();
  const bool one[] = {c.args[0].size() == 1, c.args[1].size() == 1, c.args[2].size() == 1};
  with_width(c.out.dtype, [&]<class U>() {
    const U *x = c.args[1].as<U>(), *y = c.args[2].as<U>();
    U* r = c.out.as<U>();
    if (one[0] || one[1] || one[2])
      for (int64_t i = 0; i < n; ++i) r[i] = cond[one[0] ? 0 : i] ? x[one[1] ? 0 : i] : y[one[2] ? 0 : i];
    else
      for (int64_t i = 0; i < n; ++i) r[i] = cond[i] ? x[i] : y[i];
  });
  return {};
}

template <>
KernelResult run_kernel<ir::Reshape>(const KernelCall& c) {
  if (c.args[0].size() != c.out.size())
    return std::unexpected(fmt::format("a tensor of {} elements is given a shape of {}", c.args[0].size(), c.out.size()));
  copy_all(c.args[0], c.out);
  return {};
}

template <>
KernelResult run_kernel<ir::StopGradient>(const KernelCall& c) {
  return copy_all(c.args[0], c.out), KernelResult{};
}
template <>
KernelResult run_kernel<ir::BatchMean>(const KernelCall& c) {
  return copy_all(c.args[0], c.out), KernelResult{};
}
template <>
KernelResult run_kernel<ir::BatchSum>(const KernelCall& c) {
  return copy_all(c.args[0], c.out), KernelResult{};
}

template <>
KernelResult run_kernel<ir::Transpose>(const KernelCall& c) {
  const Strides x = row_major(c.args[0].shape);
  Strides s;
  for (int64_t axis : c.attrs.ints(AttrKey::perm)) s.push_back(x[static_cast<size_t>(axis)]);
  copy_strided(c.out.dtype, c.out.shape, c.args[0].data, s, 0, c.out.data, row_major(c.out.shape), 0);
  return {};
}

template <>
KernelResult run_kernel<ir::Broadcast>(const KernelCall& c) {
  const Strides x = row_major(c.args[0].shape);
  const Ints& axes = c.attrs.ints(AttrKey::axes);
  Strides s(c.out.rank(), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<size_t>(axes[i]);
    if (c.args[0].shape[i] != c.out.shape[axis])
      return std::unexpected(fmt::format("a size of {} does not stretch to {}", c.args[0].shape[i], c.out.shape[axis]));
    s[axis] = x[i];
  }
  copy_strided(c.out.dtype, c.out.shape, c.args[0].data, s, 0, c.out.data, row_major(c.out.shape), 0);
  return {};
}

template <>
KernelResult run_kernel<ir::Slice>(const KernelCall& c) {
  const auto starts = c.dims(AttrKey::starts), stops = c.dims(AttrKey::stops);
  const Ints& steps = c.attrs.ints(AttrKey::steps);
  const Strides x = row_major(c.args[0].shape);
  Strides s(x.size());
  int64_t first = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t n = c.args[0].shape[i];
    if (starts[i] < 0 || stops[i] <= starts[i] - steps[i] || stops[i] > n)  // fewer than no elements
      return std::unexpected(fmt::format("slice {}:{} is outside axis {} of size {}", starts[i], stops[i], i, n));
    s[i] = x[i] * steps[i], first += x[i] * starts[i];
  }
  copy_strided(c.out.dtype, c.out.shape, c.args[0].data, s, first, c.out.data, row_major(c.out.shape), 0);
  return {};
}

template <>
KernelResult run_kernel<ir::Pad>(const KernelCall& c) {
  const auto low = c.dims(AttrKey::low), high = c.dims(AttrKey::high);
  const Strides y = row_major(c.out.shape);
  Strides t(y.size());
  int64_t first = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    if (low[i] < 0 || high[i] < 0) return std::unexpected(fmt::format("padding of {} and {} along axis {}", low[i], high[i], i));
    t[i] = y[i] * (c.attrs.has(AttrKey::steps) ? c.attrs.ints(AttrKey::steps)[i] : 1), first += y[i] * low[i];
  }
  std::memset(c.out.data, 0, static_cast<size_t>(c.out.size()) * dtype_size(c.out.dtype));
  copy_strided(c.out.dtype, c.args[0].shape, c.args[0].data, row_major(c.args[0].shape), 0, c.out.data, t, first);
  return {};
}

template <>
KernelResult run_kernel<ir::Flip>(const KernelCall& c) {
  Strides s = row_major(c.out.shape);
  int64_t first = 0;
  for (int64_t axis : c.attrs.ints(AttrKey::axes)) {
    const auto a = static_cast<size_t>(axis);
    first += s[a] * (c.out.shape[a] - 1), s[a] = -s[a];
  }
  copy_strided(c.out.dtype, c.out.shape, c.args[0].data, s, first, c.out.data, row_major(c.out.shape), 0);
  return {};
}

template <>
KernelResult run_kernel<ir::Concat>(const KernelCall& c) {
  const auto axis = static_cast<size_t>(c.attrs.integer(AttrKey::axis));
  const Strides y = row_major(c.out.shape);
  int64_t first = 0;
  for (const View& x : c.args) {
    copy_strided(c.out.dtype, x.shape, x.data, row_major(x.shape), 0, c.out.data, y, first);
    first += x.shape[axis] * y[axis];
  }
  return {};
}

}  // namespace glia::interp
