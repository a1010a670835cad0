// Values made what a declaration says: sizes solved, literals adapted, a mismatch reported with where both sides come from.
#include "parser/advice.h"

#include "base/text.h"
#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind mismatch{"E0203", Severity::error, "{} has another type than the one declared"};
constexpr DiagKind unsolved{"E0206", Severity::error, "the size `{}` does not follow from the arguments"};

std::string both(const std::string& want, const std::string& got) { return fmt::format("declared `{}`, found `{}`", want, got); }
}  // namespace

// What a function's body should give, as far as literals care: a scalar type is told without solving sizes.
Want Elaborator::want_result(ast::TypeExprId type) {
  if (!type.valid()) return {};
  Want w = want_of(type);
  auto* n = std::get_if<ast::NamedType>(&unit->tree[type].node);
  auto dtype = n && n->path.size() == 1 ? dtype_from_name(n->path[0].text) : std::nullopt;
  if (dtype) w.type = types.tensor(*dtype);
  return w;
}

// Where the sizes of both sides come from: the arguments behind the names of the declared type, and the declarations
// of the names in the type found.
void Elaborator::label_sizes(Diagnostic& d, ast::TypeExprId type, const Val& v, const ScopePtr& scope) {
  auto* n = std::get_if<ast::NamedType>(&unit->tree[type].node);
  if (!n || !is_numeric(v)) return;
  for (const ast::DimItem& item : n->dims) {
    auto* name = item.kind == ast::DimItem::expr ? std::get_if<ast::NameRef>(&unit->tree[item.dim].node) : nullptr;
    Binding* bound = name ? scope->find(name->name) : nullptr;
    auto size = bound ? as_dim(bound->val) : std::nullopt;
    if (size && bound->val.origin.valid()) d.label(bound->val.origin, fmt::format("`{}` is {} because of this", name->name, dims.print(*size)));
  }
  for (DimId size : shape_of(v))
    for (AtomId a : dims.atoms_of(size))
      if (dims.atom(a).origin.valid()) d.label(dims.atom(a).origin, fmt::format("`{}` is declared here", dims.atom(a).name));
}

namespace {
// Without variables for types and shapes.
bool is_concrete(const Types& types, TypeId id) {
  const Type& t = types[id];
  if (t.kind == TypeKind::poison || (t.kind == TypeKind::object && t.name[0] == '\'')) return false;
  if (t.kind == TypeKind::tensor && (is_generic(t.dtype) || std::any_of(t.shape.begin(), t.shape.end(), [&](DimId d) { return types.dims.is_pack(d); }))) return false;
  return std::all_of(t.elems.begin(), t.elems.end(), [&](TypeId e) { return is_concrete(types, e); });
}
}  // namespace

// Whether a model has the sizes that `m: Mlp(784, n)` asks for.
bool Elaborator::fits_model_sizes(const Structure& s, const ast::NamedType& t, const ScopePtr& scope, SizeScope& sizes, std::string& why) {
  const auto& params = s.model->decl->params;
  for (size_t i = 0; i < t.args.size() && i < params.size(); ++i) {
    auto wanted = dim_expr(t.args[i], scope, &sizes);
    auto bound = s.model->args->names.find(param_name(params[i]));
    auto actual = bound == s.model->args->names.end() ? std::nullopt : as_dim(bound->second.val);
    if (!wanted || !actual) continue;
    std::string unused;
    if (unify_shape({*wanted}, {*actual}, sizes, unused, {})) continue;
    why = fmt::format("`{}` is {}, not {}", param_name(params[i]), dims.print(*actual), dims.print(*wanted));
    return false;
  }
  return t.args.size() <= params.size();
}

Val Elaborator::conform(Val v, ast::TypeExprId type, const ScopePtr& scope, SizeScope& sizes, Span span, const std::string& what) {
  if (v.poison()) return v;
  if (auto m = model_type(type, scope)) {
    auto* s = v.structure();
    std::string why;
    bool same = s && s->model && s->model->decl == m->decl;
    if (same && fits_model_sizes(*s, std::get<ast::NamedType>(unit->tree[type].node), scope, sizes, why)) return v;
    auto& d = report(mismatch, span, what).note(both(std::string(sources.text(unit->tree[type].span)), describe(v))).label(unit->tree[type].span, "declared here");
    if (!why.empty()) d.note(why);
    return poison();
  }
  TypeId pattern = type_expr(type, scope, &sizes);
  if (types.is_poison(pattern)) return poison();
  std::string why;
  warnings.differ = {};
  if (types[pattern].kind == TypeKind::tensor && !types.shape(pattern).empty() && (is_list(v) || v.list())) {
    const Type elem = types[types[type_of(v)].kind == TypeKind::list ? types[type_of(v)].elems[0] : types.poison()];
    bool equal = elem.kind == TypeKind::tensor && std::none_of(elem.shape.begin(), elem.shape.end(), [&](DimId d) { return is_runtime(d); });
    if (equal) v = as_tensor(v, span);  // a list of equal tensors
    if (v.poison()) return v;
  }
  if (!unify(pattern, v, sizes, why)) {
    auto& d = report(mismatch, span, what);
    d.note(both(types.print(types.substitute(pattern, sizes.found)), describe(v)));
    if (!why.empty()) d.note(why);
    d.label(unit->tree[type].span, fmt::format("declared `{}` here", sources.text(unit->tree[type].span)));
    if (v.origin.valid() && !(v.origin == span)) d.label(v.origin, fmt::format("`{}` comes from here", describe(v)));
    label_sizes(d, type, v, scope);
    for (const auto& [atom, at] : sizes.found_at)
      if (at.valid()) d.label(at, fmt::format("`{}` is {} because of this", sizes.unknown[atom], dims.print(sizes.found[atom])));
    note_meeting(*this, warnings.differ.first, warnings.differ.second, span);
    if (warnings.differ.second.valid()) label_size_source(*this, d, v, warnings.differ.second);
    advise_mismatch(*this, d, pattern, type, v, scope, span);
    return poison();
  }
  for (SizeScope::Open& o : sizes.open)
    if (!o.type.valid()) o.type = type, o.span = span, o.what = what;
  if (types[pattern].kind == TypeKind::list && is_numeric(v)) return as_list(v, span);
  if (auto* n = v.get<Number>(); n && n->weak && types[pattern].kind == TypeKind::tensor) {
    DType want = types.dtype(pattern);
    if (is_generic(want)) want = *(want == DType::any_float ? sizes.any_float : want == DType::any_int ? sizes.any_int : sizes.any_num);
    Number strong{n->value, want, false};
    if (is_float(want)) strong.value = n->real();
    return Val{strong, types.tensor(want), v.origin};
  }
  return typed_empty(v, types.substitute(pattern, sizes.found));
}

// Empty lists take the type of their items from the declaration.
Val Elaborator::typed_empty(const Val& v, TypeId t) {
  const Type type = types[t];
  if (auto* l = v.list(); l && l->empty() && type.kind == TypeKind::list && is_concrete(types, t)) return node(as_type(v, erased(t)), v.origin);
  auto* s = v.structure();
  if (!s || s->model || type.kind != TypeKind::tuple || s->elems.size() != type.elems.size()) return v;
  auto copy = std::make_shared<Structure>(*s);
  for (size_t i = 0; i < s->elems.size(); ++i) copy->elems[i] = typed_empty(s->elems[i], type.elems[i]);
  return Val{std::shared_ptr<const Structure>(copy), v.type, v.origin};
}

bool Elaborator::settle(SizeScope& sizes) {
  bool ok = true;
  for (const SizeScope::Open& o : sizes.open) {
    DimId p = dims.substitute(o.pattern, sizes.found);
    if (p == o.actual) continue;
    ok = false;
    AtomId unknown;
    for (AtomId a : dims.atoms_of(p))
      if (sizes.unknown.contains(a.v)) unknown = a;
    Span declared = unit->tree[o.type].span;
    if (unknown.valid()) {
      const std::string& name = sizes.unknown[unknown.v];
      report(unsolved, o.span, name).label(declared, "declared here").help(fmt::format("let another argument tell it, or take it as one: `{}: dim`", name));
      continue;
    }
    report(mismatch, o.span, o.what)
        .note(fmt::format("a size is {}, not {}, which is {}", dims.print(o.actual), dims.print(o.pattern), dims.print(p)))
        .label(declared, fmt::format("declared `{}` here", sources.text(declared)));
  }
  sizes.open.clear();
  return ok;
}

Val Elaborator::conforming(ast::ExprId value, ast::TypeExprId type, const ScopePtr& scope, const std::string& what) {
  Want want = want_of(type);
  Val v = expr(value, scope, &want);
  if (!type.valid()) return default_number(v);
  SizeScope sizes(scope);
  v = conform(v, type, scope, sizes, unit->tree[value].span, what);
  return v.poison() || settle(sizes) ? v : poison();
}

void Elaborator::publish(SizeScope& sizes) {
  for (const auto& [atom, name] : sizes.unknown)
    if (auto it = sizes.found.find(atom); it != sizes.found.end()) {
      sizes.scope->bind(name, Val{it->second, {}, sizes.found_at[atom]});
      sizes.scope->names[name].used = true;
    }
  for (const auto& [atom, shape] : sizes.packs) {
    auto items = std::make_shared<std::vector<Val>>();
    for (DimId d : shape) items->push_back(Val{d, {}, {}});
    sizes.scope->bind(".." + dims.atom(AtomId(atom)).name, Val{std::shared_ptr<const std::vector<Val>>(items), {}, {}});
  }
}

}  // namespace glia
