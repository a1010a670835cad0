// The linear ops that address elements: slice and pad, concat, gather and scatter_add, each the transpose of the other.
#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
DimId ceil_div(Dims& dims, DimId n, int64_t step) {
  return step == 1 ? n : dims.floordiv(dims.add(n, dims.constant(step - 1)), dims.constant(step));
}

// (n - 1) * step + 1: from the first of n elements to the last.
DimId spread(Dims& dims, DimId n, int64_t step) {
  return step == 1 ? n : dims.add(dims.mul(dims.sub(n, dims.constant(1)), dims.constant(step)), dims.constant(1));
}

Ints steps_of(const Attrs& attrs, size_t rank) { return attrs.has(AttrKey::steps) ? attrs.ints(AttrKey::steps) : Ints(rank, 1); }

Complaint check_steps(const Ints& steps, size_t rank) {
  if (steps.size() != rank) return fmt::format("has {} steps for {} axes", steps.size(), rank);
  for (int64_t s : steps)
    if (s < 1) return fmt::format("a step is {}, not at least 1", s);
  return std::nullopt;
}

Complaint one_per_axis(const TypeContext& c, AttrKey key) {
  if (Complaint bad = needs<DimList>(c, key)) return bad;
  if (c.attrs.dims(key).size() == c.shape(0).size()) return std::nullopt;
  return fmt::format("has {} {} for {}", c.attrs.dims(key).size(), attr_name(key), c.types.print(c.args[0]));
}

// Known to be below; what depends on a size is checked once it is known.
bool surely_less(Dims& dims, DimId a, DimId b) {
  auto gap = dims.known(dims.sub(b, a));
  return gap && *gap > 0;
}

Complaint check_slice(const TypeContext& c, size_t i, DimId start, DimId stop, DimId count) {
  Dims& dims = c.types.dims;
  DimId n = c.shape(0)[i];
  auto first = dims.known(start), many = dims.known(count);
  if ((first && *first < 0) || surely_less(dims, n, stop) || (many && *many < 0) || !count.valid())
    return fmt::format("{} to {} is outside axis {} of {}", dims.print(start), dims.print(stop), i, c.types.print(c.args[0]));
  return std::nullopt;
}
}  // namespace

TypeRule Slice::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return one_per_axis(c, AttrKey::starts); },
                               [&] { return one_per_axis(c, AttrKey::stops); }, [&] { return needs<Ints>(c, AttrKey::steps); },
                               [&] { return check_steps(c.attrs.ints(AttrKey::steps), c.shape(0).size()); }))
    return std::unexpected(*bad);
  Shape shape;
  for (size_t i = 0; i < c.shape(0).size(); ++i) {
    DimId start = c.attrs.dims(AttrKey::starts)[i], stop = c.attrs.dims(AttrKey::stops)[i];
    DimId count = ceil_div(c.types.dims, c.types.dims.sub(stop, start), c.attrs.ints(AttrKey::steps)[i]);
    if (Complaint bad = check_slice(c, i, start, stop, count)) return std::unexpected(*bad);
    shape.push_back(count);
  }
  return c.types.with_shape(c.args[0], std::move(shape));
}

Value Slice::derivative(const Use& u, size_t, Value g) {
  Dims& dims = u.b.dims();
  const Ints& steps = u.attrs().ints(AttrKey::steps);
  const Shape to = u.x[0].shape();
  DimList low = u.attrs().dims(AttrKey::starts), high;
  for (size_t i = 0; i < to.size(); ++i) high.push_back(dims.sub(dims.sub(to[i], low[i]), spread(dims, g.shape()[i], steps[i])));
  if (steps == Ints(to.size(), 1)) return pad(g, low, high);
  return u.b.emit(op<Pad>, {g.id}, {{AttrKey::low, low}, {AttrKey::high, high}, {AttrKey::steps, steps}});
}

Batched Slice::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  const Attrs& a = u.attrs();
  return {slice(args[0].value, led_by(u.b.dims().constant(0), a.dims(AttrKey::starts)), led_by(rows, a.dims(AttrKey::stops)),
                led_by<int64_t>(1, a.ints(AttrKey::steps))),
          true};
}

TypeRule Pad::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return one_per_axis(c, AttrKey::low); },
                               [&] { return one_per_axis(c, AttrKey::high); },
                               [&] { return c.attrs.has(AttrKey::steps) ? needs<Ints>(c, AttrKey::steps) : std::nullopt; },
                               [&] { return check_steps(steps_of(c.attrs, c.shape(0).size()), c.shape(0).size()); },
                               [&] { return sizes(c.types, c.attrs.dims(AttrKey::low)); }))
    return std::unexpected(*bad);
  Dims& dims = c.types.dims;
  Ints steps = steps_of(c.attrs, c.shape(0).size());
  Shape shape;
  for (size_t i = 0; i < steps.size(); ++i) {
    DimId inner = spread(dims, c.shape(0)[i], steps[i]);
    shape.push_back(dims.add(dims.add(c.attrs.dims(AttrKey::low)[i], inner), c.attrs.dims(AttrKey::high)[i]));
    auto high = dims.known(c.attrs.dims(AttrKey::high)[i]);
    if (high && *high < 0) return wrong("a size is negative: {}", *high);
  }
  if (Complaint bad = sizes(c.types, shape)) return std::unexpected(*bad);
  return c.types.with_shape(c.args[0], std::move(shape));
}

Value Pad::derivative(const Use& u, size_t, Value g) {
  Dims& dims = u.b.dims();
  Ints steps = steps_of(u.attrs(), g.rank());
  const DimList& low = u.attrs().dims(AttrKey::low);
  const Shape from = u.x[0].shape();
  DimList stops;
  for (size_t i = 0; i < from.size(); ++i) stops.push_back(dims.add(low[i], spread(dims, from[i], steps[i])));
  return slice(g, low, stops, steps);
}

Batched Pad::batch(const Use& u, std::span<const Batched> args, DimId) {
  DimId none = u.b.dims().constant(0);
  Attrs attrs = u.attrs();
  attrs.set(AttrKey::low, led_by(none, u.attrs().dims(AttrKey::low)));
  attrs.set(AttrKey::high, led_by(none, u.attrs().dims(AttrKey::high)));
  if (attrs.has(AttrKey::steps)) attrs.set(AttrKey::steps, led_by<int64_t>(1, u.attrs().ints(AttrKey::steps)));
  return again(u, {args[0].value.id}, attrs);
}

// ---- concat -------------------------------------------------------------------------------------

TypeRule Concat::type(const TypeContext& c) {
  if (c.args.empty()) return wrong("takes at least one tensor");
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return needs<int64_t>(c, AttrKey::axis); },
                               [&] { return axis_within(c.attrs.integer(AttrKey::axis), c.shape(0).size()); }))
    return std::unexpected(*bad);
  size_t axis = static_cast<size_t>(c.attrs.integer(AttrKey::axis));
  Shape shape = c.shape(0);
  for (size_t k = 1; k < c.args.size(); ++k) {
    Shape other = c.shape(k), first = c.shape(0);
    if (c.dtype(k) != c.dtype(0) || other.size() != first.size())
      return wrong("cannot join {} and {}", c.types.print(c.args[0]), c.types.print(c.args[k]));
    DimId more = std::exchange(other[axis], first[axis]);
    if (other != first) return wrong("{} and {} differ beside axis {}", c.types.print(c.args[0]), c.types.print(c.args[k]), axis);
    shape[axis] = c.types.dims.add(shape[axis], more);
  }
  if (Complaint bad = sizes(c.types, shape)) return std::unexpected(*bad);
  return c.types.with_shape(c.args[0], std::move(shape));
}

Value Concat::derivative(const Use& u, size_t k, Value g) {
  Dims& dims = u.b.dims();
  size_t axis = static_cast<size_t>(u.attrs().integer(AttrKey::axis));
  DimList starts(g.rank(), dims.constant(0)), stops = u.x[k].shape();
  for (size_t i = 0; i < k; ++i) starts[axis] = dims.add(starts[axis], u.x[i].shape()[axis]);
  stops[axis] = dims.add(starts[axis], stops[axis]);
  return slice(g, starts, stops, Ints(g.rank(), 1));
}

Batched Concat::batch(const Use& u, std::span<const Batched> args, DimId rows) {
  std::vector<Value> xs;
  for (const Batched& a : args) xs.push_back(with_rows(a, rows));
  return {concat(xs, u.attrs().integer(AttrKey::axis) + 1), true};
}

}  // namespace glia::ir
