// `loop`, `scan`, `while`, and `for` over what only the run knows. A loop whose states are tensors of known shapes, over a
// known range, becomes a loop or scan of the IR; any other a fold over lists; one over items known one by one is unrolled.
#include "parser/elaborator.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind state_changes{"E0247", Severity::error, "the state of this loop changes its type"};
constexpr int most_rounds = 6;

bool is_unit(const Val& v) { return v.structure() && v.structure()->elems.empty() && !v.structure()->model; }

bool same_types(Elaborator& e, const Val& a, const Val& b) {
  std::vector<Val> x, y;
  e.leaves(a, x);
  e.leaves(b, y);
  if (x.size() != y.size()) return false;
  for (size_t i = 0; i < x.size(); ++i)
    if (e.erased(e.type_of(x[i])) != e.erased(e.type_of(y[i]))) return false;
  return true;
}
}  // namespace

// The state begins with the form of its start; where a step gives a wider one, the body is elaborated again with that.
std::optional<Elaborator::Looped> Elaborator::settle_loop(const std::string& name, const Val& init, bool counter, std::span<const Val> lists,
                                                          Span span, const std::function<void(Looped&)>& body) {
  Val widest = init;
  uint32_t draws_before = draws, effects_before = effects;
  for (int round = 0; round < most_rounds; ++round) {
    draws = draws_before, effects = effects_before;
    Looped l;
    l.form = settled_form(widest);
    open_frame(name);
    if (counter) l.i = node(b().param(types.tensor(DType::i32)), span), frame().iteration = l.i;
    std::vector<Val> parts, params;
    leaves(l.form, parts);
    for (const Val& p : parts) params.push_back(node(b().param(p.type), p.origin));
    size_t next = 0;
    l.states = {rebuild(l.form, params, next)};
    for (const Val& list : lists) l.items.push_back(open_structure(node(b().param(opened(types[type_of(list)].elems[0])), list.origin)));
    size_t errors = diags.faults();
    body(l);
    l.body.frame = std::move(frames.back());
    frames.pop_back();
    if (l.next.poison() || diags.faults() > errors) return std::nullopt;
    std::string why;
    auto wider = join(widest, l.next, why);
    if (!wider) {
      auto& d = report(state_changes, l.next.origin.valid() ? l.next.origin : span);
      d.note(fmt::format("it begins as `{}`, a step gives `{}`", describe(widest), describe(l.next)));
      if (!why.empty()) d.note(why);
      if (init.origin.valid()) d.label(init.origin, "it begins here");
      return std::nullopt;
    }
    Val wide = settled_form(*wider);
    if (same_types(*this, wide, l.form)) return l;
    widest = *wider;
  }
  report(state_changes, span).help("annotate it: `loop s: T = …`");
  return std::nullopt;
}

std::pair<Val, Val> Elaborator::emit_fold(Looped l, const Val& init, const Val& count, std::span<const Val> lists, Span span) {
  std::vector<Val> forms, starts;
  leaves(l.form, forms);
  Val start = fit(init, l.form, span, "the state");
  leaves(start, starts);
  bool keeps = !l.out.poison() && !is_unit(l.out);
  frames.push_back(std::move(l.body.frame));
  Structure both;
  both.elems = {fit(l.next, l.form, span, "the state")};
  TypeId kept = types.poison();
  if (keeps) {
    Val out = default_number(l.out);
    kept = erased(type_of(out));
    both.elems.push_back(node(as_type(out, kept), out.origin));
  }
  bool ok = !start.poison() && !both.elems[0].poison();
  Nested n = close(Val{std::make_shared<const Structure>(both), {}, span});
  if (!ok) return {};
  std::vector<ValueId> args = {value(count, DType::i32).id};
  std::vector<TypeId> result_types;
  for (const Val& s : starts) args.push_back(value(s).id);
  for (const Val& list : lists) args.push_back(value(list).id);
  args.insert(args.end(), n.captures.begin(), n.captures.end());
  for (const Val& f : forms) result_types.push_back(f.type);
  if (keeps) result_types.push_back(types.list(kept));
  TypeId t = result_types.size() == 1 ? result_types[0] : types.tuple(result_types);
  Ints split{static_cast<int64_t>(forms.size()), static_cast<int64_t>(lists.size())};
  std::vector<Val> parts = results_of(b().emit(op<Fold>, args, {{AttrKey::func, n.func}, {AttrKey::wrt, split}}, t), result_types, span);
  size_t next = 0;
  Val states = rebuild(l.form, parts, next);
  Val unit_value{std::make_shared<const Structure>(), {}, span};
  return {states, keeps ? parts.back() : unit_value};
}

Val Elaborator::fold_for(const ast::ForClause& c, const Iterable& over, Span span, const ScopePtr& scope, const std::function<Val(const ScopePtr&)>& body) {
  Val nothing{std::make_shared<const Structure>(), {}, span};
  auto l = settle_loop("for", nothing, true, over.lists, span, [&](Looped& at) {
    ScopePtr s = inner_scope(scope);
    at.next = nothing;
    if (!bind_pattern(c.pattern, over.item(at.i, at.items), s)) at.next = poison();
    else at.out = default_number(body(s));
    if (at.out.poison()) at.next = poison();
  });
  if (!l) return poison();
  bool tensor = !over.over_list && is_numeric(l->out);
  Val list = emit_fold(std::move(*l), nothing, count_of(over, span), over.lists, span).second;
  return tensor ? as_tensor(list, span) : list;
}

// `for x in xs if c => e`: a list of what is left.
Val Elaborator::filtered(const ast::For& f, const Iterable& over, Span span, const ScopePtr& scope) {
  const ast::ForClause& c = f.clauses.back();
  auto step = [&](const Val& item, const Val& list) {
    ScopePtr s = inner_scope(scope);
    if (!bind_pattern(c.pattern, item, s)) return poison();
    Val keep = expr(f.filter, s);
    if (!is_condition(keep, unit->tree[f.filter].span)) return poison();
    return choose(keep, span, {span, span}, [&] { return append(list, default_number(expr(f.body, s)), span); }, [&] { return list; });
  };
  Val list{std::make_shared<const std::vector<Val>>(), {}, span};
  if (over.items) {
    for (const Val& item : *over.items)
      if (!list.poison()) list = step(item, list);
    return list;
  }
  auto l = settle_loop("for", list, true, over.lists, span, [&](Looped& at) { at.next = step(over.item(at.i, at.items), at.states[0]); });
  return l ? emit_fold(std::move(*l), list, count_of(over, span), over.lists, span).first : poison();
}

// ---- loop and scan ---------------------------------------------------------------------------------

Val Elaborator::loop_expr(const ast::Loop& l, Span span, const ScopePtr& scope) {
  Want want = want_of(l.type);
  Val init = l.type.valid() ? conforming(l.init, l.type, scope, "the state") : expr(l.init, scope, &want);
  if (init.poison()) return init;
  if (l.condition.valid()) return while_loop(l, init, span, scope);
  auto over = source_of(*l.over, scope);
  if (!over) return poison();
  return over->items ? unroll_loop(l, *over, init, span, scope) : counted_loop(l, *over, init, span, scope);
}

// One step: the new state, and what a scan keeps of it.
std::pair<Val, Val> Elaborator::loop_step(const ast::Loop& l, const Val& state, const Val* item, const ScopePtr& scope) {
  ScopePtr s = inner_scope(scope);
  if (!bind_pattern(l.state, state, s) || (item && !bind_pattern(l.over->pattern, *item, s))) return {};
  Val next = expr(l.body, s), out = next;
  if (next.poison() || !l.is_scan) return {next, {}};
  if (l.yield.valid()) {
    ScopePtr after = inner_scope(scope);
    out = bind_pattern(l.state, next, after) ? expr(l.yield, after) : poison();
  }
  out = default_number(out);
  return {out.poison() ? poison() : next, out};
}

Val Elaborator::unroll_loop(const ast::Loop& l, const Iterable& over, const Val& init, Span span, const ScopePtr& scope) {
  Val state = init;
  auto kept = std::make_shared<std::vector<Val>>();
  for (size_t i = 0; i < over.items->size(); ++i) {
    path.push_back(std::to_string(i));
    auto [next, out] = loop_step(l, state, &(*over.items)[i], scope);
    path.pop_back();
    if (next.poison()) return poison();
    state = next;
    if (l.is_scan) kept->push_back(out);
  }
  return l.is_scan ? Val{std::shared_ptr<const std::vector<Val>>(kept), {}, span} : default_number(state);
}

namespace {
// Tensors whose shapes do not change from step to step.
bool steady(Elaborator& e, const Val& form) {
  std::vector<Val> parts;
  e.leaves(form, parts);
  for (const Val& p : parts) {
    if (!e.types.is_tensor(p.type)) return false;
    for (DimId d : e.types.shape(p.type))
      if (e.is_runtime(d)) return false;
  }
  return !parts.empty();
}

bool steady_tensor(Elaborator& e, const Val& v) {
  if (!e.is_numeric(v)) return false;
  for (DimId d : e.shape_of(v))
    if (e.is_runtime(d)) return false;
  return true;
}
}  // namespace

Val Elaborator::counted_loop(const ast::Loop& l, const Iterable& over, const Val& init, Span span, const ScopePtr& scope) {
  auto looped = settle_loop(l.is_scan ? "scan" : "loop", init, true, over.lists, span, [&](Looped& at) {
    Val item = over.item(at.i, at.items);
    std::tie(at.next, at.out) = loop_step(l, at.states[0], &item, scope);
  });
  if (!looped) return poison();
  bool tensor = !over.over_list && is_numeric(looped->out);
  bool plain = over.size.valid() && steady(*this, looped->form) &&
               (!l.is_scan || (steady_tensor(*this, looped->out) && (l.yield.valid() || !looped->form.structure())));
  if (!plain) {
    auto [state, list] = emit_fold(std::move(*looped), init, count_of(over, span), over.lists, span);
    return !l.is_scan ? state : tensor && !list.poison() ? as_tensor(list, span) : list;
  }
  std::vector<Val> forms, starts;
  leaves(looped->form, forms);
  leaves(fit(init, looped->form, span, "the state"), starts);
  Nested n = close_body({std::move(looped->body.frame), looped->next}, looped->form, span);
  if (!n.ok || starts.size() != forms.size()) return poison();
  std::vector<ValueId> args;
  std::vector<TypeId> result_types;
  for (const Val& s : starts) args.push_back(value(s).id);
  args.insert(args.end(), n.captures.begin(), n.captures.end());
  for (const Val& f : forms) {
    Shape shape = types.shape(f.type);
    if (l.is_scan) shape.insert(shape.begin(), over.size);
    result_types.push_back(types.with_shape(f.type, shape));
  }
  TypeId t = result_types.size() == 1 ? result_types[0] : types.tuple(result_types);
  Attrs attrs{{AttrKey::func, n.func}, {AttrKey::count, over.size}, {AttrKey::wrt, Ints{static_cast<int64_t>(forms.size())}}};
  std::vector<Val> parts = results_of(b().emit(l.is_scan ? op<Scan> : op<Loop>, args, attrs, t), result_types, span);
  size_t next = 0;
  Val states = rebuild(looped->form, parts, next);
  return l.is_scan && l.yield.valid() ? scan_yield(l, states, over.size, span, scope) : states;
}

// `yield` over the states of a scan that stacked them.
Val Elaborator::scan_yield(const ast::Loop& l, const Val& states, DimId count, Span span, const ScopePtr& scope) {
  auto range = std::make_shared<IndexRange>(IndexRange{count, {}, {}});
  return map_over("", range, false, span, scope, [&](const ScopePtr& s, const Val& i) {
    std::vector<Val> stacked, rows;
    leaves(states, stacked);
    for (const Val& v : stacked) rows.push_back(node(gather(value(v), value(i)), v.origin));
    size_t next = 0;
    if (!bind_pattern(l.state, rebuild(states, rows, next), s)) return poison();
    return expr(l.yield, s);
  });
}

// ---- while -----------------------------------------------------------------------------------------

// A hidden counter is the first state, so that each step draws its own random numbers.
Val Elaborator::while_loop(const ast::Loop& l, const Val& init, Span span, const ScopePtr& scope) {
  Val start = init;
  if (l.is_scan) start = pair_of(init, Val{std::make_shared<const std::vector<Val>>(), {}, span}, span);
  auto looped = settle_loop("while", start, true, {}, span, [&](Looped& at) {
    Val state = l.is_scan ? at.states[0].structure()->elems[0] : at.states[0];
    auto [next, out] = loop_step(l, state, nullptr, scope);
    at.next = l.is_scan && !next.poison() ? pair_of(next, append(at.states[0].structure()->elems[1], out, span), span) : next;
  });
  if (!looped) return poison();
  std::vector<Val> forms, starts;
  leaves(looped->form, forms);
  leaves(fit(start, looped->form, span, "the state"), starts);
  frames.push_back(std::move(looped->body.frame));
  Value counted = value(looped->i) + 1.0;
  Nested step = close(pair_of(node(counted), fit(looped->next, looped->form, span, "the state"), span));
  Body test = body_of("condition", [&] {
    Val i = node(b().param(types.tensor(DType::i32)), span);
    frame().iteration = i;
    std::vector<Val> params;
    for (const Val& f : forms) params.push_back(node(b().param(f.type), f.origin));
    size_t next = 0;
    Val all = rebuild(looped->form, params, next);
    ScopePtr s = inner_scope(scope);
    if (!bind_pattern(l.state, l.is_scan ? all.structure()->elems[0] : all, s)) return poison();
    Val c = expr(l.condition, s);
    return is_condition(c, unit->tree[l.condition].span) ? c : poison();
  });
  if (test.result.poison() || starts.size() != forms.size()) return poison();
  frames.push_back(std::move(test.frame));
  Nested condition = close(test.result);
  Val states = emit_while(step, condition, looped->form, starts, span);
  return l.is_scan ? states.structure()->elems[1] : states;
}

Val Elaborator::pair_of(const Val& a, const Val& b2, Span span) {
  if (a.poison() || b2.poison()) return poison();
  Structure s;
  s.elems = {a, b2};
  return Val{std::make_shared<const Structure>(std::move(s)), {}, span};
}

// Step and condition take the same arguments: counter, states, and what either captured.
Val Elaborator::emit_while(const Nested& step, const Nested& condition, const Val& form, const std::vector<Val>& starts, Span span) {
  std::vector<TypeId> state_types = {types.tensor(DType::i32)};
  std::vector<Val> forms;
  leaves(form, forms);
  for (const Val& f : forms) state_types.push_back(f.type);
  const std::vector<ValueId> captures = captured_by(step, condition);
  FuncId body = with_captures("while", step, state_types, captures), test = with_captures("while", condition, state_types, captures);
  std::vector<ValueId> args = {constant_int(b(), 0, DType::i32).id};
  for (const Val& s : starts) args.push_back(value(s).id);
  args.insert(args.end(), captures.begin(), captures.end());
  TypeId t = state_types.size() == 1 ? state_types[0] : types.tuple(state_types);
  Attrs attrs{{AttrKey::func, body}, {AttrKey::other, test}, {AttrKey::wrt, Ints{static_cast<int64_t>(state_types.size())}}};
  std::vector<Val> parts = results_of(b().emit(op<While>, args, attrs, t), state_types, span);
  parts.erase(parts.begin());
  size_t next = 0;
  return rebuild(form, parts, next);
}

}  // namespace glia
