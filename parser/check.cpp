// Declarations are checked once for all sizes, with values that stand for any.
#include "parser/elaborator.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

Val Elaborator::symbolic(TypeId t, const std::string& name, Span span) {
  const Type type = types[t];
  if (type.kind == TypeKind::tuple) {
    Structure s;
    s.fields = type.fields;
    s.name = type.name;
    for (size_t i = 0; i < type.elems.size(); ++i) s.elems.push_back(symbolic(type.elems[i], name, span));
    return Val{std::make_shared<const Structure>(std::move(s)), {}, span};
  }
  if (type.kind == TypeKind::tensor || type.kind == TypeKind::list) return node(b().param(opened(t), name), span);
  if (type.kind == TypeKind::fn) {
    auto c = std::make_shared<Closure>();
    static const std::vector<ast::Param> none;
    c->params = &none;
    c->name = name;
    c->span = span;
    c->unit = unit;
    c->scope = unit->scope;
    c->opaque = type.elems;
    return Val{std::shared_ptr<const Closure>(c), {}, span};
  }
  return node(b().param(t, name), span);
}

std::optional<Val> Elaborator::symbolic_param(const ast::Param& p, const ScopePtr& scope, SizeScope& sizes) {
  if (!frames.empty()) b().set_src(module.add(Src{p.span, {}}));   // a message about its sizes points here
  std::string name = param_name(p);
  if (is_dim_type(p.type)) return Val{dims.var(name, p.span), {}, p.span};
  if (p.type.valid() && dim_tuple(p.type)) {
    auto list = std::make_shared<std::vector<Val>>();
    for (int i = 0; i < dim_tuple(p.type); ++i) list->push_back(Val{dims.fresh(name + "." + std::to_string(i), p.span), {}, p.span});
    return Val{std::shared_ptr<const std::vector<Val>>(list), {}, p.span};
  }
  if (auto m = model_type(p.type, scope)) {
    std::vector<CallArg> given;   // of `m: Mlp(784, n)`
    for (ast::ExprId a : std::get<ast::NamedType>(unit->tree[p.type].node).args) {
      auto d = dim_expr(a, scope, &sizes);
      if (!d) return std::nullopt;
      given.push_back({"", a, Val{*d, {}, unit->tree[a].span}, unit->tree[a].span});
    }
    return symbolic_model(*m, unit->tree[p.type].span, std::move(given));
  }
  if (p.type.valid() && is_schedule_type(p.type)) return node(b().param(types.tensor(DType::f32), name), p.span);
  if (p.type.valid()) {
    TypeId t = type_expr(p.type, scope, &sizes);
    if (types.is_poison(t)) return std::nullopt;
    return symbolic(t, name, p.span);
  }
  if (p.default_value.valid()) return default_number(expr(p.default_value, scope));
  return std::nullopt;  // unannotated: checked where it is called
}

// `args` are its first sizes; the others get symbols.
std::optional<Val> Elaborator::symbolic_model(const ModelRef& m, Span span, std::vector<CallArg> args) {
  size_t given = args.size();
  Unit* caller = std::exchange(unit, m.unit);
  bool ok = true;
  for (const ast::Param& p : m.decl->params) {
    if (given > 0 && given--) continue;
    SizeScope sizes(inner_scope(m.scope), true);
    if (p.default_value.valid() && !is_dim_type(p.type)) continue;
    auto v = symbolic_param(p, sizes.scope, sizes);
    if (v) args.push_back({param_name(p), {}, *v, p.span});
    ok = ok && v;
  }
  unit = caller;
  if (!ok) return std::nullopt;
  Val v = instantiate(m, std::move(args), span, true);
  return v.poison() ? std::nullopt : std::optional(v);
}

// A body is elaborated once with a size of its own for every name of the signature.
void Elaborator::check_fn(const ast::FnDecl& f, const ScopePtr& scope, const std::string& shown) {
  bool outer = std::exchange(checking, true);
  size_t faults = diags.faults();
  SizeScope sizes(inner_scope(scope), true);
  bool root = frames.empty();
  open_frame(shown);
  b().set_src(module.add(Src{f.span, {}}));
  bool complete = true;
  for (const ast::Param& p : f.params) {
    auto v = p.variadic ? std::nullopt : symbolic_param(p, sizes.scope, sizes);
    complete = complete && v;
    bind_pattern(p.pattern, v.value_or(poison()), sizes.scope);
  }
  b().set_src(module.add(Src{f.span, {}}));
  checking_.push_back({&f, false});
  if (complete) {
    Want want = want_result(f.result);
    Val v = f.backward ? check_backward(f, scope, sizes) : expr(f.body, sizes.scope, &want);
    if (warnings.made) report_made_layers(f.name.text, v);
    if (f.result.valid() && !v.poison()) {
      SizeScope result = sizes;
      v = conform(v, f.result, sizes.scope, result, unit->tree[f.body].span, "the result of `" + f.name.text + "`");
    }
    if (root && !v.poison() && is_data(v)) {
      std::vector<Val> parts;
      leaves(v, parts);
      for (const Val& p : parts) b().result(value(p).id);
    }
  }
  checking_.pop_back();
  if (diags.faults() > faults) broken_.insert(&f);
  FuncId id = frame().b.finish_into_module();
  frames.pop_back();
  if (complete && root) program.functions.push_back({shown, id});
  checking = outer;
}

// The clause is elaborated where the function is called, so a check calls it with its own parameters.
Val Elaborator::check_backward(const ast::FnDecl& f, const ScopePtr& scope, const SizeScope& sizes) {
  std::vector<std::optional<CallArg>> args;
  for (const ast::Param& p : f.params) {
    Binding* bound = sizes.scope->find(param_name(p));
    if (!bound) return poison();
    args.push_back(CallArg{"", {}, bound->val, p.span});
  }
  return call_with_backward(*closure_of(f, unit, scope), args, "`" + f.name.text + "`", f.span);
}

void Elaborator::check_model(const ast::ModelDecl& m) {
  bool outer = std::exchange(checking, true);
  size_t faults = diags.faults();
  open_frame(m.name.text);
  if (auto self = symbolic_model(ModelRef{&m, unit, unit->scope}, m.name.span)) {
    std::vector<MadeLayer> made;
    warnings.made = &made;
    ScopePtr scope = method_scope(*self->structure());
    for (const auto& member : m.members)
      if (auto* f = std::get_if<ast::FnDecl>(&member)) check_fn(*f, scope, m.name.text + "." + f->name.text);
    warnings.made = nullptr;
  } else if (diags.faults() > faults) {
    broken_.insert(&m);
  }
  frames.pop_back();
  checking = outer;
}

// With the sizes of the run where the tests are wanted, else as the bodies of functions are checked.
void Elaborator::check_test(const ast::TestDecl& t) {
  bool outer = std::exchange(checking, !request.want_tests);
  site_root = "test " + t.name;
  draws = 0;
  open_frame("test");
  b().set_src(module.add(Src{t.span, {}}));
  expr(t.body, unit->scope);
  if (request.want_tests) {
    TestProgram test{t.name, {}};
    test.step.inputs = frame().globals;
    test.step.func = b().finish_into_module();
    program.tests.push_back(std::move(test));
  }
  frames.pop_back();
  checking = outer;
}

}  // namespace glia
