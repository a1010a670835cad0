// Recurrences, order and Fourier transforms along one axis.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <vector>

#include "interp/kernels/families.h"

namespace glia::interp {

using ir::AttrKey;

namespace {
bool flagged(const KernelCall& c) { return c.attrs.has(AttrKey::index) && c.attrs.integer(AttrKey::index) == 1; }

// f(first place, step) for every line along the axis.
template <class F>
void for_each_line(const KernelCall& c, F&& f) {
  const auto axis = static_cast<size_t>(c.attrs.integer(AttrKey::axis));
  const auto shape = c.args[0].shape;
  const int64_t outer = element_count(shape.first(axis)), n = shape[axis], inner = element_count(shape.subspan(axis + 1));
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) f(o * n * inner + i, inner, n);
}
}  // namespace

// The state is kept wide and rounded at each element.
template <>
KernelResult run_kernel<ir::Recurrence>(const KernelCall& c) {
  const bool reverse = flagged(c);
  with_element(c.out.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      for_each_line(c, [&](int64_t first, int64_t step, int64_t n) {
        Accumulate<T> state = 0;
        for (int64_t k = 0; k < n; ++k) {
          const int64_t at = first + (reverse ? n - 1 - k : k) * step;
          const auto a = static_cast<Accumulate<T>>(c.args[0].as<T>()[at]), b = static_cast<Accumulate<T>>(c.args[1].as<T>()[at]);
          state = k == 0 ? b : a * state + b;
          c.out.as<T>()[at] = narrow<T>(state);
        }
      });
    }
  });
  return {};
}

template <>
KernelResult run_kernel<ir::ArgSort>(const KernelCall& c) {
  const bool descending = flagged(c);
  with_element(c.args[0].dtype, [&]<class T>() {
    const T* x = c.args[0].as<T>();
    std::vector<int32_t> order;
    for_each_line(c, [&](int64_t first, int64_t step, int64_t n) {
      order.resize(static_cast<size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      auto before = [&](int32_t i, int32_t j) {
        const auto a = static_cast<Compute<T>>(x[first + i * step]), b = static_cast<Compute<T>>(x[first + j * step]);
        return a < b || (a == a && b != b);
      };
      std::stable_sort(order.begin(), order.end(), [&](int32_t i, int32_t j) { return descending ? before(j, i) : before(i, j); });
      for (int64_t k = 0; k < n; ++k) c.out.as<int32_t>()[first + k * step] = order[static_cast<size_t>(k)];
    });
  });
  return {};
}

// ---- Fourier transform ----------------------------------------------------------------------------

namespace {
using Complex = std::complex<double>;

// exp(sign * 2 pi i k / n), with the angle taken around the circle first.
Complex turn(int64_t k, int64_t n, double sign) {
  const double angle = sign * 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

// Cooley and Tukey 1965, for a power of two.
void power_of_two(std::vector<Complex>& x, double sign) {
  const size_t n = x.size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  std::vector<Complex> turns(n / 2);
  for (size_t k = 0; k < turns.size(); ++k) turns[k] = turn(static_cast<int64_t>(k), static_cast<int64_t>(n), sign);
  for (size_t half = 1; half < n; half *= 2)
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t k = 0; k < half; ++k) {
        const Complex a = x[start + k], b = x[start + half + k] * turns[k * (n / (2 * half))];
        x[start + k] = a + b;
        x[start + half + k] = a - b;
      }
}

// Any length as a convolution of a power of two (Bluestein 1970): j k = (j^2 + k^2 - (k - j)^2) / 2.
void any_length(std::vector<Complex>& x, double sign) {
  const size_t n = x.size();
  if (n < 2) return;
  if ((n & (n - 1)) == 0) return power_of_two(x, sign);
  size_t wide = 1;
  while (wide < 2 * n - 1) wide *= 2;
  std::vector<Complex> chirp(n), a(wide), b(wide);
  for (size_t k = 0; k < n; ++k) {
    chirp[k] = turn(static_cast<int64_t>(k * k % (2 * n)), static_cast<int64_t>(2 * n), sign);
    a[k] = x[k] * chirp[k];
    b[k] = std::conj(chirp[k]);
    if (k > 0) b[wide - k] = b[k];
  }
  power_of_two(a, -1), power_of_two(b, -1);
  for (size_t k = 0; k < wide; ++k) a[k] *= b[k];
  power_of_two(a, 1);
  for (size_t k = 0; k < n; ++k) x[k] = a[k] * chirp[k] / static_cast<double>(wide);
}
}  // namespace

template <>
KernelResult run_kernel<ir::Dft>(const KernelCall& c) {
  const double sign = flagged(c) ? 1 : -1;
  const int64_t n = c.out.shape.back(), lines = element_count(c.out.shape.first(c.out.rank() - 2));
  with_element(c.out.dtype, [&]<class T>() {
    if constexpr (is_real<T>) {
      std::vector<Complex> line(static_cast<size_t>(n));
      for (int64_t i = 0; i < lines; ++i) {
        const T* x = c.args[0].as<T>() + 2 * n * i;
        T* r = c.out.as<T>() + 2 * n * i;
        for (int64_t k = 0; k < n; ++k) line[static_cast<size_t>(k)] = {static_cast<double>(x[k]), static_cast<double>(x[n + k])};
        any_length(line, sign);
        for (int64_t k = 0; k < n; ++k)
          r[k] = static_cast<T>(line[static_cast<size_t>(k)].real()), r[n + k] = static_cast<T>(line[static_cast<size_t>(k)].imag());
      }
    }
  });
  return {};
}

}  // namespace glia::interp
