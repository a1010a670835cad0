// Shape functions: reshape, flatten, transpose, concat, split, flip, pad, zeros, where, and their like.
#include "ir/ops/all.h"
#include "parser/advice.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind counts_differ{"E0330", Severity::error, "`reshape` keeps the number of elements: {} is not {}"};

Val reshape_fn(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  CallArg* s = argument(f, args, "shape");
  if (!x || !s) return {};
  auto shape = e.as_shape(s->val, s->span);
  if (!shape) return {};
  DimId have = e.dims.product(x->shape()), want = e.dims.product(*shape);
  if (e.dims.compare(have, want) == Compare::different || (have != want && e.dims.known(have) && e.dims.known(want))) {
    auto& d = e.report(counts_differ, span, e.dims.print(have), e.dims.print(want));
    d.label(args[0].span, fmt::format("`{}` has {} elements", e.types.print(x->type()), e.dims.print(have)))
        .label(s->span, fmt::format("{} has {}", e.types.print_shape(*shape), e.dims.print(want)));
    label_origin(e, d, args[0].val, args[0].span);
    return {};
  }
  if (have != want) return e.symbolic(e.types.with_shape(x->type(), *shape), "reshape", span);  // decided when the sizes are known
  return e.node(reshape(*x, *shape), span);
}

Val flatten(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, &args[0], span);
  return x ? e.node(reshape(*x, {e.dims.product(x->shape())}), span) : Val{};
}

Val transpose_fn(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return {};
  Ints perm;
  if (CallArg* p = argument(f, args, "perm")) {
    auto list = e.as_shape(p->val, p->span);
    if (!list) return {};
    for (DimId d : *list) perm.push_back(e.dims.known(d).value_or(-1));
  } else {
    for (size_t i = x->rank(); i-- > 0;) perm.push_back(static_cast<int64_t>(i));
  }
  Ints sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != iota_ints(x->rank())) {
    e.report(wrong_argument, span, f.name, fmt::format("needs each of the {} axes once", x->rank()));
    return {};
  }
  return e.node(transpose(*x, perm), span);
}

// [a, b, …] of equal shapes has been taken for one tensor: its rows. What has no rows of one axis or more stays one.
std::vector<Val> rows_of(Elaborator& e, const Val& v) {
  const Shape shape = e.shape_of(v);
  auto count = shape.size() > 1 ? e.dims.known(shape[0]) : std::nullopt;
  if (!count || *count == 0 || *count > 10000) return {v};
  Value x = e.value(v);
  std::vector<Val> rows;
  for (int64_t i = 0; i < *count; ++i) {
    DimList starts(shape.size(), e.dims.constant(0)), stops = shape;
    starts[0] = e.dims.constant(i), stops[0] = e.dims.constant(i + 1);
    rows.push_back(e.node(reshape(slice(x, starts, stops, Ints(shape.size(), 1)), Shape(shape.begin() + 1, shape.end())), v.origin));
  }
  return rows;
}

// concat(a, b, …) or concat([a, b, …], axis = k)
Val concat_fn(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  std::vector<Val> parts;
  int64_t axis = 0;
  for (CallArg& a : args) {
    if (a.name == "axis") {
      auto k = e.known_int(a.val);
      if (!k) return e.report(wrong_argument, a.span, f.name, "needs a constant axis"), Val{};
      axis = *k;
    } else if (a.val.list()) {
      parts.insert(parts.end(), a.val.list()->begin(), a.val.list()->end());
    } else {
      parts.push_back(a.val);
    }
  }
  if (parts.size() == 1 && e.is_numeric(parts[0])) parts = rows_of(e, parts[0]);
  std::vector<Value> xs;
  std::vector<ValueId> ids;
  for (const Val& v : parts) {
    if (!e.is_numeric(v)) return e.report(wrong_argument, span, f.name, "takes tensors, found `" + e.describe(v) + "`"), Val{};
    xs.push_back(e.value(v));
    ids.push_back(xs.back().id);
  }
  if (xs.empty()) return e.report(wrong_argument, span, f.name, "needs at least one tensor"), Val{};
  if (axis < 0) axis += static_cast<int64_t>(xs[0].rank());
  auto rule = e.b().ruled(op<Concat>, ids, {{AttrKey::axis, axis}});
  if (axis < 0 || !rule) return e.report(wrong_argument, span, f.name, "cannot join these").note(rule ? "there is no such axis" : rule.error()), Val{};
  return e.node(concat(xs, axis), span);
}

Val stack(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  if (!args[0].val.list()) return e.report(wrong_argument, span, f.name, "takes a list, found `" + e.describe(args[0].val) + "`"), Val{};
  std::vector<Val> items = *args[0].val.list();
  for (const Val& v : items)
    if (!e.is_numeric(v)) return e.report(wrong_argument, span, f.name, "takes a list of tensors of one shape, found `" + e.describe(v) + "`"), Val{};
  if (items.empty()) return e.report(wrong_argument, span, f.name, "needs at least one element"), Val{};
  return e.tensor_of(items, span);
}

// split(x, k): a tuple of k equal parts
Val split(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  if (!e.is_numeric(args[0].val)) {
    const Builtin* rows = find_data_function(".split");
    return rows->call(e, *rows, args, span);
  }
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  CallArg* parts = argument(f, args, "parts");
  auto k = parts ? e.known_int(parts->val) : std::nullopt;
  CallArg* axis = argument(f, args, "axis");
  auto axes = x ? (axis ? axes_argument(e, f, axis, x->rank(), span) : std::optional(Ints{0})) : std::nullopt;
  if (!x || !axes) return {};
  if (!k || *k < 1 || x->rank() == 0 || axes->size() != 1) return e.report(wrong_argument, span, f.name, "needs a constant number of parts"), Val{};
  size_t a = static_cast<size_t>((*axes)[0]);
  DimId size = x->shape()[a], part = e.dims.floordiv(size, e.dims.constant(*k));
  auto rest = e.dims.known(e.dims.sub(size, e.dims.mul(part, e.dims.constant(*k))));
  if (!rest && !e.checking) rest = -1;
  if (rest && *rest != 0) {
    e.report(wrong_argument, span, f.name, fmt::format("needs a number of parts that divides {}, found {}", e.dims.print(size), *k));
    return {};
  }
  Structure out;
  for (int64_t i = 0; i < *k; ++i) {
    DimList starts(x->rank(), e.dims.constant(0)), stops = x->shape();
    starts[a] = e.dims.mul(part, e.dims.constant(i));
    stops[a] = e.dims.mul(part, e.dims.constant(i + 1));
    out.elems.push_back(e.node(slice(*x, starts, stops, Ints(x->rank(), 1)), span));
  }
  return Val{std::make_shared<const Structure>(std::move(out)), {}, span};
}

Val flip_fn(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  if (!x) return {};
  auto axes = axes_argument(e, f, argument(f, args, "axis"), x->rank(), span);
  return axes ? e.node(flip(*x, *axes), span) : Val{};
}

Val reverse(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  if (auto* l = args[0].val.list()) {
    auto out = std::make_shared<std::vector<Val>>(l->rbegin(), l->rend());
    return Val{std::shared_ptr<const std::vector<Val>>(out), {}, span};
  }
  auto x = tensor_argument(e, f, &args[0], span);
  if (!x || x->rank() == 0) return {};
  return e.node(flip(*x, {0}), span);
}

// pad(x, [a, b]): zeros on both sides of each axis
Val pad_fn(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = tensor_argument(e, f, argument(f, args, "x"), span);
  CallArg* w = argument(f, args, "width");
  auto width = x && w ? e.as_shape(w->val, w->span) : std::nullopt;
  if (!width) return {};
  if (width->size() != x->rank()) return e.report(wrong_argument, span, f.name, fmt::format("needs {} widths, found {}", x->rank(), width->size())), Val{};
  return e.node(pad(*x, *width, *width), span);
}

template <int fill>
Val filled(Elaborator& e, const Builtin&, std::vector<CallArg>& args, Span span) {
  auto shape = e.as_shape(args[0].val, args[0].span);
  return shape ? e.node(constant(e.b(), fill, DType::f32, *shape), span) : Val{};
}

Val full(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto shape = e.as_shape(args[0].val, args[0].span);
  auto v = tensor_argument(e, f, &args[1], span);
  if (!shape || !v || v->rank() != 0) return {};
  return e.node(broadcast_to(*v, *shape), span);
}

template <int fill>
Val filled_like(Elaborator& e, const Builtin&, std::vector<CallArg>& args, Span span) {
  std::vector<Val> parts, out;
  e.leaves(args[0].val, parts);
  for (const Val& p : parts) out.push_back(e.node(constant_like(e.value(p), fill), span));
  size_t next = 0;
  return e.rebuild(args[0].val, out, next);
}

Val where(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  const Val& c = args[0].val;
  if (!e.is_numeric(c) || e.dtype_of(c) != DType::boolean) return e.report(wrong_argument, args[0].span, f.name, "needs a bool first, found `" + e.describe(c) + "`"), Val{};
  // the two sides agree as the operands of `max` do
  Span spans[] = {args[1].span, args[2].span};
  Val both = e.elementwise(op<Max>, {args[1].val, args[2].val}, spans, span, f.name);
  if (both.poison()) return both;
  DType t = e.dtype_of(both);
  Value condition = e.value(c), x = e.value(args[1].val, t), y = e.value(args[2].val, t);
  Shape shape = e.shape_of(both);
  if (condition.rank() > shape.size()) shape = condition.shape();
  for (const Shape& s : {condition.shape(), e.shape_of(both)})
    if (s.size() > shape.size() || !std::equal(s.rbegin(), s.rend(), shape.rbegin())) {
      e.report(wrong_argument, span, f.name, "needs equal shapes").note(fmt::format("the condition is `{}`, the values `{}`", e.describe(c), e.describe(both)));
      return {};
    }
  return e.node(select(broadcast_to(condition, shape), broadcast_to(x, shape), broadcast_to(y, shape)), span);
}

Val size(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  if (auto* l = args[0].val.list()) return Val{e.dims.constant(static_cast<int64_t>(l->size())), {}, span};
  auto x = tensor_argument(e, f, &args[0], span);
  if (!x) return {};
  if (x->rank() == 0) return e.report(wrong_argument, span, f.name, "needs an axis, found a scalar"), Val{};
  CallArg* axis = argument(f, args, "axis");
  auto axes = axis ? axes_argument(e, f, axis, x->rank(), span) : std::optional(Ints{0});
  return axes && axes->size() == 1 ? Val{x->shape()[(*axes)[0]], {}, span} : Val{};
}

Val pass_through(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  OpId o = f.name == "stop_gradient" ? op<StopGradient> : f.name == "batch_mean" ? op<BatchMean> : op<BatchSum>;
  std::vector<Val> parts, out;
  e.leaves(args[0].val, parts);
  for (const Val& p : parts) {
    if (e.is_numeric(p) && (f.name == "stop_gradient" || is_float(e.dtype_of(p)) || (p.get<Number>() && p.get<Number>()->weak))) {
      Value x = e.value(p, f.name == "stop_gradient" ? std::nullopt : std::optional(is_float(e.dtype_of(p)) ? e.dtype_of(p) : DType::f32));
      out.push_back(e.node(e.b().emit(o, {x.id}), span));
    } else if (f.name == "stop_gradient") {
      out.push_back(p);   // text has no gradient to stop
    } else {
      return e.report(wrong_argument, args[0].span, f.name, fmt::format("takes floats, found `{}`", e.describe(p))).help("convert it: `f32(…)`"), Val{};
    }
  }
  size_t next = 0;
  return e.rebuild(args[0].val, out, next);
}

const Builtin list[] = {
    {"reshape", "reshape(x, shape)\nThe elements in row-major order in another shape of as many.", reshape_fn, {"x", "shape"}, 2},
    {"flatten", "flatten(x)\nAll elements as a vector.", flatten, {"x"}, 1},
    {"transpose", "transpose(x, perm)\nThe axes in another order; of a matrix without `perm`, the two swapped.", transpose_fn, {"x", "perm"}, 1},
    {"concat", "concat(a, b, …, axis)\nTensors or lists one after the other.", concat_fn, {}, 1},
    {"stack", "stack(list)\nTensors of one shape along a new first axis.", stack, {"list"}, 1},
    {"split", "split(x, parts, axis)\nEqual parts along an axis, as a tuple; of rows, named parts (see docs/data.md).", split, {"x", "parts", "axis", "..."}, 1},
    {"flip", "flip(x, axis)\nThe elements of an axis in the opposite order.", flip_fn, {"x", "axis"}, 1},
    {"reverse", "reverse(x)\nA list or the first axis in the opposite order.", reverse, {"x"}, 1},
    {"pad", "pad(x, width)\nZeros around x: one width for each axis.", pad_fn, {"x", "width"}, 2},
    {"zeros", "zeros(shape)\nf32 zeros of this shape.", filled<0>, {"shape"}, 1},
    {"ones", "ones(shape)\nf32 ones of this shape.", filled<1>, {"shape"}, 1},
    {"full", "full(shape, value)\nThis value in every element.", full, {"shape", "value"}, 2},
    {"zeros_like", "zeros_like(x)\nZeros of the shape and type of x.", filled_like<0>, {"x"}, 1},
    {"ones_like", "ones_like(x)\nOnes of the shape and type of x.", filled_like<1>, {"x"}, 1},
    {"where", "where(c, a, b)\na where c is true, else b, element by element. A branch that is not taken has no influence, not on derivatives either.", where, {"c", "a", "b"}, 3},
    {"size", "size(x, axis)\nThe number of elements along the first axis, or along `axis`.", size, {"x", "axis"}, 1},
    {"length", "length(x)\nHow many items a list or the first axis has.", size, {"x"}, 1},
    {"stop_gradient", "stop_gradient(x)\nx, through which no derivative flows.", pass_through, {"x"}, 1},
    {"batch_mean", "batch_mean(x)\nThe mean over the examples of the minibatch; of one example outside of training.", pass_through, {"x"}, 1},
    {"batch_sum", "batch_sum(x)\nThe sum over the examples of the minibatch.", pass_through, {"x"}, 1},
};
}  // namespace

std::span<const Builtin> shape_builtins() { return list; }

}  // namespace glia
