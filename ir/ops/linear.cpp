// Type and batch rules and transposes of the ops that move, repeat or convert elements. Those that address elements by
// index or position are in place.cpp.
#include <algorithm>

#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

// ---- select, cast -------------------------------------------------------------------------------

TypeRule Select::type(const TypeContext& c) {
  if (Complaint bad = tensors(c)) return std::unexpected(*bad);
  if (c.dtype(0) != DType::boolean) return wrong("chooses by a bool, found {}", c.types.print(c.args[0]));
  if (c.args[1] != c.args[2]) return wrong("types of the two sides differ: {} and {}", c.types.print(c.args[1]), c.types.print(c.args[2]));
  if (c.shape(0) != c.shape(1)) return wrong("shapes differ: {} and {}", c.types.print(c.args[0]), c.types.print(c.args[1]));
  return c.args[1];
}

Value Select::derivative(const Use& u, size_t k, Value g) {
  return k == 1 ? select(u.x[0], g, zeros_like(g)) : select(u.x[0], zeros_like(g), g);
}

Batched Select::batch(const Use& u, std::span<const Batched> args, DimId rows) { return elementwise_batch(u, args, rows); }

TypeRule Cast::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return needs<DType>(c, AttrKey::dtype); })) return std::unexpected(*bad);
  return c.types.with_dtype(c.args[0], c.attrs.get<DType>(AttrKey::dtype));
}

// Integers and bools have no derivative; between floats it is converted back.
Value Cast::derivative(const Use& u, size_t, Value g) {
  return is_float(u.x[0].dtype()) && is_float(g.dtype()) ? cast(g, u.x[0].dtype()) : Value{};
}

Batched Cast::batch(const Use& u, std::span<const Batched> args, DimId rows) { return elementwise_batch(u, args, rows); }

// ---- reshape, transpose, broadcast, flip ----------------------------------------------------------

TypeRule Reshape::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return needs<DimList>(c, AttrKey::shape); },
                               [&] { return sizes(c.types, c.attrs.dims(AttrKey::shape)); }))
    return std::unexpected(*bad);
  const Shape& to = c.attrs.dims(AttrKey::shape);
  if (c.types.dims.compare(c.types.dims.product(c.shape(0)), c.types.dims.product(to)) == Compare::different)
    return wrong("{} does not have as many elements as {}", c.types.print(c.args[0]), c.types.print_shape(to));
  return c.types.with_shape(c.args[0], to);
}

Value Reshape::derivative(const Use& u, size_t, Value g) { return reshape(g, Shape(u.x[0].shape())); }

Batched Reshape::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  return {reshape(args[0].value, led_by(rows, u.attrs().dims(AttrKey::shape))), true};
}

TypeRule Transpose::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return needs<Ints>(c, AttrKey::perm); },
                               [&] { return distinct_axes(c.attrs.ints(AttrKey::perm), c.shape(0).size()); }))
    return std::unexpected(*bad);
  const Ints& perm = c.attrs.ints(AttrKey::perm);
  if (perm.size() != c.shape(0).size()) return wrong("permutes {} axes, found {}", perm.size(), c.types.print(c.args[0]));
  Shape shape;
  for (int64_t p : perm) shape.push_back(c.shape(0)[static_cast<size_t>(p)]);
  return c.types.with_shape(c.args[0], std::move(shape));
}

Value Transpose::derivative(const Use& u, size_t, Value g) {
  const Ints& perm = u.attrs().ints(AttrKey::perm);
  Ints inverse(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) inverse[static_cast<size_t>(perm[i])] = static_cast<int64_t>(i);
  return transpose(g, inverse);
}

Batched Transpose::batch(const Use& u, std::span<const Batched> args, DimId) {
  return {transpose(args[0].value, led_by<int64_t>(0, shifted(u.attrs().ints(AttrKey::perm), 1))), true};
}

TypeRule Broadcast::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return needs<DimList>(c, AttrKey::shape); },
                               [&] { return needs<Ints>(c, AttrKey::axes); }, [&] { return sizes(c.types, c.attrs.dims(AttrKey::shape)); },
                               [&] { return distinct_axes(c.attrs.ints(AttrKey::axes), c.attrs.dims(AttrKey::shape).size()); }))
    return std::unexpected(*bad);
  const Shape &from = c.shape(0), &to = c.attrs.dims(AttrKey::shape);
  const Ints& axes = c.attrs.ints(AttrKey::axes);
  if (axes.size() != from.size()) return wrong("places {} axes, found {}", axes.size(), c.types.print(c.args[0]));
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] != to[static_cast<size_t>(axes[i])])
      return wrong("{} does not broadcast to {}: sizes {} and {} differ", c.types.print(c.args[0]), c.types.print_shape(to),
                   c.types.dims.print(from[i]), c.types.dims.print(to[static_cast<size_t>(axes[i])]));
  return c.types.with_shape(c.args[0], to);
}

// The sum over the new axes; what is left is put in the order x had.
Value Broadcast::derivative(const Use& u, size_t, Value g) {
  const Ints& axes = u.attrs().ints(AttrKey::axes);
  Ints added, order = axes, perm;
  for (int64_t a : iota_ints(g.rank()))
    if (std::find(axes.begin(), axes.end(), a) == axes.end()) added.push_back(a);
  if (!added.empty()) g = sum(g, added);
  if (std::is_sorted(axes.begin(), axes.end())) return g;
  std::sort(order.begin(), order.end());
  for (int64_t a : axes) perm.push_back(std::lower_bound(order.begin(), order.end(), a) - order.begin());
  return transpose(g, perm);
}

Batched Broadcast::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  Ints axes = led_by<int64_t>(0, shifted(u.attrs().ints(AttrKey::axes), 1));
  return {broadcast(args[0].value, led_by(rows, u.attrs().dims(AttrKey::shape)), axes), true};
}

TypeRule Flip::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return needs<Ints>(c, AttrKey::axes); },
                               [&] { return distinct_axes(c.attrs.ints(AttrKey::axes), c.shape(0).size()); }))
    return std::unexpected(*bad);
  return c.args[0];
}

Value Flip::derivative(const Use& u, size_t, Value g) { return flip(g, u.attrs().ints(AttrKey::axes)); }

Batched Flip::batch(const Use& u, std::span<const Batched> args, DimId) {
  return {flip(args[0].value, shifted(u.attrs().ints(AttrKey::axes), 1)), true};
}

// ---- over the batch; constants for derivatives ------------------------------------------------------

namespace {
TypeRule floats_as_they_are(const TypeContext& c) {
  if (Complaint bad = tensors(c)) return std::unexpected(*bad);
  if (!is_float(c.dtype(0))) return wrong("takes floats, found {}", c.types.print(c.args[0]));
  return c.args[0];
}
}  // namespace

TypeRule BatchMean::type(const TypeContext& c) { return floats_as_they_are(c); }
TypeRule BatchSum::type(const TypeContext& c) { return floats_as_they_are(c); }
Value BatchMean::derivative(const Use& u, size_t, Value g) { return u.b.emit(op<BatchMean>, {g.id}); }
Value BatchSum::derivative(const Use& u, size_t, Value g) { return u.b.emit(op<BatchSum>, {g.id}); }

// One value for all examples.
Batched BatchMean::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  Value x = args[0].value;
  if (!args[0].batched) return args[0];
  return {sum(x, {0}) / dim_value(u.b, rows, x.dtype()), false};
}

Batched BatchSum::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  Value x = args[0].value;
  return {args[0].batched ? sum(x, {0}) : x * dim_value(u.b, rows, x.dtype()), false};
}

TypeRule StopGradient::type(const TypeContext& c) {
  if (Complaint bad = tensors(c)) return std::unexpected(*bad);
  return c.args[0];
}

Batched StopGradient::batch(const Use& u, std::span<const Batched> args, DimId) { return again(u, {args[0].value.id}, u.attrs()); }

}  // namespace glia::ir
