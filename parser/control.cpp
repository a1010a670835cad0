// `if` and `for`. A `for` over indices or a tensor becomes a map over a closed function; over a list or tuple, or with
// a body that is no tensor, it is unrolled.
#include "parser/advice.h"

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind not_a_condition{"E0240", Severity::error, "a condition is a scalar `bool`, found {}"};
constexpr DiagKind branches_differ{"E0241", Severity::error, "the branches give different types"};
constexpr DiagKind no_range{"E0242", Severity::error, "the range of `{}` is not known"};
constexpr DiagKind unknown_count{"E0244", Severity::error, "this `for` gives models or functions, so its range must be known"};
constexpr int64_t unroll_limit = 10000;
}  // namespace

bool Elaborator::is_condition(const Val& c, Span at) {
  if (c.poison()) return false;
  if (is_numeric(c) && dtype_of(c) == DType::boolean && shape_of(c).empty()) return true;
  auto& d = report(not_a_condition, at, "`" + describe(c) + "`");
  std::string_view text = sources.text(at);
  if (is_numeric(c) && dtype_of(c) == DType::boolean) d.help(fmt::format("choose element by element with `where({0}, …, …)`, or ask for all or any: `all({0})`, `any({0})`", text));
  else if (is_numeric(c) && shape_of(c).empty()) d.help(fmt::format("compare it: `{} != 0`", as_operand(*this, at)));
  label_origin(*this, d, c, at);
  return false;
}

Val Elaborator::if_expr(const ast::If& i, Span span, const ScopePtr& scope, const Want* want) {
  Val c = expr(i.condition, scope);
  if (!is_condition(c, unit->tree[i.condition].span)) return poison();
  auto branch = [&](ast::ExprId e) { return e.valid() ? wanted(expr(e, scope, want), want) : Val{std::make_shared<const Structure>(), {}, span}; };
  std::pair<Span, Span> sides{unit->tree[i.then_branch].span, i.else_branch.valid() ? unit->tree[i.else_branch].span : span};
  return choose(c, span, sides, [&] { return branch(i.then_branch); }, [&] { return branch(i.else_branch); });
}

// A condition on sizes alone is decided in every instance of a function or model, but not where it is checked for all.
bool Elaborator::undecided(Value condition) {
  if (!checking) return false;
  std::vector<ValueId> open = {condition.id};
  while (!open.empty()) {
    const Node& n = b().func()[open.back()];
    open.pop_back();
    bool size = n.op == op<DimValue> || n.op == op<Const> || n.op == op<Literal>;
    if (!size && n.args.empty()) return false;
    if (!size && info(n.op).family != Family::elementwise && n.op != op<Cast>) return false;
    open.insert(open.end(), n.args.begin(), n.args.end());
  }
  return true;
}

// What `make` gives, in a frame of its own that is taken off the stack until its form is known.
Body Elaborator::body_of(const std::string& name, const std::function<Val()>& make) {
  open_frame(name);
  Val v = make();
  Body body{std::move(frames.back()), v};
  frames.pop_back();
  return body;
}

Elaborator::Nested Elaborator::close_body(Body body, const Val& form, Span span) {
  frames.push_back(std::move(body.frame));
  return close(fit(body.result, form, span, "this value"));
}

// Both branches are elaborated before either is closed: what they give must have one form.
Val Elaborator::choose(const Val& condition, Span span, std::pair<Span, Span> sides, const std::function<Val()>& yes, const std::function<Val()>& no) {
  if (auto k = known_bool(condition)) return *k ? yes() : no();
  Value c = value(condition);
  Body a = body_of("branch", yes), n = body_of("branch", no);
  if (a.result.poison() || n.result.poison()) return poison();
  std::string why;
  auto form = join(a.result, n.result, why);
  if (!form && undecided(c)) return poison();   // either may come, and they are no value together: instances are checked
  if (!form) {
    auto& d = report(branches_differ, span).label(sides.first, "`" + describe(a.result) + "`");
    d.label(sides.second, sides.second == span ? "`()`: there is no `else`" : "`" + describe(n.result) + "`");
    if (!why.empty()) d.note(why);
    return poison();
  }
  Val settled = settled_form(*form);
  Nested then = close_body(std::move(a), settled, sides.first), otherwise = close_body(std::move(n), settled, sides.second);
  if (!then.ok || !otherwise.ok) return poison();
  std::vector<Val> types_of_form;
  leaves(settled, types_of_form);
  for (size_t i = 0; i < types_of_form.size(); ++i) then.result_types[i] = types_of_form[i].type;
  return emit_if(c, then, otherwise, span);
}

// A literal takes the element type that the place wants.
Val Elaborator::wanted(const Val& v, const Want* want) {
  auto* n = v.get<Number>();
  if (!want || !want->type.valid() || !n || !n->weak || n->dtype == DType::boolean || !types.is_tensor(want->type)) return v;
  DType t = types.dtype(want->type);
  bool fits = !is_generic(t) && t != DType::boolean && (is_float(t) || !n->is_real());
  return fits ? node(value(v, t), v.origin) : v;
}

// What either captured, each value once.
std::vector<ValueId> Elaborator::captured_by(const Nested& a, const Nested& other) {
  std::vector<ValueId> all = a.captures;
  for (ValueId id : other.captures)
    if (std::find(all.begin(), all.end(), id) == all.end()) all.push_back(id);
  return all;
}

// The function with these parameters first, and then the values captured, of which it uses its own.
FuncId Elaborator::with_captures(const std::string& name, const Nested& side, const std::vector<TypeId>& first, const std::vector<ValueId>& captures) {
  Builder w(module, name);
  std::vector<ValueId> used;
  std::map<ValueId, ValueId> inside;
  for (TypeId t : first) used.push_back(w.param(t).id);
  for (ValueId id : captures) inside[id] = w.param(b().type(id)).id;
  for (ValueId id : side.captures) used.push_back(inside[id]);
  for (Value r : inline_func(w, module[side.func], used)) w.result(r.id);
  return w.finish_into_module();
}

// The two branches must take the same arguments: each gets a wrapper with the union of what both captured.
Val Elaborator::emit_if(Value condition, const Nested& yes, const Nested& no, Span span) {
  const std::vector<ValueId> captures = captured_by(yes, no);
  std::vector<ValueId> args = {condition.id};
  FuncId f = with_captures("branch", yes, {}, captures), g = with_captures("branch", no, {}, captures);
  args.insert(args.end(), captures.begin(), captures.end());
  TypeId t = yes.result_types.size() == 1 ? yes.result_types[0] : types.tuple(yes.result_types);
  Value v = b().emit(op<If>, args, {{AttrKey::func, f}, {AttrKey::other, g}}, t);
  std::vector<Val> parts = results_of(v, yes.result_types, span);
  size_t next = 0;
  return rebuild(yes.result, parts, next);
}

// ---- for ----------------------------------------------------------------------------------------------

Val Elaborator::for_expr(const ast::For& f, Span span, const ScopePtr& scope) {
  return for_clauses(f, 0, span, scope);
}

Val Elaborator::for_clauses(const ast::For& f, size_t clause, Span span, const ScopePtr& scope) {
  if (clause == f.clauses.size()) return expr(f.body, scope);
  const ast::ForClause& c = f.clauses[clause];
  auto body = [&](const ScopePtr& inner) { return for_clauses(f, clause + 1, span, inner); };
  if (c.kind == ast::ForClause::bare) {
    if (f.filter.valid()) return report(no_range, c.span, sources.text(c.span)).help("a filter needs a range: `for i < n => … if …`"), poison();
    auto* n = std::get_if<ast::NamePattern>(&unit->tree[c.pattern].node);
    return map_over(n ? n->name.text : "_", std::make_shared<IndexRange>(), true, span, scope, [&](const ScopePtr& s, const Val&) { return body(s); });
  }
  auto over = source_of(c, scope);
  if (!over) return poison();
  if (f.filter.valid() && clause + 1 == f.clauses.size()) return filtered(f, *over, span, scope);
  if (over->items) return for_items(c, *over, span, scope, body);
  if (!over->size.valid()) return fold_for(c, *over, span, scope, body);
  auto range = std::make_shared<IndexRange>(IndexRange{over->size, {}, {}});
  return map_over("", range, false, span, scope, [&](const ScopePtr& s, const Val& i) {
    bind_pattern(c.pattern, over->item(i, {}), s);
    return body(s);
  });
}

Val Elaborator::for_items(const ast::ForClause& c, const Iterable& over, Span span, const ScopePtr& scope,
                          const std::function<Val(const ScopePtr&)>& body) {
  auto out = std::make_shared<std::vector<Val>>();
  for (const Val& item : *over.items) {
    ScopePtr s = inner_scope(scope);
    if (!bind_pattern(c.pattern, item, s)) return poison();
    path.push_back(std::to_string(out->size()));
    out->push_back(default_number(body(s)));
    path.pop_back();
    if (out->back().poison()) return poison();
  }
  bool nothing = !out->empty() && std::all_of(out->begin(), out->end(), [](const Val& v) { return v.structure() && v.structure()->elems.empty() && !v.structure()->model; });
  if (nothing) return Val{std::make_shared<const Structure>(), {}, span};
  return Val{std::shared_ptr<const std::vector<Val>>(out), {}, span};
}

// The body as a function of an i32 index, mapped over the range; unrolled where it gives no tensor.
Val Elaborator::map_over(const std::string& name, std::shared_ptr<IndexRange> range, bool bare, Span span, const ScopePtr& scope,
                         const std::function<Val(const ScopePtr&, const Val&)>& body) {
  size_t errors = diags.faults();
  uint32_t draws_before = draws;
  Body made = body_of("for", [&] {
    Val i = node(b().param(types.tensor(DType::i32)), span);
    frame().iteration = i;
    ScopePtr s = inner_scope(scope);
    if (!name.empty() && name != "_") {
      s->bind(name, i, span);
      if (bare) s->names[name].index = range;
    }
    return default_number(body(s, i));
  });
  if (made.result.poison() || diags.faults() > errors) return poison();
  Val one = made.result;
  bool tensor = is_numeric(one);
  if (tensor)
    for (DimId d : shape_of(one)) tensor = tensor && !is_runtime(d);
  if (!range->size.valid()) {
    report(no_range, span, name).help(fmt::format("write `for {} < n => …`, or index with it directly: `x[{}]`", name, name));
    return poison();
  }
  if (!tensor && (!is_data(one) || (one.structure() && one.structure()->model))) {
    draws = draws_before;
    return unroll(name, *range, span, scope, body);
  }
  if (!tensor) return fold_body(std::move(made), *range, span);
  frames.push_back(std::move(made.frame));
  Nested n = close(one);
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

// A body over a range that gives no tensor: a list of what it gives.
Val Elaborator::fold_body(Body made, const IndexRange& range, Span span) {
  Looped l;
  l.out = made.result;
  const Val nothing{std::make_shared<const Structure>(), {}, span};
  l.form = l.next = nothing;
  l.body = std::move(made);
  Val count = node(dim_value(b(), range.size), span);
  return emit_fold(std::move(l), nothing, count, {}, span).second;
}

}  // namespace glia
