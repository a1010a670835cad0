// Types that a program declares: variants, nominal records and aliases; their constructors, and the fields of variants.
#include "base/text.h"
#include "ir/ops/all.h"
#include "parser/advice.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind type_args{"E0280", Severity::error, "the type `{}` takes {} argument{}, found {}"};
constexpr DiagKind constructor_args{"E0281", Severity::error, "`{}` takes {} value{}, found {}"};
constexpr DiagKind wrong_field{"E0282", Severity::error, "`{}` has no field `{}`"};
constexpr DiagKind missing_field{"E0283", Severity::error, "`{}` misses the field `{}`"};
constexpr DiagKind not_that_type{"E0284", Severity::error, "`{}` of `{}` is `{}`, found `{}`"};
constexpr DiagKind not_in_all{"E0285", Severity::error, "`{}` is no field of every case of `{}`"};

std::string plural(size_t n) { return n == 1 ? "" : "s"; }
}  // namespace

// Names first, so that types may name each other in any order; then what they stand for.
void Elaborator::declare_types(Unit& u) {
  std::vector<const ast::TypeDecl*> own;
  std::map<const ast::TypeDecl*, std::string> variants;
  for (const ast::Item& it : u.tree.items)
    if (auto* t = std::get_if<ast::TypeDecl>(&it.node)) own.push_back(t);
  for (const ast::TypeDecl* t : own) {
    if (!t->params.empty() || t->cases.empty()) {
      u.scope->bind(t->name.text, Val{TypeMaker{t, &u, u.scope}, {}, t->name.span}, t->name.span);
      continue;
    }
    std::string name = t->name.text;
    while (module.variants.contains(name)) name += "'";  // another file has one of this name
    TypeId id = types.variant(name);
    std::vector<VariantCase>& cases = module.variants[name];
    variants[t] = name;
    u.scope->bind(t->name.text, Val{TypeRef{id}, {}, t->name.span}, t->name.span);
    for (uint32_t k = 0; k < t->cases.size(); ++k) {
      cases.push_back({t->cases[k].name.text, {}, {}});
      u.scope->bind(t->cases[k].name.text, Val{ConstructorRef{id, k}, {}, t->cases[k].name.span}, t->cases[k].name.span);
    }
  }
  for (const ast::TypeDecl* t : own) {
    if (!variants.contains(t)) continue;
    const std::string& name = variants[t];
    for (uint32_t k = 0; k < t->cases.size(); ++k)
      for (size_t i = 0; i < t->cases[k].fields.size(); ++i) {
        TypeId field = type_expr(t->cases[k].fields[i], u.scope, nullptr);
        VariantCase& c = module.variants[name][k];
        c.types.push_back(field);
        c.fields.push_back(i < t->cases[k].field_names.size() ? t->cases[k].field_names[i].text : "");
      }
  }
}

// An alias or nominal record, with its arguments in place of its parameters.
TypeId Elaborator::make_type(const TypeMaker& t, const std::vector<ast::ExprId>& args, Span span, const ScopePtr& scope) {
  const std::vector<ast::Name>& params = t.decl->params;
  if (args.size() != params.size()) return report(type_args, span, t.decl->name.text, params.size(), plural(params.size()), args.size()), types.poison();
  ScopePtr inner = inner_scope(t.scope);
  for (size_t i = 0; i < args.size(); ++i) {
    auto d = dim_expr(args[i], scope, nullptr);
    if (!d) return types.poison();
    inner->bind(params[i].text, Val{*d, {}, params[i].span}, params[i].span);
  }
  if (depth > 200) return report(type_args, span, t.decl->name.text, 0, "s", 0), types.poison();
  Unit* caller = std::exchange(unit, t.unit);
  ++depth;
  TypeId made = type_expr(t.decl->alias, inner, nullptr);
  --depth;
  bool record = t.decl->alias.valid() && std::holds_alternative<ast::RecordType>(unit->tree[t.decl->alias].node);
  unit = caller;
  if (!record || types.is_poison(made)) return made;
  const Type r = types[made];
  return types.record(r.fields, r.elems, t.decl->name.text);
}

std::optional<ConstructorRef> Elaborator::constructor_named(const std::vector<ast::Name>& names, const ScopePtr& scope) {
  Binding* found = scope->find(names[0].text);
  Val v = found ? found->val : poison();
  for (size_t i = 1; i < names.size() && !v.poison(); ++i) v = field(v, names[i], names[i].span, true);
  if (auto* c = v.get<ConstructorRef>()) return *c;
  return std::nullopt;
}

Val Elaborator::construct(const ConstructorRef& c, std::vector<CallArg> args, Span span) {
  const VariantCase shape = case_of(c);
  if (args.size() != shape.types.size())
    return report(constructor_args, span, shape.name, shape.types.size(), plural(shape.types.size()), args.size()).label(declared_at(*this, types[c.type].name, shape.name), std::string(as_declared)), poison();
  std::vector<ValueId> fields(shape.types.size());
  for (size_t i = 0, next = 0; i < args.size(); ++i) {
    size_t at = next;
    if (args[i].name.empty()) ++next;
    else at = static_cast<size_t>(std::find(shape.fields.begin(), shape.fields.end(), args[i].name) - shape.fields.begin());
    if (at >= fields.size()) {
      auto& d = report(wrong_field, args[i].span, shape.name, args[i].name);
      if (auto near = nearest(args[i].name, shape.fields)) d.help(fmt::format("did you mean `{}`?", *near));
      return poison();
    }
    SizeScope sizes(inner_scope(nullptr));
    std::string why;
    if (!unify(shape.types[at], args[i].val, sizes, why)) {
      std::string name = at < shape.fields.size() && !shape.fields[at].empty() ? shape.fields[at] : fmt::format("value {}", at + 1);
      auto& d = report(not_that_type, args[i].span, name, shape.name, types.print(shape.types[at]), describe(args[i].val));
      d.label(declared_at(*this, types[c.type].name, shape.name), std::string(as_declared));
      label_origin(*this, d, args[i].val, args[i].span);
      if (!why.empty()) d.note(why);
      return poison();
    }
    fields[at] = as_type(args[i].val, shape.types[at]).id;
  }
  for (ValueId f : fields)
    if (!f.valid()) return report(constructor_args, span, shape.name, shape.types.size(), plural(shape.types.size()), args.size()), poison();
  Attrs attrs{{AttrKey::name, types[c.type].name}, {AttrKey::index, int64_t{c.index}}};
  return node(b().emit(op<Construct>, fields, attrs), span);
}

Val Elaborator::payload(const Val& v, uint32_t index, size_t field_number, Span span) {
  TypeId t = opened(module.variants[types[type_of(v)].name][index].types[field_number]);
  Attrs attrs{{AttrKey::index, int64_t{index}}, {AttrKey::axis, static_cast<int64_t>(field_number)}};
  return open_structure(node(b().emit(op<Payload>, {value(v).id}, attrs, t), span));
}

// v.f where every case has a field f of one type.
Val Elaborator::variant_field(const Val& v, const std::string& name, Span span) {
  const std::vector<VariantCase> cases = module.variants[types[type_of(v)].name];
  std::vector<size_t> at;
  for (const VariantCase& c : cases) {
    size_t i = static_cast<size_t>(std::find(c.fields.begin(), c.fields.end(), name) - c.fields.begin());
    bool same = i < c.fields.size() && (at.empty() || c.types[i] == cases[0].types[at[0]]);
    if (!same) {
      std::string why = i < c.fields.size() ? fmt::format("in `{}` it is `{}`", c.name, types.print(c.types[i])) : fmt::format("`{}` has none", c.name);
      report(not_in_all, span, name, types[type_of(v)].name).note(why).help("use `match` to tell the cases apart");
      return poison();
    }
    at.push_back(i);
  }
  if (cases.size() == 1) return payload(v, 0, at[0], span);
  Val tag = node(b().emit(op<TagOf>, {value(v).id}), span);
  std::function<Val(uint32_t)> from = [&](uint32_t k) -> Val {
    if (k + 1 == cases.size()) return payload(v, k, at[k], span);
    Val is = node(value(tag) == constant_int(b(), k, DType::i32), span);
    return choose(is, span, {span, span}, [&] { return payload(v, k, at[k], span); }, [&] { return from(k + 1); });
  };
  return from(0);
}

// State { angle: 1.0, speed } and Num { value: 2 }: a nominal record, or a case of a variant with named fields.
Val Elaborator::constructed(const ast::Record& r, std::vector<CallArg> fields, Span span, const ScopePtr& scope) {
  if (auto c = constructor_named(r.constructor, scope)) return construct(*c, std::move(fields), span);
  Binding* found = scope->find(r.constructor[0].text);
  Val v = found ? found->val : poison();
  for (size_t i = 1; i < r.constructor.size() && !v.poison(); ++i) v = field(v, r.constructor[i], r.constructor[i].span);
  auto* maker = v.get<TypeMaker>();
  TypeId id = maker && maker->decl->params.empty() ? make_type(*maker, {}, span, scope) : types.poison();
  const Type t = types[id];
  if (t.kind != TypeKind::tuple || t.fields.empty()) {
    if (!maker || t.kind != TypeKind::poison) report(wrong_field, r.constructor[0].span, r.constructor[0].text, "…").help("only a record type or a case of a variant is made so");
    return poison();
  }
  Structure s;
  s.fields = t.fields, s.name = t.name, s.elems.resize(t.fields.size());
  for (CallArg& f : fields) {
    size_t at = static_cast<size_t>(std::find(t.fields.begin(), t.fields.end(), f.name) - t.fields.begin());
    if (at == t.fields.size()) {
      auto& d = report(wrong_field, f.span, t.name, f.name).label(declared_at(*this, t.name, ""), std::string(as_declared));
      if (auto near = nearest(f.name, t.fields)) d.help(fmt::format("did you mean `{}`?", *near));
      return poison();
    }
    SizeScope sizes(inner_scope(nullptr));
    std::string why;
    if (!unify(t.elems[at], f.val, sizes, why)) {
      auto& d = report(not_that_type, f.span, f.name, t.name, types.print(t.elems[at]), describe(f.val)).label(declared_at(*this, t.name, f.name), std::string(as_declared));
      label_origin(*this, d, f.val, f.span);
      return poison();
    }
    s.elems[at] = f.val.structure() || f.val.list() || f.val.callable() ? f.val : node(as_type(f.val, t.elems[at]), f.span);
  }
  for (size_t i = 0; i < s.elems.size(); ++i)
    if (s.elems[i].poison()) return report(missing_field, span, t.name, t.fields[i]).label(declared_at(*this, t.name, t.fields[i]), std::string(as_declared)), poison();
  return Val{std::make_shared<const Structure>(std::move(s)), {}, span};
}

}  // namespace glia
