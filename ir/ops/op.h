// What an op is: one struct of static members, from which everything else is derived. Could two backends
// disagree about it? Then it is not meaning, and does not stand here.
//
//   name, doc      as the user spells it; one sentence
//   family         decides how it is batched, fused and run
//   arity          -1: any number of arguments
//   type           the type rule: argument types and attributes to the result type, or a sentence on what is wrong
//   derivative     what a cotangent `g` of the result contributes to argument k (or nothing, where that is zero for
//                  every input). For elementwise ops the same function pushes a tangent forward, since their
//                  Jacobian is diagonal; a linear op is pushed forward by itself.
//   batch          the op over one more leading axis, for arguments some of which have it
//   eval, scalar   elementwise ops: the value of one element in C++, and as a neutral C expression of x, y, z
//   sample         elementwise ops: the range its law tests draw from
#pragma once
#include <expected>
#include <optional>
#include <span>
#include <string>

#include "ir/value.h"

namespace glia::ir {

// What an elementwise op works on.
enum class Takes : uint8_t { floats, nums, ints, bools, any };

enum class Family : uint8_t { elementwise, linear, reduce, contract, constant, random, control, host };

using TypeRule = std::expected<TypeId, std::string>;

struct TypeContext {
  Types& types;
  std::span<const TypeId> args;
  const Attrs& attrs;

  const Shape& shape(size_t k) const { return types.shape(args[k]); }
  DType dtype(size_t k) const { return types.dtype(args[k]); }
};

// One use of an op inside a function under construction.
struct Use {
  Builder& b;
  const Node& node;              // its op, type and attributes
  std::span<const Value> x;      // arguments
  Value y;                       // the result
  const Attrs& attrs() const { return node.attrs; }
};

// An argument of the op over one more leading axis; a value that is shared by all rows has no such axis.
struct Batched {
  Value value;
  bool batched = false;
};

Value with_rows(Value shared, DimId rows);           // repeated along a new leading axis
Value with_rows(const Batched& x, DimId rows);       // the same, unless it has the axis
Value move_axis(Value x, size_t from, size_t to);    // the other axes keep their order

struct Range {
  double low, high;
};

struct OpInfo {
  std::string_view name;
  std::string_view doc;
  Family family;
  int arity;
  bool commutes = false;
  bool effect = false;    // ordered, never merged or dropped
  bool linear = false;    // in the arguments that `differentiable` names
  bool control = false;   // has nested functions: passes treat it by name
  bool bounded = false;   // elementwise: the derivative multiplies g by nothing that may be infinite or NaN
  bool sees_batch = false;  // means something else over a batch even where its argument is shared
  TypeRule (*type)(const TypeContext&) = nullptr;              // null: the maker gives the type
  Value (*derivative)(const Use&, size_t k, Value g) = nullptr;  // null: no derivative (integer or boolean results)
  bool (*differentiable)(size_t k) = nullptr;                  // null: every float argument
  // Null: row by row. Called when an argument is batched; `x` and `y` of the use are empty. The result says whether it is.
  Batched (*batch)(const Use&, std::span<const Batched>, DimId rows) = nullptr;
  Takes takes = Takes::any;  // elementwise ops
  std::string_view scalar = {};
  Range sample{-2, 2};
};

template <class... Ops>
struct OpList {
  static constexpr size_t size = sizeof...(Ops);
};

}  // namespace glia::ir
