// See print_ast.h. One overload of `show` a node kind, found by std::visit.
#include "parser/print_ast.h"

#include <array>

#include <fmt/format.h>

namespace glia::ast {

namespace {

std::string dotted(const std::vector<Name>& path) {
  std::string out;
  for (const Name& n : path) out += (out.empty() ? "" : ".") + n.text;
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + "\"";
}

struct Printer {
  const Tree& tree;

  std::string show(ExprId id) const { return id.valid() ? std::visit([&](const auto& n) { return show(n); }, tree[id].node) : "-"; }
  std::string show(TypeExprId id) const { return id.valid() ? std::visit([&](const auto& n) { return show(n); }, tree[id].node) : "-"; }
  std::string show(PatternId id) const { return id.valid() ? std::visit([&](const auto& n) { return show(n); }, tree[id].node) : "-"; }

  template <class T>
  std::string each(const std::vector<T>& list) const {
    std::string out;
    for (const T& x : list) out += " " + show(x);
    return out;
  }

  // ---- types
  std::string show(const DimItem& d) const {
    if (d.kind == DimItem::unknown) return "?";
    return d.kind == DimItem::pack ? ".." + d.pack_name.text : show(d.dim);
  }
  std::string show(const NamedType& n) const {
    if (n.has_args) return fmt::format("({}{})", dotted(n.path), each(n.args));
    return n.has_dims ? fmt::format("[{}{}]", dotted(n.path), each(n.dims)) : dotted(n.path);
  }
  std::string show(const TupleType& n) const { return fmt::format("(tuple{})", each(n.elems)); }
  std::string show(const ListType& n) const { return fmt::format("(list {})", show(n.elem)); }
  std::string show(const FnType& n) const { return fmt::format("(->{} {})", each(n.params), show(n.result)); }
  std::string show(const TypeVar& n) const { return n.name.text; }
  std::string show(const RecordType& n) const { return fmt::format("(record{})", fields(n.names, n.elems)); }
  template <class Ids>
  std::string fields(const std::vector<Name>& names, const Ids& ids) const {
    std::string out;
    for (size_t i = 0; i < ids.size(); ++i) out += fmt::format(" {}:{}", names[i].text, show(ids[i]));
    return out;
  }

  // ---- patterns
  std::string show(const WildPattern&) const { return "_"; }
  std::string show(const NamePattern& n) const { return n.name.text; }
  std::string show(const LiteralPattern& n) const { return show(n.value); }
  std::string show(const TuplePattern& n) const { return fmt::format("(tuple{})", each(n.elems)); }
  std::string show(const RecordPattern& n) const { return fmt::format("(record{})", fields(n.names, n.elems)); }
  std::string show(const ConstructorPattern& n) const { return fmt::format("({}{})", dotted(n.path), each(n.args)); }

  // ---- expressions
  std::string show(const Number& n) const { return n.is_float ? fmt::format("{:#}", n.f) : fmt::format("{}", n.i); }
  std::string show(const StringPiece& p) const {
    if (!p.expr.valid()) return quoted(p.text);
    return p.format.empty() ? show(p.expr) : fmt::format("(format {} {})", show(p.expr), quoted(p.format));
  }
  std::string show(const String& n) const {
    if (n.pieces.size() == 1 && !n.pieces[0].expr.valid()) return quoted(n.pieces[0].text);
    return fmt::format("(string{})", each(n.pieces));
  }
  std::string show(const NameRef& n) const { return n.name; }
  std::string show(const Hole&) const { return "_"; }
  std::string show(const Tuple& n) const { return fmt::format("(tuple{})", each(n.elems)); }
  std::string show(const List& n) const { return fmt::format("(list{})", each(n.elems)); }
  std::string show(const RecordField& f) const { return fmt::format("{}:{}", f.name.text, show(f.value)); }
  std::string show(const Record& n) const {
    const std::string head = n.constructor.empty() ? "record" : "new " + dotted(n.constructor);
    return fmt::format("({}{}{})", head, n.spread.valid() ? " .." + show(n.spread) : "", each(n.fields));
  }
  std::string show(const Unary& n) const { return fmt::format("({} {})", n.op == UnaryOp::neg ? "neg" : "not", show(n.operand)); }
  std::string show(const Binary& n) const {
    constexpr std::array names = {"|>", "or", "and", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%", "@", "^"};
    return fmt::format("({} {} {})", names[static_cast<size_t>(n.op)], show(n.left), show(n.right));
  }
  std::string show(const Arg& a) const { return a.name ? fmt::format("{}={}", a.name->text, show(a.value)) : show(a.value); }
  std::string show(const Call& n) const { return fmt::format("(call {}{})", show(n.callee), each(n.args)); }
  std::string show(const IndexItem& i) const {
    return i.is_slice ? fmt::format("(slice {} {} {})", show(i.start), show(i.stop), show(i.step)) : show(i.index);
  }
  std::string show(const Index& n) const { return fmt::format("(index {}{})", show(n.base), each(n.items)); }
  std::string show(const Field& n) const { return fmt::format("(. {} {})", show(n.base), n.name.text); }
  std::string show(const Param& p) const {
    std::string out = show(p.pattern) + (p.variadic ? "..." : "");
    if (p.type.valid()) out += ":" + show(p.type);
    if (p.default_value.valid()) out += "=" + show(p.default_value);
    return out;
  }
  std::string list(const std::vector<Param>& params) const {
    const std::string all = each(params);
    return "(" + (all.empty() ? all : all.substr(1)) + ")";
  }
  std::string show(const Lambda& n) const { return fmt::format("(=> {} {})", list(n.params), show(n.body)); }
  std::string show(const If& n) const { return fmt::format("(if {} {} {})", show(n.condition), show(n.then_branch), show(n.else_branch)); }
  std::string show(const Range& n) const { return fmt::format("(.. {} {})", show(n.begin), show(n.end)); }
  std::string show(const ForClause& c) const {
    if (c.kind == ForClause::bare) return show(c.pattern);
    return fmt::format("({} {} {})", c.kind == ForClause::below ? "<" : "in", show(c.pattern), show(c.bound));
  }
  std::string show(const For& n) const {
    return fmt::format("(for{}{} => {})", each(n.clauses), n.filter.valid() ? " if " + show(n.filter) : "", show(n.body));
  }
  std::string show(const Loop& n) const {
    const std::string type = n.type.valid() ? ":" + show(n.type) : "";
    const std::string over = n.over ? show(*n.over) : "(while " + show(n.condition) + ")";
    return fmt::format("({} {}{} {} {} {}{})", n.is_scan ? "scan" : "loop", show(n.state), type, show(n.init), over, show(n.body),
                       n.yield.valid() ? " yield " + show(n.yield) : "");
  }
  std::string show(const MatchArm& a) const {
    return fmt::format("({}{} => {})", show(a.pattern), a.guard.valid() ? " if " + show(a.guard) : "", show(a.body));
  }
  std::string show(const Match& n) const { return fmt::format("(match {}{})", show(n.subject), each(n.arms)); }
  std::string show(const OnDevice& n) const { return fmt::format("(on {} {})", show(n.device), show(n.body)); }
  std::string show(const Recompute& n) const { return fmt::format("(recompute {})", show(n.body)); }
  std::string show(const Cached& n) const { return fmt::format("(cached {})", show(n.body)); }
  std::string show(const Stmt& s) const {
    return std::visit([&](const auto& n) { return show(n); }, s.node);
  }
  std::string show(const Block& n) const { return fmt::format("(block{})", each(n.stmts)); }
  std::string show(const LetStmt& n) const {
    return fmt::format("(let {}{} {})", show(n.pattern), n.type.valid() ? ":" + show(n.type) : "", show(n.value));
  }
  std::string show(const AssignStmt& n) const { return fmt::format("(:= {} {})", n.target.text, show(n.value)); }
  std::string show(const AssertStmt& n) const { return fmt::format("(assert {})", show(n.condition)); }
  std::string show(const ExprStmt& n) const { return show(n.value); }

  // ---- declarations
  std::string doc(const std::string& text) const { return text.empty() ? "" : " ##" + quoted(text); }
  std::string show(const FnDecl& n) const {
    std::string out = fmt::format("(fn {} {}", n.name.text, list(n.params));
    if (n.result.valid()) out += " -> " + show(n.result);
    out += " " + show(n.body);
    if (n.backward) out += fmt::format(" (backward {} {})", list(n.backward->params), show(n.backward->body));
    return out + doc(n.doc) + ")";
  }
  std::string show(const VariantCase& c) const {
    std::string out = "(" + c.name.text;
    for (size_t i = 0; i < c.fields.size(); ++i)
      out += " " + (c.field_names[i].text.empty() ? "" : c.field_names[i].text + ":") + show(c.fields[i]);
    return out + ")";
  }
  std::string show(const Name& n) const { return n.text; }
  std::string show(const TypeDecl& n) const {
    return fmt::format("(type {}{}{}{})", n.name.text, n.params.empty() ? "" : " (" + each(n.params).substr(1) + ")",
                       n.alias.valid() ? " " + show(n.alias) : each(n.cases), doc(n.doc));
  }
  std::string show(const ImportItem& i) const { return dotted(i.path) + (i.as.text.empty() ? "" : "=" + i.as.text); }
  std::string show(const ImportDecl& n) const { return fmt::format("(import{})", each(n.items)); }
  std::string show(const FromImportDecl& n) const { return fmt::format("(from {}{})", dotted(n.path), each(n.names)); }
  std::string show(const ModelParam& n) const {
    return fmt::format("(param {}:{}{}{})", n.name.text, show(n.type), n.init.valid() ? (n.draws ? " ~" : " ") + show(n.init) : "",
                       doc(n.doc));
  }
  std::string show(const ModelState& n) const {
    return fmt::format("(state {}{} {}{})", n.name.text, n.type.valid() ? ":" + show(n.type) : "", show(n.init), doc(n.doc));
  }
  std::string show(const ModelLayer& n) const { return fmt::format("(layer {} {}{})", n.name.text, show(n.value), doc(n.doc)); }
  std::string show(const ModelDecl& n) const {
    std::string out = fmt::format("(model {} {}", n.name.text, list(n.params));
    for (const auto& m : n.members) out += " " + std::visit([&](const auto& x) { return show(x); }, m);
    return out + doc(n.doc) + ")";
  }
  std::string show(const OptimizerDecl& n) const {
    return fmt::format("(optimizer {} {}{} (update {} {}){})", n.name.text, list(n.params), each(n.states), list(n.update_params),
                       show(n.update), doc(n.doc));
  }
  std::string show(const OptionDecl& n) const {
    return fmt::format("(option {}:{} {}{})", n.name.text, show(n.type), show(n.default_value), doc(n.doc));
  }
  std::string show(const TrainEntry& e) const { return fmt::format("{}:{}", e.key.text, show(e.value)); }
  std::string show(const TrainDecl& n) const {
    return fmt::format("(train{}{})", n.name.text.empty() ? "" : " " + n.name.text, each(n.entries));
  }
  std::string show(const TestDecl& n) const { return fmt::format("(test {} {})", quoted(n.name), show(n.body)); }
  std::string show(const LetDecl& n) const {
    const std::string let = show(n.let);
    return n.doc.empty() ? let : let.substr(0, let.size() - 1) + doc(n.doc) + ")";
  }
};

}  // namespace

std::string print(const Tree& tree) {
  std::string out = tree.doc.empty() ? "" : "##" + quoted(tree.doc) + "\n";
  for (const Item& item : tree.items) out += std::visit([&](const auto& n) { return Printer{tree}.show(n); }, item.node) + "\n";
  return out;
}

std::string print(const Tree& tree, ExprId expr) { return Printer{tree}.show(expr); }
std::string print(const Tree& tree, TypeExprId type) { return Printer{tree}.show(type); }
std::string print(const Tree& tree, PatternId pattern) { return Printer{tree}.show(pattern); }

}  // namespace glia::ast
