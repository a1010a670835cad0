// Places, names, doc comments, and the commas of lists.
#include <algorithm>

#include "parser/builder.h"
#include "parser/nfkc.h"

namespace glia::syntax {

inline constexpr DiagKind double_comma{"E0120", Severity::error, "nothing stands between two commas"};

// Tokens carry byte offsets of the file (see parse.cpp); the stop is inclusive.
Span Builder::span(antlr4::Token* token) const {
  return {text_.file, static_cast<uint32_t>(token->getStartIndex()), static_cast<uint32_t>(token->getStopIndex() + 1)};
}

Span Builder::span(antlr4::ParserRuleContext* ctx) const {
  const auto begin = static_cast<uint32_t>(ctx->start->getStartIndex());
  const bool empty = ctx->stop == nullptr || ctx->stop->getTokenIndex() < ctx->start->getTokenIndex();
  return {text_.file, begin, empty ? begin : static_cast<uint32_t>(ctx->stop->getStopIndex() + 1)};
}

Span Builder::span(Node* node) const {
  if (auto* terminal = dynamic_cast<antlr4::tree::TerminalNode*>(node)) return span(terminal->getSymbol());
  return span(static_cast<antlr4::ParserRuleContext*>(node));
}

ast::Name Builder::name_at(Span s) const { return {nfkc(source(s)), s}; }

std::vector<ast::Name> Builder::path(P::PathContext* ctx) const {
  std::vector<ast::Name> names;
  for (size_t i = 0; i < ctx->children.size(); i += 2) names.push_back(name_at(span(ctx->children[i])));
  return names;
}

// The grammar allows `a,,b` so that it decides on one token; here it is refused.
void Builder::check_commas(antlr4::ParserRuleContext* ctx) {
  bool after_comma = false;
  for (Node* child : ctx->children) {
    auto* terminal = dynamic_cast<antlr4::tree::TerminalNode*>(child);
    const bool comma = terminal != nullptr && terminal->getSymbol()->getType() == Kind::COMMA;
    if (comma && after_comma) diags_.report(double_comma, span(terminal->getSymbol())).help("remove one of the commas");
    after_comma = comma;
  }
}

namespace {

// Nothing but comments and blank lines: what stands above a declaration and belongs to it.
bool only_comments(std::string_view text) {
  bool in_comment = false;
  for (const char c : text) {
    if (c == '\n' || c == '\r') in_comment = false;
    if (c == '#') in_comment = true;
    if (!in_comment && c != ' ' && c != '\t' && c != '\n' && c != '\r') return false;
  }
  return true;
}

}  // namespace

std::string Builder::file_doc() const {
  std::string doc;
  for (const DocComment& d : docs_)
    if (d.of_file) doc += (doc.empty() ? "" : "\n") + d.text;
  return doc;
}

// The `##` lines right above the declaration, then one beside its first or last line.
std::string Builder::doc_of(antlr4::ParserRuleContext* ctx) const {
  if (docs_.empty()) return {};
  const Span s = span(ctx);
  const SourceFile& file = text_.sources.file(text_.file);
  const uint32_t first_line = file.place(s.begin).line, last_line = file.place(s.end).line;
  const auto from = std::lower_bound(docs_.begin(), docs_.end(), s.begin, [](const DocComment& d, uint32_t at) { return d.begin < at; });
  auto first = from;
  for (uint32_t edge = s.begin; first != docs_.begin(); --first) {
    const DocComment& d = *(first - 1);
    if (!d.own_line || d.of_file || !only_comments(text_.all.substr(d.begin, edge - d.begin))) break;
    edge = d.begin;
  }
  std::string doc;
  const auto say = [&](const std::string& text) { doc += (doc.empty() ? "" : "\n") + text; };
  for (auto d = first; d != from; ++d) say(d->text);
  for (auto d = from; d != docs_.end() && d->line <= last_line; ++d) {
    const bool beside = d->line == last_line ? d->begin >= s.end : d->line == first_line;
    if (!d->own_line && beside) say(d->text);
  }
  return doc;
}

}  // namespace glia::syntax
