// The functions of value.h: thin names over `make`.
#include "ir/value.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "ir/fold.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/peephole.h"

namespace glia::ir {

namespace {
Value make1(OpId id, Value x, Attrs attrs = {}) { return make(*x.b, id, {{x}}, std::move(attrs)); }

Value spread(Value scalar, const Value& like) { return broadcast(scalar, like.shape(), {}); }

Value make2(OpId id, Value a, Value b) {
  GLIA_CHECK(a.valid() && b.valid() && a.b == b.b, "operands of two functions, or none");
  GLIA_CHECK(a.dtype() == b.dtype(), fmt::format("`{}` of {} and {}", info(id).name, dtype_name(a.dtype()), dtype_name(b.dtype())));
  if (a.rank() == 0 && b.rank() > 0) a = spread(a, b);
  else if (b.rank() == 0 && a.rank() > 0) b = spread(b, a);
  return make(*a.b, id, {{a, b}});
}

Value filled(Builder& b, AttrValue value, DType dtype, const Shape& shape) {
  return b.emit(op<Const>, {}, {{AttrKey::value, std::move(value)}, {AttrKey::dtype, dtype}, {AttrKey::shape, shape}});
}
}  // namespace

// ---- constants ------------------------------------------------------------------------------------

Value constant(Builder& b, double value, DType dtype, const Shape& shape) {
  bool whole = is_int(dtype) || dtype == DType::boolean;
  if (!whole) return filled(b, value, dtype, shape);
  GLIA_CHECK(value == std::trunc(value) && std::fabs(value) < 0x1p63, fmt::format("{} is no {}", value, dtype_name(dtype)));
  return filled(b, static_cast<int64_t>(value), dtype, shape);
}

Value constant_int(Builder& b, int64_t value, DType dtype, const Shape& shape) {
  bool whole = is_int(dtype) || dtype == DType::boolean;
  return whole ? filled(b, value, dtype, shape) : filled(b, static_cast<double>(value), dtype, shape);
}

Value constant_like(Value x, double value) { return constant(*x.b, value, x.dtype(), x.shape()); }
Value zeros_like(Value x) { return constant_like(x, 0); }
Value ones_like(Value x) { return constant_like(x, 1); }

std::optional<double> constant_value(Value x) {
  const Node* n = &x.b->func()[x.id];
  while (n->op == op<Broadcast> || n->op == op<Reshape> || n->op == op<Transpose>) n = &x.b->func()[n->args[0]];
  auto number = number_of(*n);
  return number ? std::optional(as_double(*number)) : std::nullopt;
}

Value iota(Builder& b, DimId n, DType dtype) { return b.emit(op<Iota>, {}, {{AttrKey::dim, n}, {AttrKey::dtype, dtype}}); }
Value dim_value(Builder& b, DimId d, DType dtype) { return make(b, op<DimValue>, {}, {{AttrKey::dim, d}, {AttrKey::dtype, dtype}}); }

// ---- elementwise ----------------------------------------------------------------------------------

Value operator+(Value a, Value b) { return make2(op<Add>, a, b); }
Value operator-(Value a, Value b) { return make2(op<Sub>, a, b); }
Value operator*(Value a, Value b) { return make2(op<Mul>, a, b); }
Value operator/(Value a, Value b) { return make2(op<Div>, a, b); }
Value operator-(Value a) { return make1(op<Neg>, a); }
Value operator+(Value a, double b) { return a + constant_like(a, b); }
Value operator-(Value a, double b) { return a - constant_like(a, b); }
Value operator-(double a, Value b) { return constant_like(b, a) - b; }
Value operator*(double a, Value b) { return constant_like(b, a) * b; }
Value operator/(double a, Value b) { return constant_like(b, a) / b; }
Value operator/(Value a, double b) { return a / constant_like(a, b); }
Value operator==(Value a, Value b) { return make2(op<Eq>, a, b); }
Value operator!=(Value a, Value b) { return make2(op<Ne>, a, b); }
Value operator<(Value a, Value b) { return make2(op<Lt>, a, b); }
Value operator>(Value a, Value b) { return make2(op<Lt>, b, a); }
Value operator<=(Value a, Value b) { return make2(op<Le>, a, b); }
Value operator>=(Value a, Value b) { return make2(op<Le>, b, a); }
Value operator<(Value a, double b) { return a < constant_like(a, b); }
Value operator>(Value a, double b) { return a > constant_like(a, b); }
Value operator==(Value a, double b) { return a == constant_like(a, b); }
Value operator!=(Value a, double b) { return a != constant_like(a, b); }
Value operator&&(Value a, Value b) { return make2(op<And>, a, b); }
Value operator||(Value a, Value b) { return make2(op<Or>, a, b); }
Value operator!(Value a) { return make1(op<Not>, a); }
Value exp(Value x) { return make1(op<Exp>, x); }
Value log(Value x) { return make1(op<Log>, x); }
Value sqrt(Value x) { return make1(op<Sqrt>, x); }
Value sin(Value x) { return make1(op<Sin>, x); }
Value cos(Value x) { return make1(op<Cos>, x); }
Value pow(Value x, Value y) { return make2(op<Pow>, x, y); }
Value square(Value x) { return x * x; }

Value select(Value c, Value a, Value b) {
  const Value* full = &c;
  for (const Value* v : {&a, &b})
    if (v->rank() > full->rank()) full = v;
  const Value like = *full;
  for (Value* v : {&c, &a, &b})
    if (v->rank() == 0 && like.rank() > 0) *v = spread(*v, like);
  return make(*a.b, op<Select>, {{c, a, b}});
}
Value select(Value c, Value a, double b) { return select(c, a, constant_like(a, b)); }
Value cast(Value x, DType to) { return make1(op<Cast>, x, {{AttrKey::dtype, to}}); }

// ---- shape ----------------------------------------------------------------------------------------

Value reshape(Value x, const Shape& shape) { return make1(op<Reshape>, x, {{AttrKey::shape, shape}}); }
Value transpose(Value x, const Ints& perm) { return make1(op<Transpose>, x, {{AttrKey::perm, perm}}); }
Value broadcast(Value x, const Shape& shape, const Ints& axes) {
  return make1(op<Broadcast>, x, {{AttrKey::shape, shape}, {AttrKey::axes, axes}});
}
Value broadcast_to(Value x, const Shape& shape) {
  GLIA_CHECK(x.rank() <= shape.size(), "broadcast_to a smaller rank");
  return broadcast(x, shape, iota_ints(x.rank(), static_cast<int64_t>(shape.size() - x.rank())));
}
Value slice(Value x, const DimList& starts, const DimList& stops, const Ints& steps) {
  return make1(op<Slice>, x, {{AttrKey::starts, starts}, {AttrKey::stops, stops}, {AttrKey::steps, steps}});
}
Value pad(Value x, const DimList& low, const DimList& high) { return make1(op<Pad>, x, {{AttrKey::low, low}, {AttrKey::high, high}}); }
Value flip(Value x, const Ints& axes) { return make1(op<Flip>, x, {{AttrKey::axes, axes}}); }
Value concat(std::span<const Value> xs, int64_t axis) { return make(*xs[0].b, op<Concat>, xs, {{AttrKey::axis, axis}}); }
Value gather(Value x, Value index, int64_t axis, int64_t batch) {
  return make(*x.b, op<Gather>, {{x, index}}, {{AttrKey::axis, axis}, {AttrKey::batch, batch}});
}
Value scatter_add(Value updates, Value index, const Shape& shape, int64_t axis, int64_t batch) {
  return make(*updates.b, op<ScatterAdd>, {{updates, index}}, {{AttrKey::shape, shape}, {AttrKey::axis, axis}, {AttrKey::batch, batch}});
}

Value add_at(Value x, Value updates, Value index, int64_t axis, int64_t batch) {
  return make(*x.b, op<AddAt>, {{x, updates, index}}, {{AttrKey::axis, axis}, {AttrKey::batch, batch}});
}

// ---- reductions -----------------------------------------------------------------------------------

Value sum(Value x, const Ints& axes) { return make1(op<Sum>, x, {{AttrKey::axes, axes}}); }
Value sum(Value x) { return sum(x, all_axes(x)); }
Value reduce_max(Value x, const Ints& axes) { return make1(op<ReduceMax>, x, {{AttrKey::axes, axes}}); }
Ints all_axes(Value x) { return iota_ints(x.rank()); }
Ints iota_ints(size_t n, int64_t start) {
  Ints v(n);
  std::iota(v.begin(), v.end(), start);
  return v;
}

Value contract(Value a, Value b, const Ints& lhs, const Ints& rhs, const Ints& out) {
  return make(*a.b, op<Contract>, {{a, b}}, {{AttrKey::lhs, lhs}, {AttrKey::rhs, rhs}, {AttrKey::out, out}});
}

Value tuple(Builder& b, std::span<const Value> elems) { return make(b, op<TupleOp>, elems); }
Value get(Value t, int64_t index) { return make1(op<Get>, t, {{AttrKey::index, index}}); }

}  // namespace glia::ir
