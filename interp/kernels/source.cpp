// Tensors from nothing: constants, ranges, sizes and random draws.
#include <fmt/format.h>

#include <algorithm>

#include "interp/kernels/families.h"
#include "interp/philox.h"

namespace glia::interp {

using ir::AttrKey;

namespace {
// A number of the program as an element: integers wrap, floats round once.
template <class T>
T element(int64_t x) {
  if constexpr (is_half<T>) return T(static_cast<double>(x));
  else if constexpr (std::is_same_v<T, bool>) return x != 0;
  else return static_cast<T>(x);
}

template <class T>
T element(double x) {
  if constexpr (is_real<T>) return T(x);
  else return element<T>(static_cast<int64_t>(x));
}

// r[i] = make(words of element i) for every stream.
template <class Make>
KernelResult fill_random(const KernelCall& c, Make&& make) {
  const int64_t site = c.attrs.integer(AttrKey::site), streams = c.args[0].size();
  const int64_t each = streams == 0 ? 0 : c.out.size() / streams;
  with_element(c.out.dtype, [&]<class T>() {
    if constexpr (is_real<T>) {
      T* r = c.out.as<T>();
      for (int64_t s = 0; s < streams; ++s)
        for (int64_t i = 0; i < each; ++i) *r++ = T(make(draw(c.args[0].as<int64_t>()[s], site, i)));
    }
  });
  return {};
}

int uniform_bits(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 53;
    case DType::f16:
      return 11;
    case DType::bf16:
      return 8;
    default:
      return 24;
  }
}
}  // namespace

template <>
KernelResult run_kernel<ir::Const>(const KernelCall& c) {
  const ir::AttrValue& value = *c.attrs.find(AttrKey::value);
  with_element(c.out.dtype, [&]<class T>() {
    const T x = std::holds_alternative<double>(value) ? element<T>(std::get<double>(value)) : element<T>(std::get<int64_t>(value));
    std::fill_n(c.out.as<T>(), c.out.size(), x);
  });
  return {};
}

template <>
KernelResult run_kernel<ir::Literal>(const KernelCall& c) {
  const ir::AttrValue& values = *c.attrs.find(AttrKey::values);
  with_element(c.out.dtype, [&]<class T>() {
    T* r = c.out.as<T>();
    if (const auto* reals = std::get_if<ir::Reals>(&values))
      for (double x : *reals) *r++ = element<T>(x);
    else
      for (int64_t x : std::get<ir::Ints>(values)) *r++ = element<T>(x);
  });
  return {};
}

template <>
KernelResult run_kernel<ir::Iota>(const KernelCall& c) {
  with_element(c.out.dtype, [&]<class T>() {
    for (int64_t i = 0; i < c.out.size(); ++i) c.out.as<T>()[i] = element<T>(i);
  });
  return {};
}

template <>
KernelResult run_kernel<ir::DimValue>(const KernelCall& c) {
  const int64_t n = c.size(c.attrs.get<ir::DimId>(AttrKey::dim));
  if (c.out.dtype == DType::i32 && n > std::numeric_limits<int32_t>::max())
    return std::unexpected(fmt::format("a size of {} does not fit i32", n));
  with_element(c.out.dtype, [&]<class T>() { c.out.as<T>()[0] = element<T>(n); });
  return {};
}

template <>
KernelResult run_kernel<ir::RandomUniform>(const KernelCall& c) {
  const int bits = uniform_bits(c.out.dtype);
  return fill_random(c, [=](const PhiloxCounter& w) { return uniform(w, bits); });
}

template <>
KernelResult run_kernel<ir::RandomNormal>(const KernelCall& c) {
  return fill_random(c, [](const PhiloxCounter& w) { return normal(w); });
}

template <>
KernelResult run_kernel<ir::StreamMix>(const KernelCall& c) {
  const bool one_s = c.args[0].size() == 1, one_k = c.args[1].size() == 1;
  with_element(c.args[1].dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T>)
      for (int64_t i = 0; i < c.out.size(); ++i)
        c.out.as<int64_t>()[i] = stream_mix(c.args[0].as<int64_t>()[one_s ? 0 : i], static_cast<int64_t>(c.args[1].as<T>()[one_k ? 0 : i]));
  });
  return {};
}

}  // namespace glia::interp
