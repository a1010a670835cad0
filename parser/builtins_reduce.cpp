// Reductions, max and min in both forms, dot and norm of vectors and structures.
#include "ir/ops/all.h"
#include "parser/advice.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind empty_axis{"E0320", Severity::error, "`{}` of no elements has no value"};

bool has_elements(Elaborator& e, const Builtin& f, Value x, const Ints& axes, const CallArg& arg, Span span) {
  for (int64_t a : axes)
    if (e.dims.known(x.shape()[a]) == 0) {
      auto& d = e.report(empty_axis, span, f.name);
      d.label(arg.span, fmt::format("axis {} of `{}` has size 0", a, e.types.print(x.type())));
      label_origin(e, d, arg.val, arg.span);
      d.help("only `sum`, `prod`, `all` and `any` have a value for no elements: see to it that there is one, or say what stands for none");
      return false;
    }
  return true;
}

bool numbers_only(Elaborator& e, const Builtin& f, Value x, Span span, bool floats = false) {
  if (floats ? is_float(x.dtype()) || x.dtype() == DType::any_num : is_num(x.dtype())) return true;
  e.report(wrong_argument, span, f.name, fmt::format("takes {}, found `{}`", floats ? "floats" : "numbers", e.types.print(x.type())))
      .help(x.dtype() == DType::boolean ? "convert it: `f32(…)`, or use `all`, `any`" : "convert it: `f32(…)`");
  return false;
}

template <class Op, bool needs_elements>
Val reduce(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return {};
  auto axes = axes_argument(e, f, argument(f, args, "axis"), x->rank(), span);
  constexpr bool logic = std::is_same_v<Op, All> || std::is_same_v<Op, Any>;
  if (!axes || (!logic && !numbers_only(e, f, *x, span)) || (needs_elements && !has_elements(e, f, *x, *axes, *argument(f, args, "x"), span))) return {};
  if (logic && x->dtype() != DType::boolean) {
    e.report(wrong_argument, span, f.name, fmt::format("takes bools, found `{}`", e.types.print(x->type())));
    return {};
  }
  if (axes->empty()) return e.node(*x, span);
  return e.node(e.b().emit(op<Op>, {x->id}, {{AttrKey::axes, *axes}}), span);
}

Val too_many(Elaborator& e, const Builtin& f, Span span) { return e.report(wrong_argument, span, f.name, "has more elements than can be counted"), Val{}; }

Val mean(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return {};
  auto axes = axes_argument(e, f, argument(f, args, "axis"), x->rank(), span);
  if (!axes || !numbers_only(e, f, *x, span, true) || !has_elements(e, f, *x, *axes, *argument(f, args, "x"), span)) return {};
  Shape reduced;
  for (int64_t a : *axes) reduced.push_back(x->shape()[a]);
  DimId count = e.dims.product(reduced);
  if (!count.valid()) return too_many(e, f, span);
  const DType t = x->dtype();
  const bool half = t == DType::f16 || t == DType::bf16;   // the sum, and the count, may not fit where the mean does
  Value wide = half ? cast(*x, DType::f32) : *x;
  Value total = axes->empty() ? wide : sum(wide, *axes);
  Value out = total / dim_value(e.b(), count, wide.dtype());
  return e.node(half ? cast(out, t) : out, span);
}

// The mean square distance from the mean, over n - ddof. Two passes, so that a large mean costs no digits.
std::optional<Value> variance(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return std::nullopt;
  CallArg *axis = argument(f, args, "axis"), *less = argument(f, args, "ddof");
  auto axes = axes_argument(e, f, axis, x->rank(), span);
  auto ddof = less ? e.as_dim(less->val) : std::optional(e.dims.constant(0));
  if (!axes || !numbers_only(e, f, *x, span, true) || !has_elements(e, f, *x, *axes, *argument(f, args, "x"), span)) return std::nullopt;
  if (!ddof) return e.report(wrong_argument, less->span, f.name, "needs a constant `ddof`"), std::nullopt;
  Shape reduced;
  Ints kept;
  for (int64_t a : iota_ints(x->rank()))
    if (std::binary_search(axes->begin(), axes->end(), a)) reduced.push_back(x->shape()[a]);
    else kept.push_back(a);
  DimId n = e.dims.product(reduced);
  if (!n.valid()) return too_many(e, f, span), std::nullopt;
  Value mean = axes->empty() ? *x : sum(*x, *axes) / dim_value(e.b(), n, x->dtype());
  Value squares = square(*x - broadcast(mean, Shape(x->shape()), kept));
  return (axes->empty() ? squares : sum(squares, *axes)) / dim_value(e.b(), e.dims.sub(n, *ddof), x->dtype());
}

Val var(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto v = variance(e, f, args, span);
  return v ? e.node(*v, span) : Val{};
}

// The root, with derivative 0 at 0, as `norm`.
Value safe_root(Value s) {
  Value zero = s == 0.0;
  return select(zero, 0.0 * ones_like(s), sqrt(select(zero, ones_like(s), s)));
}

Val standard_deviation(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto v = variance(e, f, args, span);
  return v ? e.node(safe_root(*v), span) : Val{};
}

// max(a, b) works element by element, max(x) and max(x, axis = k) reduce.
template <class Pair, class Whole>
Val extreme(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  bool pair = args.size() == 2 && args[1].name.empty();
  if (!pair) return reduce<Whole, true>(e, f, args, span);
  Span spans[] = {args[0].span, args[1].span};
  return e.elementwise(op<Pair>, {args[0].val, args[1].val}, spans, span, f.name);
}

template <class Op>
Val arg_extreme(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return {};
  CallArg* axis = argument(f, args, "axis");
  auto axes = axis ? axes_argument(e, f, axis, x->rank(), span) : std::optional(Ints{0});
  if (!axes || !numbers_only(e, f, *x, span)) return {};
  if (x->rank() == 0 || axes->size() != 1 || (!axis && x->rank() != 1)) {
    e.report(wrong_argument, span, f.name, fmt::format("needs an axis for `{}`", e.types.print(x->type()))).help("write `axis = 0`");
    return {};
  }
  if (!has_elements(e, f, *x, *axes, *argument(f, args, "x"), span)) return {};
  return e.node(e.b().emit(op<Op>, {x->id}, {{AttrKey::axis, (*axes)[0]}}), span);
}

Val cumsum(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return {};
  CallArg* axis = argument(f, args, "axis");
  auto axes = axis ? axes_argument(e, f, axis, x->rank(), span) : std::optional(Ints{0});
  if (!axes || x->rank() == 0 || axes->size() != 1 || !numbers_only(e, f, *x, span)) return {};
  return e.node(e.b().emit(op<CumSum>, {x->id}, {{AttrKey::axis, (*axes)[0]}}), span);
}

// A running product is s[i] = x[i] * s[i - 1] with s[0] = x[0]: its derivative divides by nothing, so zeros are right.
Val cumprod(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return {};
  CallArg* axis = argument(f, args, "axis");
  auto axes = axis ? axes_argument(e, f, axis, x->rank(), span) : std::optional(Ints{0});
  if (!axes || x->rank() == 0 || axes->size() != 1 || !numbers_only(e, f, *x, span)) return {};
  const int64_t a = (*axes)[0];
  Value first = broadcast(iota(e.b(), x->shape()[a]), Shape(x->shape()), {a}) == constant_int(e.b(), 0, DType::i32);
  Value start = select(first, *x, zeros_like(*x));
  return e.node(e.b().emit(op<Recurrence>, {x->id, start.id}, {{AttrKey::axis, a}, {AttrKey::index, int64_t{0}}}), span);
}

// Sum of products over all leaves of two values of one structure.
Val dot(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  std::vector<Val> xs, ys;
  e.leaves(args[0].val, xs);
  e.leaves(args[1].val, ys);
  if (xs.size() != ys.size() || xs.empty()) {
    e.report(wrong_argument, span, f.name, fmt::format("takes two values of one structure, found `{}` and `{}`", e.describe(args[0].val), e.describe(args[1].val)));
    return {};
  }
  Value total;
  for (size_t i = 0; i < xs.size(); ++i) {
    if (!e.is_numeric(xs[i]) || !e.is_numeric(ys[i]) || e.type_of(xs[i]) != e.type_of(ys[i])) {
      auto& d = e.report(wrong_argument, span, f.name, fmt::format("takes two values of one type, found `{}` and `{}`", e.describe(xs[i]), e.describe(ys[i])));
      d.label(xs[i].origin, "`" + e.describe(xs[i]) + "` comes from here").label(ys[i].origin, "`" + e.describe(ys[i]) + "` comes from here");
      return {};
    }
    Value x = e.value(xs[i]), y = e.value(ys[i]);
    if (!numbers_only(e, f, x, span)) return {};
    Ints labels = iota_ints(x.rank());
    Value part = contract(x, y, labels, labels, {});
    total = total.valid() ? total + part : part;
  }
  return e.node(total, span);
}

// sqrt of the sum of squares; its derivative at zero is zero (the least-norm subgradient).
Val norm(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  std::vector<CallArg> twice = {args[0], args[0]};
  Val square_sum = dot(e, f, twice, span);
  if (square_sum.poison()) return {};
  Value s = e.value(square_sum);
  if (!numbers_only(e, f, s, span, true)) return {};
  return e.node(safe_root(s), span);
}

const Builtin list[] = {
    {"sum", "sum(x, axis)\nThe sum of all elements, or along an axis or axes; pairwise, in f32 for f16 and bf16. Of nothing: 0.", reduce<Sum, false>, {"x", "axis"}, 1},
    {"prod", "prod(x, axis)\nThe product. Of nothing: 1.", reduce<Prod, false>, {"x", "axis"}, 1},
    {"all", "all(x, axis)\nWhether all are true. Of nothing: true.", reduce<All, false>, {"x", "axis"}, 1},
    {"any", "any(x, axis)\nWhether any is true. Of nothing: false.", reduce<Any, false>, {"x", "axis"}, 1},
    {"mean", "mean(x, axis)\nThe mean. Of nothing: NaN.", mean, {"x", "axis"}, 1},
    {"max", "max(x, axis) or max(a, b)\nThe largest element, or element by element of two. NaN wins. Of nothing: an error.", extreme<Max, ReduceMax>, {"x", "axis"}, 1},
    {"min", "min(x, axis) or min(a, b)\nThe smallest element, or element by element of two. NaN wins. Of nothing: an error.", extreme<Min, ReduceMin>, {"x", "axis"}, 1},
    {"argmax", "argmax(x, axis)\nThe place, i32, of the largest element: the first of equals, the first NaN.", arg_extreme<ArgMax>, {"x", "axis"}, 1},
    {"argmin", "argmin(x, axis)\nThe place, i32, of the smallest element: the first of equals, the first NaN.", arg_extreme<ArgMin>, {"x", "axis"}, 1},
    {"cumsum", "cumsum(x, axis)\nSums of the elements up to each.", cumsum, {"x", "axis"}, 1},
    {"cumprod", "cumprod(x, axis)\nProducts of the elements up to each.", cumprod, {"x", "axis"}, 1},
    {"var", "var(x, axis, ddof = 0)\nThe mean squared distance from the mean, divided by n - ddof.", var, {"x", "axis", "ddof"}, 1},
    {"std", "std(x, axis, ddof = 0)\nThe root of the variance; its derivative at 0 is 0.", standard_deviation, {"x", "axis", "ddof"}, 1},
    {"dot", "dot(x, y)\nThe sum of products of two vectors, or of all numbers of two records or models.", dot, {"x", "y"}, 2},
    {"norm", "norm(x)\nThe root of the sum of squares; its derivative at the origin is 0.", norm, {"x"}, 1},
};
}  // namespace

std::span<const Builtin> reduce_builtins() { return list; }

}  // namespace glia
