// Patterns of `let`, parameters and `match` arms: names bound to the parts of a value.
#include "parser/elaborator.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind pattern_count{"E0214", Severity::error, "{} names for {}"};
}  // namespace

Val Elaborator::adapt_to(Val v, TypeId t, Span span, const std::string& what) {
  static constexpr DiagKind changed{"E0218", Severity::error, "`{}` changes its type"};
  if (v.poison() || types.is_poison(t)) return poison();
  if (is_numeric(v) && types.is_tensor(t)) {
    auto* n = v.get<Number>();
    DType want = types.dtype(t);
    bool adapts = n && n->weak && n->dtype != DType::boolean && (!n->is_real() || is_float(want));
    if (adapts || dtype_of(v) == want) {
      Value x = value(v, want);
      if (x.shape() == types.shape(t)) return node(x, v.origin);
      if (x.rank() == 0) return node(broadcast_to(x, types.shape(t)), v.origin);
    }
  } else if (type_of(v) == t) {
    return v;
  }
  report(changed, span, what).note(fmt::format("it is `{}`, the new value is `{}`", types.print(t), describe(v)));
  return poison();
}

bool Elaborator::bind_pattern(ast::PatternId id, Val v, const ScopePtr& scope) {
  const ast::Pattern& p = unit->tree[id];
  if (std::holds_alternative<ast::WildPattern>(p.node)) return true;
  if (auto* n = std::get_if<ast::NamePattern>(&p.node)) {
    scope->bind(n->name.text, v, n->name.span);
    return true;
  }
  std::vector<ast::PatternId> parts;
  std::vector<std::string> names;
  if (auto* t = std::get_if<ast::TuplePattern>(&p.node)) parts = t->elems;
  else if (auto* r = std::get_if<ast::RecordPattern>(&p.node)) {
    parts = r->elems;
    for (const ast::Name& f : r->names) names.push_back(f.text);
  } else if (auto* c = std::get_if<ast::ConstructorPattern>(&p.node)) {
    return bind_case(*c, p.span, !v.poison() && check_pattern(id, v, scope) ? v : poison(), scope);
  } else {
    static constexpr DiagKind literal_binds{"E0265", Severity::error, "`{}` may fail to fit: a pattern here is a name, a tuple or a record of names"};
    if (!in_match_) report(literal_binds, p.span, sources.text(p.span)).help("a literal is compared in `match`; a default is written `name = …`");
    return true;
  }
  Val whole = open_structure(v);
  size_t count = whole.structure() ? whole.structure()->elems.size() : 0;
  if (!v.poison() && names.empty() && (!whole.structure() || count != parts.size())) {
    report(pattern_count, p.span, parts.size(), whole.structure() ? fmt::format("{} values", count) : "`" + describe(v) + "`");
    v = poison();
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    Val part = v.poison() ? poison() : names.empty() ? whole.structure()->elems[i] : field(whole, {names[i], p.span}, p.span);
    bind_pattern(parts[i], part, scope);
  }
  return true;
}

// The values inside a case that the match has tested, or the only case of its type.
bool Elaborator::bind_case(const ast::ConstructorPattern& c, Span span, const Val& v, const ScopePtr& scope) {
  static constexpr DiagKind may_fail{"E0228", Severity::error, "`{}` is one of several cases: this pattern may fail"};
  auto ref = v.poison() ? std::nullopt : constructor_named(c.path, scope);
  if (ref && !in_match_ && module.variants[types[ref->type].name].size() > 1) {
    report(may_fail, span, case_of(*ref).name).help("use `match`, which tells the cases apart");
    ref.reset();
  }
  bool fits = ref && type_of(v) == ref->type && case_of(*ref).types.size() == c.args.size();
  for (size_t i = 0; i < c.args.size(); ++i) bind_pattern(c.args[i], fits ? payload(v, ref->index, i, span) : poison(), scope);
  return fits;
}

// A tuple that is a node of the IR, as a structure of its elements.
Val Elaborator::open_structure(const Val& v) {
  if (v.structure() || !(v.get<NodeRef>() || v.get<GlobalId>())) return v;
  const Type t = types[v.type];
  if (t.kind != TypeKind::tuple) return v;
  Structure s;
  s.fields = t.fields;
  s.name = t.name;
  Value whole = value(v);
  for (size_t i = 0; i < t.elems.size(); ++i) s.elems.push_back(node(get(whole, static_cast<int64_t>(i)), v.origin));
  return Val{std::make_shared<const Structure>(std::move(s)), {}, v.origin};
}

}  // namespace glia
