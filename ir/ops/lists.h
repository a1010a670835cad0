// Values that are made at run time: lists, variants, folds over lists, and what derivatives through them need. Sizes inside
// the elements of a list may be `?` (Dims::unknown): any, each time another.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

// Without nested functions; the type comes from the maker unless there is a rule.
struct Dynamic {
  static constexpr Family family = Family::control;
  static constexpr int arity = 1;
};

// ---- lists ----------------------------------------------------------------------------------------

struct Length : Dynamic {
  static constexpr auto name = "length"sv, doc = "how many items a list has, as i32"sv;
  static TypeRule type(const TypeContext& c);
};

// item(list, i): stops where i is not in 0..n-1.
struct Item : Dynamic {
  static constexpr auto name = "item"sv, doc = "item i of a list"sv;
  static constexpr int arity = 2;
};

struct Append : Dynamic {
  static constexpr auto name = "append"sv, doc = "the list and one more item at its end"sv;
  static constexpr int arity = 2;
  static TypeRule type(const TypeContext& c);
};

struct ListConcat : Dynamic {
  static constexpr auto name = "list_concat"sv, doc = "lists one after the other"sv;
  static constexpr int arity = -1;
  static TypeRule type(const TypeContext& c);
};

// list_slice(list, start, stop, step) with 0 <= start <= stop <= n and step != 0, else it stops. A negative step walks from
// stop - 1 down to start.
struct ListSlice : Dynamic {
  static constexpr auto name = "list_slice"sv, doc = "every step-th item from start up to before stop"sv;
  static constexpr int arity = 4;
  static TypeRule type(const TypeContext& c);
};

// list_add(list, start, stop, step, values): the list with `values` added to the items that list_slice would give: the
// transpose of list_slice.
struct ListAdd : Dynamic {
  static constexpr auto name = "list_add"sv, doc = "the list with values added to some of its items"sv;
  static constexpr int arity = 5;
  static TypeRule type(const TypeContext& c);
};

struct ListReverse : Dynamic {
  static constexpr auto name = "list_reverse"sv, doc = "the items from the last to the first"sv;
  static TypeRule type(const TypeContext& c);
};

// A list of equal tensors as one tensor; the leading size is bound by the value.
struct Stack : Dynamic {
  static constexpr auto name = "stack"sv, doc = "tensors of one shape along a new leading axis"sv;
};

struct Unstack : Dynamic {
  static constexpr auto name = "unstack"sv, doc = "the rows of a tensor as a list"sv;
};

// ---- variants -------------------------------------------------------------------------------------

// construct(fields..): case `index` of the variant type `name`.
struct Construct : Dynamic {
  static constexpr auto name = "construct"sv, doc = "a value of one case of a variant type"sv;
  static constexpr int arity = -1;
  static TypeRule type(const TypeContext& c);
};

struct TagOf : Dynamic {
  static constexpr auto name = "tag"sv, doc = "which case a variant is, as i32"sv;
  static TypeRule type(const TypeContext& c);
};

// Field `axis` of case `index`; stops where the value is another case.
struct Payload : Dynamic {
  static constexpr auto name = "payload"sv, doc = "a field of one case of a variant"sv;
};

// ---- with nested functions ------------------------------------------------------------------------

// fold(count, states.., lists.., args..) with wrt = [S, L]: (states.., outs..) = func(i, states.., items.., args..) for the
// i32 i in 0..count (an i32 value), items being item i of each list. Gives the last states and a list of each out; the
// thing itself where there is just one.
struct Fold : Dynamic {
  static constexpr auto name = "fold"sv, doc = "states after, and lists of, count steps of func(i, states, items, args)"sv;
  static constexpr int arity = -1;
  static constexpr bool control = true;
};

// As call; its derivative runs func again instead of keeping what it made.
struct Recompute : Dynamic {
  static constexpr auto name = "recompute"sv, doc = "the results of func, made anew for its derivative"sv;
  static constexpr int arity = -1;
  static constexpr bool control = true;
};

// ---- tapes: what a forward pass keeps for the backward pass ---------------------------------------

// pack(values..): with `axes`, value k stands at place axes[k] and the other places are missing.
struct Pack : Dynamic {
  static constexpr auto name = "pack"sv, doc = "values kept for the backward pass"sv;
  static constexpr int arity = -1;
  static TypeRule type(const TypeContext& c);
};

// unpack(tape): place `index`. unpack(tape, like): zeros of like where the place is missing.
struct Unpack : Dynamic {
  static constexpr auto name = "unpack"sv, doc = "a value kept for the backward pass"sv;
  static constexpr int arity = -1;
};

// ---- values as vectors ----------------------------------------------------------------------------

// Floats leaf by leaf, whatever the structure; integers, bools, texts and objects come from the first argument.
struct VecZeros : Dynamic {
  static constexpr auto name = "vec_zeros"sv, doc = "the value with every float zero"sv;
  static TypeRule type(const TypeContext& c);
};

struct VecAdd : Dynamic {
  static constexpr auto name = "vec_add"sv, doc = "the sum of two values of one structure"sv;
  static constexpr int arity = 2;
  static TypeRule type(const TypeContext& c);
};

struct VecScale : Dynamic {
  static constexpr auto name = "vec_scale"sv, doc = "the value with every float times a number"sv;
  static constexpr int arity = 2;
  static TypeRule type(const TypeContext& c);
};

struct VecDot : Dynamic {
  static constexpr auto name = "vec_dot"sv, doc = "the sum over all floats of two values of their products"sv;
  static constexpr int arity = 2;
};

using DynamicOps = OpList<Length, Item, Append, ListConcat, ListSlice, ListAdd, ListReverse, Stack, Unstack, Construct, TagOf, Payload, Fold,
                          Recompute, Pack, Unpack, VecZeros, VecAdd, VecScale, VecDot>;

}  // namespace glia::ir
