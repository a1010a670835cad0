// Functions that become functions of the IR instead of being inlined: those that call themselves, and those with a
// derivative by hand.
#include "ir/ops/all.h"
#include "parser/elaborator.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind needs_result{"E0257", Severity::error, "`{}` calls itself and needs its result type"};
constexpr DiagKind growing{"E0258", Severity::error, "`{}` calls itself with sizes that keep changing"};
constexpr DiagKind not_closed{"E0259", Severity::error, "`{}` has a `backward` and may use nothing but its arguments"};
constexpr DiagKind backward_shape{"E0249", Severity::error, "the `backward` of `{}` does not fit"};
constexpr int most_forms = 6, most_rounds = 5;

// What is no data in an argument: functions, sizes, the kinds of structures.
std::string form_of(Elaborator& e, const Val& v) {
  if (auto* s = v.structure()) {
    std::string text = s->name + "(";
    if (s->model) text += fmt::format("{}", static_cast<const void*>(s->model->decl));
    for (const Val& x : s->elems) text += form_of(e, x) + ",";
    return text + ")";
  }
  if (auto* l = v.list()) {
    std::string text = "[";
    for (const Val& x : *l) text += form_of(e, x) + ",";
    return text + "]";
  }
  if (auto* d = v.get<DimId>()) return "d" + std::to_string(d->v);
  if (auto* c = v.get<std::shared_ptr<const Closure>>()) return fmt::format("f{}", static_cast<const void*>(c->get()));
  return e.is_data(v) ? "*" : "?" + e.describe(v);
}

Val form_of_type(Elaborator& e, TypeId t, Span at) {
  const Type type = e.types[t];
  if (type.kind != TypeKind::tuple) return e.form_leaf(e.opened(t), at);
  Structure s;
  s.fields = type.fields, s.name = type.name;
  for (TypeId x : type.elems) s.elems.push_back(form_of_type(e, x, at));
  return Val{std::make_shared<const Structure>(std::move(s)), {}, at};
}

// Lists of data become lists of the run, so that a call with another length is the same call.
Val as_argument(Elaborator& e, const Val& v, Span at) {
  if (v.list() && e.is_data(v)) return e.as_list(v, at);
  if (auto* s = v.structure()) {
    auto copy = std::make_shared<Structure>(*s);
    for (Val& x : copy->elems) x = as_argument(e, x, at);
    return Val{std::shared_ptr<const Structure>(copy), {}, v.origin};
  }
  return e.default_number(v);
}
}  // namespace

// Every argument as its parameter declares it, sizes solved.
std::optional<std::vector<CallArg>> Elaborator::declared_args(const Closure& c, const std::vector<std::optional<CallArg>>& args, SizeScope& sizes,
                                                              const std::string& what, Span span) {
  std::vector<CallArg> out;
  for (size_t i = 0; i < c.params->size(); ++i) {
    const ast::Param& p = (*c.params)[i];
    Span at = args[i] ? args[i]->span : span;
    Val v = args[i] ? args[i]->val : expr(p.default_value, sizes.scope);
    if (p.type.valid() && is_dim_type(p.type)) {
      if (auto d = as_dim(v)) v = Val{*d, {}, at};
      if (v.get<DimId>()) sizes.scope->bind(param_name(p), v, p.span);
    } else if (p.type.valid()) {
      v = conform(v, p.type, sizes.scope, sizes, at, fmt::format("the argument `{}` of {}", param_name(p), what));
    }
    if (v.poison()) return std::nullopt;
    publish(sizes);
    out.push_back({"", {}, as_argument(*this, v, at), at});
  }
  return settle(sizes) ? std::optional(out) : std::nullopt;
}

namespace {
bool same_call(Elaborator& e, const Recursion& r, const ast::FnDecl* decl, const std::string& form, const std::vector<TypeId>& leaf_types) {
  if (r.decl != decl || r.form != form || r.types.size() != leaf_types.size()) return false;
  for (size_t i = 0; i < leaf_types.size(); ++i)
    if (e.erased(r.types[i]) != e.erased(leaf_types[i])) return false;
  return true;
}
}  // namespace

namespace {
// The first two calls show best how the sizes change.
void report_growing(Elaborator& e, const Closure& c, const std::vector<Recursion>& calls, Span span) {
  std::vector<const Recursion*> own;
  for (const Recursion& r : calls)
    if (r.decl == c.decl) own.push_back(&r);
  auto& d = e.report(growing, span, c.name).label(c.span, "declared here");
  for (size_t i = 0; i < own[0]->types.size() && i < own[1]->types.size(); ++i)
    if (own[0]->types[i] != own[1]->types[i])
      d.note(fmt::format("a call with `{}` calls it with `{}`, and so on: there would be a function for each size", e.types.print(own[0]->types[i]), e.types.print(own[1]->types[i])));
  d.help("keep the sizes: let a list grow (`[f32]` and `append`), or use `loop` over values of one shape");
}
}  // namespace

Val Elaborator::call_recursive(const Closure& c, const std::vector<std::optional<CallArg>>& placed, const std::string& what, Span span) {
  if (!c.result.valid()) {
    report(needs_result, span, c.name).label(c.span, "declared here").help(fmt::format("write `fn {}(…) -> T = …`", c.name));
    return poison();
  }
  SizeScope sizes(inner_scope(c.scope));
  auto args = declared_args(c, placed, sizes, what, span);
  if (!args) return poison();
  std::string form;
  std::vector<Val> parts;
  for (const CallArg& a : *args) form += form_of(*this, a.val) + ";", leaves(a.val, parts);
  std::vector<ValueId> ids;
  std::vector<TypeId> leaf_types;
  for (const Val& p : parts) ids.push_back(value(p).id), leaf_types.push_back(opened(erased(b().type(ids.back()))));
  size_t forms = 0;
  for (size_t k = recursions_.size(); k-- > 0;) {
    if (same_call(*this, recursions_[k], c.decl, form, leaf_types)) return recursive_node(recursions_[k], ids, span);
    forms += recursions_[k].decl == c.decl;
  }
  if (forms >= most_forms) return report_growing(*this, c, recursions_, span), poison();
  TypeId result = type_expr(c.result, sizes.scope, &sizes);
  if (types.is_poison(result)) return poison();
  Recursion r;
  r.decl = c.decl, r.types = leaf_types, r.form = form;
  r.result = form_of_type(*this, types.substitute(result, sizes.found), span);
  std::vector<Val> result_leaves;
  leaves(r.result, result_leaves);
  std::vector<TypeId> result_types;
  for (const Val& v : result_leaves) result_types.push_back(v.type);
  r.func = module.reserve(c.name, result_types);
  if (!define_recursion(c, r, *args, what)) return poison();
  return recursive_node(r, ids, span);
}

// The node of a call: arguments, the stream where it draws, and what the body uses of the functions around it.
Val Elaborator::recursive_node(Recursion& r, std::vector<ValueId> args, Span span) {
  r.met = true;
  if (r.draws) {
    Value site = constant_int(b(), next_site(), DType::i64);
    args.push_back(b().emit(op<StreamMix>, {value(stream(frame(), frames.size() - 1)).id, site.id}).id);
  }
  for (const auto& [key, type] : r.captures) {
    Val captured = key.first == global_frame ? global(GlobalId(key.second), type) : Val{NodeRef{key.first, ValueId(key.second)}, type, span};
    args.push_back(import(captured));
  }
  std::vector<Val> forms;
  leaves(r.result, forms);
  std::vector<TypeId> result_types;
  for (const Val& f : forms) result_types.push_back(f.type);
  TypeId t = result_types.size() == 1 ? result_types[0] : types.tuple(result_types);
  std::vector<Val> parts = results_of(b().emit(op<CallOp>, std::move(args), {{AttrKey::func, r.func}}, t), result_types, span);
  size_t next = 0;
  return rebuild(r.result, parts, next);
}

// What a body uses of the functions around it is known only when it has been elaborated, and calls inside must hand it on:
// so it is elaborated until nothing new is found.
bool Elaborator::define_recursion(const Closure& c, Recursion& r, const std::vector<CallArg>& args, const std::string& what) {
  uint32_t draws_before = draws, effects_before = effects;
  for (int round = 0; round < most_rounds; ++round) {
    draws = draws_before, effects = effects_before;
    std::vector<ValueId> outer;
    for (const auto& [key, type] : r.captures)
      outer.push_back(import(key.first == global_frame ? global(GlobalId(key.second), type) : Val{NodeRef{key.first, ValueId(key.second)}, type, {}}));
    Frame& f = open_frame(c.name);
    std::vector<Val> params;
    for (TypeId t : r.types) params.push_back(node(f.b.param(t), c.span));
    f.stream = r.draws ? node(f.b.param(types.tensor(DType::i64), "stream")) : Val{Number{AttrValue(int64_t{0}), DType::i64, false}, types.tensor(DType::i64), {}};
    for (const auto& [key, type] : r.captures) f.imported[key] = f.b.param(type).id;
    f.captures = outer;
    recursions_.push_back(r);
    Val v = recursion_body(c, args, params, r.result, what);
    recursions_.pop_back();
    std::vector<std::pair<ValueId, std::pair<std::pair<uint32_t, uint32_t>, TypeId>>> found;
    for (const auto& [key, id] : f.imported) found.push_back({id, {key, f.b.type(id)}});
    std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first.v < y.first.v; });
    bool draws_now = f.drew, same = found.size() == r.captures.size() && draws_now == r.draws;
    Nested n = close_into(v, r.func, same);
    if (!n.ok) return false;
    if (same) return true;
    r.captures.clear();
    for (const auto& [id, capture] : found) r.captures.push_back(capture);
    r.draws = draws_now;
  }
  return false;
}

Val Elaborator::recursion_body(const Closure& c, const std::vector<CallArg>& args, const std::vector<Val>& params, const Val& form, const std::string& what) {
  SizeScope sizes(inner_scope(c.scope));
  size_t next = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    CallArg a = args[i];
    a.val = rebuild(a.val, params, next);
    if (!bind_param((*c.params)[i], a, sizes, what)) return poison();
  }
  if (!settle(sizes)) return poison();
  Want want = want_result(c.result);
  Val v = expr(c.body, sizes.scope, &want);
  if (v.poison()) return v;
  Span at = unit->tree[c.body].span;
  v = conform(v, c.result, sizes.scope, sizes, at, "the result of " + what);
  return v.poison() || !settle(sizes) ? poison() : fit(v, form, at, "the result of " + what);
}

// ---- derivatives by hand -----------------------------------------------------------------------------

// A closed function and the function of its derivative: (inputs.., results.., cotangents of the results..) to the
// cotangents of the inputs.
Val Elaborator::call_with_backward(const Closure& c, const std::vector<std::optional<CallArg>>& placed, const std::string& what, Span span) {
  SizeScope sizes(inner_scope(c.scope));
  auto args = declared_args(c, placed, sizes, what, span);
  if (!args) return poison();
  std::vector<Val> parts;
  for (const CallArg& a : *args) leaves(a.val, parts);
  std::vector<ValueId> ids;
  std::vector<TypeId> leaf_types;
  for (const Val& p : parts) ids.push_back(value(p).id), leaf_types.push_back(b().type(ids.back()));
  Nested f = nested(c.name, leaf_types, Val{{}, {}, span}, [&](const std::vector<Val>& p) {
    SizeScope inner(inner_scope(c.scope));
    size_t next = 0;
    for (size_t i = 0; i < args->size(); ++i) {
      CallArg a = (*args)[i];
      a.val = rebuild(a.val, p, next);
      if (!bind_param((*c.params)[i], a, inner, what)) return poison();
    }
    Want want = want_result(c.result);
    Val v = expr(c.body, inner.scope, &want);
    return c.result.valid() && !v.poison() ? conform(v, c.result, inner.scope, inner, unit->tree[c.body].span, "the result of " + what) : default_number(v);
  });
  if (!f.ok) return poison();
  std::vector<TypeId> all = leaf_types;
  for (int twice = 0; twice < 2; ++twice) all.insert(all.end(), f.result_types.begin(), f.result_types.end());
  Nested back = nested(c.name + "'", all, Val{{}, {}, span}, [&](const std::vector<Val>& p) { return backward_body(c, *args, f, p); });
  if (!back.ok) return poison();
  if (!f.captures.empty() || !back.captures.empty()) return report(not_closed, c.span, c.name).help("hand in what it needs as an argument"), poison();
  TypeId t = f.result_types.size() == 1 ? f.result_types[0] : types.tuple(f.result_types);
  std::vector<Val> results = results_of(b().emit(op<CallOp>, ids, {{AttrKey::func, f.func}, {AttrKey::other, back.func}}, t), f.result_types, span);
  size_t next = 0;
  return rebuild(f.result, results, next);
}

Val Elaborator::backward_body(const Closure& c, const std::vector<CallArg>& args, const Nested& f, const std::vector<Val>& p) {
  const ast::Backward& rule = *c.decl->backward;
  ScopePtr scope = inner_scope(c.scope);
  Span at = unit->tree[rule.body].span;
  if (rule.params.size() != args.size() + 2) {
    report(backward_shape, c.span, c.name).help("its parameters are the inputs, the result, and the derivative of the result: `backward (x, y, dy) => …`");
    return poison();
  }
  size_t next = 0;
  std::vector<Val> inputs;
  for (size_t i = 0; i < args.size(); ++i) {
    inputs.push_back(rebuild(args[i].val, p, next));
    bind_pattern(rule.params[i].pattern, inputs.back(), scope);
  }
  for (size_t i = 0; i < 2; ++i) bind_pattern(rule.params[args.size() + i].pattern, rebuild(f.result, p, next), scope);
  Val v = open_structure(expr(rule.body, scope));
  if (v.poison()) return v;
  bool several = args.size() != 1;
  if (several && (!v.structure() || v.structure()->elems.size() != args.size())) {
    report(backward_shape, at, c.name).note(fmt::format("it gives `{}` for {} inputs", describe(v), args.size()));
    return poison();
  }
  Structure grads;
  for (size_t i = 0; i < args.size(); ++i) {
    const Val g = several ? v.structure()->elems[i] : v;
    bool fits = type_of(default_number(g)) == type_of(inputs[i]) || (is_numeric(g) && is_numeric(inputs[i]) && shape_of(g).empty() && dtype_of(inputs[i]) == dtype_of(g));
    bool no_float = is_numeric(inputs[i]) && !is_float(dtype_of(inputs[i]));
    if (!fits && !no_float) {
      report(backward_shape, at, c.name).note(fmt::format("the derivative of `{}` is `{}`, but it is `{}`", param_name((*c.params)[i]), describe(g), describe(inputs[i])));
      return poison();
    }
    grads.elems.push_back(no_float ? inputs[i] : is_numeric(g) ? adapt_to(g, type_of(inputs[i]), at, "the derivative") : g);
  }
  return Val{std::make_shared<const Structure>(std::move(grads)), {}, at};
}

}  // namespace glia
