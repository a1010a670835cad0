// See repl.h. Each text is a unit of its own whose scope stands inside that of the text before it.
#include "parser/repl.h"

#include <algorithm>

#include "base/text.h"
#include "parser/lexemes.h"
#include "parser/parse.h"

namespace glia {

InputState input_state(const std::string& text) {
  Sources sources;
  Diagnostics diags;
  const FileId file = sources.add("", text);
  (void)parse(sources, file, diags);
  if (diags.all().empty() || first_invalid_utf8(text)) return {};
  const Diagnostic& first = diags.all().front();
  const auto tokens = syntax::lex({sources, file, sources.file(file).text()}, 0, static_cast<uint32_t>(text.size())).tokens;
  uint32_t end = 0;
  int depth = 0;
  for (const syntax::Lexeme& t : tokens) {
    if (t.kind != syntax::Kind::NEWLINE && t.kind != antlr4::Token::EOF) end = t.end;
    depth += syntax::opens(t.kind) ? 1 : syntax::closes(t.kind) ? -1 : 0;
  }
  const bool in_bracket = depth > 0;
  return {in_bracket || first.span.begin >= end, in_bracket};
}

ReplSession::ReplSession(const ProgramRequest& request, Sources& sources, ir::Module& module, Diagnostics& diags)
    : elaborator_(request, sources, module, diags) {
  if (Unit* p = elaborator_.load("prelude", {}, nullptr)) elaborator_.prelude_ = p->scope;
  scope_ = inner_scope(elaborator_.prelude_);
}

// Null where it has syntax errors.
Unit* ReplSession::read(FileId file) {
  Unit& u = elaborator_.units.emplace_back();
  u.name = "<" + std::to_string(++inputs_) + ">";
  u.tree = parse(elaborator_.sources, file, elaborator_.diags);
  u.scope = inner_scope(scope_);
  u.loaded = true;
  return elaborator_.diags.has_errors() ? nullptr : &u;
}

void ReplSession::settle() {
  Elaborator& e = elaborator_;
  e.frames.clear();
  e.path.clear();
  e.call_stack.clear();
  e.call_src = {};
  e.active_.clear();
  e.checking_.clear();
  e.recursions_.clear();
  e.in_match_ = false;
  e.trains_.clear();
  e.syntax_scope_.reset();
  e.depth = 0;
  e.checking = e.per_example = false;
  e.training.reset();
  e.broken_.clear();
  e.misused_.clear();
  e.unknown_names_.clear();
}

bool ReplSession::run_item(Unit& u, const ast::Item& it, Ran& ran) {
  Elaborator& e = elaborator_;
  e.unit = &u;
  const auto* x = std::get_if<ast::ExprStmt>(&it.node);
  if (!x) {
    e.item(it);
  } else if (!e.seed_statement(*x)) {
    e.statement(it.span, [&] { return e.expr(x->value, u.scope); }, [&](Val v) {
      const Structure* s = v.structure();
      if (v.poison() || (s && s->elems.empty() && s->name.empty())) return;
      ran.values.push_back({v, type_text(v)});
      u.scope->bind("it", v, it.span);
    });
  }
  return !e.diags.has_errors();
}

bool ReplSession::run_items(Unit& u, Ran& ran) {
  Elaborator& e = elaborator_;
  e.unit = &u;
  e.declare_unit(u);
  for (const ast::Item& it : u.tree.items)
    if (e.diags.has_errors() || !run_item(u, it, ran)) return false;
  for (const ast::TrainDecl* t : e.trains_) e.check_train(*t, false);
  if (!e.trains_.empty()) ran.notes.push_back("a train block is checked here; `glia train FILE` runs it");
  return !e.diags.has_errors();
}

ReplSession::Ran ReplSession::run(FileId file) {
  Ran ran;
  const uint32_t statements = elaborator_.statements_;
  Unit* u = read(file);
  ran.ok = u && run_items(*u, ran);
  settle();
  if (!ran.ok) {
    elaborator_.statements_ = statements;
    return ran;
  }
  note_hidden(*u, ran);
  remember(*u);
  scope_ = u->scope;
  return ran;
}

// ---- redefinition -------------------------------------------------------------------------------------

namespace {
bool inside(Span inner, Span outer) { return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end; }

// Names that the item takes from around it. A name that it also gives to a value of its own does not count.
std::set<std::string> names_used(const ast::Tree& tree, Span item) {
  std::set<std::string> used, own;
  for (const ast::Expr& e : tree.exprs())
    if (const auto* n = std::get_if<ast::NameRef>(&e.node); n && inside(e.span, item)) used.insert(n->name);
  for (const ast::TypeExpr& t : tree.types())
    if (const auto* n = std::get_if<ast::NamedType>(&t.node); n && inside(t.span, item)) used.insert(n->path[0].text);
  for (const ast::Pattern& p : tree.patterns())
    if (const auto* n = std::get_if<ast::NamePattern>(&p.node); n && inside(p.span, item)) own.insert(n->name.text);
  for (const std::string& name : own) used.erase(name);
  return used;
}

std::optional<std::string> declared_name(const ast::Item& it) {
  if (const auto* f = std::get_if<ast::FnDecl>(&it.node)) return f->name.text;
  if (const auto* m = std::get_if<ast::ModelDecl>(&it.node)) return m->name.text;
  if (const auto* o = std::get_if<ast::OptimizerDecl>(&it.node)) return o->name.text;
  return std::nullopt;
}

std::string quoted(const std::vector<std::string>& names) {
  std::vector<std::string> words;
  for (const std::string& n : names) words.push_back("`" + n + "`");
  return join_words(words, "and");
}

// The scope that a name comes from.
const Scope* home_of(const Scope* s, const std::string& name) {
  while (s && !s->names.contains(name)) s = s->parent.get();
  return s;
}
}  // namespace

void ReplSession::note_hidden(const Unit& u, Ran& ran) const {
  for (const auto& [name, binding] : u.scope->names) {
    std::vector<std::string> keep, blind;
    for (const Declared& f : functions_) {
      const bool current = !u.scope->names.contains(f.name) && home_of(scope_.get(), f.name) == f.scope.get();
      if (name == "it" || !current || !f.uses.contains(name)) continue;
      (home_of(f.scope.get(), name) || find_builtin(name) ? keep : blind).push_back(f.name);
    }
    if (!keep.empty()) ran.notes.push_back(fmt::format("{} keep{} the earlier `{}`", quoted(keep), keep.size() > 1 ? "" : "s", name));
    if (!blind.empty())
      ran.notes.push_back(fmt::format("{} {} declared before `{}` and {} not see it", quoted(blind), blind.size() > 1 ? "were" : "was", name,
                                      blind.size() > 1 ? "do" : "does"));
  }
}

void ReplSession::remember(const Unit& u) {
  for (const ast::Item& it : u.tree.items)
    if (const auto name = declared_name(it)) functions_.push_back({*name, u.scope, names_used(u.tree, it.span)});
}

}  // namespace glia
