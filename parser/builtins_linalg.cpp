// Linear algebra, order and Fourier transforms.
#include "ir/ops/all.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
Val tuple_of(Elaborator& e, std::vector<Value> values, Span span) {
  Structure s;
  for (Value v : values) s.elems.push_back(e.node(v, span));
  return Val{std::make_shared<const Structure>(std::move(s)), {}, span};
}

std::optional<Value> square_argument(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  CallArg* a = &args[0];
  auto x = tensor_argument(e, f, a, span);
  if (!x) return std::nullopt;
  if (x->rank() == 2 && x->shape()[0] == x->shape()[1] && is_float(x->dtype())) return x;
  e.report(wrong_argument, a->span, f.name, fmt::format("takes a square matrix of floats, found `{}`", e.types.print(x->type())));
  return std::nullopt;
}

Val solve_fn(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto a = tensor_argument(e, f, argument(f, args, "a"), span), b = tensor_argument(e, f, argument(f, args, "b"), span);
  if (!a || !b) return {};
  const Shape shape = b->shape();
  const bool vector = shape.size() == 1;
  Value right = vector ? reshape(*b, {shape[0], e.dims.constant(1)}) : *b;
  auto y = checked_emit(e, f, op<Solve>, {*a, right}, {}, span);
  if (!y) return {};
  return e.node(vector ? reshape(*y, shape) : *y, span);
}

Val inverse(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto a = square_argument(e, f, args, span);
  return a ? e.node(solve(*a, identity(e.b(), a->shape()[0], a->dtype())), span) : Val{};
}

// The mean with the transpose, so that both triangles count and the derivative is symmetric.
Val cholesky(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto a = square_argument(e, f, args, span);
  if (!a) return {};
  Value even = 0.5 * (*a + transpose(*a, {1, 0}));
  return e.node(e.b().emit(op<Cholesky>, {even.id}), span);
}

Val det(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto a = square_argument(e, f, args, span);
  return a ? e.node(e.b().emit(op<Det>, {a->id}), span) : Val{};
}

Val qr(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto a = tensor_argument(e, f, &args[0], span);
  auto both = a ? checked_emit(e, f, op<Qr>, {*a}, {}, span) : std::nullopt;
  if (!both) return {};
  DimId m = a->shape()[0], n = a->shape()[1], none = e.dims.constant(0);
  return tuple_of(e, {slice(*both, {none, none}, {m, n}, {1, 1}), slice(*both, {m, none}, {e.dims.add(m, n), n}, {1, 1})}, span);
}

// ---- order ----------------------------------------------------------------------------------------

struct Sorted {
  Value x, order;   // with the axis last
  size_t axis;
};

// The last axis where none is given, as in NumPy and PyTorch.
std::optional<Sorted> sorted(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span, std::optional<bool> descending) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return std::nullopt;
  if (x->rank() == 0) return e.report(wrong_argument, span, f.name, "needs an axis, found a scalar"), std::nullopt;
  CallArg* axis = argument(f, args, "axis");
  auto axes = axis ? axes_argument(e, f, axis, x->rank(), span) : std::optional(Ints{static_cast<int64_t>(x->rank()) - 1});
  CallArg* down = descending ? nullptr : argument(f, args, "descending");
  if (down) descending = e.known_bool(down->val);
  if (down && !descending) e.report(wrong_argument, down->span, f.name, "needs a constant `descending`");
  if (!axes || axes->size() != 1 || (down && !descending)) return std::nullopt;
  const auto a = static_cast<size_t>((*axes)[0]);
  Value last = move_axis(*x, a, x->rank() - 1);
  auto order = checked_emit(e, f, op<ArgSort>, {last}, {{AttrKey::axis, static_cast<int64_t>(x->rank()) - 1}, {AttrKey::index, int64_t{descending.value_or(false)}}}, span);
  if (!order) return std::nullopt;
  return Sorted{last, *order, a};
}

Value taken(const Sorted& s) {
  const auto last = static_cast<int64_t>(s.x.rank()) - 1;
  return gather(s.x, s.order, last, last);
}

Val sort_fn(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto s = sorted(e, f, args, span, std::nullopt);
  return s ? e.node(move_axis(taken(*s), s->x.rank() - 1, s->axis), span) : Val{};
}

Val argsort(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto s = sorted(e, f, args, span, std::nullopt);
  return s ? e.node(move_axis(s->order, s->x.rank() - 1, s->axis), span) : Val{};
}

// The k largest with their places, largest first.
Val top_k(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto s = sorted(e, f, args, span, true);
  CallArg* count = argument(f, args, "k");
  auto k = size_argument(e, count);
  if (!s) return {};
  if (!k) return e.report(wrong_argument, span, f.name, "needs a constant `k` from 0 on"), Val{};
  const size_t last = s->x.rank() - 1;
  DimList starts(last + 1, e.dims.constant(0)), stops = s->x.shape();
  if (auto more = e.dims.known(e.dims.sub(stops[last], *k)); more && *more < 0)
    return e.report(wrong_argument, span, f.name, fmt::format("cannot take {} of {} elements", e.dims.print(*k), e.dims.print(stops[last]))), Val{};
  stops[last] = *k;
  Sorted first{s->x, slice(s->order, starts, stops, Ints(last + 1, 1)), s->axis};
  return tuple_of(e, {move_axis(taken(first), last, s->axis), move_axis(first.order, last, s->axis)}, span);
}

// ---- Fourier transform ------------------------------------------------------------------------------

// [.., n] and [.., n] as [.., 2, n]
std::optional<Value> parts_together(Elaborator& e, const Builtin& f, Value re, Value im, Span span) {
  if (re.type() != im.type() || re.rank() == 0 || !is_float(re.dtype())) {
    e.report(wrong_argument, span, f.name, fmt::format("takes real and imaginary parts of one shape, found `{}` and `{}`", e.types.print(re.type()), e.types.print(im.type())));
    return std::nullopt;
  }
  Shape one = re.shape();
  one.insert(one.end() - 1, e.dims.constant(1));
  std::vector<Value> both{reshape(re, one), reshape(im, one)};
  return concat(both, static_cast<int64_t>(re.rank()) - 1);
}

Value part(Value both, int64_t which) {
  Dims& dims = both.b->dims();
  const size_t axis = both.rank() - 2;
  DimList starts(both.rank(), dims.constant(0)), stops = both.shape();
  starts[axis] = dims.constant(which), stops[axis] = dims.constant(which + 1);
  Shape shape = both.shape();
  shape.erase(shape.end() - 2);
  return reshape(slice(both, starts, stops, Ints(both.rank(), 1)), shape);
}

template <bool back>
Val fft(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto re = tensor_argument(e, f, argument(f, args, "re"), span);
  CallArg* second = argument(f, args, "im");
  auto im = second ? tensor_argument(e, f, second, span) : re ? std::optional(zeros_like(*re)) : std::nullopt;
  auto both = re && im ? parts_together(e, f, *re, *im, span) : std::nullopt;
  if (!both) return {};
  Value y = e.b().emit(op<Dft>, {both->id}, {{AttrKey::index, int64_t{back}}});
  if (back) y = y / dim_value(e.b(), re->shape().back(), re->dtype());
  return tuple_of(e, {part(y, 0), part(y, 1)}, span);
}

// The first n // 2 + 1 terms: the others are their mirror images.
Val rfft(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, &args[0], span);
  auto both = x ? parts_together(e, f, *x, zeros_like(*x), span) : std::nullopt;
  if (!both) return {};
  if (e.dims.known(x->shape().back()) == 0) return e.report(wrong_argument, args[0].span, f.name, "needs at least one element"), Val{};
  Value y = e.b().emit(op<Dft>, {both->id}, {{AttrKey::index, int64_t{0}}});
  DimList starts(y.rank(), e.dims.constant(0)), stops = y.shape();
  stops.back() = e.dims.add(e.dims.floordiv(stops.back(), e.dims.constant(2)), e.dims.constant(1));
  Value half = slice(y, starts, stops, Ints(y.rank(), 1));
  return tuple_of(e, {part(half, 0), part(half, 1)}, span);
}

const Builtin list[] = {
    {"solve", "solve(a, b)\nx with a @ x = b, for a f32[n, n] and b f32[n] or f32[n, m] (LU with partial pivoting). A singular matrix is an error.", solve_fn, {"a", "b"}, 2},
    {"inverse", "inverse(a)\nThe inverse of f32[n, n]. A singular matrix is an error.", inverse, {"a"}, 1},
    {"cholesky", "cholesky(a)\nThe lower triangle L with L @ L.T = a, of a symmetric positive definite f32[n, n]; another matrix is an error.", cholesky, {"a"}, 1},
    {"det", "det(a)\nThe determinant of f32[n, n].", det, {"a"}, 1},
    {"qr", "qr(a)\n(q, r) of f32[m, n], m >= n: q has orthonormal columns, r is upper triangular (Householder 1958).", qr, {"a"}, 1},
    {"sort", "sort(x, axis = -1, descending = false)\nThe elements along an axis from the smallest to the largest; stable, NaN last.", sort_fn, {"x", "axis", "descending"}, 1},
    {"argsort", "argsort(x, axis = -1, descending = false)\nThe places, i32, that `sort` takes its elements from.", argsort, {"x", "axis", "descending"}, 1},
    {"top_k", "top_k(x, k, axis = -1)\n(values, places) of the k largest along an axis, largest first.", top_k, {"x", "k", "axis"}, 2},
    {"fft", "fft(re, im = 0)\n(re, im) of the discrete Fourier transform along the last axis, sum over x[k] * exp(-2 pi i j k / n) (Cooley, Tukey 1965).", fft<false>, {"re", "im"}, 1},
    {"ifft", "ifft(re, im = 0)\n(re, im) of the inverse transform, divided by n.", fft<true>, {"re", "im"}, 1},
    {"rfft", "rfft(x)\n(re, im) of the transform of real numbers: the first n // 2 + 1 terms.", rfft, {"x"}, 1},
};
}  // namespace

std::span<const Builtin> linalg_builtins() { return list; }

}  // namespace glia
