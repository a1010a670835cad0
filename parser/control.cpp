// `if` and `for`. A `for` over indices or a tensor becomes a map over a closed function; over a list or tuple, or with
// a body that is no tensor, it is unrolled.
#include "parser/elaborator.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind not_a_condition{"E0240", Severity::error, "a condition is a scalar `bool`, found {}"};
constexpr DiagKind branches_differ{"E0241", Severity::error, "the branches of `if` have different types"};
constexpr DiagKind no_range{"E0242", Severity::error, "the range of `{}` is not known"};
constexpr DiagKind not_iterable{"E0243", Severity::error, "`for` cannot run over {}"};
constexpr DiagKind unknown_count{"E0244", Severity::error, "this `for` gives a list, so its range must be known"};
constexpr int64_t unroll_limit = 10000;
}  // namespace

Val Elaborator::if_expr(const ast::If& i, Span span, const ScopePtr& scope, const Want* want) {
  Val c = expr(i.condition, scope);
  if (c.poison()) return c;
  Span at = unit->tree[i.condition].span;
  if (!is_numeric(c) || dtype_of(c) != DType::boolean || !shape_of(c).empty()) {
    auto& d = report(not_a_condition, at, "`" + describe(c) + "`");
    if (is_numeric(c) && dtype_of(c) == DType::boolean) d.help("choose elementwise with `where(c, a, b)`, or reduce it with `all(…)` or `any(…)`");
    else if (is_numeric(c)) d.help("compare it: `… != 0`");
    return poison();
  }
  auto unit_value = [] { return Val{std::make_shared<const Structure>(), {}, {}}; };
  if (auto k = known_bool(c)) return *k ? expr(i.then_branch, scope, want) : i.else_branch.valid() ? expr(i.else_branch, scope, want) : unit_value();
  Value condition = value(c);
  auto branch = [&](ast::ExprId e) {
    return nested("branch", {}, c, [&](const std::vector<Val>&) { return e.valid() ? wanted(expr(e, scope, want), want) : unit_value(); });
  };
  // weak literals in one branch take the type of the other: elaborated once to see, then with the types agreed
  Nested yes = branch(i.then_branch), no = branch(i.else_branch);
  if (!yes.ok || !no.ok) return poison();
  if (yes.result_types != no.result_types) {
    std::vector<TypeId> agreed = agree(yes, no);
    if (agreed.empty()) {
      report(branches_differ, span)
          .label(unit->tree[i.then_branch].span, "`" + describe_nested(yes) + "`")
          .label(i.else_branch.valid() ? unit->tree[i.else_branch].span : span, i.else_branch.valid() ? "`" + describe_nested(no) + "`" : "`()`: there is no `else`");
      return poison();
    }
    auto again = [&](ast::ExprId e) {
      return nested("branch", {}, c, [&](const std::vector<Val>&) {
        Val v = expr(e, scope, want);
        return is_numeric(v) ? adapt_to(v, agreed[0], unit->tree[e].span, "the value of `if`") : v;
      });
    };
    yes = again(i.then_branch), no = again(i.else_branch);
    if (!yes.ok || !no.ok) return poison();
  }
  return emit_if(condition, yes, no, span);
}

// A literal takes the element type that the place wants.
Val Elaborator::wanted(const Val& v, const Want* want) {
  auto* n = v.get<Number>();
  if (!want || !want->type.valid() || !n || !n->weak || n->dtype == DType::boolean || !types.is_tensor(want->type)) return v;
  DType t = types.dtype(want->type);
  bool fits = !is_generic(t) && t != DType::boolean && (is_float(t) || !n->is_real());
  return fits ? node(value(v, t), v.origin) : v;
}

// Both sides one scalar of different element types, where a literal adapted to its default: take the other's.
std::vector<TypeId> Elaborator::agree(const Nested& a, const Nested& b2) {
  if (a.result_types.size() != 1 || b2.result_types.size() != 1) return {};
  for (auto [lit, other] : {std::pair(&a, &b2), std::pair(&b2, &a)}) {
    const Func& f = module[lit->func];
    const Node& n = f[f.results[0]];
    if (n.op == op<Const> && types.is_scalar(n.type) && types.is_tensor(other->result_types[0]) && types.is_scalar(other->result_types[0]) &&
        dtype_of_const_fits(n, types.dtype(other->result_types[0])))
      return {other->result_types[0]};
  }
  return {};
}

bool Elaborator::dtype_of_const_fits(const Node& n, DType t) {
  return t != DType::boolean && types.dtype(n.type) != DType::boolean && (!is_float(types.dtype(n.type)) || is_float(t));
}

std::string Elaborator::describe_nested(const Nested& n) {
  std::string s;
  for (TypeId t : n.result_types) s += (s.empty() ? "" : ", ") + types.print(t);
  return n.result_types.size() == 1 ? s : "(" + s + ")";
}

// The two branches must take the same arguments: each gets a wrapper with the union of what both captured.
Val Elaborator::emit_if(Value condition, const Nested& yes, const Nested& no, Span span) {
  std::vector<ValueId> args = {condition.id};
  auto wrap = [&](const Nested& side) {
    Builder w(module, "branch");
    std::vector<ValueId> used;
    auto pass = [&](const std::vector<ValueId>& ids, bool take) {
      for (ValueId id : ids) {
        ValueId p = w.param(b().type(id)).id;
        if (take) used.push_back(p);
      }
    };
    pass(yes.captures, &side == &yes);
    pass(no.captures, &side == &no);
    for (Value r : inline_func(w, module[side.func], used)) w.result(r.id);
    return w.finish_into_module();
  };
  FuncId f = wrap(yes), g = wrap(no);
  args.insert(args.end(), yes.captures.begin(), yes.captures.end());
  args.insert(args.end(), no.captures.begin(), no.captures.end());
  TypeId t = yes.result_types.size() == 1 ? yes.result_types[0] : types.tuple(yes.result_types);
  Value v = b().emit(op<If>, args, {{AttrKey::func, f}, {AttrKey::other, g}}, t);
  std::vector<Val> parts = results_of(v, yes.result_types, span);
  size_t next = 0;
  return rebuild(yes.result, parts, next);
}

// ---- for ----------------------------------------------------------------------------------------------

Val Elaborator::for_expr(const ast::For& f, Span span, const ScopePtr& scope) {
  if (f.filter.valid()) return unsupported(span, "a filter in `for`");
  return for_clauses(f, 0, span, scope);
}

Val Elaborator::for_clauses(const ast::For& f, size_t clause, Span span, const ScopePtr& scope) {
  if (clause == f.clauses.size()) return expr(f.body, scope);
  const ast::ForClause& c = f.clauses[clause];
  auto body = [&](const ScopePtr& inner) { return for_clauses(f, clause + 1, span, inner); };
  std::string name = "_";
  if (auto* n = std::get_if<ast::NamePattern>(&unit->tree[c.pattern].node)) name = n->name.text;
  if (c.kind == ast::ForClause::in) return for_in(c, span, scope, body);
  auto range = std::make_shared<IndexRange>();
  if (c.kind == ast::ForClause::below) {
    Val bound = expr(c.bound, scope);
    if (bound.poison()) return bound;
    auto n = as_dim(bound);
    if (!n) return unsupported(unit->tree[c.bound].span, "a range that is known only at run time");
    range->size = *n;
  }
  bool bare = c.kind == ast::ForClause::bare;
  return map_over(name, range, bare, span, scope, [&](const ScopePtr& s, const Val&) { return body(s); });
}

Val Elaborator::for_in(const ast::ForClause& c, Span span, const ScopePtr& scope, const std::function<Val(const ScopePtr&)>& body) {
  const ast::Expr& over = unit->tree[c.bound];
  if (auto* r = std::get_if<ast::Range>(&over.node)) {
    Val lo = expr(r->begin, scope), hi = expr(r->end, scope);
    if (lo.poison() || hi.poison()) return poison();
    auto from = as_dim(lo), to = as_dim(hi);
    if (!from || !to) return unsupported(over.span, "a range that is known only at run time");
    auto range = std::make_shared<IndexRange>();
    range->size = dims.sub(*to, *from);
    if (auto k = dims.known(range->size); k && *k < 0) range->size = dims.constant(0);
    return map_over("", range, false, span, scope, [&](const ScopePtr& s, const Val& i) {
      Val shifted = node(value(i) + dim_value(b(), *from), over.span);
      if (auto k = known_int(i)) shifted = Val{dims.add(dims.constant(*k), *from), {}, over.span};
      bind_pattern(c.pattern, shifted, s);
      return body(s);
    });
  }
  Val xs = expr(c.bound, scope);
  if (xs.poison()) return xs;
  const std::vector<Val>* items = xs.list();
  if (xs.structure() && xs.structure()->fields.empty()) items = &xs.structure()->elems;
  if (items) {
    auto out = std::make_shared<std::vector<Val>>();
    for (const Val& item : *items) {
      ScopePtr s = inner_scope(scope);
      bind_pattern(c.pattern, item, s);
      path.push_back(std::to_string(out->size()));
      out->push_back(default_number(body(s)));
      path.pop_back();
      if (out->back().poison()) return poison();
    }
    return Val{std::shared_ptr<const std::vector<Val>>(out), {}, span};
  }
  if (!is_numeric(xs) || shape_of(xs).empty()) return report(not_iterable, over.span, "`" + describe(xs) + "`"), poison();
  auto range = std::make_shared<IndexRange>();
  range->size = shape_of(xs)[0];
  return map_over("", range, false, span, scope, [&](const ScopePtr& s, const Val& i) {
    bind_pattern(c.pattern, node(gather(value(xs), value(i)), over.span), s);
    return body(s);
  });
}

// The body as a function of an i32 index, mapped over the range; unrolled where it gives no tensor.
Val Elaborator::map_over(const std::string& name, std::shared_ptr<IndexRange> range, bool bare, Span span, const ScopePtr& scope,
                         const std::function<Val(const ScopePtr&, const Val&)>& body) {
  bool tensor = true;
  size_t errors = diags.faults();
  uint32_t draws_before = draws;
  Nested n = nested("for", {types.tensor(DType::i32)}, Val{{}, {}, span}, [&](const std::vector<Val>& p) {
    ScopePtr s = inner_scope(scope);
    if (!name.empty() && name != "_") {
      s->bind(name, p[0], span);
      if (bare) s->names[name].index = range;
    }
    Val v = default_number(body(s, p[0]));
    tensor = is_numeric(v) || v.poison();
    return v;
  }, true);
  if (!n.ok || diags.faults() > errors) return poison();
  if (!range->size.valid()) {
    report(no_range, span, name).help(fmt::format("write `for {} < n => …`, or index with it directly: `x[{}]`", name, name));
    return poison();
  }
  if (!tensor) {
    draws = draws_before;
    return unroll(name, *range, span, scope, body);
  }
  Shape shape = types.shape(n.result_types[0]);
  shape.insert(shape.begin(), range->size);
  TypeId t = types.with_shape(n.result_types[0], shape);
  return node(b().emit(op<Map>, n.captures, {{AttrKey::func, n.func}, {AttrKey::count, range->size}}, t), span);
}

Val Elaborator::unroll(const std::string& name, const IndexRange& range, Span span, const ScopePtr& scope,
                       const std::function<Val(const ScopePtr&, const Val&)>& body) {
  auto count = dims.known(range.size);
  if (!count && checking) count = 1;  // any size: one step stands for all
  if (!count || *count > unroll_limit) return report(unknown_count, span), poison();
  auto out = std::make_shared<std::vector<Val>>();
  for (int64_t i = 0; i < *count; ++i) {
    ScopePtr s = inner_scope(scope);
    Val at{dims.constant(i), {}, span};
    if (!name.empty() && name != "_") s->bind(name, at, span);
    path.push_back(std::to_string(i));
    out->push_back(body(s, at));
    path.pop_back();
    if (out->back().poison()) return poison();
  }
  return Val{std::shared_ptr<const std::vector<Val>>(out), {}, span};
}

}  // namespace glia
