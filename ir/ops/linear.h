// Ops that move, repeat or place elements: linear in what they move. `derivative` is the transpose.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

struct Linear {
  static constexpr Family family = Family::linear;
  static constexpr int arity = 1;
  static constexpr bool linear = true;
  static bool differentiable(size_t k) { return k == 0; }
};

// where(c, x, y): the element of x where c holds, else of y. Exactly zero flows to the side not taken.
struct Select : Linear {
  static constexpr auto name = "select"sv, doc = "where(c, x, y): the element of x where c holds, else of y"sv;
  static constexpr int arity = 3;
  static bool differentiable(size_t k) { return k > 0; }
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attribute dtype. Float to int truncates toward zero and saturates, NaN gives 0.
struct Cast : Linear {
  static constexpr auto name = "cast"sv, doc = "conversion of the element type: float to int truncates and saturates, NaN gives 0"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attribute shape.
struct Reshape : Linear {
  static constexpr auto name = "reshape"sv, doc = "the same elements in row-major order under another shape"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attribute perm.
struct Transpose : Linear {
  static constexpr auto name = "transpose"sv, doc = "axis i of the result is axis perm[i] of x"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attributes shape, axes: strictly increasing or not, none twice.
struct Broadcast : Linear {
  static constexpr auto name = "broadcast"sv, doc = "axis i of x becomes axis axes[i] of the result; along the others x is repeated"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attributes starts, stops (DimList), steps (Ints, all at least 1), one per axis: ceil((stop - start) / step) elements.
struct Slice : Linear {
  static constexpr auto name = "slice"sv, doc = "from starts to before stops in steps, by axis"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Zeros around x, and between its elements when `steps` is given: the transpose of slice. Attributes low, high (DimList),
// steps (Ints, may be missing). The size is low + (n - 1) * step + 1 + high; element i stands at low + i * step.
struct Pad : Linear {
  static constexpr auto name = "pad"sv, doc = "zeros before (low) and after (high) each axis, and steps - 1 zeros between elements"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attribute axes.
struct Flip : Linear {
  static constexpr auto name = "flip"sv, doc = "reversed along axes"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attribute axis.
struct Concat : Linear {
  static constexpr auto name = "concat"sv, doc = "one after the other along axis"sv;
  static constexpr int arity = -1;
  static bool differentiable(size_t) { return true; }
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attributes axis, batch. x: [b.., a.., n, c..], index: [b.., j..] of ints, axis = position of n, batch = number of b.
// Result [b.., a.., j.., c..]. An index outside 0..n-1 is an error with the values.
struct Gather : Linear {
  static constexpr auto name = "gather"sv, doc = "the slices of x along axis that the integer tensor index names"sv;
  static constexpr int arity = 2;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attributes shape (of the result), axis, batch. updates: [b.., a.., j.., c..], index: [b.., j..]; adds into zeros [b.., a.., n, c..] in
// row-major order of updates.
struct ScatterAdd : Linear {
  static constexpr auto name = "scatter_add"sv, doc = "adds slices into zeros of shape along axis at index, in order"sv;
  static constexpr int arity = 2;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// Attributes axis, batch. x + scatter_add(updates, index) of x's shape, where x alone holds its memory without a copy of it.
struct AddAt : Linear {
  static constexpr auto name = "add_at"sv, doc = "x with slices added along axis at index, in order"sv;
  static constexpr int arity = 3;
  static bool differentiable(size_t k) { return k < 2; }
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// The mean and the sum over the examples of the current batch; in one example alone, the value itself. Every example has
// the same result, and what is derived is the total over the examples: so each is its own transpose.
struct BatchMean : Linear {
  static constexpr bool sees_batch = true;
  static constexpr auto name = "batch_mean"sv, doc = "mean over the examples of the current batch"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

struct BatchSum : Linear {
  static constexpr bool sees_batch = true;
  static constexpr auto name = "batch_sum"sv, doc = "sum over the examples of the current batch"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

// The value itself; nothing flows back through it.
struct StopGradient : Linear {
  static constexpr auto name = "stop_gradient"sv, doc = "x, taken as constant by derivatives"sv;
  static constexpr bool linear = false;
  static bool differentiable(size_t) { return false; }
  static TypeRule type(const TypeContext& c);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

using LinearOps =
    OpList<Select, Cast, Reshape, Transpose, Broadcast, Slice, Pad, Flip, Concat, Gather, ScatterAdd, AddAt, BatchMean, BatchSum, StopGradient>;

}  // namespace glia::ir
