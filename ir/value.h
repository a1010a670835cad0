// A value under construction, with the operators and functions of the language, so that a derivative or a
// pass reads like algebra. Operands of elementwise operators broadcast scalars only.
#pragma once
#include <initializer_list>
#include <utility>

#include "ir/builder.h"

namespace glia::ir {

struct Value {
  Builder* b = nullptr;
  ValueId id;

  bool valid() const { return b != nullptr && id.valid(); }
  TypeId type() const { return b->type(id); }
  DType dtype() const { return b->types().dtype(type()); }
  const Shape& shape() const { return b->shape(id); }
  size_t rank() const { return shape().size(); }
};

// constants
Value constant(Builder& b, double value, DType dtype, const Shape& shape = {});
Value constant_int(Builder& b, int64_t value, DType dtype, const Shape& shape = {});
Value constant_like(Value x, double value);  // of x's type
Value zeros_like(Value x);
Value ones_like(Value x);
std::optional<double> constant_value(Value x);  // the number that fills x, where it is known
Value iota(Builder& b, DimId n, DType dtype = DType::i32);
Value dim_value(Builder& b, DimId d, DType dtype = DType::i32);

// elementwise; a number or rank-0 value is broadcast
Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator*(Value a, Value b);
Value operator/(Value a, Value b);
Value operator-(Value a);
Value operator+(Value a, double b);
Value operator-(Value a, double b);
Value operator-(double a, Value b);
Value operator*(double a, Value b);
Value operator/(double a, Value b);
Value operator/(Value a, double b);
Value operator==(Value a, Value b);
Value operator!=(Value a, Value b);
Value operator<(Value a, Value b);
Value operator>(Value a, Value b);
Value operator<=(Value a, Value b);
Value operator>=(Value a, Value b);
Value operator<(Value a, double b);
Value operator>(Value a, double b);
Value operator==(Value a, double b);
Value operator!=(Value a, double b);
Value operator&&(Value a, Value b);
Value operator||(Value a, Value b);
Value operator!(Value a);
Value exp(Value x);
Value log(Value x);
Value sqrt(Value x);
Value sin(Value x);
Value cos(Value x);
Value pow(Value x, Value y);
Value square(Value x);
Value select(Value c, Value a, Value b);
Value select(Value c, Value a, double b);
Value cast(Value x, DType to);

// shape
Value reshape(Value x, const Shape& shape);
Value transpose(Value x, const Ints& perm);            // axis i of the result is axis perm[i] of x
Value broadcast(Value x, const Shape& shape, const Ints& axes);  // axis i of x becomes axis axes[i] of the result
Value broadcast_to(Value x, const Shape& shape);       // x's shape is a suffix of shape
Value slice(Value x, const DimList& starts, const DimList& stops, const Ints& steps);
Value pad(Value x, const DimList& low, const DimList& high);   // with zeros
Value flip(Value x, const Ints& axes);
Value concat(std::span<const Value> xs, int64_t axis);
Value gather(Value x, Value index, int64_t axis = 0, int64_t batch = 0);
// adds the rows of `updates` into zeros of `shape` at `index` along `axis`: the transpose of gather
Value scatter_add(Value updates, Value index, const Shape& shape, int64_t axis = 0, int64_t batch = 0);
// x with the same rows added to it
Value add_at(Value x, Value updates, Value index, int64_t axis = 0, int64_t batch = 0);

// reductions over axes (all where empty is given by the caller as all axes)
Value sum(Value x, const Ints& axes);
Value sum(Value x);
Value reduce_max(Value x, const Ints& axes);
Ints all_axes(Value x);
Ints iota_ints(size_t n, int64_t start = 0);

// sum of products: one label per axis; a label that is not in `out` is summed
Value contract(Value a, Value b, const Ints& lhs, const Ints& rhs, const Ints& out);

Value tuple(Builder& b, std::span<const Value> elems);
Value get(Value tuple, int64_t index);

}  // namespace glia::ir
