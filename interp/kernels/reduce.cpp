// Reductions over any axes. The axes that go away are walked in row-major order and the order depends on nothing else,
// so that a row alone and a row among others give the same bits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "interp/kernels/families.h"
#include "interp/kernels/strides.h"

namespace glia::interp {

using ir::AttrKey;

namespace {
// The reduced elements of one result: runs of `length` elements `step` apart, that start at `starts`.
struct Plan {
  std::vector<int64_t> kept_shape;
  Strides kept;
  std::vector<int64_t> starts;
  int64_t length = 1, step = 1;

  int64_t count() const { return length * static_cast<int64_t>(starts.size()); }
};

Plan make_plan(std::span<const int64_t> shape, const ir::Ints& axes) {
  Plan p;
  const Strides strides = row_major(shape);
  std::vector<bool> gone(shape.size(), false);
  for (int64_t a : axes) gone[static_cast<size_t>(a)] = true;
  std::vector<int64_t> sizes;
  Strides steps;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!gone[i]) {
      p.kept_shape.push_back(shape[i]), p.kept.push_back(strides[i]);
    } else if (i > 0 && gone[i - 1]) {  // neighbours that both go away are one axis
      sizes.back() *= shape[i], steps.back() = strides[i];
    } else {
      sizes.push_back(shape[i]), steps.push_back(strides[i]);
    }
  }
  if (!sizes.empty()) p.length = sizes.back(), p.step = steps.back(), sizes.pop_back(), steps.pop_back();
  for_each_offset<1>(sizes, {steps}, {0}, [&](const auto& at) { p.starts.push_back(at[0]); });
  return p;
}

// Sums in halves, halves of halves … down to short runs: the error grows with the logarithm of the count.
template <class A, class T>
A sum_run(const T* x, int64_t n, int64_t step) {
  if (n > 128) return sum_run<A>(x, n / 2, step) + sum_run<A>(x + n / 2 * step, n - n / 2, step);
  A sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += static_cast<A>(x[i * step]);
  return sum;
}

template <class A, class T>
A sum_runs(const T* x, const Plan& p, size_t first, size_t last) {
  if (last - first == 1) return sum_run<A>(x + p.starts[first], p.length, p.step);
  if (first == last) return 0;
  const size_t middle = first + (last - first) / 2;
  return sum_runs<A>(x, p, first, middle) + sum_runs<A>(x, p, middle, last);
}

// r = one(elements of the result) for every result.
template <class T, class One>
void for_each_result(const KernelCall& c, const Plan& p, One&& one) {
  const T* x = c.args[0].as<T>();
  T* r = c.out.as<T>();
  for_each_offset<1>(p.kept_shape, {p.kept}, {0}, [&](const auto& at) { *r++ = one(x + at[0]); });
}

// Folds the reduced elements in order.
template <class T, class A, class Step>
A fold(const T* x, const Plan& p, A state, Step&& step) {
  for (int64_t start : p.starts)
    for (int64_t i = 0; i < p.length; ++i) state = step(state, static_cast<Compute<T>>(x[start + i * p.step]));
  return state;
}

template <class Op>
KernelResult extreme(const KernelCall& c) {
  const Plan p = make_plan(c.args[0].shape, c.attrs.ints(AttrKey::axes));
  if (c.out.size() == 0) return {};
  if (p.count() == 0)
    return std::unexpected(fmt::format("no elements to reduce: axes [{}] of shape [{}]", fmt::join(c.attrs.ints(AttrKey::axes), ", "),
                                       fmt::join(c.args[0].shape, ", ")));
  with_element(c.out.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      using C = Compute<T>;
      for_each_result<T>(c, p, [&](const T* x) {
        return static_cast<T>(fold(x, p, static_cast<C>(x[p.starts[0]]), [](C a, C b) { return Op::template eval<C>(a, b); }));
      });
    }
  });
  return {};
}

KernelResult logic(const KernelCall& c, bool neutral) {
  const Plan p = make_plan(c.args[0].shape, c.attrs.ints(AttrKey::axes));
  for_each_result<bool>(c, p,
                        [&](const bool* x) { return fold(x, p, neutral, [=](bool a, bool b) { return neutral ? a && b : a || b; }); });
  return {};
}

// The place of the first NaN, or else of the first element that no other beats.
template <class T, class Beats>
int64_t best_index(const T* x, int64_t n, int64_t step, Beats&& beats) {
  using C = Compute<T>;
  int64_t best = 0;
  C value = static_cast<C>(x[0]);
  for (int64_t i = 1; i < n && value == value; ++i) {
    const C candidate = static_cast<C>(x[i * step]);
    if (candidate != candidate || beats(candidate, value)) best = i, value = candidate;
  }
  return best;
}

template <class Beats>
KernelResult arg_extreme(const KernelCall& c, Beats&& beats) {
  const int64_t axis = c.attrs.integer(AttrKey::axis), n = c.args[0].shape[static_cast<size_t>(axis)];
  const Plan p = make_plan(c.args[0].shape, {axis});
  if (c.out.size() == 0) return {};
  if (n == 0) return std::unexpected(fmt::format("no elements along axis {} of shape [{}]", axis, fmt::join(c.args[0].shape, ", ")));
  with_element(c.args[0].dtype, [&]<class T>() {
    with_element(c.out.dtype, [&]<class R>() {
      if constexpr (std::is_integral_v<R>) {
        R* r = c.out.as<R>();
        for_each_offset<1>(p.kept_shape, {p.kept}, {0},
                           [&](const auto& at) { *r++ = static_cast<R>(best_index(c.args[0].as<T>() + at[0], n, p.step, beats)); });
      }
    });
  });
  return {};
}
}  // namespace

template <>
KernelResult run_kernel<ir::Sum>(const KernelCall& c) {
  const Plan p = make_plan(c.args[0].shape, c.attrs.ints(AttrKey::axes));
  with_element(c.out.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>)
      for_each_result<T>(c, p, [&](const T* x) { return narrow<T>(sum_runs<Accumulate<T>>(x, p, 0, p.starts.size())); });
  });
  return {};
}

template <>
KernelResult run_kernel<ir::Prod>(const KernelCall& c) {
  const Plan p = make_plan(c.args[0].shape, c.attrs.ints(AttrKey::axes));
  with_element(c.out.dtype, [&]<class T>() {
    using A = Accumulate<T>;
    if constexpr (!std::is_same_v<T, bool>)
      for_each_result<T>(c, p,
                         [&](const T* x) { return narrow<T>(fold(x, p, A(1), [](A a, Compute<T> b) { return a * static_cast<A>(b); })); });
  });
  return {};
}

template <>
KernelResult run_kernel<ir::ReduceMax>(const KernelCall& c) {
  return extreme<ir::Max>(c);
}
template <>
KernelResult run_kernel<ir::ReduceMin>(const KernelCall& c) {
  return extreme<ir::Min>(c);
}
template <>
KernelResult run_kernel<ir::All>(const KernelCall& c) {
  return logic(c, true);
}
template <>
KernelResult run_kernel<ir::Any>(const KernelCall& c) {
  return logic(c, false);
}

template <>
KernelResult run_kernel<ir::ArgMax>(const KernelCall& c) {
  return arg_extreme(c, [](auto a, auto b) { return a > b; });
}
template <>
KernelResult run_kernel<ir::ArgMin>(const KernelCall& c) {
  return arg_extreme(c, [](auto a, auto b) { return a < b; });
}

// The running sum is kept wide and rounded at each element.
template <>
KernelResult run_kernel<ir::CumSum>(const KernelCall& c) {
  const int64_t axis = c.attrs.integer(AttrKey::axis);
  const bool reverse = c.attrs.has(AttrKey::index) && c.attrs.integer(AttrKey::index) == 1;
  const Plan p = make_plan(c.args[0].shape, {axis});
  with_element(c.out.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      for_each_offset<1>(p.kept_shape, {p.kept}, {0}, [&](const auto& at) {
        const T* x = c.args[0].as<T>() + at[0];
        T* r = c.out.as<T>() + at[0];
        Accumulate<T> sum = 0;
        for (int64_t k = 0; k < p.length; ++k) {
          const int64_t i = (reverse ? p.length - 1 - k : k) * p.step;
          sum += static_cast<Accumulate<T>>(x[i]);
          r[i] = narrow<T>(sum);
        }
      });
    }
  });
  return {};
}

}  // namespace glia::interp
