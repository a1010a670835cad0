// Gather and its transpose, scatter_add; and a sum with that. With `batch` leading axes b that go together:
// x [b.., a.., n, c..] and index [b.., j..] give y [b.., a.., j.., c..].
#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
struct Place {
  size_t axis = 0, batch = 0;
};

Place place_of(const Attrs& attrs) {
  return {static_cast<size_t>(attrs.integer(AttrKey::axis)), static_cast<size_t>(attrs.integer(AttrKey::batch))};
}

// All of them: the index is of ints, the axis comes after the batch axes, and index begins with those of `whole`.
Complaint check_place(const TypeContext& c, const Shape& whole, size_t index_arg = 1) {
  if (Complaint bad = first_of([&] { return needs<int64_t>(c, AttrKey::axis); }, [&] { return needs<int64_t>(c, AttrKey::batch); },
                               [&] { return axis_within(c.attrs.integer(AttrKey::axis), whole.size()); }))
    return bad;
  int64_t batch = c.attrs.integer(AttrKey::batch);
  if (batch < 0 || batch > c.attrs.integer(AttrKey::axis))
    return fmt::format("axis {} is one of the {} that go together", c.attrs.integer(AttrKey::axis), batch);
  if (!is_int(c.dtype(index_arg))) return fmt::format("an index is an integer tensor, found {}", c.types.print(c.args[index_arg]));
  const Shape& index = c.shape(index_arg);
  if (index.size() < static_cast<size_t>(batch) || !std::equal(index.begin(), index.begin() + batch, whole.begin()))
    return fmt::format("the first {} axes of index {} and of {} differ", batch, c.types.print(c.args[index_arg]), c.types.print_shape(whole));
  return std::nullopt;
}

// [b.., a.., j.., c..] from [b.., a.., n, c..] and [b.., j..].
Shape gathered(const Shape& whole, const Shape& index, Place p) {
  Shape shape(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(p.axis));
  shape.insert(shape.end(), index.begin() + static_cast<ptrdiff_t>(p.batch), index.end());
  shape.insert(shape.end(), whole.begin() + static_cast<ptrdiff_t>(p.axis) + 1, whole.end());
  return shape;
}
}  // namespace

TypeRule Gather::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return check_place(c, c.shape(0)); })) return std::unexpected(*bad);
  return c.types.with_shape(c.args[0], gathered(c.shape(0), c.shape(1), place_of(c.attrs)));
}

Value Gather::derivative(const Use& u, size_t, Value g) {
  return scatter_add(g, u.x[1], Shape(u.x[0].shape()), u.attrs().integer(AttrKey::axis), u.attrs().integer(AttrKey::batch));
}

// Where only one side has the rows they stand after the axes that go together, so that nothing is copied.
Batched Gather::batch(const Use& u, std::span<const Batched> args, DimId) {
  auto [axis, batch] = place_of(u.attrs());
  Value x = args[0].value, index = args[1].value;
  int64_t a = static_cast<int64_t>(axis), b = static_cast<int64_t>(batch);
  if (args[0].batched && args[1].batched) return {gather(x, index, a + 1, b + 1), true};
  if (args[0].batched) return {move_axis(gather(move_axis(x, 0, batch), index, a + 1, b), batch, 0), true};
  return {move_axis(gather(x, move_axis(index, 0, batch), a, b), axis, 0), true};
}

TypeRule ScatterAdd::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return needs<DimList>(c, AttrKey::shape); },
                               [&] { return sizes(c.types, c.attrs.dims(AttrKey::shape)); },
                               [&] { return check_place(c, c.attrs.dims(AttrKey::shape)); }))
    return std::unexpected(*bad);
  if (!is_num(c.dtype(0))) return wrong("adds numbers, found {}", c.types.print(c.args[0]));
  const Shape& whole = c.attrs.dims(AttrKey::shape);
  Shape wanted = gathered(whole, c.shape(1), place_of(c.attrs));
  if (c.shape(0) != wanted) return wrong("adds slices {}, found {}", c.types.print_shape(wanted), c.types.print(c.args[0]));
  return c.types.with_shape(c.args[0], whole);
}

Value ScatterAdd::derivative(const Use& u, size_t, Value g) {
  return gather(g, u.x[1], u.attrs().integer(AttrKey::axis), u.attrs().integer(AttrKey::batch));
}

Batched ScatterAdd::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  auto [axis, batch] = place_of(u.attrs());
  int64_t a = static_cast<int64_t>(axis), b = static_cast<int64_t>(batch);
  Shape shape = u.attrs().dims(AttrKey::shape);
  if (args[1].batched) return {scatter_add(with_rows(args[0], rows), args[1].value, led_by(rows, shape), a + 1, b + 1), true};
  shape.insert(shape.begin() + b, rows);
  return {move_axis(scatter_add(move_axis(args[0].value, 0, batch), args[1].value, shape, a + 1, b), batch, 0), true};
}

TypeRule AddAt::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return check_place(c, c.shape(0), 2); })) return std::unexpected(*bad);
  if (!is_num(c.dtype(0)) || c.dtype(1) != c.dtype(0)) return wrong("adds numbers of one type, found {} and {}", c.types.print(c.args[0]), c.types.print(c.args[1]));
  Shape wanted = gathered(c.shape(0), c.shape(2), place_of(c.attrs));
  if (c.shape(1) != wanted) return wrong("adds slices {}, found {}", c.types.print_shape(wanted), c.types.print(c.args[1]));
  return c.args[0];
}

Value AddAt::derivative(const Use& u, size_t k, Value g) {
  return k == 0 ? g : gather(g, u.x[2], u.attrs().integer(AttrKey::axis), u.attrs().integer(AttrKey::batch));
}

Batched AddAt::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  auto [axis, batch] = place_of(u.attrs());
  Value x = with_rows(args[0], rows), updates = with_rows(args[1], rows), index = with_rows(args[2], rows);
  return {add_at(x, updates, index, static_cast<int64_t>(axis) + 1, static_cast<int64_t>(batch) + 1), true};
}

}  // namespace glia::ir
