// The types and derivatives of recurrences, order and Fourier transforms.
#include "ir/ops/series.h"

#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
int64_t flag(const Attrs& attrs) { return attrs.has(AttrKey::index) ? attrs.integer(AttrKey::index) : 0; }

Complaint check_axis(const TypeContext& c) {
  return first_of([&] { return tensors(c); }, [&] { return needs<int64_t>(c, AttrKey::axis); },
                  [&] { return axis_within(c.attrs.integer(AttrKey::axis), c.shape(0).size()); },
                  [&] { return is_num(c.dtype(0)) ? std::nullopt : Complaint(fmt::format("takes numbers, found {}", c.types.print(c.args[0]))); });
}

// x[i + by] with a zero where that is outside; also for no elements.
Value moved(Value x, size_t axis, int by) {
  Dims& dims = x.b->dims();
  DimList low(x.rank(), dims.constant(0)), high = low, starts = low, stops = x.shape();
  (by < 0 ? low : high)[axis] = dims.constant(1);
  if (by > 0) starts[axis] = dims.constant(1), stops[axis] = dims.add(stops[axis], dims.constant(1));
  return slice(pad(x, low, high), starts, stops, Ints(x.rank(), 1));
}
}  // namespace

TypeRule Recurrence::type(const TypeContext& c) {
  if (Complaint bad = check_axis(c)) return std::unexpected(*bad);
  if (c.args[0] != c.args[1]) return wrong("takes two tensors of one type, found {} and {}", c.types.print(c.args[0]), c.types.print(c.args[1]));
  return c.args[0];
}

// What each s[i] is worth: w[i] = g[i] + a[i + 1] * w[i + 1]. Then b[i] is worth w[i], and a[i] is worth w[i] * s[i - 1].
Value Recurrence::derivative(const Use& u, size_t k, Value g) {
  const bool reverse = flag(u.attrs()) == 1;
  const size_t axis = static_cast<size_t>(u.attrs().integer(AttrKey::axis));
  Value next = moved(u.x[0], axis, reverse ? -1 : 1);
  Value worth = u.b.emit(op<Recurrence>, {next.id, g.id}, with(u.attrs(), AttrKey::index, int64_t{!reverse}));
  return k == 1 ? worth : worth * moved(u.y, axis, reverse ? 1 : -1);
}

Batched Recurrence::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  return again(u, {with_rows(args[0], rows).id, with_rows(args[1], rows).id},
               with(u.attrs(), AttrKey::axis, u.attrs().integer(AttrKey::axis) + 1));
}

TypeRule ArgSort::type(const TypeContext& c) {
  if (Complaint bad = check_axis(c)) return std::unexpected(*bad);
  return c.types.with_dtype(c.args[0], DType::i32);
}

Batched ArgSort::batch(const Use& u, std::span<const Batched> args, DimId) {
  return again(u, {args[0].value.id}, with(u.attrs(), AttrKey::axis, u.attrs().integer(AttrKey::axis) + 1));
}

TypeRule Dft::type(const TypeContext& c) {
  if (Complaint bad = tensors(c)) return std::unexpected(*bad);
  const Shape& s = c.shape(0);
  if (!is_float(c.dtype(0)) || s.size() < 2 || c.types.dims.known(s[s.size() - 2]) != 2)
    return wrong("takes real and imaginary parts, [.., 2, n] of floats, found {}", c.types.print(c.args[0]));
  return c.args[0];
}

// The matrix is symmetric, and its conjugate is that of the other sign.
Value Dft::derivative(const Use& u, size_t, Value g) {
  return u.b.emit(op<Dft>, {g.id}, with(u.attrs(), AttrKey::index, 1 - flag(u.attrs())));
}

Batched Dft::batch(const Use& u, std::span<const Batched> args, DimId) { return again(u, {args[0].value.id}, u.attrs()); }

}  // namespace glia::ir
