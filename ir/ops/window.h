// Overlapping windows along an axis, and their transpose: what convolution and pooling are made of.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

// Attributes axis, shape = [size, stride, dilation]. x: [a.., n, c..]; result [a.., count, size, c..] with
// y[a, i, j, c] = x[a, i * stride + j * dilation, c] and count = (n - (size - 1) * dilation - 1) // stride + 1.
struct Window {
  static constexpr Family family = Family::linear;
  static constexpr int arity = 1;
  static constexpr bool linear = true;
  static constexpr auto name = "window"sv, doc = "the windows of size elements that begin every stride elements along axis"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attributes axis, shape as of window, dim = n: adds windows [a.., count, size, c..] where they lie in [a.., n, c..].
struct Fold {
  static constexpr Family family = Family::linear;
  static constexpr int arity = 1;
  static constexpr bool linear = true;
  static constexpr auto name = "fold"sv, doc = "adds windows up where they lie: the transpose of window"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

Value window(Value x, int64_t axis, DimId size, DimId stride, DimId dilation);

using WindowOps = OpList<Window, Fold>;

}  // namespace glia::ir
