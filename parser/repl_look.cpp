// What a session tells about itself without running anything: types, code, names.
#include <algorithm>

#include "parser/repl.h"

namespace glia {

namespace {
const ast::ExprStmt* only_expression(const ast::Tree& tree) {
  return tree.items.size() == 1 ? std::get_if<ast::ExprStmt>(&tree.items[0].node) : nullptr;
}

inline constexpr DiagKind one_expression{"E0276", Severity::error, "one expression is wanted here"};

std::string one_line(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != '\n' && c != '\r') out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  return out;
}
}  // namespace

std::string ReplSession::type_text(const Val& v) {
  Elaborator& e = elaborator_;
  if (const Closure* c = v.closure(); c && c->decl) return one_line(e.sources.text(c->decl->span));
  if (const auto* b = v.get<const Builtin*>()) return std::string((*b)->usage());
  const Val settled = e.default_number(v);
  if (settled.get<Number>()) return e.types.print(e.type_of(settled));
  return e.describe(settled);
}

// Elaborates the one expression of a text in a frame that is thrown away, and hands it over.
template <class Use>
bool ReplSession::with_expression(FileId file, Use&& use) {
  Elaborator& e = elaborator_;
  Unit* u = read(file);
  if (!u) return settle(), false;
  const ast::ExprStmt* x = only_expression(u->tree);
  if (!x) return e.diags.report(one_expression, Span{file, 0, 0}), settle(), false;
  const uint32_t statements = e.statements_;
  e.unit = u;
  e.site_root = std::to_string(e.statements_);
  e.draws = 0;
  e.open_frame("expression");
  const Val v = e.expr(x->value, u->scope);
  const bool ok = !v.poison() && !e.diags.has_errors();
  if (ok) use(v, *u);
  e.statements_ = statements;
  settle();
  return ok;
}

std::optional<std::string> ReplSession::type_of(FileId file) {
  std::string type;
  if (!with_expression(file, [&](const Val& v, const Unit&) { type = type_text(v); })) return std::nullopt;
  return type;
}

std::optional<ir::FuncId> ReplSession::code_of(FileId file) {
  Elaborator& e = elaborator_;
  std::optional<ir::FuncId> found;
  (void)with_expression(file, [&](const Val& v, const Unit&) {
    const Closure* c = v.closure();
    for (const auto& [name, func] : e.program.functions)
      if (c && c->decl && name == c->name) found = func;  // the latest
    if (found || !e.is_data(v)) return;
    std::vector<Val> parts;
    e.leaves(v, parts);
    for (const Val& p : parts) e.b().result(e.value(p).id);
    found = e.b().finish_into_module();
  });
  return found;
}

std::vector<ReplSession::Variable> ReplSession::variables() const {
  std::map<std::string, std::string> found;
  for (const Scope* s = scope_.get(); s && s != elaborator_.prelude_.get(); s = s->parent.get())
    for (const auto& [name, binding] : s->names)
      if (!found.contains(name)) found[name] = const_cast<ReplSession*>(this)->type_text(binding.val);
  std::vector<Variable> out;
  for (const auto& [name, type] : found) out.push_back({name, type});
  return out;
}

std::vector<std::string> ReplSession::floats_in(FileId file) {
  Elaborator& e = elaborator_;
  std::vector<std::string> out;
  (void)with_expression(file, [&](const Val&, const Unit& u) {
    for (const ast::Expr& x : u.tree.exprs()) {
      const auto* n = std::get_if<ast::NameRef>(&x.node);
      const Binding* bound = n ? scope_->find(n->name) : nullptr;
      if (!bound || !e.is_numeric(bound->val) || !is_float(e.dtype_of(e.default_number(bound->val)))) continue;
      if (std::find(out.begin(), out.end(), n->name) == out.end()) out.push_back(n->name);
    }
  });
  return out;
}

// ---- completion -------------------------------------------------------------------------------------------

namespace {
// What can stand after the dot.
std::vector<std::string> fields_of(const Val& v, const ir::Types& types) {
  std::vector<std::string> out;
  if (const Structure* s = v.structure()) {
    out = s->fields;
    if (s->model)
      for (const auto& member : s->model->decl->members)
        if (const auto* f = std::get_if<ast::FnDecl>(&member)) out.push_back(f->name.text);
  } else if (const auto* u = v.get<UnitRef>()) {
    for (const auto& [name, binding] : u->unit->scope->names)
      if (name[0] != '_') out.push_back(name);
  } else if (v.get<GlobalId>() && types[v.type].kind == ir::TypeKind::tuple) {
    out = types[v.type].fields;
  }
  return out;
}

std::optional<Val> field_of(const Val& v, const std::string& name) {
  if (const Structure* s = v.structure()) {
    for (size_t i = 0; i < s->fields.size(); ++i)
      if (s->fields[i] == name) return s->elems[i];
  } else if (const auto* u = v.get<UnitRef>()) {
    const auto it = u->unit->scope->names.find(name);
    if (it != u->unit->scope->names.end()) return it->second.val;
  }
  return std::nullopt;
}

constexpr std::string_view keywords[] = {"assert", "backward", "cached", "else", "false", "fn", "for", "from", "if", "import", "in", "layer", "let", "loop",
                                         "match", "model", "not", "on", "optimizer", "option", "param", "recompute", "scan", "state", "test", "then",
                                         "train", "true", "type", "update", "while", "yield"};
}  // namespace

std::vector<std::string> ReplSession::completions(std::string_view text) const {
  std::vector<std::string> names;
  const size_t dot = text.rfind('.');
  std::string before, last(text);
  if (dot == std::string_view::npos) {
    scope_->collect(names);
    for (const std::string& b : builtin_names()) names.push_back(b);
    names.insert(names.end(), std::begin(keywords), std::end(keywords));
  } else {
    before = text.substr(0, dot + 1), last = text.substr(dot + 1);
    std::optional<Val> v;
    for (size_t at = 0; at <= dot;) {
      const size_t end = std::min(text.find('.', at), text.size());
      const std::string part(text.substr(at, end - at));
      const Binding* b = at == 0 ? scope_->find(part) : nullptr;
      v = at == 0 ? (b ? std::optional(b->val) : std::nullopt) : field_of(*v, part);
      if (!v) return {};
      at = end + 1;
    }
    names = fields_of(*v, elaborator_.types);
  }
  std::erase_if(names, [&](const std::string& n) { return n.rfind(last, 0) != 0 || (n[0] == '_' && last.empty()); });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (std::string& n : names) n = before + n;
  return names;
}

}  // namespace glia
