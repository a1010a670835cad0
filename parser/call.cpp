// Calls: which function, which argument goes where, and the body in place of the call.
#include "parser/elaborator.h"

#include "base/text.h"
#include "parser/advice.h"
#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind not_callable{"E0250", Severity::error, "{} cannot be called"};
constexpr DiagKind too_many_args{"E0251", Severity::error, "{} takes {} argument{}, found {}"};
constexpr DiagKind missing_arg{"E0252", Severity::error, "{} misses the argument `{}`"};
constexpr DiagKind unknown_arg{"E0253", Severity::error, "{} has no parameter `{}`"};
constexpr DiagKind twice{"E0254", Severity::error, "the argument `{}` is given twice"};
constexpr DiagKind no_method{"E0255", Severity::error, "{} has no field or function `{}`"};
constexpr DiagKind dim_wanted{"E0256", Severity::error, "`{}` is a size and needs a whole number known before the program runs, found {}"};
constexpr int inline_limit = 64;

std::string plural(size_t n) { return n == 1 ? "" : "s"; }

bool is_hole(const ast::Tree& tree, ast::ExprId id) { return std::holds_alternative<ast::Hole>(tree[id].node); }
}  // namespace

std::string Elaborator::param_name(const ast::Param& p) {
  auto* n = std::get_if<ast::NamePattern>(&unit->tree[p.pattern].node);
  return n ? n->name.text : "";
}

std::vector<CallArg> Elaborator::call_args(const std::vector<ast::Arg>& args, const ScopePtr& scope) {
  std::vector<CallArg> out;
  for (const ast::Arg& a : args) {
    CallArg arg{a.name ? a.name->text : "", a.value, {}, unit->tree[a.value].span};
    if (!is_hole(unit->tree, a.value)) arg.val = expr(a.value, scope);
    out.push_back(std::move(arg));
  }
  return out;
}

Val Elaborator::call(const ast::Call& c, Span span, const ScopePtr& scope, const Want*) {
  Val callee;
  std::vector<CallArg> args;
  if (auto* f = std::get_if<ast::Field>(&unit->tree[c.callee].node)) {
    Val base = expr(f->base, scope);
    if (base.poison()) return base;
    if (auto* rule = base.get<std::shared_ptr<const OptimizerRule>>(); rule && (f->name.text == "init" || f->name.text == "step")) {
      std::vector<CallArg> given = call_args(c.args, scope);
      for (const CallArg& a : given)
        if (a.val.poison()) return poison();
      return f->name.text == "init" ? optimizer_init(**rule, std::move(given), span) : optimizer_step(**rule, std::move(given), span);
    }
    callee = field(base, f->name, unit->tree[c.callee].span, true);
    if (callee.poison() && !base.get<UnitRef>()) {  // x.f(a) is f(x, a)
      if (Binding* found = scope->find(f->name.text); found && found->val.callable()) callee = found->val;
      else if (const Builtin* fn = find_builtin(f->name.text)) callee = Val{fn, {}, f->name.span};
      else if (const Builtin* data = find_data_function("." + f->name.text)) callee = Val{data, {}, f->name.span};
      if (callee.poison()) {
        auto& d = report(no_method, f->name.span, quoted(*this, base), f->name.text);
        if (auto* m = base.get<ModelRef>()) {
          for (const auto& member : m->decl->members)
            if (auto* fn = std::get_if<ast::FnDecl>(&member); fn && fn->name.text == f->name.text)
              return d.label(fn->name.span, fmt::format("`{}` works on a `{}`", fn->name.text, m->decl->name.text))
                         .help(fmt::format("make one and call it there: `let m = {0}(…)`, then `m.{1}(…)`", m->decl->name.text, fn->name.text)),
                     poison();
        }
        std::vector<std::string> names = builtin_names();
        scope->collect(names);
        if (auto near = nearest(f->name.text, names)) d.help(fmt::format("did you mean `{}`?", *near));
        return poison();
      }
      args.push_back({"", f->base, base, unit->tree[f->base].span});
    } else if (callee.poison()) {
      callee = field(base, f->name, unit->tree[c.callee].span);
    }
  } else {
    callee = expr(c.callee, scope);
    auto* name = std::get_if<ast::NameRef>(&unit->tree[c.callee].node);
    if (Binding* found = name ? scope->find(name->name) : nullptr; found && found->val.get<ConstructorRef>()) callee = found->val;   // also of a case without values
  }
  if (callee.poison()) return callee;
  if (auto* b2 = callee.get<const Builtin*>(); b2 && (*b2)->reads_syntax) {
    syntax_scope_ = scope;  // data readers look at how their arguments are written
    std::vector<CallArg> rest;
    for (const ast::Arg& a : c.args) rest.push_back({a.name ? a.name->text : "", a.value, {}, unit->tree[a.value].span});
    args.insert(args.end(), rest.begin(), rest.end());
    return (*b2)->call(*this, **b2, args, span);
  }
  std::vector<CallArg> given = call_args(c.args, scope);
  args.insert(args.end(), given.begin(), given.end());
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i].syntax.valid() && is_hole(unit->tree, args[i].syntax)) {
      auto p = std::make_shared<Partial>();
      p->callee = std::make_shared<const Val>(callee);
      p->span = span;
      for (CallArg& a : args) {
        if (!a.name.empty()) p->named.push_back({a.name, a.val});
        else p->positional.push_back(is_hole(unit->tree, a.syntax) ? std::nullopt : std::optional(a.val));
      }
      return Val{std::shared_ptr<const Partial>(p), {}, span};
    }
  for (const CallArg& a : args)
    if (a.val.poison()) return poison();
  return apply(callee, std::move(args), span);
}

// x |> f is f(x); the left side is evaluated once, long chains without recursion.
Val Elaborator::pipe(const ast::Binary& bin, Span, const ScopePtr& scope) {
  std::vector<ast::ExprId> stages = {bin.right};
  ast::ExprId first = bin.left;
  while (auto* left = std::get_if<ast::Binary>(&unit->tree[first].node)) {
    if (left->op != ast::BinaryOp::pipe) break;
    stages.push_back(left->right);
    first = left->left;
  }
  Val x = expr(first, scope);
  Span x_span = unit->tree[first].span;
  for (auto it = stages.rbegin(); it != stages.rend(); ++it) {
    if (x.poison()) return x;
    Val f = expr(*it, scope);
    if (f.poison()) return f;
    Span at = unit->tree[*it].span;
    SrcId before = b().set_src(module.add(Src{at, call_stack.empty() ? SrcId{} : call_src}));
    x = apply(f, {{"", {}, x, x_span}}, at);
    b().set_src(before);
    x_span = at;
  }
  return x;
}

Val Elaborator::apply_values(const Val& f, std::vector<Val> args, Span span) {
  std::vector<CallArg> list;
  for (Val& v : args) list.push_back({"", {}, std::move(v), span});
  return apply(f, std::move(list), span);
}

Val Elaborator::apply(const Val& f, std::vector<CallArg> args, Span span) {
  if (f.poison()) return f;
  for (const CallArg& a : args)
    if (a.val.poison()) return poison();
  if (auto* c = f.closure()) return apply_closure(*c, std::move(args), span, f.origin);
  if (auto* fn = f.get<const Builtin*>()) return call_builtin(**fn, std::move(args), span);
  if (auto* m = f.get<ModelRef>()) return instantiate(*m, std::move(args), span);
  if (auto* o = f.get<OptimizerRef>()) return make_optimizer(*o, std::move(args), span);
  if (auto* p = f.get<std::shared_ptr<const Partial>>()) return apply_partial(**p, std::move(args), span);
  if (auto* t = f.get<std::shared_ptr<const Transformed>>()) return apply_transformed(**t, std::move(args), span);
  if (auto* t = f.get<TypeRef>(); t && types.is_tensor(t->type)) return convert(t->type, std::move(args), span);
  if (auto* n = f.get<std::shared_ptr<const Native>>()) return (*n)->call(std::move(args), span);
  if (auto* c = f.get<ConstructorRef>()) return construct(*c, std::move(args), span);
  if (auto* s = f.structure(); s && s->model)
    if (auto m = method(f, "call")) return apply(*m, std::move(args), span);
  auto& d = report(not_callable, span, quoted(*this, f));
  if (f.structure() && f.structure()->model) d.help("a model is called through its function `call`, which this one does not have");
  return poison();
}

Val Elaborator::call_builtin(const Builtin& f, std::vector<CallArg> args, Span span) {
  size_t positional = 0;
  for (const CallArg& a : args) {
    if (a.name.empty()) {
      ++positional;
      continue;
    }
    if (f.params.empty() || f.params.back() == "..." || std::find(f.params.begin(), f.params.end(), a.name) != f.params.end()) continue;
    std::vector<std::string> names(f.params.begin(), f.params.end());
    auto& d = report(unknown_arg, a.span, fmt::format("`{}`", f.name), a.name).note(fmt::format("it is `{}`", f.usage()));
    if (auto near = nearest(a.name, names)) d.help(fmt::format("did you mean `{}`?", *near));
    return poison();
  }
  if (!f.params.empty() && f.params.back() != "..." && positional > f.params.size()) {
    report(too_many_args, span, fmt::format("`{}`", f.name), f.params.size(), plural(f.params.size()), positional).note(fmt::format("it is `{}`", f.usage()));
    return poison();
  }
  if (args.size() < f.required) {
    std::string_view name = args.size() < f.params.size() ? f.params[args.size()] : "x";
    report(missing_arg, span, fmt::format("`{}`", f.name), name).note(fmt::format("it is `{}`", f.usage()));
    return poison();
  }
  if (auto v = list_overload(f.name, args, span)) return *v;
  return f.call(*this, f, args, span);
}

Val Elaborator::apply_partial(const Partial& p, std::vector<CallArg> args, Span span) {
  std::vector<CallArg> full;
  size_t next = 0;
  for (const auto& v : p.positional) {
    if (v) full.push_back({"", {}, *v, p.span});
    else if (next < args.size()) full.push_back(args[next++]);
    else return report(missing_arg, span, "this function", "_"), poison();
  }
  for (; next < args.size(); ++next) full.push_back(args[next]);
  for (const auto& [name, v] : p.named) full.push_back({name, {}, v, p.span});
  return apply(*p.callee, std::move(full), span);
}

// Puts every argument to its parameter: vals in the order of the parameters, nothing where the default applies.
std::optional<std::vector<std::optional<CallArg>>> Elaborator::place_args(const std::vector<ast::Param>& params, std::vector<CallArg>& args,
                                                                         const std::string& what, Span span, Span declared) {
  std::vector<std::optional<CallArg>> placed(params.size());
  size_t next = 0, positional = 0;
  for (CallArg& a : args) {
    size_t at = next;
    if (a.name.empty()) {
      ++positional;
      ++next;
    } else {
      for (at = 0; at < params.size() && param_name(params[at]) != a.name;) ++at;
      if (at == params.size()) {
        std::vector<std::string> names;
        for (const ast::Param& p : params) names.push_back(param_name(p));
        auto& d = report(unknown_arg, a.span, what, a.name).label(declared, "declared here");
        if (auto near = nearest(a.name, names)) d.help(fmt::format("did you mean `{}`?", *near));
        return std::nullopt;
      }
    }
    if (at >= params.size()) continue;
    if (placed[at]) return report(twice, a.span, param_name(params[at])), std::nullopt;
    placed[at] = a;
  }
  if (positional > params.size()) {
    report(too_many_args, span, what, params.size(), plural(params.size()), positional).label(declared, "declared here");
    return std::nullopt;
  }
  for (size_t i = 0; i < params.size(); ++i)
    if (!placed[i] && !params[i].default_value.valid()) {
      report(missing_arg, span, what, param_name(params[i])).label(declared, "declared here");
      return std::nullopt;
    }
  return placed;
}

// One argument against its parameter; sizes go into `sizes`, the name into its scope.
bool Elaborator::bind_param(const ast::Param& p, const std::optional<CallArg>& arg, SizeScope& sizes, const std::string& what) {
  const ScopePtr& scope = sizes.scope;
  Val v = arg ? arg->val : expr(p.default_value, scope);
  Span at = arg ? arg->span : unit->tree[p.default_value].span;
  if (v.poison()) return false;
  int tuple = p.type.valid() ? dim_tuple(p.type) : 0;
  if (is_dim_type(p.type) || tuple) {
    auto shape = tuple ? as_shape(v, at) : std::nullopt;
    if (tuple && shape && shape->size() == 1) shape->resize(static_cast<size_t>(tuple), shape->front());
    if (tuple && (!shape || shape->size() != static_cast<size_t>(tuple))) return false;
    if (tuple) {
      auto list = std::make_shared<std::vector<Val>>();
      for (DimId d : *shape) list->push_back(Val{d, {}, at});
      scope->bind(param_name(p), Val{std::shared_ptr<const std::vector<Val>>(list), {}, at}, p.span);
      return true;
    }
    auto d = as_dim(v);
    if (auto k = d ? dims.known(*d) : std::nullopt; k && *k < 0) {
      report(dim_wanted, at, param_name(p), fmt::format("{}", *k)).label(p.span, "declared here").help("a size is not negative");
      return false;
    }
    if (!d) {
      auto& diag = report(dim_wanted, at, param_name(p), "`" + describe(v) + "`").label(p.span, "declared here");
      label_origin(*this, diag, v, at);
      bool whole = is_numeric(v) && shape_of(v).empty() && is_int(dtype_of(v));
      if (whole && (v.get<NodeRef>() || v.get<GlobalId>())) diag.help("declare the value with `: dim`, as in `let n: dim = …` or `option n: dim = …`");
      else if (what.size() > 1 && std::isupper(static_cast<unsigned char>(what[1])))   // of a model
        diag.help(fmt::format("make the model with its sizes first: `let m = {}(…)`, and call that: `m({})`", what.substr(1, what.size() - 2), sources.text(at)));
      return false;
    }
    scope->bind(param_name(p), Val{*d, {}, at}, p.span);
    return true;
  }
  if (p.type.valid()) v = conform(v, p.type, scope, sizes, at, param_name(p).empty() ? "this argument" : fmt::format("the argument `{}` of {}", param_name(p), what));
  else v = default_number(v);
  if (v.poison()) return false;
  publish(sizes);
  return bind_pattern(p.pattern, v, scope);
}

// A function that meets itself while it is checked cannot be inlined: the check goes on with what it declares to give, and
// its calls are made functions of the IR from here on.
bool Elaborator::meets_itself(const Closure& c, Span span) {
  static constexpr DiagKind endless{"E0248", Severity::error, "`{}` calls itself through a function value, which is not supported"};
  if (!c.decl || recursive_.contains(c.decl)) return false;
  bool being_checked = false;
  for (auto& [decl, met] : checking_) being_checked = being_checked || decl == c.decl;
  if (being_checked || std::count(active_.begin(), active_.end(), c.decl) > 0) {
    recursive_.insert(c.decl);
    return false;
  }
  if (std::count(active_.begin(), active_.end(), c.decl) < inline_limit) return false;
  return report(endless, span, c.name), true;
}

// Where many calls do not fit for one reason, it is often the declaration that is wrong: two of them are shown.
void Elaborator::count_misuse(const Closure& c, size_t faults, const std::optional<Diagnostics>& before) {
  if (!c.decl || c.unit->library || diags.faults() == faults || diags.all().empty()) return;
  if (++misused_[c.decl][diags.all().back().code] > 2 && before) diags = *before;
}

Val Elaborator::apply_closure(const Closure& c, std::vector<CallArg> args, Span span, Span origin) {
  std::vector<CallArg> all;
  for (const Val& v : c.bound) all.push_back({"", {}, v, span});
  all.insert(all.end(), args.begin(), args.end());
  std::string what = c.name.empty() ? "this function" : "`" + c.name + "`";
  if (!c.opaque.empty()) return symbolic(c.opaque.back(), what, span);
  if (c.decl && broken_.contains(c.decl)) return poison();   // said already
  if (meets_itself(c, span)) return poison();
  Unit* caller = unit;
  unit = c.unit;
  gather_variadic(*c.params, all, span);
  size_t faults = diags.faults();
  std::optional<Diagnostics> before;
  if (misused_.contains(c.decl)) before = diags;
  auto placed = place_args(*c.params, all, what, span, c.span.valid() ? c.span : origin);
  if (!placed) count_misuse(c, faults, before);
  bool named = c.unit != caller || c.decl;
  Val result;
  if (placed) {
    if (named) call_stack.push_back(span);
    SrcId outer = call_src;
    if (!frames.empty()) call_src = module.add(Src{span, call_stack.size() > 1 ? outer : SrcId{}});
    active_.push_back(c.decl);
    if (c.decl && c.decl->backward) result = call_with_backward(c, *placed, what, span);
    else if (c.decl && recursive_.contains(c.decl)) result = call_recursive(c, *placed, what, span);
    else result = inlined(c, *placed, what);
    active_.pop_back();
    call_src = outer;
    if (named) call_stack.pop_back();
  }
  unit = caller;
  if (!result.poison() && c.decl) result.origin = span;
  note_probability(*this, c, result, span);
  return result;
}

// The body in place of the call.
Val Elaborator::inlined(const Closure& c, const std::vector<std::optional<CallArg>>& args, const std::string& what) {
  SizeScope sizes(inner_scope(c.scope));
  for (size_t i = 0; i < c.params->size(); ++i) {
    if (args[i]) warn_of_probability(*this, c, param_name((*c.params)[i]), args[i]->val, args[i]->span);
    size_t faults = diags.faults();
    std::optional<Diagnostics> before;
    if (misused_.contains(c.decl)) before = diags;
    if (!bind_param((*c.params)[i], args[i], sizes, what)) return count_misuse(c, faults, before), poison();
  }
  if (!settle(sizes)) return poison();
  Want want = want_result(c.result);
  Val result = expr(c.body, sizes.scope, &want);
  if (result.poison()) return result;
  if (!c.result.valid()) return !c.params->empty() && c.decl ? default_number(result) : result;
  result = conform(result, c.result, sizes.scope, sizes, unit->tree[c.body].span, "the result of " + what);
  return settle(sizes) ? result : poison();
}

// fs...: the arguments that are left, as a tuple.
void Elaborator::gather_variadic(const std::vector<ast::Param>& params, std::vector<CallArg>& args, Span span) {
  if (params.empty() || !params.back().variadic) return;
  Structure rest;
  std::vector<CallArg> kept;
  size_t positional = 0;
  for (CallArg& a : args) {
    if (a.name.empty() && ++positional >= params.size()) rest.elems.push_back(default_number(a.val));
    else kept.push_back(std::move(a));
  }
  kept.push_back({param_name(params.back()), {}, Val{std::make_shared<const Structure>(std::move(rest)), {}, span}, span});
  args = std::move(kept);
}

// f32(x), i32(x) …: elementwise conversion.
Val Elaborator::convert(TypeId to, std::vector<CallArg> args, Span span) {
  DType t = types.dtype(to);
  if (args.size() != 1 || !args[0].name.empty()) return report(too_many_args, span, fmt::format("`{}`", dtype_name(t)), 1, "", args.size()), poison();
  const Val& v = args[0].val;
  if (v.get<std::string>() || !is_numeric(v)) return report(not_callable, span, fmt::format("`{}` of `{}`", dtype_name(t), describe(v))), poison();
  if (auto* d = v.get<DimId>(); d && t == DType::i32) return Val{*d, {}, span};
  if (auto* n = v.get<Number>(); n && n->weak) {
    Value wide = n->is_real() ? constant(b(), n->real(), DType::f64) : constant_int(b(), std::get<int64_t>(n->value), DType::i64);
    return node(cast(wide, t), span);
  }
  return node(cast(value(v), t), span);
}

}  // namespace glia
