// The 16-bit floats. They are storage only: arithmetic goes through float and rounds once, to nearest even.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace glia::interp {

constexpr uint16_t bf16_bits(float x) {
  const uint32_t u = std::bit_cast<uint32_t>(x);
  if ((u & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((u >> 16) | 0x40u);  // stays a NaN
  return static_cast<uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}

constexpr float bf16_value(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

// Subnormals of f16 are multiples of 2^-24, reached by adding 0.5, whose last place that is: the sum rounds as wanted.
constexpr uint16_t f16_bits(float x) {
  const uint32_t u = std::bit_cast<uint32_t>(x), sign = (u >> 16) & 0x8000u, magnitude = u & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00u);  // from 2^16: infinite
  if (magnitude < 0x38800000u) {                                               // below 2^-14
    const uint32_t shifted = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
    return static_cast<uint16_t>(sign | shifted);
  }
  const uint32_t rounded = magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | (rounded >> 13));
}

constexpr float f16_value(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, mantissa = bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

// f64 to f32 rounded to odd: toward zero, with the last bit set where something was lost. Rounded again to 16 bits it
// gives what one rounding would have given (Boldo and Melquiond 2008).
constexpr float round_to_odd(double x) {
  const float f = static_cast<float>(x);
  if (x != x || static_cast<double>(f) == x) return f;
  uint32_t u = std::bit_cast<uint32_t>(f);
  const double wide = static_cast<double>(f);
  if ((wide < 0 ? -wide : wide) > (x < 0 ? -x : x)) --u;
  return std::bit_cast<float>(u | 1u);
}

struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  constexpr explicit BFloat16(float x) : bits(bf16_bits(x)) {}
  constexpr explicit BFloat16(double x) : bits(bf16_bits(round_to_odd(x))) {}
  constexpr operator float() const { return bf16_value(bits); }
};

struct Float16 {
  uint16_t bits = 0;
  Float16() = default;
  constexpr explicit Float16(float x) : bits(f16_bits(x)) {}
  constexpr explicit Float16(double x) : bits(f16_bits(round_to_odd(x))) {}
  constexpr operator float() const { return f16_value(bits); }
};

}  // namespace glia::interp
