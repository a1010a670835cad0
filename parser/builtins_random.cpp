// Random draws. Counter-based: a draw depends on the stream (seed, step, example, iterations) and its site alone.
#include "ir/ops/all.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
Value draw(Elaborator& e, OpId o, const Shape& shape) {
  Val s = e.stream(e.frame(), e.frames.size() - 1);
  return e.b().emit(o, {e.value(s).id}, {{AttrKey::shape, DimList(shape)}, {AttrKey::dtype, DType::f32}, {AttrKey::site, e.next_site()}});
}

// A scalar f32 argument or its default.
std::optional<Value> scalar(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, std::string_view name, double fallback) {
  CallArg* a = argument(f, args, name);
  if (!a) return constant(e.b(), fallback, DType::f32);
  if (!e.is_numeric(a->val)) return tensor_argument(e, f, a, a->span);
  Value v = e.value(a->val, DType::f32);
  if (v.rank() == 0 && v.dtype() == DType::f32) return v;
  e.report(wrong_argument, a->span, f.name, fmt::format("needs an `f32` for `{}`, found `{}`", name, e.describe(a->val)));
  return std::nullopt;
}

Val normal(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto shape = e.as_shape(args[0].val, args[0].span);
  auto mean = scalar(e, f, args, "mean", 0), std = scalar(e, f, args, "std", 1);
  if (!shape || !mean || !std) return {};
  Value z = draw(e, op<RandomNormal>, *shape);
  Value x = z * *std;
  return e.node(constant_value(*mean) == 0.0 ? x : x + *mean, span);
}

Val uniform(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto shape = e.as_shape(args[0].val, args[0].span);
  auto low = scalar(e, f, args, "low", 0), high = scalar(e, f, args, "high", 1);
  if (!shape || !low || !high) return {};
  Value u = draw(e, op<RandomUniform>, *shape);
  return e.node(u * (*high - *low) + *low, span);
}

Val bernoulli(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto p = scalar(e, f, args, "p", 0.5);
  auto shape = args.size() > 1 ? e.as_shape(args[1].val, args[1].span) : std::optional(Shape{});
  if (!p || !shape) return {};
  Value u = draw(e, op<RandomUniform>, *shape);
  return e.node(u < broadcast_to(*p, *shape), span);
}

// The largest of the logits, each with Gumbel noise added, is drawn with probability softmax(logits) (Gumbel 1954).
Val categorical(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, &args[0], span);
  if (!x) return {};
  if (x->rank() != 1 || !is_float(x->dtype()) || e.dims.known(x->shape()[0]) == 0)
    return e.report(wrong_argument, args[0].span, f.name, fmt::format("takes a vector of logits, found `{}`", e.types.print(x->type()))), Val{};
  Value noise = -log(-log(draw(e, op<RandomUniform>, x->shape())));
  Value noisy = *x + cast(noise, x->dtype());
  return e.node(e.b().emit(op<ArgMax>, {noisy.id}, {{AttrKey::axis, int64_t{0}}}), span);
}

Value random_order(Elaborator& e, DimId n) {
  Value key = draw(e, op<RandomUniform>, {n});
  return e.b().emit(op<ArgSort>, {key.id}, {{AttrKey::axis, int64_t{0}}, {AttrKey::index, int64_t{0}}});
}

Val permutation(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto n = size_argument(e, &args[0]);
  if (!n) return e.report(wrong_argument, args[0].span, f.name, "needs a size: a whole number from 0 on, known before the program runs"), Val{};
  return e.node(random_order(e, *n), span);
}

Val shuffle(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, &args[0], span);
  if (!x) return {};
  if (x->rank() == 0) return e.report(wrong_argument, span, f.name, "needs rows, found a scalar"), Val{};
  return e.node(gather(*x, random_order(e, x->shape()[0])), span);
}

// Each element is zero with probability p, and else x / (1 - p), so that the mean stays (Srivastava et al. 2014).
Val dropout(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  auto p = scalar(e, f, args, "p", 0.5);
  if (!x || !p) return {};
  if (!is_float(x->dtype())) return e.report(wrong_argument, args[0].span, f.name, fmt::format("takes floats, found `{}`", e.types.print(x->type()))), Val{};
  if (auto c = constant_value(*p); c && !(*c >= 0 && *c <= 1))
    return e.report(wrong_argument, span, f.name, fmt::format("needs a probability from 0 to 1, found {}", *c)), Val{};
  if (!e.training.value_or(false) || constant_value(*p) == 0.0) return e.node(*x, span);
  Value keep = draw(e, op<RandomUniform>, x->shape()) >= broadcast_to(*p, x->shape());
  return e.node(select(keep, *x / cast(1.0 - *p, x->dtype()), zeros_like(*x)), span);
}

// A part of the given shape at a place drawn uniformly.
Val random_crop(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  CallArg* s = argument(f, args, "shape");
  auto shape = x && s ? e.as_shape(s->val, s->span) : std::nullopt;
  if (!shape) return {};
  if (shape->size() != x->rank()) return e.report(wrong_argument, s->span, f.name, fmt::format("needs {} sizes for `{}`, found {}", x->rank(), e.types.print(x->type()), shape->size())), Val{};
  Value y = *x;
  for (size_t a = 0; a < shape->size(); ++a) {
    DimId have = x->shape()[a], want = (*shape)[a], room = e.dims.sub(have, want);
    if (have == want) continue;
    if (auto k = e.dims.known(room); k && *k < 0)
      return e.report(wrong_argument, span, f.name, fmt::format("cannot cut {} from axis {} of `{}`", e.dims.print(want), a, e.types.print(x->type()))), Val{};
    Value places = dim_value(e.b(), e.dims.add(room, e.dims.constant(1)), DType::f32);
    Value start = cast(draw(e, op<RandomUniform>, {}) * places, DType::i32);
    Value last = dim_value(e.b(), room);
    start = select(start < last, start, last);  // the product may round up to the count
    y = gather(y, iota(e.b(), want) + start, static_cast<int64_t>(a));
  }
  return e.node(y, span);
}

const Builtin list[] = {
    {"normal", "normal(shape, mean, std)\nNormal draws of this shape. A draw depends on seed, step, example and place alone.", normal, {"shape", "mean", "std"}, 1},
    {"uniform", "uniform(shape, low, high)\nUniform draws in [low, high).", uniform, {"shape", "low", "high"}, 1},
    {"categorical", "categorical(logits)\nAn index, drawn with probability softmax(logits).", categorical, {"logits"}, 1},
    {"permutation", "permutation(n)\n0 to n - 1 in random order.", permutation, {"n"}, 1},
    {"shuffle", "shuffle(x)\nThe rows of x in random order.", shuffle, {"x"}, 1},
    {"dropout", "dropout(x, p = 0.5)\nIn training each element is 0 with probability p, else divided by 1 - p (Srivastava et al. 2014); otherwise x.", dropout, {"x", "p"}, 1},
    {"random_crop", "random_crop(x, shape)\nA part of x of this shape, at a random place.", random_crop, {"x", "shape"}, 2},
    {"bernoulli", "bernoulli(p, shape)\ntrue with probability p.", bernoulli, {"p", "shape"}, 1},
};
}  // namespace

std::span<const Builtin> random_builtins() { return list; }

}  // namespace glia
