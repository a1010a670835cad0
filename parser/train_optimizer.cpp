// An optimiser, written for one tensor, becomes two functions over all parameters: initial states, and the update.
#include "ir/ops/all.h"
#include "parser/builtins.h"
#include "parser/train_parts.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind bad_state{"E0370", Severity::error, "the state `{}` cannot start as {}"};
constexpr DiagKind update_params{"E0371", Severity::error, "`update` takes the parameter and its gradient: `update (p, g)`"};
}  // namespace

// The initial value of one state for the parameter p.
Val Elaborator::state_init(const ast::ModelState& s, const Val& p, const ScopePtr& args, const std::string& p_name) {
  ScopePtr scope = inner_scope(args);
  scope->bind(p_name, p);
  Val v = expr(s.init, scope);
  if (v.poison()) return v;
  if (!is_numeric(v)) return report(bad_state, unit->tree[s.init].span, s.name.text, "`" + describe(v) + "`"), poison();
  TypeId t = type_of(p);
  if (s.type.valid()) t = type_expr(s.type, scope, nullptr);
  else if (!types.is_scalar(type_of(v))) t = type_of(v);
  return types.is_poison(t) ? poison() : adapt_to(v, t, unit->tree[s.init].span, s.name.text);
}

bool Elaborator::train_optimizer(const TrainParts& parts, TrainProgram& tp) {
  const OptimizerRule& rule = **parts.optimizer.get<std::shared_ptr<const OptimizerRule>>();
  const ast::OptimizerDecl& decl = *rule.ref.decl;
  Unit* caller = std::exchange(unit, rule.ref.unit);
  call_stack.push_back(rule.span);
  if (decl.update_params.size() != 2) report(update_params, decl.span);
  bool ok = decl.update_params.size() == 2 && optimizer_functions(rule, decl, tp);
  call_stack.pop_back();
  unit = caller;
  return ok;
}

bool Elaborator::optimizer_functions(const OptimizerRule& rule, const ast::OptimizerDecl& decl, TrainProgram& tp) {
  std::string p_name = param_name(decl.update_params[0]);
  Frame& f = open_frame("init_states");
  b().set_src(module.add(Src{decl.span, {}}));
  std::vector<Val> states, params;
  for (const Leaf& l : tp.params) params.push_back(node(f.b.param(l.type, l.path), decl.span));
  for (size_t i = 0; i < params.size(); ++i) {
    const Leaf l = tp.params[i];
    if (!l.trainable) continue;
    for (const ast::ModelState& s : decl.states) {
      states.push_back(state_init(s, params[i], rule.args, p_name));
      if (!states.back().poison()) tp.states.push_back({s.name.text + "." + l.path, type_of(states.back()), true});
    }
  }
  bool ok = true;
  for (const Val& s : states) ok = ok && !s.poison();
  if (ok)
    for (const Val& s : states) b().result(value(s).id);
  tp.init_states = end_function();
  if (ok) tp.update = update_function(rule, decl, tp);
  return ok && tp.update.valid();
}

// Gradients scaled together so that their norm is at most clip_norm (Pascanu, Mikolov, Bengio 2013).
void Elaborator::clip_gradients(const Val& limit, std::vector<Val>& grads) {
  Value total;
  for (const Val& g : grads) {
    Value x = value(g);
    Value part = contract(x, x, iota_ints(x.rank()), iota_ints(x.rank()), {});
    total = total.valid() ? total + part : part;
  }
  if (!total.valid()) return;
  Value ratio = value(limit, DType::f32) / (sqrt(total) + 1e-6);
  Value scale = select(ratio < 1.0, ratio, 1.0);
  for (Val& g : grads) g = node(value(g) * scale, g.origin);
}

FuncId Elaborator::update_function(const OptimizerRule& rule, const ast::OptimizerDecl& decl, TrainProgram& tp) {
  Frame& f = open_frame("update");
  b().set_src(module.add(Src{decl.span, {}}));
  Val step = node(f.b.param(types.tensor(DType::i32), "step"), decl.span), epoch = node(f.b.param(types.tensor(DType::f32), "epoch"), decl.span);
  std::vector<Val> params, grads, states;
  std::vector<bool> trained;
  for (const Leaf& l : tp.params) params.push_back(node(f.b.param(l.type, l.path), decl.span)), trained.push_back(l.trainable);
  for (const Leaf& l : tp.params)
    if (l.trainable) grads.push_back(node(f.b.param(l.type), decl.span));
  for (const Leaf& l : tp.states) states.push_back(node(f.b.param(l.type, l.path), decl.span));
  bool ok = update_values(rule, step, epoch, trained, params, std::move(grads), states);
  for (const auto* list : {&params, &states})
    for (const Val& v : *list) ok = ok && !v.poison();
  if (ok)
    for (const auto* list : {&params, &states})
      for (const Val& v : *list) b().result(value(v).id);
  FuncId id = end_function();
  return ok ? id : FuncId{};
}

bool Elaborator::update_values(const OptimizerRule& rule, const Val& step, const Val& epoch, const std::vector<bool>& trained,
                               std::vector<Val>& params, std::vector<Val> grads, std::vector<Val>& states) {
  const ast::OptimizerDecl& decl = *rule.ref.decl;
  ScopePtr args = inner_scope(rule.args);
  args->bind("step", step);
  args->bind("epoch", epoch);
  for (const ast::Param& p : decl.params)  // a schedule is its value here
    if (is_schedule_type(p.type))
      if (Binding* s = rule.args->find(param_name(p)); s && s->val.callable()) args->bind(param_name(p), apply_values(s->val, {step, epoch}, rule.span));
  if (auto clip = rule.args->names.find("clip_norm"); clip != rule.args->names.end()) clip_gradients(clip->second.val, grads);
  std::string p_name = param_name(decl.update_params[0]), g_name = param_name(decl.update_params[1]);
  size_t g = 0, s = 0;
  bool ok = true;
  for (size_t i = 0; i < params.size(); ++i) {
    if (!trained[i]) continue;
    ScopePtr scope = inner_scope(args);
    scope->bind(":optimizer", poison());
    auto changeable = [&](const std::string& name, const Val& v) { scope->bind(name, v), scope->bind(":=" + name, v); };
    changeable(p_name, params[i]);
    scope->bind(g_name, grads[g++]);
    for (size_t k = 0; k < decl.states.size(); ++k) changeable(decl.states[k].name.text, states[s + k]);
    size_t errors = diags.faults();
    expr(decl.update, scope);
    ok = ok && diags.faults() == errors;
    params[i] = scope->names[p_name].val;
    for (size_t k = 0; k < decl.states.size(); ++k) states[s + k] = scope->names[decl.states[k].name.text].val;
    s += decl.states.size();
  }
  return ok;
}

// ---- the rule as plain functions ----------------------------------------------------------------------

namespace {
constexpr DiagKind rule_args{"E0372", Severity::error, "`{}` of an optimiser takes {}, found {} argument{}"};

std::vector<bool> trained_leaves(Elaborator& e, const Val& model, const std::vector<Val>& parts) {
  std::vector<std::pair<std::string, Val>> states;
  e.model_states(model, "", states);
  std::vector<Val> all;
  std::vector<std::string> paths;
  e.leaves(model, all, &paths);
  std::vector<bool> trained;
  for (size_t i = 0; i < parts.size(); ++i) {
    bool state = std::any_of(states.begin(), states.end(), [&](const auto& s) { return s.first == paths[i]; });
    trained.push_back(!state && e.is_numeric(parts[i]) && is_float(e.dtype_of(parts[i])));
  }
  return trained;
}

Val rule_state(std::vector<Val> states, Val step, Span span) {
  Structure s;
  s.name = "OptimizerState";
  s.fields = {"step"};
  s.elems = {std::move(step)};
  for (size_t i = 0; i < states.size(); ++i) s.fields.push_back(fmt::format("s{}", i)), s.elems.push_back(std::move(states[i]));
  return Val{std::make_shared<const Structure>(std::move(s)), {}, span};
}
}  // namespace

// rule.init(m): the state that the rule begins with.
Val Elaborator::optimizer_init(const OptimizerRule& rule, std::vector<CallArg> args, Span span) {
  if (args.size() != 1) return report(rule_args, span, "init", "the model", args.size(), args.size() == 1 ? "" : "s"), poison();
  std::vector<Val> parts, states;
  leaves(args[0].val, parts);
  std::vector<bool> trained = trained_leaves(*this, args[0].val, parts);
  Unit* caller = std::exchange(unit, rule.ref.unit);
  std::string p_name = param_name(rule.ref.decl->update_params[0]);
  for (size_t i = 0; i < parts.size(); ++i)
    for (const ast::ModelState& s : rule.ref.decl->states)
      if (trained[i]) states.push_back(state_init(s, parts[i], rule.args, p_name));
  unit = caller;
  for (const Val& s : states)
    if (s.poison()) return s;
  return rule_state(std::move(states), node(constant_int(b(), 0, DType::i32), span), span);
}

// rule.step(m, s, g): the model and the state after one step.
Val Elaborator::optimizer_step(const OptimizerRule& rule, std::vector<CallArg> args, Span span) {
  bool ok = args.size() == 3 && args[1].val.structure() && args[1].val.structure()->name == "OptimizerState";
  if (!ok) return report(rule_args, span, "step", "the model, the state of `init` and the gradient", args.size(), args.size() == 1 ? "" : "s"), poison();
  std::vector<Val> params, all_grads, grads;
  leaves(args[0].val, params);
  leaves(args[2].val, all_grads);
  std::vector<bool> trained = trained_leaves(*this, args[0].val, params);
  if (all_grads.size() != params.size()) return report(rule_args, args[2].span, "step", "a gradient of the model's form", 3, "s"), poison();
  for (size_t i = 0; i < params.size(); ++i)
    if (trained[i]) grads.push_back(all_grads[i]);
  const Structure& old = *args[1].val.structure();
  std::vector<Val> states(old.elems.begin() + 1, old.elems.end());
  Val step = node(value(old.elems[0]) + 1.0, span), epoch = node(constant(b(), 0, DType::f32), span);
  Unit* caller = std::exchange(unit, rule.ref.unit);
  ok = update_values(rule, step, epoch, trained, params, std::move(grads), states);
  unit = caller;
  if (!ok) return poison();
  size_t next = 0;
  return pair_of(rebuild(args[0].val, params, next), rule_state(std::move(states), step, span), span);
}

}  // namespace glia
