// Conversion between element types: floats toward zero and saturating to integers, integers around, one rounding to floats, NaN to 0, and to
// bool whether the number is not zero.
#include <limits>

#include "interp/kernels/families.h"

namespace glia::interp {

namespace {
// An i64 as a double that rounds to 16 bits as the integer itself would: bits below its 53 leave a mark in the last.
double sticky(int64_t x) {
  const uint64_t magnitude = x < 0 ? uint64_t{0} - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  if (magnitude < (uint64_t{1} << 53)) return static_cast<double>(x);
  const double d = static_cast<double>((magnitude & ~uint64_t{0xfff}) | ((magnitude & 0xfff) != 0 ? 0x1000u : 0u));
  return x < 0 ? -d : d;
}

template <class To, class From>
To convert(From x) {
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (std::is_same_v<To, bool>) return static_cast<Compute<From>>(x) != 0;
  else if constexpr (std::is_same_v<From, bool>) return convert<To>(static_cast<int32_t>(x));
  else if constexpr (is_half<From>) return convert<To>(static_cast<float>(x));
  else if constexpr (is_half<To> && std::is_same_v<From, int64_t>) return To(sticky(x));
  else if constexpr (is_half<To> && std::is_integral_v<From>) return To(static_cast<double>(x));
  else if constexpr (is_real<To>) return static_cast<To>(x);
  else {
    constexpr To low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    if constexpr (std::is_integral_v<From>) {
      return static_cast<To>(x);  // wraps around, as arithmetic does
    } else {  // `low` is a power of two, so it is exact; the first value too large is -low, or 256 without a sign
      constexpr From edge = std::is_signed_v<To> ? -static_cast<From>(low) : static_cast<From>(256);
      return x != x ? To(0) : x <= static_cast<From>(low) ? low : x >= edge ? high : static_cast<To>(x);
    }
  }
}
}  // namespace

template <>
KernelResult run_kernel<ir::Cast>(const KernelCall& c) {
  const int64_t n = c.out.size();
  with_element(c.args[0].dtype, [&]<class From>() {
    with_element(c.out.dtype, [&]<class To>() {
      const From* x = c.args[0].as<From>();
      To* r = c.out.as<To>();
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) r[i] = convert<To>(x[i]);
    });
  });
  return {};
}

}  // namespace glia::interp
