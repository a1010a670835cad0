// Models and optimisers: instances, parameters, functions of a model.
#include "parser/elaborator.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind layer_in_function{"E0264", Severity::error, "the layer `{}` is made inside of the function `{}`"};
constexpr DiagKind bad_init{"E0260", Severity::error, "the initial value of `{}` does not fit"};
constexpr DiagKind no_init{"E0261", Severity::error, "`{}` has no initial value"};
constexpr DiagKind not_a_layer{"E0262", Severity::error, "the layer `{}` is no model, but {}"};
constexpr DiagKind no_tensor{"E0263", Severity::error, "a parameter is a number or a tensor, but `{}` is {}"};
}  // namespace

namespace {
// A model, or a list or tuple of them; functions may stand between.
bool holds_models(const Val& v) {
  auto all = [](const std::vector<Val>& elems) { return std::all_of(elems.begin(), elems.end(), holds_models); };
  if (auto* l = v.list()) return all(*l);
  if (auto* s = v.structure(); s && !s->model) return !s->elems.empty() && all(s->elems);
  return v.structure() || v.callable();
}

// Where a member of a model is declared.
Span name_span(const ast::ModelDecl& m, std::string_view name) {
  Span at;
  for (const auto& member : m.members)
    std::visit([&](const auto& x) { if (x.name.text == name) at = x.name.span; }, member);
  return at;
}
}  // namespace

// The value a parameter starts with; in a check or inside a pass it is just a value of its type.
Val Elaborator::make_param(const ast::ModelParam& p, const ScopePtr& scope, bool symbolic_params) {
  TypeId t = type_expr(p.type, scope, nullptr);
  if (types.is_poison(t)) return poison();
  if (!types.is_tensor(t)) return report(no_tensor, unit->tree[p.type].span, p.name.text, "`" + types.print(t) + "`"), poison();
  if (symbolic_params || weights_given || (checking && !p.init.valid())) return node(b().param(t, p.name.text), unit->tree[p.type].span);
  if (!p.init.valid()) return report(no_init, p.name.span, p.name.text).help("give one: `= 0`, or `~ uniform(-0.1, 0.1)` to draw it"), poison();
  Span at = unit->tree[p.init].span;
  Val v;
  if (p.draws) {
    uint32_t outer = std::exchange(draws, 0);
    path.push_back(p.name.text);
    auto shape = std::make_shared<std::vector<Val>>();
    for (DimId d : types.shape(t)) shape->push_back(Val{d, {}, unit->tree[p.type].span});
    Val shape_val{std::shared_ptr<const std::vector<Val>>(shape), {}, unit->tree[p.type].span};
    // `~ f(args)` draws f(shape, args)
    if (auto* c = std::get_if<ast::Call>(&unit->tree[p.init].node)) {
      std::vector<CallArg> args = {{"", {}, shape_val, at}};
      for (CallArg& a : call_args(c->args, scope)) args.push_back(a);
      v = apply(expr(c->callee, scope), std::move(args), at);
    } else {
      v = apply_values(expr(p.init, scope), {shape_val}, at);
    }
    path.pop_back();
    draws = outer;
  } else {
    v = expr(p.init, scope);
  }
  if (v.poison()) return v;
  if (!is_numeric(v)) return report(bad_init, at, p.name.text).note(fmt::format("it is `{}`, the parameter is `{}`", describe(v), types.print(t))), poison();
  Value x = value(v, types.dtype(t));
  if (x.dtype() == types.dtype(t) && x.rank() == 0) return node(broadcast_to(x, types.shape(t)), unit->tree[p.type].span);
  if (x.type() != t) {
    report(bad_init, at, p.name.text).note(fmt::format("it is `{}`, the parameter is `{}`", describe(v), types.print(t))).label(unit->tree[p.type].span, "declared here");
    return poison();
  }
  return node(x, unit->tree[p.type].span);
}

bool Elaborator::is_state(const Structure& model, const std::string& name) {
  for (const auto& member : model.model->decl->members)
    if (auto* s = std::get_if<ast::ModelState>(&member); s && s->name.text == name) return true;
  return false;
}

Val Elaborator::make_state(const ast::ModelState& s, const ScopePtr& scope, bool symbolic_params) {
  TypeId t = s.type.valid() ? type_expr(s.type, scope, nullptr) : types.poison();
  if (s.type.valid() && types.is_poison(t)) return poison();
  Span at = unit->tree[s.init].span;
  Val v = default_number(expr(s.init, scope));
  if (v.poison()) return v;
  if (!is_numeric(v)) return report(bad_init, at, s.name.text).note(fmt::format("a state is a number or a tensor, found `{}`", describe(v))), poison();
  if (!s.type.valid()) t = type_of(v);
  if (symbolic_params) return node(b().param(t, s.name.text), s.span);
  return adapt_to(v.get<Number>() ? expr(s.init, scope) : v, t, at, s.name.text);
}

// A model whose states can change: in a training pass, where what they become is a result of the step.
Val Elaborator::with_cells(const Val& v) {
  if (auto* l = v.list()) {
    auto copy = std::make_shared<std::vector<Val>>(*l);
    for (Val& e : *copy) e = with_cells(e);
    return Val{std::shared_ptr<const std::vector<Val>>(copy), {}, v.origin};
  }
  auto* s = v.structure();
  if (!s) return v;
  auto copy = std::make_shared<Structure>(*s);
  for (Val& e : copy->elems) e = with_cells(e);
  for (size_t i = 0; s->model && i < s->fields.size(); ++i) {
    if (!is_state(*s, s->fields[i])) continue;
    if (!copy->cells) copy->cells = std::make_shared<std::map<std::string, Val>>();
    (*copy->cells)[s->fields[i]] = s->elems[i];
  }
  return Val{std::shared_ptr<const Structure>(copy), {}, v.origin};
}

// Each state with its newest value and its path.
void Elaborator::model_states(const Val& v, const std::string& prefix, std::vector<std::pair<std::string, Val>>& out) {
  auto inside = [&](const Val& e, const std::string& name) { model_states(e, prefix.empty() ? name : prefix + "." + name, out); };
  if (auto* l = v.list())
    for (size_t i = 0; i < l->size(); ++i) inside((*l)[i], std::to_string(i));
  auto* s = v.structure();
  if (!s) return;
  for (size_t i = 0; i < s->elems.size(); ++i) {
    std::string name = s->fields.empty() ? std::to_string(i) : s->fields[i];
    if (s->model && is_state(*s, name)) out.push_back({prefix.empty() ? name : prefix + "." + name, s->cells ? s->cells->at(name) : s->elems[i]});
    else inside(s->elems[i], name);
  }
}

Val Elaborator::instantiate(const ModelRef& m, std::vector<CallArg> args, Span span, bool symbolic_params) {
  if (broken_.contains(m.decl)) return poison();
  Unit* caller = unit;
  unit = m.unit;
  std::string what = "`" + m.decl->name.text + "`";
  gather_variadic(m.decl->params, args, span);
  auto placed = place_args(m.decl->params, args, what, span, m.decl->span);
  SizeScope sizes(inner_scope(m.scope));
  bool ok = placed.has_value();
  SrcId outer = call_src;
  if (ok) {
    call_stack.push_back(span);
    if (!frames.empty()) call_src = module.add(Src{span, call_stack.size() > 1 ? outer : SrcId{}});
  }
  for (size_t i = 0; ok && i < m.decl->params.size(); ++i) ok = bind_param(m.decl->params[i], (*placed)[i], sizes, what);
  ok = ok && settle(sizes);
  Structure s;
  s.name = m.decl->name.text;
  s.model = std::make_shared<const ModelInstance>(ModelInstance{m.decl, m.unit, sizes.scope});
  ScopePtr members = inner_scope(sizes.scope);
  for (const auto& member : m.decl->members) {
    if (!ok) break;
    Val v;
    std::string name;
    if (auto* p = std::get_if<ast::ModelParam>(&member)) {
      name = p->name.text;
      v = make_param(*p, members, symbolic_params);
    } else if (auto* l = std::get_if<ast::ModelLayer>(&member)) {
      name = l->name.text;
      path.push_back(name);
      v = expr(l->value, members);
      path.pop_back();
      if (!v.poison() && !holds_models(v)) {
        report(not_a_layer, unit->tree[l->value].span, name, "`" + describe(v) + "`");
        v = poison();
      }
    } else if (auto* st = std::get_if<ast::ModelState>(&member)) {
      name = st->name.text;
      v = make_state(*st, members, symbolic_params);
    } else {
      continue;
    }
    ok = !v.poison();
    members->bind(name, v, name_span(*m.decl, name));
    s.fields.push_back(name);
    s.elems.push_back(v);
  }
  if (placed) call_stack.pop_back();
  call_src = outer;
  unit = caller;
  if (!ok) return poison();
  Val made{std::make_shared<const Structure>(std::move(s)), {}, span};
  std::vector<Val> parts;
  leaves(made, parts);
  if (warnings.made && !symbolic_params && call_stack.empty() && !parts.empty()) warnings.made->push_back({m.decl->name.text, span});
  return made;
}

// A model that a function of a model makes is another one in each call: nothing ever trains it.
void Elaborator::report_made_layers(const std::string& function, const Val& result) {
  const std::vector<MadeLayer> found = std::exchange(*warnings.made, {});
  if (!result.poison() && holds_models(result)) return;   // it is there to make one
  for (const MadeLayer& l : found)
    report(layer_in_function, l.span, l.name, function)
        .note("its parameters are drawn anew in every call, so that training cannot change them")
        .help(fmt::format("declare it in the model, `layer … = {}`, and use its name here", sources.text(l.span)));
}

// What the functions of a model see: its arguments, then its fields.
ScopePtr Elaborator::method_scope(const Structure& model) {
  ScopePtr scope = inner_scope(model.model->args);
  for (size_t i = 0; i < model.fields.size(); ++i) {
    const std::string& name = model.fields[i];
    bool newer = model.cells && model.cells->contains(name);
    scope->bind(name, newer ? model.cells->at(name) : model.elems[i], name_span(*model.model->decl, name));
    if (is_state(model, name)) scope->bind(":=" + name, model.elems[i]);
  }
  scope->cells = model.cells;
  for (const auto& member : model.model->decl->members)
    if (auto* f = std::get_if<ast::FnDecl>(&member)) {
      auto c = closure_of(*f, model.model->unit, scope);
      scope->bind(f->name.text, Val{std::shared_ptr<const Closure>(c), {}, f->span}, f->span);
    }
  return scope;
}

std::shared_ptr<Closure> Elaborator::closure_of(const ast::FnDecl& f, Unit* home, const ScopePtr& scope) {
  auto c = std::make_shared<Closure>();
  c->params = &f.params;
  c->result = f.result;
  c->body = f.body;
  c->name = f.name.text;
  c->span = f.span;
  c->unit = home;
  c->scope = scope;
  c->decl = &f;
  return c;
}

std::optional<Val> Elaborator::method(const Val& self, std::string_view name) {
  const Structure& s = *self.structure();
  for (const auto& member : s.model->decl->members)
    if (auto* f = std::get_if<ast::FnDecl>(&member); f && f->name.text == name) {
      auto c = closure_of(*f, s.model->unit, method_scope(s));
      return Val{std::shared_ptr<const Closure>(c), {}, f->span};
    }
  return std::nullopt;
}

Val Elaborator::make_optimizer(const OptimizerRef& o, std::vector<CallArg> args, Span span) {
  Unit* caller = unit;
  unit = o.unit;
  std::string what = "`" + o.decl->name.text + "`";
  auto rule = std::make_shared<OptimizerRule>();
  rule->ref = o;
  rule->span = span;
  SizeScope sizes(inner_scope(o.scope));
  // options of every optimiser
  std::vector<CallArg> own;
  for (CallArg& a : args) {
    if (a.name != "clip_norm") {
      own.push_back(a);
      continue;
    }
    sizes.scope->bind("clip_norm", default_number(a.val), a.span);
  }
  auto placed = place_args(o.decl->params, own, what, span, o.decl->span);
  bool ok = placed.has_value();
  for (size_t i = 0; ok && i < o.decl->params.size(); ++i) {
    const ast::Param& p = o.decl->params[i];
    if (is_schedule_type(p.type)) {  // a number, or a function of (step, epoch)
      Val v = (*placed)[i] ? (*placed)[i]->val : expr(p.default_value, sizes.scope);
      sizes.scope->bind(param_name(p), v, p.span);
      ok = !v.poison();
      if (ok && !v.callable() && !is_numeric(v)) ok = false, report(bad_init, (*placed)[i]->span, param_name(p)).help("a schedule is a number or a function `(step, epoch) -> f32`");
    } else {
      ok = bind_param(p, (*placed)[i], sizes, what);
    }
  }
  ok = ok && settle(sizes);
  rule->args = sizes.scope;
  unit = caller;
  if (!ok) return poison();
  return Val{std::shared_ptr<const OptimizerRule>(rule), {}, span};
}

bool Elaborator::is_schedule_type(ast::TypeExprId id) {
  if (!id.valid()) return false;
  auto* n = std::get_if<ast::NamedType>(&unit->tree[id].node);
  return n && n->path.size() == 1 && n->path[0].text == "schedule";
}

}  // namespace glia
