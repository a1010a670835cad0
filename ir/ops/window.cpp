// The types and derivatives of the ops on windows of tensors.
#include "ir/ops/window.h"

#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
// (n - (size - 1) * dilation - 1) // stride + 1
DimId window_count(Dims& dims, DimId n, const DimList& w) {
  DimId one = dims.constant(1);
  DimId reach = dims.add(dims.mul(dims.sub(w[0], one), w[2]), one);
  return dims.add(dims.floordiv(dims.sub(n, reach), w[1]), one);
}

Complaint check_window(const TypeContext& c, size_t axes_needed) {
  Complaint bad = first_of([&] { return tensors(c); }, [&] { return needs<int64_t>(c, AttrKey::axis); },
                           [&] { return needs<DimList>(c, AttrKey::shape); },
                           [&] { return sizes(c.types, c.attrs.dims(AttrKey::shape)); },
                           [&] { return axis_within(c.attrs.integer(AttrKey::axis) + static_cast<int64_t>(axes_needed) - 1, c.shape(0).size()); });
  if (bad) return bad;
  const DimList& w = c.attrs.dims(AttrKey::shape);
  if (w.size() != 3) return fmt::format("has {} numbers in place of size, stride and dilation", w.size());
  const std::string_view names[] = {"size", "stride", "dilation"};
  for (size_t i = 0; i < 3; ++i)
    if (auto k = c.types.dims.known(w[i]); k && *k < 1) return fmt::format("has a {} of {}, not at least 1", names[i], *k);
  if (!is_num(c.dtype(0))) return fmt::format("takes numbers, found {}", c.types.print(c.args[0]));
  return std::nullopt;
}

size_t axis_of(const Attrs& attrs) { return static_cast<size_t>(attrs.integer(AttrKey::axis)); }

Batched along_next_axis(const Use& u, std::span<const Batched> args) {
  return again(u, {args[0].value.id}, with(u.attrs(), AttrKey::axis, u.attrs().integer(AttrKey::axis) + 1));
}
}  // namespace

TypeRule Window::type(const TypeContext& c) {
  if (Complaint bad = check_window(c, 1)) return std::unexpected(*bad);
  Dims& dims = c.types.dims;
  const DimList& w = c.attrs.dims(AttrKey::shape);
  Shape shape = c.shape(0);
  DimId n = shape[axis_of(c.attrs)], count = window_count(dims, n, w);
  if (!count.valid()) return wrong("a size is too large");
  if (auto k = dims.known(count); k && *k < 1)
    return wrong("a window over {} elements is longer than axis {} of {}", dims.print(dims.add(dims.mul(dims.sub(w[0], dims.constant(1)), w[2]), dims.constant(1))),
                 axis_of(c.attrs), c.types.print(c.args[0]));
  shape[axis_of(c.attrs)] = w[0];
  shape.insert(shape.begin() + c.attrs.integer(AttrKey::axis), count);
  return c.types.with_shape(c.args[0], std::move(shape));
}

Value Window::derivative(const Use& u, size_t, Value g) {
  return u.b.emit(op<Unwindow>, {g.id}, with(u.attrs(), AttrKey::dim, u.x[0].shape()[axis_of(u.attrs())]));
}

Batched Window::batch(const Use& u, std::span<const Batched> args, DimId) { return along_next_axis(u, args); }

TypeRule Unwindow::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return check_window(c, 2); }, [&] { return needs<DimId>(c, AttrKey::dim); })) return std::unexpected(*bad);
  const DimList& w = c.attrs.dims(AttrKey::shape);
  DimId n = c.attrs.get<DimId>(AttrKey::dim);
  Shape shape = c.shape(0);
  const size_t axis = axis_of(c.attrs);
  if (shape[axis + 1] != w[0] || shape[axis] != window_count(c.types.dims, n, w))
    return wrong("{} is not made of the windows of {} elements", c.types.print(c.args[0]), c.types.dims.print(n));
  shape.erase(shape.begin() + static_cast<ptrdiff_t>(axis));
  shape[axis] = n;
  return c.types.with_shape(c.args[0], std::move(shape));
}

Value Unwindow::derivative(const Use& u, size_t, Value g) {
  const DimList& w = u.attrs().dims(AttrKey::shape);
  return window(g, u.attrs().integer(AttrKey::axis), w[0], w[1], w[2]);
}

Batched Unwindow::batch(const Use& u, std::span<const Batched> args, DimId) { return along_next_axis(u, args); }

Value window(Value x, int64_t axis, DimId size, DimId stride, DimId dilation) {
  return x.b->emit(op<Window>, {x.id}, {{AttrKey::axis, axis}, {AttrKey::shape, DimList{size, stride, dilation}}});
}

}  // namespace glia::ir
