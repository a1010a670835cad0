// Operators: broadcasting by equal shapes, scalars and suffixes; no silent promotion.
#include "parser/advice.h"

#include <cmath>

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia {

using namespace ir;
using ast::BinaryOp;

namespace {
constexpr DiagKind shapes_differ{"E0220", Severity::error, "shapes differ in `{}`"};
constexpr DiagKind dtypes_differ{"E0221", Severity::error, "element types differ in `{}`"};
constexpr DiagKind wrong_operand{"E0222", Severity::error, "`{}` does not work on {}"};
constexpr DiagKind inner_sizes{"E0223", Severity::error, "inner sizes differ in `@`"};
constexpr DiagKind int_division{"E0225", Severity::error, "`/` is for floats, found {}"};

struct OpOf { BinaryOp token; std::string_view shown; OpId op; };
const OpOf table[] = {
    {BinaryOp::add, "+", op<Add>}, {BinaryOp::sub, "-", op<Sub>},      {BinaryOp::mul, "*", op<Mul>}, {BinaryOp::div, "/", op<Div>},
    {BinaryOp::mod, "%", op<Mod>}, {BinaryOp::floordiv, "//", op<FloorDiv>}, {BinaryOp::pow, "^", op<Pow>}, {BinaryOp::eq, "==", op<Eq>},
    {BinaryOp::ne, "!=", op<Ne>},  {BinaryOp::lt, "<", op<Lt>},        {BinaryOp::le, "<=", op<Le>},  {BinaryOp::gt, ">", op<Lt>},
    {BinaryOp::ge, ">=", op<Le>},  {BinaryOp::logical_and, "and", op<And>}, {BinaryOp::logical_or, "or", op<Or>},
};
const OpOf& of(BinaryOp o) {
  for (const OpOf& e : table)
    if (e.token == o) return e;
  return table[0];
}

bool comparison(BinaryOp o) { return o >= BinaryOp::eq && o <= BinaryOp::ge; }
}  // namespace

std::optional<int64_t> Elaborator::known_int(const Val& v) {
  if (auto d = as_dim(v)) return dims.known(*d);
  if (auto* n = v.get<NodeRef>(); n && n->frame == frame().number && types.is_scalar(v.type) && is_int(types.dtype(v.type)))
    if (auto c = constant_value(b().value(n->id))) return static_cast<int64_t>(*c);
  return std::nullopt;
}

std::optional<bool> Elaborator::known_bool(const Val& v) {
  if (auto* n = v.get<Number>(); n && n->dtype == DType::boolean) return n->real() != 0;
  return std::nullopt;
}

Val Elaborator::unary(const ast::Unary& u, Span span, const ScopePtr& scope, const Want* want) {
  Val v = expr(u.operand, scope, want);
  if (v.poison()) return v;
  Span at = unit->tree[u.operand].span;
  if (u.op == ast::UnaryOp::logical_not) {
    if (auto k = known_bool(v)) return Val{Number{AttrValue(int64_t{!*k}), DType::boolean, false}, types.tensor(DType::boolean), span};
    return elementwise(op<Not>, {v}, std::span(&at, 1), span, "not");
  }
  if (auto* n = v.get<Number>(); n && n->dtype != DType::boolean) {
    Number m = *n;
    m.value = n->is_real() ? AttrValue(-n->real()) : AttrValue(static_cast<int64_t>(-static_cast<uint64_t>(std::get<int64_t>(n->value))));
    return Val{m, v.type, span};
  }
  if (auto* d = v.get<DimId>()) return Val{dims.sub(dims.constant(0), *d), {}, span};
  if (v.structure()) {
    std::vector<Val> parts, out;
    leaves(v, parts);
    for (const Val& p : parts)
      if (is_numeric(p) && dtype_of(p) == DType::boolean) out.push_back(p);  // no part of the vector
      else if (is_numeric(p)) out.push_back(node(-value(p), p.origin));
      else {
        report(wrong_operand, span, "-", "`" + describe(v) + "`");
        return poison();
      }
    size_t next = 0;
    return rebuild(v, out, next);
  }
  return elementwise(op<Neg>, {v}, std::span(&at, 1), span, "-");
}

Val Elaborator::binary(const ast::Binary& bin, Span span, const ScopePtr& scope, const Want* want) {
  if (bin.op == BinaryOp::pipe) return pipe(bin, span, scope);
  // long chains such as 1 + 2 + 3 + … lean to the left: walked without recursion
  std::vector<std::pair<const ast::Binary*, Span>> chain = {{&bin, span}};
  ast::ExprId first = bin.left;
  while (auto* left = std::get_if<ast::Binary>(&unit->tree[first].node)) {
    if (left->op == BinaryOp::pipe) break;
    chain.push_back({left, unit->tree[first].span});
    first = left->left;
  }
  Val acc = expr(first, scope, want);
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    const ast::Binary& step = *it->first;
    if (auto k = known_bool(acc); k && (step.op == BinaryOp::logical_and || step.op == BinaryOp::logical_or) && *k == (step.op == BinaryOp::logical_or))
      continue;  // decided by the left side alone
    Val right = expr(step.right, scope);
    SrcId before = b().set_src(module.add(Src{it->second, call_stack.empty() ? SrcId{} : call_src}));
    acc = arithmetic(step.op, acc, right, it->second, unit->tree[step.left].span, unit->tree[step.right].span);
    b().set_src(before);
  }
  return acc;
}

namespace {
// Literals and sizes are computed on the spot.
std::optional<Val> fold(Elaborator& e, BinaryOp o, const Val& a, const Val& b, Span span) {
  auto da = e.as_dim(a), db = e.as_dim(b);
  bool sizes = a.get<DimId>() || b.get<DimId>();
  auto boolean = [&](bool x) { return Val{Number{AttrValue(int64_t{x}), DType::boolean, false}, e.types.tensor(DType::boolean), span}; };
  if (da && db && (o == BinaryOp::eq || o == BinaryOp::ne)) {
    Compare c = e.dims.compare(*da, *db);
    if (c == Compare::unknown) return std::nullopt;
    return boolean((c == Compare::equal) == (o == BinaryOp::eq));
  }
  if (da && db && comparison(o)) {
    auto diff = e.dims.known(e.dims.sub(*da, *db));
    if (!diff) return std::nullopt;
    int64_t d = *diff;
    return boolean(o == BinaryOp::lt ? d < 0 : o == BinaryOp::le ? d <= 0 : o == BinaryOp::gt ? d > 0 : d >= 0);
  }
  auto ka = e.known_bool(a), kb = e.known_bool(b);
  if (ka && kb && o == BinaryOp::logical_and) return boolean(*ka && *kb);
  if (ka && kb && o == BinaryOp::logical_or) return boolean(*ka || *kb);
  if (da && db && (sizes || o != BinaryOp::div)) {
    auto* na = a.get<Number>();
    auto* nb = b.get<Number>();
    bool weak = na && nb && na->weak && nb->weak;
    if (!sizes && !weak) return std::nullopt;
    DimId d;
    if (o == BinaryOp::add) d = e.dims.add(*da, *db);
    else if (o == BinaryOp::sub) d = e.dims.sub(*da, *db);
    else if (o == BinaryOp::mul) d = e.dims.mul(*da, *db);
    else if (o == BinaryOp::floordiv) d = e.dims.floordiv(*da, *db);
    else if (o == BinaryOp::mod) d = e.dims.mod(*da, *db);
    if (!d.valid()) return std::nullopt;
    if (sizes) return Val{d, {}, span};
    return Val{Number{AttrValue(*e.dims.known(d)), DType::i32, true}, {}, span};
  }
  return std::nullopt;
}

std::optional<Val> fold_reals(BinaryOp o, const Val& a, const Val& b, Span span) {
  auto *x = a.get<Number>(), *y = b.get<Number>();
  if (!x || !y || !x->weak || !y->weak || x->dtype == DType::boolean || y->dtype == DType::boolean) return std::nullopt;
  bool real = x->is_real() || y->is_real() || o == BinaryOp::div;
  double p = x->real(), q = y->real(), r;
  switch (o) {
    case BinaryOp::add: r = p + q; break;
    case BinaryOp::sub: r = p - q; break;
    case BinaryOp::mul: r = p * q; break;
    case BinaryOp::div: if (!x->is_real() && !y->is_real()) return std::nullopt; r = p / q; break;
    case BinaryOp::pow:
      if (!real && q >= 0 && std::pow(std::fabs(p), q) < 9e15) return Val{Number{AttrValue(static_cast<int64_t>(std::pow(p, q))), DType::i32, true}, {}, span};
      if (!real) return std::nullopt;
      r = std::pow(p, q);
      break;
    default: return std::nullopt;
  }
  return real ? std::optional(Val{Number{AttrValue(r), DType::f32, true}, {}, span}) : std::nullopt;
}
}  // namespace

Val Elaborator::arithmetic(BinaryOp o, const Val& a0, const Val& b0, Span span, Span a_span, Span b_span) {
  if (a0.poison() || b0.poison()) return poison();
  if (auto v = fold(*this, o, a0, b0, span)) return *v;
  if (auto v = fold_reals(o, a0, b0, span)) return *v;
  if (o == BinaryOp::matmul) return matmul(a0, b0, span, a_span, b_span);
  Val a = open_structure(a0), bb = open_structure(b0);
  if (is_run_structure(a) || is_run_structure(bb)) return vector_node_op(o, a, bb, span);
  if (a.structure() || bb.structure()) return vector_op(o, a, bb, span, a_span, b_span);
  bool text = types[type_of(a)].kind == TypeKind::str && types[type_of(bb)].kind == TypeKind::str;
  if (text && o == BinaryOp::add) {
    auto *x = a.get<std::string>(), *y = bb.get<std::string>();
    if (x && y) return Val{*x + *y, {}, span};
    return node(b().emit(op<JoinStr>, {value(a).id, value(bb).id}), span);
  }
  if (text && (o == BinaryOp::eq || o == BinaryOp::ne)) {
    auto *x = a.get<std::string>(), *y = bb.get<std::string>();
    if (!x || !y) {
      Value same = b().emit(op<HostCall>, {value(a).id, value(bb).id}, {{AttrKey::text, std::string("equal_text")}}, types.tensor(DType::boolean));
      return node(o == BinaryOp::eq ? same : !same, span);
    }
    return Val{Number{AttrValue(int64_t{(*x == *y) == (o == BinaryOp::eq)}), DType::boolean, false}, types.tensor(DType::boolean), span};
  }
  const OpOf& row = of(o);
  if (o == BinaryOp::div)
    for (auto [v, at] : {std::pair(&a, a_span), std::pair(&bb, b_span)}) {
      auto* n = v->get<Number>();
      bool adapts = n && n->weak;
      if (is_numeric(*v) && !adapts && !is_float(dtype_of(*v)) && dtype_of(*v) != DType::any_num) {
        auto& d = report(int_division, at, "`" + describe(*v) + "`");
        label_origin(*this, d, *v, at);
        d.help("write `//` for whole numbers, or `f32(…)` to convert");
        return poison();
      }
    }
  if (o == BinaryOp::div && a.get<Number>() && bb.get<Number>() && a.get<Number>()->weak && bb.get<Number>()->weak) {
    report(int_division, span, "whole numbers").help("write `//`, or a point: `1.0 / 2`");
    return poison();
  }
  Span spans[] = {a_span, b_span};
  bool swap = o == BinaryOp::gt || o == BinaryOp::ge;
  if (swap) std::swap(a, bb), std::swap(spans[0], spans[1]);
  return elementwise(row.op, {a, bb}, spans, span, row.shown);
}

// The element type that the operands agree on: of those that have one of their own. Literals and sizes adapt to it.
std::optional<DType> Elaborator::agree_dtype(const std::vector<Val>& args, std::span<const Span> spans, Span span, std::string_view shown,
                                             bool floats_only) {
  std::optional<DType> t;
  size_t typed = 0;
  bool real = false;
  for (size_t i = 0; i < args.size(); ++i) {
    const Val& v = args[i];
    if (v.poison()) return std::nullopt;
    if (!is_numeric(v)) {
      auto& d = report(wrong_operand, spans[i], shown, "`" + describe(v) + "`");
      if (v.callable()) d.help("call it: a function is not a number");
      label_origin(*this, d, v, spans[i]);
      if (is_list(v) || v.list()) d.help(fmt::format("a list is no tensor: work on its elements, `for item in {} => …`", sources.text(spans[i])));
      return std::nullopt;
    }
    auto* n = v.get<Number>();
    bool adapts = (n && n->weak && n->dtype != DType::boolean) || v.get<DimId>();
    if (n && n->weak && n->is_real()) real = true;
    if (!adapts && !t) t = dtype_of(v), typed = i;
  }
  DType dtype = t.value_or(real || floats_only ? DType::f32 : DType::i32);
  for (size_t i = 0; i < args.size(); ++i) {
    auto* n = args[i].get<Number>();
    bool literal = n && n->weak && n->dtype != DType::boolean;
    bool bad_literal = literal && ((n->is_real() && !is_float(dtype) && dtype != DType::any_num) || dtype == DType::boolean);
    bool size = args[i].get<DimId>() != nullptr;
    if (!bad_literal && (literal || size || dtype_of(args[i]) == dtype) && !(size && t && (is_float(dtype) || dtype == DType::boolean))) continue;
    auto& d = report(dtypes_differ, span, shown);
    d.label(spans[typed], "`" + describe(args[typed]) + "`").label(spans[i], "`" + describe(args[i]) + "`");
    bool float_here = is_float(dtype_of(args[i]));
    if (!bad_literal && is_num(dtype) && dtype_of(args[i]) != DType::boolean)
      d.help(fmt::format("convert one side, for example `{}({})`", dtype_name(float_here ? dtype_of(args[i]) : dtype),
                         sources.text(float_here ? spans[typed] : spans[i])));
    return std::nullopt;
  }
  return dtype;
}

// Equal shapes, one scalar, or one shape a suffix of the other: all come out with the widest.
bool Elaborator::broadcast_operands(std::vector<Value>& xs, const std::vector<Val>& args, std::span<const Span> spans, Span span,
                                    std::string_view shown) {
  size_t widest = 0;
  for (size_t i = 1; i < xs.size(); ++i)
    if (xs[i].rank() > xs[widest].rank()) widest = i;
  const Shape shape = xs[widest].shape();
  for (size_t i = 0; i < xs.size(); ++i) {
    const Shape& s = xs[i].shape();
    if (std::equal(s.rbegin(), s.rend(), shape.rbegin())) {
      xs[i] = broadcast_to(xs[i], shape);
      continue;
    }
    auto& d = report(shapes_differ, span, shown);
    d.label(spans[widest], "`" + describe(args[widest]) + "`").label(spans[i], "`" + describe(args[i]) + "`");
    for (size_t k : {widest, i}) label_origin(*this, d, args[k], spans[k]);
    for (size_t k = 0; k < s.size(); ++k)
      if (s[s.size() - 1 - k] != shape[shape.size() - 1 - k]) {
        note_meeting(*this, s[s.size() - 1 - k], shape[shape.size() - 1 - k], span);
        label_size_source(*this, d, args[widest], shape[shape.size() - 1 - k]);
        label_size_source(*this, d, args[i], s[s.size() - 1 - k]);
        break;
      }
    if (auto drop = without_ones(*this, shape, s, spans[widest])) d.help(fmt::format("an axis of size 1 never stretches: write `{}` for the `{}` that is meant", *drop, types.print(xs[i].type())));
    else d.help("shapes must be equal, or one a scalar or the last axes of the other; write anything else with `for i, j => …`");
    return false;
  }
  return true;
}

Val Elaborator::elementwise(OpId o, std::vector<Val> args, std::span<const Span> spans, Span span, std::string_view shown) {
  auto dtype = agree_dtype(args, spans, span, shown, info(o).takes == Takes::floats);
  if (!dtype) return poison();
  std::vector<Value> xs;
  for (const Val& v : args) xs.push_back(value(v, *dtype));
  if (!broadcast_operands(xs, args, spans, span, shown)) return poison();
  std::vector<ValueId> ids;
  for (const Value& x : xs) ids.push_back(x.id);
  if (auto rule = b().ruled(o, ids); !rule) {
    report(wrong_operand, span, shown, "`" + describe(args[0]) + "`").note(rule.error());
    return poison();
  }
  return node(b().emit(o, ids), span);
}

namespace {
// What the transposes of either side would give.
void suggest_transpose(Elaborator& e, Diagnostic& d, Value x, Value y, Span a, Span b) {
  auto type = [&](std::initializer_list<std::optional<DimId>> axes) {
    Shape s;
    for (auto& axis : axes)
      if (axis) s.push_back(*axis);
    return e.types.print(e.types.tensor(x.dtype(), s));
  };
  auto rows = x.rank() == 2 ? std::optional(x.shape()[0]) : std::nullopt, columns = y.rank() == 2 ? std::optional(y.shape()[1]) : std::nullopt;
  if (columns == x.shape().back()) d.help(fmt::format("`{} @ {}.T` is `{}`", as_operand(e, a), as_operand(e, b), type({rows, y.shape()[0]})));
  if (rows == y.shape()[0]) d.help(fmt::format("`{}.T @ {}` is `{}`", as_operand(e, a), as_operand(e, b), type({x.shape()[1], columns})));
}
}  // namespace

Val Elaborator::matmul(const Val& a, const Val& bb, Span span, Span a_span, Span b_span) {
  for (const Val* v : {&a, &bb})
    if (!is_numeric(*v) || shape_of(*v).empty() || shape_of(*v).size() > 2) {
      label_origin(*this, report(wrong_operand, span, "@", "`" + describe(*v) + "`"), *v, span).help("`@` takes vectors and matrices; write other products with `for i => …`");
      return poison();
    }
  Value x = value(a), y = value(bb);
  if (x.dtype() != y.dtype()) {
    auto& d = report(dtypes_differ, span, "@");
    label_value(*this, d, a, a_span);
    label_value(*this, d, bb, b_span);
    const bool left = !is_float(x.dtype());
    d.help(fmt::format("convert one side, for example `{}({})`", dtype_name(left ? y.dtype() : x.dtype()), sources.text(left ? a_span : b_span)));
    return poison();
  }
  DimId inner_x = x.shape().back(), inner_y = y.shape().front();
  if (inner_x != inner_y) {
    auto& d = report(inner_sizes, span);
    note_meeting(*this, inner_x, inner_y, span);
    label_value(*this, d, a, a_span);
    label_value(*this, d, bb, b_span);
    label_size_source(*this, d, a, inner_x);
    label_size_source(*this, d, bb, inner_y);
    d.note(fmt::format("the last axis of the left side is {}, the first of the right side {}", dims.print(inner_x), dims.print(inner_y)));
    suggest_transpose(*this, d, x, y, a_span, b_span);
    return poison();
  }
  Ints l = x.rank() == 2 ? Ints{0, 1} : Ints{1}, r = y.rank() == 2 ? Ints{1, 2} : Ints{1}, out;
  if (x.rank() == 2) out.push_back(0);
  if (y.rank() == 2) out.push_back(2);
  return node(contract(x, y, l, r, out), span);
}

bool Elaborator::is_run_structure(const Val& v) {
  return is_list(v) || ((v.get<NodeRef>() || v.get<GlobalId>()) && types[v.type].kind == TypeKind::variant);
}

// Lists and variants of the run as vectors.
Val Elaborator::vector_node_op(BinaryOp o, const Val& a, const Val& bb, Span span) {
  auto scalar = [&](const Val& v) { return is_numeric(v) && shape_of(v).empty() && dtype_of(v) != DType::boolean; };
  bool sum = (o == BinaryOp::add || o == BinaryOp::sub) && is_run_structure(a) && is_run_structure(bb);
  bool scale = (o == BinaryOp::mul || o == BinaryOp::div) && (scalar(bb) || (scalar(a) && o == BinaryOp::mul));
  if (!sum && !scale) {
    report(wrong_operand, span, of(o).shown, fmt::format("`{}` and `{}`", describe(a), describe(bb)));
    return poison();
  }
  auto scaled = [&](const Val& v, Value s) { return b().emit(op<VecScale>, {value(v).id, s.id}, {}, type_of(v)); };
  if (scale) {
    const Val &v = is_run_structure(a) ? a : bb, &s = is_run_structure(a) ? bb : a;
    Value by = value(s, DType::f32);
    return node(scaled(v, o == BinaryOp::div ? 1.0 / by : by), span);
  }
  Value y = o == BinaryOp::sub ? scaled(bb, constant(b(), -1, DType::f32)) : value(bb);
  return node(b().emit(op<VecAdd>, {value(a).id, y.id}, {}, type_of(a)), span);
}

// Structures of floats are vectors: leaf by leaf.
Val Elaborator::vector_op(BinaryOp o, const Val& a, const Val& bb, Span span, Span a_span, Span b_span) {
  bool scale = o == BinaryOp::mul || o == BinaryOp::div;
  bool scalar_a = is_numeric(a), scalar_b = is_numeric(bb);
  bool fits = (o == BinaryOp::add || o == BinaryOp::sub) ? (a.structure() && bb.structure())
              : scale ? (scalar_b || (scalar_a && o == BinaryOp::mul)) : false;
  std::vector<Val> xs, ys;
  leaves(a, xs);
  leaves(bb, ys);
  if (!fits || (!scale && xs.size() != ys.size())) {
    report(wrong_operand, span, of(o).shown, fmt::format("`{}` and `{}`", describe(a), describe(bb)));
    return poison();
  }
  std::vector<Val> out;
  std::vector<Val>& carried = a.structure() ? xs : ys;
  for (size_t i = 0; i < carried.size(); ++i)
    if (is_numeric(carried[i]) && !is_float(dtype_of(carried[i]))) out.push_back(carried[i]);  // whole numbers are no part of the vector
    else out.push_back(arithmetic(o, scalar_a ? a : xs[i], scalar_b ? bb : ys[i], span, a_span, b_span));
  for (const Val& v : out)
    if (v.poison()) return v;
  size_t next = 0;
  return rebuild(a.structure() ? a : bb, out, next);
}

}  // namespace glia
