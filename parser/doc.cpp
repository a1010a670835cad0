// See doc.h.
#include "parser/doc.h"

#include "parser/elaborator.h"

namespace glia {

namespace {
template <class... F>
struct Overload : F... { using F::operator()...; };

// With one space for every run of blanks: a signature may span lines.
std::string one_line(std::string_view text) {
  std::string out;
  for (char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

struct Reader {
  const Sources& sources;
  std::vector<DocEntry> out;

  std::string text(Span s) const { return one_line(sources.text(s)); }

  // Of a model or optimiser: its span ends with its name.
  std::string head(Span span, const std::vector<ast::Param>& params) const {
    if (params.empty()) return text(span);
    return text({span.file, span.begin, params.back().span.end}) + ")";
  }

  void add(const std::string& name, std::string signature, const std::string& doc, bool member = false) {
    out.push_back({name, std::move(signature), doc, member});
  }

  void members(const ast::ModelDecl& m) {
    for (const auto& member : m.members)
      std::visit([&](const auto& x) { add(m.name.text + "." + x.name.text, text(x.span), x.doc, true); }, member);
  }

  void item(const ast::Item& it) {
    std::visit(Overload{
                   [&](const ast::FnDecl& f) { add(f.name.text, text(f.span), f.doc); },
                   [&](const ast::TypeDecl& t) { add(t.name.text, text(t.span), t.doc); },
                   [&](const ast::ModelDecl& m) { add(m.name.text, head(m.span, m.params), m.doc), members(m); },
                   [&](const ast::OptimizerDecl& o) { add(o.name.text, head(o.span, o.params), o.doc); },
                   [&](const ast::OptionDecl& o) { add(o.name.text, text(o.span), o.doc); },
                   [&](const auto&) {},
               },
               it.node);
  }
};
}  // namespace

std::vector<DocEntry> docs_of(const Sources& sources, const ast::Tree& tree) {
  Reader reader{sources, {}};
  for (const ast::Item& it : tree.items) {
    if (const auto* l = std::get_if<ast::LetDecl>(&it.node)) {
      const auto* name = std::get_if<ast::NamePattern>(&tree[l->let.pattern].node);
      if (name) reader.add(name->name.text, reader.text(it.span), l->doc);
    }
    reader.item(it);
  }
  return std::move(reader.out);
}

std::optional<DocEntry> builtin_doc(const std::string& name) {
  const Builtin* f = name.starts_with("data.") ? find_data_function(name.substr(5)) : find_builtin(name);
  if (!f) return std::nullopt;
  return DocEntry{name, std::string(f->usage()), std::string(f->doc()), false};
}

std::vector<std::string> builtin_doc_names() { return builtin_names(); }

}  // namespace glia
