// Tensors made from sizes, and tensors rearranged: ranges, diagonals and triangles, repetition, windows, one row replaced.
#include "ir/ops/all.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
// ---- ranges ---------------------------------------------------------------------------------------

// arange(n) counts 0, 1, …; arange(a, b) from a to before b, in steps. Sizes and whole numbers only, so the count is known.
Val arange(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  std::vector<DimId> bounds;
  for (std::string_view name : {"start", "stop"}) {
    CallArg* a = argument(f, args, name);
    if (!a) continue;
    auto d = e.as_dim(a->val);
    if (!d) return e.report(wrong_argument, a->span, f.name, "takes whole numbers that are known before the program runs").help("for others: `start + step * f32(arange(n))`"), Val{};
    bounds.push_back(*d);
  }
  if (bounds.size() == 1) bounds.insert(bounds.begin(), e.dims.constant(0));
  CallArg* s = argument(f, args, "step");
  auto step = s ? e.known_int(s->val) : std::optional<int64_t>(1);
  if (!step || *step < 1) return e.report(wrong_argument, span, f.name, "needs a constant `step` of at least 1").help("`flip` turns a range around"), Val{};
  DimId gap = e.dims.sub(bounds[1], bounds[0]);
  DimId count = *step == 1 ? gap : e.dims.floordiv(e.dims.add(gap, e.dims.constant(*step - 1)), e.dims.constant(*step));
  if (auto n = e.dims.known(count); n && *n < 0) count = e.dims.constant(0);
  Value x = iota(e.b(), count);
  if (*step != 1) x = x * constant_int(e.b(), *step, DType::i32);
  return e.node(bounds[0] == e.dims.constant(0) ? x : x + dim_value(e.b(), bounds[0]), span);
}

// count numbers at equal distances, both ends included.
Val linspace(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto count = size_argument(e, &args[2]);
  if (!count) return e.report(wrong_argument, args[2].span, f.name, "needs a constant count from 0 on"), Val{};
  for (size_t i = 0; i < 2; ++i)
    if (!e.is_numeric(args[i].val)) return tensor_argument(e, f, &args[i], span), Val{};
  Value start = e.value(args[0].val, DType::f32), stop = e.value(args[1].val, DType::f32);
  if (start.rank() != 0 || start.dtype() != DType::f32 || stop.type() != start.type())
    return e.report(wrong_argument, span, f.name, "takes two `f32` numbers and a count"), Val{};
  Value last = dim_value(e.b(), e.dims.sub(*count, e.dims.constant(1)), DType::f32);
  Value part = iota(e.b(), *count, DType::f32) / select(last > 0.0, last, ones_like(last));
  Value from_start = start + part * (stop - start), from_stop = stop - (1.0 - part) * (stop - start);
  return e.node(select(part < 0.5, from_start, from_stop), span);  // both ends are exact
}

// ---- diagonals and triangles --------------------------------------------------------------------------

Val eye(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto n = size_argument(e, &args[0]);
  if (!n) return e.report(wrong_argument, args[0].span, f.name, "needs a constant size from 0 on"), Val{};
  return e.node(identity(e.b(), *n, DType::f32), span);
}

std::optional<Value> matrix_argument(Elaborator& e, const Builtin& f, CallArg* a, Span span) {
  auto x = tensor_argument(e, f, a, span);
  if (!x || x->rank() == 2) return x;
  e.report(wrong_argument, a->span, f.name, fmt::format("takes a matrix, found `{}`", e.types.print(x->type())));
  return std::nullopt;
}

template <bool lower>
Val triangle_fn(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = matrix_argument(e, f, &args[0], span);
  CallArg* k = argument(f, args, "diagonal");
  auto diagonal = k ? e.known_int(k->val) : std::optional<int64_t>(0);
  if (!x) return {};
  if (!diagonal) return e.report(wrong_argument, k->span, f.name, "needs a constant `diagonal`"), Val{};
  return e.node(triangle(*x, lower, *diagonal), span);
}

std::optional<Value> diagonal_of(Elaborator& e, const Builtin& f, Value x, Span span) {
  if (x.shape()[0] != x.shape()[1]) {
    e.report(wrong_argument, span, f.name, fmt::format("takes a square matrix, found `{}`", e.types.print(x.type())));
    return std::nullopt;
  }
  return sum(triangle(triangle(x, true, 0), false, 0), {1});
}

// A vector becomes the diagonal of a matrix, of a matrix it is taken.
Val diag(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, &args[0], span);
  if (!x) return {};
  if (x->rank() == 1) {
    Value wide = broadcast(*x, {x->shape()[0], x->shape()[0]}, {0});
    return e.node(triangle(triangle(wide, true, 0), false, 0), span);
  }
  if (x->rank() != 2) return e.report(wrong_argument, span, f.name, fmt::format("takes a vector or a matrix, found `{}`", e.types.print(x->type()))), Val{};
  auto d = diagonal_of(e, f, *x, span);
  return d ? e.node(*d, span) : Val{};
}

Val trace(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = matrix_argument(e, f, &args[0], span);
  auto d = x ? diagonal_of(e, f, *x, span) : std::nullopt;
  return d ? e.node(sum(*d), span) : Val{};
}

Val outer(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto a = tensor_argument(e, f, &args[0], span), b = tensor_argument(e, f, &args[1], span);
  if (!a || !b) return {};
  if (a->rank() == 1 && b->rank() == 1 && a->dtype() == b->dtype()) return e.node(contract(*a, *b, {0}, {1}, {0, 1}), span);
  e.report(wrong_argument, span, f.name, fmt::format("takes two vectors of one element type, found `{}` and `{}`", e.types.print(a->type()), e.types.print(b->type())));
  return {};
}

// ---- repetition ---------------------------------------------------------------------------------------

std::optional<size_t> one_axis(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Value x, Span span) {
  CallArg* axis = argument(f, args, "axis");
  auto axes = axis ? axes_argument(e, f, axis, x.rank(), span) : std::optional(Ints{0});
  if (!axes) return std::nullopt;
  if (axes->size() == 1 && x.rank() > 0) return static_cast<size_t>((*axes)[0]);
  e.report(wrong_argument, span, f.name, fmt::format("works along one axis of a tensor, found `{}`", e.types.print(x.type())));
  return std::nullopt;
}

// tile repeats the whole along the axis (a b a b), repeat each element (a a b b).
template <bool whole>
Val repeated(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  CallArg* n = argument(f, args, "count");
  auto count = size_argument(e, n);
  if (!x) return {};
  if (!count) return e.report(wrong_argument, span, f.name, "needs a constant count from 0 on"), Val{};
  auto axis = one_axis(e, f, args, *x, span);
  if (!axis) return {};
  Shape shape = x->shape(), wide = shape;
  const size_t at = *axis + (whole ? 0 : 1);
  wide.insert(wide.begin() + static_cast<ptrdiff_t>(at), *count);
  Ints axes = iota_ints(wide.size());
  axes.erase(axes.begin() + static_cast<ptrdiff_t>(at));
  shape[*axis] = e.dims.mul(shape[*axis], *count);
  return e.node(reshape(broadcast(*x, wide, axes), shape), span);
}

// Element i comes to i + shift; what leaves at one end enters at the other.
Val roll(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  CallArg* s = argument(f, args, "shift");
  auto shift = s ? e.known_int(s->val) : std::nullopt;
  if (!x) return {};
  if (!shift) return e.report(wrong_argument, span, f.name, "needs a constant shift"), Val{};
  auto axis = one_axis(e, f, args, *x, span);
  if (!axis) return {};
  DimId n = x->shape()[*axis];
  if (e.dims.known(n) == 0) return e.node(*x, span);
  DimId by = e.dims.mod(e.dims.constant(*shift), n);
  DimList starts(x->rank(), e.dims.constant(0)), stops = x->shape(), cut = starts, until = stops;
  cut[*axis] = until[*axis] = e.dims.sub(n, by);
  std::vector<Value> parts{slice(*x, cut, stops, Ints(x->rank(), 1)), slice(*x, starts, until, Ints(x->rank(), 1))};
  return e.node(concat(parts, static_cast<int64_t>(*axis)), span);
}

// The windows of `size` elements that begin every `step`, as rows (`unfold` of PyTorch).
Val unfold(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  CallArg *size = argument(f, args, "size"), *step = argument(f, args, "step");
  auto n = size_argument(e, size), by = step ? e.as_dim(step->val) : std::optional(e.dims.constant(1));
  if (!x) return {};
  if (!n || !by) return e.report(wrong_argument, span, f.name, "needs constant sizes from 0 on"), Val{};
  auto axis = one_axis(e, f, args, *x, span);
  if (!axis) return {};
  auto w = checked_emit(e, f, op<Window>, {*x}, {{AttrKey::axis, static_cast<int64_t>(*axis)}, {AttrKey::shape, DimList{*n, *by, e.dims.constant(1)}}}, span);
  return w ? e.node(*w, span) : Val{};
}

// x with row i replaced by v. The place is made by an op that checks it.
Val update(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, &args[0], span), i = tensor_argument(e, f, &args[1], span);
  if (!x || !i || !e.is_numeric(args[2].val)) return x && i ? (tensor_argument(e, f, &args[2], span), Val{}) : Val{};
  Value v = e.value(args[2].val, x->dtype());
  if (x->rank() == 0 || i->rank() != 0 || !is_int(i->dtype()) || v.dtype() != x->dtype() || v.shape() != Shape(x->shape().begin() + (x->rank() > 0), x->shape().end())) {
    e.report(wrong_argument, span, f.name, fmt::format("replaces a row of `{}` at an integer, found `{}` at `{}`", e.types.print(x->type()), e.types.print(v.type()), e.types.print(i->type())));
    return {};
  }
  DimId n = x->shape()[0];
  Value at = *i;
  if (auto k = e.known_int(args[1].val); k && *k < 0) at = dim_value(e.b(), n, at.dtype()) + at;  // from the end, as in x[-1]
  Value here = scatter_add(constant_int(e.b(), 1, DType::i32), at, {n}) == constant_int(e.b(), 1, DType::i32);
  return e.node(select(broadcast(here, x->shape(), {0}), broadcast_to(v, x->shape()), *x), span);
}

// ---- sizes that initialisers ask for: of weights [outputs, inputs, kernel…] ---------------------------------

template <size_t other>
Val fan(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto shape = e.as_shape(args[0].val, args[0].span);
  if (!shape) return {};
  if (shape->empty()) return e.report(wrong_argument, span, f.name, "takes a shape with an axis"), Val{};
  if (shape->size() == 1) return Val{shape->front(), {}, span};
  shape->erase(shape->begin() + static_cast<ptrdiff_t>(other));
  return Val{e.dims.product(*shape), {}, span};
}

const Builtin list[] = {
    {"fan_in", "fan_in(shape)\nHow many inputs an output of weights of this shape has: [out, in, kernel…].", fan<0>, {"shape"}, 1},
    {"fan_out", "fan_out(shape)\nHow many outputs an input of weights of this shape has.", fan<1>, {"shape"}, 1},
    {"arange", "arange(stop) or arange(start, stop, step)\ni32 from start up to before stop.", arange, {"start", "stop", "step"}, 1},
    {"linspace", "linspace(start, stop, count)\nf32[count] from start to stop in equal steps, both included.", linspace, {"start", "stop", "count"}, 3},
    {"eye", "eye(n)\nThe identity matrix, f32[n, n].", eye, {"n"}, 1},
    {"tril", "tril(x, diagonal = 0)\nA matrix with zeros above the diagonal that is `diagonal` places up.", triangle_fn<true>, {"x", "diagonal"}, 1},
    {"triu", "triu(x, diagonal = 0)\nA matrix with zeros below the diagonal that is `diagonal` places up.", triangle_fn<false>, {"x", "diagonal"}, 1},
    {"diag", "diag(x)\nThe diagonal of a matrix, or a matrix with this diagonal.", diag, {"x"}, 1},
    {"trace", "trace(x)\nThe sum of the diagonal.", trace, {"x"}, 1},
    {"outer", "outer(a, b)\na[i] * b[j]: [m] and [n] to [m, n].", outer, {"a", "b"}, 2},
    {"tile", "tile(x, count, axis = 0)\nx, `count` times one after the other along an axis.", repeated<true>, {"x", "count", "axis"}, 2},
    {"repeat", "repeat(x, count, axis = 0)\nEach element of an axis `count` times.", repeated<false>, {"x", "count", "axis"}, 2},
    {"roll", "roll(x, shift, axis = 0)\nThe elements of an axis moved up by `shift`, around the end.", roll, {"x", "shift", "axis"}, 2},
    {"unfold", "unfold(x, size, step = 1, axis = 0)\nWindows of `size` elements, one every `step`, along an axis: the axis becomes windows, and their elements are a new one at the end.", unfold, {"x", "size", "step", "axis"}, 2},
    {"update", "update(x, i, v)\nx with row i replaced by v. A place outside is an error.", update, {"x", "i", "v"}, 3},
};
}  // namespace

std::span<const Builtin> make_builtins() { return list; }

}  // namespace glia
