// Ops that make tensors from nothing: constants, index ranges, random draws.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

struct Source {
  static constexpr Family family = Family::constant;
  static constexpr int arity = 0;
};

// Attributes value (int64_t or double; a bool is 0 or 1), dtype, shape.
struct Const : Source {
  static constexpr auto name = "const"sv, doc = "a tensor of shape filled with value"sv;
  static TypeRule type(const TypeContext& c);
};

// Attributes values, dtype, shape.
struct Literal : Source {
  static constexpr auto name = "literal"sv, doc = "a tensor of shape with the values given in row-major order"sv;
  static TypeRule type(const TypeContext& c);
};

// Attributes dim, dtype.
struct Iota : Source {
  static constexpr auto name = "iota"sv, doc = "0, 1, 2 … up to before the size"sv;
  static TypeRule type(const TypeContext& c);
};

// Attributes dim, dtype. A size as a number: a constant as soon as the size is known.
struct DimValue : Source {
  static constexpr auto name = "dim"sv, doc = "a size as an integer"sv;
  static TypeRule type(const TypeContext& c);
};

// ---- random draws: counter-based (Philox 4x32-10; Salmon et al. 2011) ------------------------------
// A stream is an i64: the seed, mixed with step, example, call path and loop iterations. A draw is a pure function
// of (stream, site, element index), so batching, device and thread count never change it.
// Attributes shape, dtype, site. Argument stream: i64[b..]; result [b.., shape..].
struct Random {
  static constexpr Family family = Family::random;
  static constexpr int arity = 1;
  static bool differentiable(size_t) { return false; }
  static TypeRule type(const TypeContext& c);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

struct RandomUniform : Random {
  static constexpr auto name = "random_uniform"sv, doc = "uniform in [0, 1), 24 bits (f64: 53 bits)"sv;
};

struct RandomNormal : Random {
  static constexpr auto name = "random_normal"sv, doc = "standard normal (Box and Muller 1958)"sv;
};

// stream: i64[s], integer: int[s]. A stream for a loop iteration, an example or a step: mixes an integer into the stream.
struct StreamMix {
  static constexpr Family family = Family::random;
  static constexpr int arity = 2;
  static constexpr auto name = "stream_mix"sv, doc = "the stream of one iteration: stream mixed with an integer"sv;
  static bool differentiable(size_t) { return false; }
  static TypeRule type(const TypeContext& c);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

using SourceOps = OpList<Const, Literal, Iota, DimValue, RandomUniform, RandomNormal, StreamMix>;

}  // namespace glia::ir
