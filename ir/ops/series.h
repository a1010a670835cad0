// Ops along one axis whose elements depend on others of it: linear recurrences, order, the discrete Fourier transform.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

// Attributes axis, index (1: from the end). s[0] = b[0], s[i] = a[i] * s[i - 1] + b[i]; a[0] is not looked at. Running
// products, decaying means and linear filters are cases of it, and so is its own derivative.
struct Recurrence {
  static constexpr Family family = Family::reduce;
  static constexpr int arity = 2;
  static constexpr auto name = "recurrence"sv, doc = "s[i] = a[i] * s[i - 1] + b[i] along axis"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attributes axis, index (1: largest first). Equal elements keep their order; NaN counts as larger than all numbers.
struct ArgSort {
  static constexpr Family family = Family::reduce;
  static constexpr int arity = 1;
  static constexpr auto name = "argsort"sv, doc = "the indexes that put x in order along axis; equal elements keep theirs"sv;
  static bool differentiable(size_t) { return false; }
  static TypeRule type(const TypeContext& c);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// x: [a.., 2, n], the real parts and the imaginary parts. Attribute index: 0 for sum x[k] exp(-2 pi i j k / n), 1 for
// the same with +. Nothing is divided by n.
struct Dft {
  static constexpr Family family = Family::linear;
  static constexpr int arity = 1;
  static constexpr bool linear = true;
  static constexpr auto name = "dft"sv, doc = "discrete Fourier transform of the last axis; real and imaginary parts lie on the axis before"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

using SeriesOps = OpList<Recurrence, ArgSort, Dft>;

}  // namespace glia::ir
