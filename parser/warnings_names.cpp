// Names that nothing uses and conditions that never change: read from the syntax alone. A later use counts wherever it
// stands, also in a branch that is not taken.
#include <algorithm>

#include "parser/warnings.h"

namespace glia {

namespace {
constexpr DiagKind unused{"W0402", Severity::warning, "{} `{}` is never used"};
constexpr DiagKind constant_condition{"W0403", Severity::warning, "this condition is made of literals: it never changes"};

using namespace ast;

template <class... F>
struct Overload : F... { using F::operator()...; };

struct Local {
  std::string name;
  Span span;
  std::string_view what;   // empty: nobody is told
  bool used = false;
};

// Walks a file with the names in scope, the innermost last.
struct Walker {
  const Tree& tree;
  Diagnostics& diags;
  bool main;
  std::vector<Local> names;

  void declare(const Name& n, std::string_view what) { names.push_back({n.text, n.span, n.text.starts_with('_') ? "" : what, false}); }

  void use(const std::string& name) {
    for (size_t i = names.size(); i-- > 0;)
      if (names[i].name == name) {
        names[i].used = true;
        return;
      }
  }

  // A parameter that no loss reaches has been spoken of.
  bool spoken_of(Span at) const {
    return std::any_of(diags.all().begin(), diags.all().end(), [&](const Diagnostic& d) { return d.span == at; });
  }

  void end_scope(size_t begin) {
    for (size_t i = begin; i < names.size(); ++i)
      if (!names[i].used && !names[i].what.empty() && !spoken_of(names[i].span))
        diags.report(unused, names[i].span, names[i].what, names[i].name).help(names[i].what == "the import" ? "remove it" : "remove it, or let its name begin with `_`");
    names.resize(begin);
  }

  void declare(PatternId id, std::string_view what) {
    std::visit(Overload{
                   [&](const NamePattern& n) { declare(n.name, what); },
                   [&](const TuplePattern& t) { for (PatternId p : t.elems) declare(p, what); },
                   [&](const RecordPattern& r) { for (PatternId p : r.elems) declare(p, what); },
                   [&](const ConstructorPattern& c) { use(c.path.front().text); for (PatternId p : c.args) declare(p, what); },
                   [&](const auto&) {},
               },
               tree[id].node);
  }

  void type(TypeExprId id) {
    if (!id.valid()) return;
    std::visit(Overload{
                   [&](const NamedType& n) {
                     use(n.path.front().text);
                     for (ExprId a : n.args) expr(a);
                     for (const DimItem& d : n.dims)
                       if (d.kind == DimItem::expr) expr(d.dim);
                   },
                   [&](const TupleType& t) { for (TypeExprId e : t.elems) type(e); },
                   [&](const RecordType& r) { for (TypeExprId e : r.elems) type(e); },
                   [&](const ListType& l) { type(l.elem); },
                   [&](const FnType& f) { for (TypeExprId p : f.params) type(p); type(f.result); },
                   [&](const TypeVar&) {},
               },
               tree[id].node);
  }

  void params(const std::vector<Param>& ps) {
    for (const Param& p : ps) {
      type(p.type);
      expr(p.default_value);
      declare(p.pattern, "");
    }
  }

  bool literal(ExprId id) const {
    const auto& n = tree[id].node;
    if (auto* name = std::get_if<NameRef>(&n)) return (name->name == "true" || name->name == "false") && std::none_of(names.begin(), names.end(), [&](const Local& l) { return l.name == name->name; });
    if (auto* u = std::get_if<Unary>(&n)) return literal(u->operand);
    if (auto* b = std::get_if<Binary>(&n)) return b->op != BinaryOp::pipe && literal(b->left) && literal(b->right);
    if (auto* s = std::get_if<String>(&n)) return std::all_of(s->pieces.begin(), s->pieces.end(), [](const StringPiece& p) { return !p.expr.valid(); });
    return std::holds_alternative<ast::Number>(n);
  }

  void condition(ExprId id) {
    expr(id);
    if (literal(id)) diags.report(constant_condition, tree[id].span);
  }

  // One clause after the other; the names of all stay until the caller ends their scope.
  void clause(const ForClause& c) {
    expr(c.bound);
    declare(c.pattern, "");
  }

  void let(const LetStmt& l, std::string_view what) {
    type(l.type);
    expr(l.value);
    declare(l.pattern, what);
  }

  void block(const Block& b) {
    size_t begin = names.size();
    for (const Stmt& s : b.stmts)
      std::visit(Overload{
                     [&](const LetStmt& l) { let(l, "the name"); },
                     [&](const AssignStmt& a) { use(a.target.text); expr(a.value); },
                     [&](const AssertStmt& a) { expr(a.condition); },
                     [&](const ExprStmt& x) { expr(x.value); },
                 },
                 s.node);
    end_scope(begin);
  }

  void lambda(const std::vector<Param>& ps, ExprId body) {
    size_t begin = names.size();
    params(ps);
    expr(body);
    end_scope(begin);
  }

  void loop(const Loop& l) {
    type(l.type);
    expr(l.init);
    size_t begin = names.size();
    if (l.over) expr(l.over->bound);
    declare(l.state, "");
    if (l.over) declare(l.over->pattern, "");
    if (l.condition.valid()) condition(l.condition);
    expr(l.body);
    // `yield` sees the names of the body
    expr(l.yield);
    end_scope(begin);
  }

  void for_expr(const For& f) {
    size_t begin = names.size();
    for (const ForClause& c : f.clauses) clause(c);
    expr(f.filter);
    expr(f.body);
    end_scope(begin);
  }

  void match(const Match& m) {
    expr(m.subject);
    for (const MatchArm& a : m.arms) {
      size_t begin = names.size();
      declare(a.pattern, "");
      expr(a.guard);
      expr(a.body);
      end_scope(begin);
    }
  }

  // A chain of operators leans to the left.
  void binary(const Binary& first) {
    const Binary* b = &first;
    for (;;) {
      expr(b->right);
      auto* left = std::get_if<Binary>(&tree[b->left].node);
      if (!left) return expr(b->left);
      b = left;
    }
  }

  void record(const Record& r) {
    if (!r.constructor.empty()) use(r.constructor.front().text);
    expr(r.spread);
    for (const RecordField& f : r.fields) expr(f.value);
  }

  void expr(ExprId id) {
    if (!id.valid()) return;
    std::visit(Overload{
                   [&](const ast::Number&) {},
                   [&](const Hole&) {},
                   [&](const String& s) { for (const StringPiece& p : s.pieces) expr(p.expr); },
                   [&](const NameRef& n) { use(n.name); },
                   [&](const Tuple& t) { for (ExprId e : t.elems) expr(e); },
                   [&](const List& l) { for (ExprId e : l.elems) expr(e); },
                   [&](const Record& r) { record(r); },
                   [&](const Unary& u) { expr(u.operand); },
                   [&](const Binary& b) { binary(b); },
                   [&](const Call& c) { expr(c.callee); for (const Arg& a : c.args) expr(a.value); },
                   [&](const Index& x) {
                     expr(x.base);
                     for (const IndexItem& i : x.items)
                       for (ExprId e : {i.index, i.start, i.stop, i.step}) expr(e);
                   },
                   [&](const Field& f) { expr(f.base); use(f.name.text); },   // x.f(a) may be f(x, a)
                   [&](const Lambda& l) { lambda(l.params, l.body); },
                   [&](const If& i) { condition(i.condition); expr(i.then_branch); expr(i.else_branch); },
                   [&](const Range& r) { expr(r.begin); expr(r.end); },
                   [&](const For& f) { for_expr(f); },
                   [&](const Loop& l) { loop(l); },
                   [&](const Match& m) { match(m); },
                   [&](const OnDevice& d) { expr(d.device); expr(d.body); },
                   [&](const Recompute& r) { expr(r.body); },
                   [&](const Cached& c) { expr(c.body); },
                   [&](const Block& b) { block(b); },
               },
               tree[id].node);
  }

  void function(const FnDecl& f) {
    size_t begin = names.size();
    params(f.params);
    type(f.result);
    expr(f.body);
    if (f.backward) lambda(f.backward->params, f.backward->body);
    end_scope(begin);
  }

  // A parameter may be read as a field from anywhere in the file, so it is asked for there.
  bool read_as_field(const std::string& name) const {
    return std::any_of(tree.exprs().begin(), tree.exprs().end(), [&](const Expr& e) {
      auto* f = std::get_if<Field>(&e.node);
      return f && f->name.text == name;
    });
  }

  void model(const ModelDecl& m) {
    size_t begin = names.size();
    params(m.params);
    for (const auto& member : m.members)
      std::visit(Overload{
                     [&](const ModelParam& p) { type(p.type); expr(p.init); declare(p.name, !main || read_as_field(p.name.text) ? "" : "the parameter"); },
                     [&](const ModelState& s) { type(s.type); expr(s.init); declare(s.name, ""); },
                     [&](const ModelLayer& l) { expr(l.value); declare(l.name, ""); },
                     [&](const FnDecl&) {},
                 },
                 member);
    for (const auto& member : m.members)
      if (auto* f = std::get_if<FnDecl>(&member)) function(*f);
    end_scope(begin);
  }

  void item(const Item& it) {
    std::visit(Overload{
                   [&](const FnDecl& f) { function(f); },
                   [&](const ModelDecl& m) { model(m); },
                   [&](const OptimizerDecl& o) {
                     size_t begin = names.size();
                     params(o.params);
                     for (const ModelState& s : o.states) type(s.type), expr(s.init);
                     params(o.update_params);
                     expr(o.update);
                     end_scope(begin);
                   },
                   [&](const OptionDecl& o) { type(o.type); expr(o.default_value); },
                   [&](const TypeDecl& t) {
                     type(t.alias);
                     for (const ast::VariantCase& c : t.cases)
                       for (TypeExprId f : c.fields) type(f);
                   },
                   [&](const TrainDecl& t) { for (const TrainEntry& e : t.entries) expr(e.value); },
                   [&](const TestDecl& t) { expr(t.body); },
                   [&](const LetDecl& l) { type(l.let.type); expr(l.let.value); },
                   [&](const AssignStmt& a) { expr(a.value); },
                   [&](const AssertStmt& a) { expr(a.condition); },
                   [&](const ExprStmt& x) { expr(x.value); },
                   [&](const auto&) {},
               },
               it.node);
  }

  void imports(const Item& it, std::string_view what) {
    auto all = [&](const std::vector<ImportItem>& items) {
      for (const ImportItem& i : items) declare(i.as.text.empty() ? i.path.back() : i.as, what);
    };
    if (auto* i = std::get_if<ImportDecl>(&it.node)) all(i->items);
    if (auto* f = std::get_if<FromImportDecl>(&it.node)) all(f->names);
  }
};
}  // namespace

void warn_of_syntax(const ast::Tree& tree, bool main, Diagnostics& diags) {
  Walker w{tree, diags, main, {}};
  for (const Item& it : tree.items) w.imports(it, main ? "the import" : "");
  for (const Item& it : tree.items) w.item(it);
  w.end_scope(0);
}

}  // namespace glia
