// Philox 4x32-10, the counter-based random generator of Salmon et al. (2011), and the way from its words to numbers.
// A draw is a pure function of the stream, the site and the index of the element.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace glia::interp {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

constexpr PhiloxCounter philox(PhiloxCounter c, PhiloxKey k) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53u} * c[0], p1 = uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(p1), static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k[1],
         static_cast<uint32_t>(p0)};
    k[0] += 0x9E3779B9u, k[1] += 0xBB67AE85u;
  }
  return c;
}

// Key: the stream. Counter: the element's index, then the site; low words first.
constexpr PhiloxCounter draw(int64_t stream, int64_t site, int64_t index) {
  const auto s = static_cast<uint64_t>(stream), t = static_cast<uint64_t>(site), i = static_cast<uint64_t>(index);
  return philox({static_cast<uint32_t>(i), static_cast<uint32_t>(i >> 32), static_cast<uint32_t>(t), static_cast<uint32_t>(t >> 32)},
                {static_cast<uint32_t>(s), static_cast<uint32_t>(s >> 32)});
}

// In [0, 1), a multiple of 2^-bits, with at most 53 bits. 24 fill an f32; fewer are taken for a narrower type, since
// rounding could reach 1.
constexpr double uniform(const PhiloxCounter& words, int bits) {
  const uint64_t wide = (uint64_t{words[0]} << 32) | words[1];
  const double scale = 1.0 / static_cast<double>(uint64_t{1} << bits);
  return static_cast<double>(wide >> (64 - bits)) * scale;
}

// Standard normal (Box and Muller 1958), in f64; the first uniform is in (0, 1], so that its logarithm is finite.
inline double normal(const PhiloxCounter& words) {
  const double u = 1.0 - uniform(words, 53), v = uniform({words[2], words[3], 0, 0}, 53);
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

// Every bit of the result depends on every bit of x (the finaliser of SplitMix64; Steele, Lea and Flood 2014).
constexpr uint64_t mix_bits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// The stream of step `k` of `stream`. Different k give different streams.
constexpr int64_t stream_mix(int64_t stream, int64_t k) {
  return static_cast<int64_t>(mix_bits(mix_bits(static_cast<uint64_t>(stream)) + 0x9E3779B97F4A7C15u * (static_cast<uint64_t>(k) + 1)));
}

}  // namespace glia::interp
