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

const Builtin list[] = {
    {"normal", "normal(shape, mean, std)", normal, {"shape", "mean", "std"}, 1},
    {"uniform", "uniform(shape, low, high)", uniform, {"shape", "low", "high"}, 1},
    {"bernoulli", "bernoulli(p, shape)", bernoulli, {"p", "shape"}, 1},
};
}  // namespace

std::span<const Builtin> random_builtins() { return list; }

}  // namespace glia
