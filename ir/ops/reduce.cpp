// Type and batch rules and derivatives of reductions over axes.
#include <algorithm>

#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
Complaint check_axes(const TypeContext& c) {
  return first_of([&] { return tensors(c); }, [&] { return needs<Ints>(c, AttrKey::axes); },
                  [&] { return distinct_axes(c.attrs.ints(AttrKey::axes), c.shape(0).size()); },
                  [&]() -> Complaint {
                    const Ints& axes = c.attrs.ints(AttrKey::axes);
                    return std::is_sorted(axes.begin(), axes.end()) ? std::nullopt : Complaint("the axes are not sorted");
                  });
}

TypeId reduced(const TypeContext& c) {
  const Ints& axes = c.attrs.ints(AttrKey::axes);
  Shape shape;
  for (size_t i = 0; i < c.shape(0).size(); ++i)
    if (!std::binary_search(axes.begin(), axes.end(), static_cast<int64_t>(i))) shape.push_back(c.shape(0)[i]);
  return c.types.with_shape(c.args[0], std::move(shape));
}

TypeRule logical(const TypeContext& c) {
  if (Complaint bad = check_axes(c)) return std::unexpected(*bad);
  if (c.dtype(0) != DType::boolean) return wrong("takes bools, found {}", c.types.print(c.args[0]));
  return reduced(c);
}

// The largest of nothing does not exist.
TypeRule extreme(const TypeContext& c) {
  TypeRule type = Reduce::type(c);
  if (!type) return type;
  for (int64_t a : c.attrs.ints(AttrKey::axes))
    if (c.types.dims.known(c.shape(0)[static_cast<size_t>(a)]) == 0) return wrong("axis {} of {} is empty", a, c.types.print(c.args[0]));
  return type;
}

Ints kept_axes(const Use& u) {
  const Ints& axes = u.attrs().ints(AttrKey::axes);
  Ints kept;
  for (int64_t a : iota_ints(u.x[0].rank()))
    if (!std::binary_search(axes.begin(), axes.end(), a)) kept.push_back(a);
  return kept;
}

// A value of the result's shape repeated along the axes that went away.
Value spread_back(const Use& u, Value y) { return broadcast(y, Shape(u.x[0].shape()), kept_axes(u)); }

// Elements that tie share equally.
Value share(const Use& u, Value g) {
  Value tied = u.x[0] == spread_back(u, u.y);
  Value count = sum(cast(tied, g.dtype()), u.attrs().ints(AttrKey::axes));
  return select(tied, spread_back(u, g / count), 0.0);
}
}  // namespace

TypeRule Reduce::type(const TypeContext& c) {
  if (Complaint bad = check_axes(c)) return std::unexpected(*bad);
  if (!is_num(c.dtype(0))) return wrong("takes numbers, found {}", c.types.print(c.args[0]));
  return reduced(c);
}

Batched Reduce::batch(const Use& u, std::span<const Batched> args, DimId) {
  return again(u, {args[0].value.id}, with(u.attrs(), AttrKey::axes, shifted(u.attrs().ints(AttrKey::axes), 1)));
}

TypeRule All::type(const TypeContext& c) { return logical(c); }
TypeRule Any::type(const TypeContext& c) { return logical(c); }
TypeRule ReduceMax::type(const TypeContext& c) { return extreme(c); }
TypeRule ReduceMin::type(const TypeContext& c) { return extreme(c); }

Value Sum::derivative(const Use& u, size_t, Value g) { return spread_back(u, g); }
Value ReduceMax::derivative(const Use& u, size_t, Value g) { return share(u, g); }
Value ReduceMin::derivative(const Use& u, size_t, Value g) { return share(u, g); }

namespace {
// [k.., n, n] from x [k.., n]: row i holds x with a one at place i.
Value one_left_out(Value x) {
  Builder& b = *x.b;
  size_t r = x.rank();
  int64_t last = static_cast<int64_t>(r) - 1;
  DimId n = x.shape().back();
  Shape square = x.shape();
  square.push_back(n);
  Ints axes = iota_ints(r);
  axes.back() = last + 1;
  Value i = iota(b, n), here = broadcast(i, square, {last}) == broadcast(i, square, {last + 1});
  return select(here, constant(b, 1, x.dtype(), square), broadcast(x, square, axes));
}
}  // namespace

// g times the product of the others: exact with zeros, since nothing is divided.
Value Prod::derivative(const Use& u, size_t, Value g) {
  Value x = u.x[0];
  const Ints& axes = u.attrs().ints(AttrKey::axes);
  if (axes.empty()) return g;
  Ints order = kept_axes(u), inverse(x.rank());
  size_t kept = order.size();
  order.insert(order.end(), axes.begin(), axes.end());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  Value moved = transpose(x, order);
  Shape split = moved.shape(), flat(split.begin(), split.begin() + static_cast<ptrdiff_t>(kept));
  flat.push_back(u.b.dims().product(Shape(split.begin() + static_cast<ptrdiff_t>(kept), split.end())));
  Value all = one_left_out(reshape(moved, flat));
  Value others = u.b.emit(u.node.op, {all.id}, {{AttrKey::axes, Ints{static_cast<int64_t>(kept) + 1}}});
  return spread_back(u, g) * transpose(reshape(others, split), inverse);
}

// ---- along one axis -----------------------------------------------------------------------------

namespace {
Complaint check_axis(const TypeContext& c) {
  return first_of(
      [&] { return tensors(c); }, [&] { return needs<int64_t>(c, AttrKey::axis); },
      [&] { return axis_within(c.attrs.integer(AttrKey::axis), c.shape(0).size()); },
      [&] { return is_num(c.dtype(0)) ? std::nullopt : Complaint(fmt::format("takes numbers, found {}", c.types.print(c.args[0]))); });
}

Batched along_next_axis(const Use& u, std::span<const Batched> args) {
  return again(u, {args[0].value.id}, with(u.attrs(), AttrKey::axis, u.attrs().integer(AttrKey::axis) + 1));
}
}  // namespace

TypeRule ArgMax::type(const TypeContext& c) {
  if (Complaint bad = check_axis(c)) return std::unexpected(*bad);
  Shape shape = c.shape(0);
  int64_t axis = c.attrs.integer(AttrKey::axis);
  if (c.types.dims.known(shape[static_cast<size_t>(axis)]) == 0) return wrong("axis {} of {} is empty", axis, c.types.print(c.args[0]));
  shape.erase(shape.begin() + axis);
  return c.types.tensor(DType::i32, std::move(shape));
}

Batched ArgMax::batch(const Use& u, std::span<const Batched> args, DimId) { return along_next_axis(u, args); }

TypeRule CumSum::type(const TypeContext& c) {
  if (Complaint bad = check_axis(c)) return std::unexpected(*bad);
  return c.args[0];
}

// The running sum from the other end.
Value CumSum::derivative(const Use& u, size_t, Value g) {
  int64_t reverse = u.attrs().has(AttrKey::index) ? u.attrs().integer(AttrKey::index) : 0;
  return u.b.emit(op<CumSum>, {g.id}, with(u.attrs(), AttrKey::index, 1 - reverse));
}

Batched CumSum::batch(const Use& u, std::span<const Batched> args, DimId) { return along_next_axis(u, args); }

}  // namespace glia::ir
