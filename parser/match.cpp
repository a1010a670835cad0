// `match`: tests arm by arm, each a chain of conditions on tags and values; the arms are checked for what they leave out.
#include "base/text.h"
#include "ir/ops/all.h"
#include "parser/arms.h"
#include "parser/advice.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind not_exhaustive{"E0286", Severity::error, "this `match` leaves out `{}`"};
constexpr DiagKind wrong_pattern{"E0287", Severity::error, "the pattern `{}` never fits {}"};
constexpr DiagKind no_constructor{"E0288", Severity::error, "there is no constructor `{}` here"};
constexpr DiagKind no_arms{"E0289", Severity::error, "this `match` has no arms"};
constexpr DiagKind unreachable_arm{"W0401", Severity::warning, "this arm is never reached: the ones before take all its values"};

Val known(Elaborator& e, bool x) { return Val{Number{AttrValue(int64_t{x}), DType::boolean, false}, e.types.tensor(DType::boolean), {}}; }
}  // namespace

// ---- patterns as the check of arms sees them ---------------------------------------------------------

namespace {
ArmPattern arm_pattern(Elaborator& e, ast::PatternId id, const ScopePtr& scope) {
  const ast::Pattern& p = e.unit->tree[id];
  ArmPattern out;
  out.any = false;
  if (auto* c = std::get_if<ast::ConstructorPattern>(&p.node)) {
    auto ref = e.constructor_named(c->path, scope);
    if (!ref) return {};
    for (const VariantCase& k : e.module.variants[e.types[ref->type].name]) out.all.push_back({k.name, k.types.size(), {}});
    out.which = ref->index;
    for (ast::PatternId a : c->args) out.parts.push_back(arm_pattern(e, a, scope));
    return out;
  }
  if (auto* t = std::get_if<ast::TuplePattern>(&p.node)) {
    out.all = {{"", t->elems.size(), {}}};
    for (ast::PatternId a : t->elems) out.parts.push_back(arm_pattern(e, a, scope));
    return out;
  }
  if (auto* l = std::get_if<ast::LiteralPattern>(&p.node)) {
    out.name = std::string(e.sources.text(p.span));
    if (out.name == "true" || out.name == "false") out.all = {{"true", 0, {}}, {"false", 0, {}}}, out.which = out.name == "false";
    else out.open = true;
    (void)l;
    return out;
  }
  return {};
}

// A record pattern names some fields, in any order: all of them, in the order of the record.
ArmPattern full_pattern(Elaborator& e, ast::PatternId id, const Val& subject, const ScopePtr& scope) {
  auto* r = std::get_if<ast::RecordPattern>(&e.unit->tree[id].node);
  auto* s = subject.structure();
  if (!r || !s) return arm_pattern(e, id, scope);
  ArmPattern out;
  out.any = false;
  out.all = {{"", s->fields.size(), s->fields}};
  out.parts.resize(s->fields.size());
  for (size_t i = 0; i < r->names.size(); ++i)
    for (size_t k = 0; k < s->fields.size(); ++k)
      if (s->fields[k] == r->names[i].text) out.parts[k] = arm_pattern(e, r->elems[i], scope);
  return out;
}
}  // namespace

void Elaborator::check_arms(const ast::Match& m, const Val& subject, Span span, const ScopePtr& scope) {
  std::vector<ArmRow> rows;
  for (const ast::MatchArm& arm : m.arms) {
    ArmRow row = {full_pattern(*this, arm.pattern, subject, scope)};
    if (!reachable(rows, row)) report(unreachable_arm, unit->tree[arm.pattern].span);
    else if (!arm.guard.valid()) rows.push_back(std::move(row));
  }
  if (auto missing = missing_case(rows)) report(not_exhaustive, Span{span.file, span.begin, span.begin + 5}, *missing).help(fmt::format("add an arm: `{} => …`", *missing));
}

// ---- does the pattern fit the type? --------------------------------------------------------------------

bool Elaborator::check_pattern(ast::PatternId id, const Val& v, const ScopePtr& scope) {
  const ast::Pattern& p = unit->tree[id];
  if (std::holds_alternative<ast::WildPattern>(p.node) || std::holds_alternative<ast::NamePattern>(p.node)) return true;
  auto never = [&](std::string_view help = {}) {
    auto& d = report(wrong_pattern, p.span, sources.text(p.span), "`" + describe(v) + "`");
    if (!help.empty()) d.help(std::string(help));
    return false;
  };
  auto* c = std::get_if<ast::ConstructorPattern>(&p.node);
  if (!c) {
    auto* t = std::get_if<ast::TuplePattern>(&p.node);
    if (t && (!v.structure() || v.structure()->elems.size() != t->elems.size())) return never();
    if (std::holds_alternative<ast::RecordPattern>(p.node) && !v.structure()) return never();
    return true;
  }
  auto ref = constructor_named(c->path, scope);
  if (!ref) {
    auto& d = report(no_constructor, p.span, c->path.back().text);
    std::vector<std::string> names;
    if (types[type_of(v)].kind == TypeKind::variant)
      for (const VariantCase& k : module.variants[types[type_of(v)].name]) names.push_back(k.name);
    if (auto near = nearest(c->path.back().text, names)) d.help(fmt::format("did you mean `{}`?", *near));
    else if (!names.empty()) d.help("it is one of " + join_words(names, "and"));
    return false;
  }
  if (type_of(v) != ref->type) return never();
  if (size_t n = case_of(*ref).types.size(); n != c->args.size()) {
    auto& d = report(wrong_pattern, p.span, sources.text(p.span), "`" + describe(v) + "`");
    d.label(declared_at(*this, types[ref->type].name, case_of(*ref).name), std::string(as_declared));
    d.help(fmt::format("`{}` holds {} value{}", case_of(*ref).name, n, n == 1 ? "" : "s"));
    return false;
  }
  return true;
}

// Whether the value matches: known, or a scalar bool of the run. What is inside a case is looked at only where it is that case.
Val Elaborator::test_pattern(ast::PatternId id, const Val& v0, const ScopePtr& scope) {
  Val v = open_structure(v0);
  const ast::Pattern& p = unit->tree[id];
  if (!check_pattern(id, v, scope)) return poison();
  auto all = [&](size_t count, const std::function<Val(size_t)>& part) {
    Val sofar = known(*this, true);
    for (size_t i = 0; i < count; ++i) {
      if (sofar.poison()) return sofar;
      if (known_bool(sofar) == false) return sofar;
      Val before = sofar;
      sofar = choose(before, p.span, {p.span, p.span}, [&] { return part(i); }, [&] { return known(*this, false); });
    }
    return sofar;
  };
  if (auto* l = std::get_if<ast::LiteralPattern>(&p.node)) {
    Val x = expr(l->value, scope);
    return arithmetic(ast::BinaryOp::eq, v, x, p.span, v.origin.valid() ? v.origin : p.span, p.span);
  }
  if (auto* t = std::get_if<ast::TuplePattern>(&p.node))
    return all(t->elems.size(), [&](size_t i) { return test_pattern(t->elems[i], v.structure()->elems[i], scope); });
  if (auto* r = std::get_if<ast::RecordPattern>(&p.node))
    return all(r->elems.size(), [&](size_t i) { return test_pattern(r->elems[i], field(v, r->names[i], r->names[i].span), scope); });
  auto* c = std::get_if<ast::ConstructorPattern>(&p.node);
  if (!c) return known(*this, true);
  ConstructorRef ref = *constructor_named(c->path, scope);
  Val is = known(*this, true);
  if (module.variants[types[ref.type].name].size() > 1) {
    Value tag = b().emit(op<TagOf>, {value(v).id});
    is = node(tag == constant_int(b(), ref.index, DType::i32), p.span);
  }
  auto inside = [&] { return all(c->args.size(), [&](size_t i) { return test_pattern(c->args[i], payload(v, ref.index, i, p.span), scope); }); };
  bool plain = std::all_of(c->args.begin(), c->args.end(), [&](ast::PatternId a) {
    return std::holds_alternative<ast::WildPattern>(unit->tree[a].node) || std::holds_alternative<ast::NamePattern>(unit->tree[a].node);
  });
  return plain ? is : choose(is, p.span, {p.span, p.span}, inside, [&] { return known(*this, false); });
}

// ---- the arms ------------------------------------------------------------------------------------------

Val Elaborator::match_expr(const ast::Match& m, Span span, const ScopePtr& scope, const Want* want) {
  Val subject = open_structure(default_number(expr(m.subject, scope)));
  if (subject.poison()) return subject;
  if (m.arms.empty()) return report(no_arms, span), poison();
  size_t errors = diags.faults();
  for (const ast::MatchArm& arm : m.arms) check_pattern_types(arm.pattern, subject, scope);
  if (diags.faults() > errors) return poison();
  check_arms(m, subject, span, scope);
  return diags.faults() > errors ? poison() : match_arms(m, 0, subject, span, scope, want);
}

// The types of a whole pattern, once and outside the branches of the test.
void Elaborator::check_pattern_types(ast::PatternId id, const Val& v, const ScopePtr& scope) {
  body_of("pattern", [&] { return test_pattern(id, v, scope); });
}

Val Elaborator::match_arms(const ast::Match& m, size_t at, const Val& subject, Span span, const ScopePtr& scope, const Want* want) {
  const ast::MatchArm& arm = m.arms[at];
  auto bound = [&] {
    ScopePtr s = inner_scope(scope);
    bool outer = std::exchange(in_match_, true);
    bind_pattern(arm.pattern, subject, s);
    in_match_ = outer;
    return s;
  };
  auto taken = [&] {
    ScopePtr s = bound();
    return wanted(expr(arm.body, s, want), want);
  };
  bool last = at + 1 == m.arms.size();
  if (last && !arm.guard.valid()) return taken();
  Val fits = test_pattern(arm.pattern, subject, scope);
  if (arm.guard.valid() && !fits.poison())
    fits = choose(fits, arm.span, {arm.span, arm.span},
                  [&] {
                    Val g = expr(arm.guard, bound());
                    return is_condition(g, unit->tree[arm.guard].span) ? g : poison();
                  },
                  [&] { return known(*this, false); });
  if (fits.poison()) return fits;
  std::pair<Span, Span> sides{unit->tree[arm.body].span, last ? span : unit->tree[m.arms[at + 1].body].span};
  if (last) return taken();
  return choose(fits, span, sides, taken, [&] { return match_arms(m, at + 1, subject, span, scope, want); });
}

}  // namespace glia
