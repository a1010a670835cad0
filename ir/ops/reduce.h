// Reductions over axes, and the sum of products.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

// Attribute `axes`: sorted axes that go away. A sum or product over nothing is 0 or 1.
struct Reduce {
  static constexpr Family family = Family::reduce;
  static constexpr int arity = 1;
  static TypeRule type(const TypeContext& c);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

struct Sum : Reduce {
  static constexpr auto name = "sum"sv, doc = "sum over axes, pairwise, accumulated in f32 or wider"sv;
  static constexpr bool linear = true;
  static Value derivative(const Use& u, size_t k, Value g);
};

struct Prod : Reduce {
  static constexpr auto name = "prod"sv, doc = "product over axes"sv;
  static Value derivative(const Use& u, size_t k, Value g);
};

// NaN if any element is; ties share the derivative equally. Over nothing: an error.
struct ReduceMax : Reduce {
  static constexpr auto name = "reduce_max"sv, doc = "largest over axes; NaN if any is"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
};

struct ReduceMin : Reduce {
  static constexpr auto name = "reduce_min"sv, doc = "smallest over axes; NaN if any is"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
};

struct All : Reduce {
  static constexpr auto name = "all"sv, doc = "whether all over axes hold"sv;
  static TypeRule type(const TypeContext& c);
};

struct Any : Reduce {
  static constexpr auto name = "any"sv, doc = "whether any over axes holds"sv;
  static TypeRule type(const TypeContext& c);
};

// Attribute `axis`; the result is i32. The first of the largest; the first NaN wins, so that x[argmax(x)] is max(x).
struct ArgMax {
  static bool differentiable(size_t) { return false; }
  static constexpr Family family = Family::reduce;
  static constexpr int arity = 1;
  static constexpr auto name = "argmax"sv, doc = "index of the first largest along axis; the first NaN wins"sv;
  static TypeRule type(const TypeContext& c);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

struct ArgMin : ArgMax {
  static constexpr auto name = "argmin"sv, doc = "index of the first smallest along axis; the first NaN wins"sv;
};

// Running sums and products along `axis`; `reverse` in the attribute `index` (1: from the end).
struct CumSum {
  static constexpr Family family = Family::reduce;
  static constexpr int arity = 1;
  static constexpr bool linear = true;
  static constexpr auto name = "cumsum"sv, doc = "running sum along axis"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attributes lhs, rhs, out: a label per axis, the same label for axes of the same size. Labels not in `out` are
// summed; every label of `out` occurs in lhs or rhs; no label twice in one list.
struct Contract {
  static constexpr Family family = Family::contract;
  static constexpr int arity = 2;
  static constexpr auto name = "contract"sv, doc = "sum of products over the labels that are not in out"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

using ReduceOps = OpList<Sum, Prod, ReduceMax, ReduceMin, All, Any, ArgMax, ArgMin, CumSum, Contract>;

}  // namespace glia::ir
