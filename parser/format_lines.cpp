// See format_lines.h.
#include "parser/format_lines.h"

#include "base/text.h"
#include "parser/newline_filter.h"

namespace glia::syntax {

namespace {

uint32_t width(std::string_view text) { return static_cast<uint32_t>(display_width(text)); }

// The comment between two tokens, if there is one.
std::string_view comment_in(std::string_view gap) {
  const size_t at = gap.find('#');
  if (at == std::string_view::npos) return {};
  gap.remove_prefix(at);
  while (!gap.empty() && (gap.back() == ' ' || gap.back() == '\t' || gap.back() == '\r')) gap.remove_suffix(1);
  return gap;
}

// Which tokens begin a statement, an element of a list, or the content of a bracket. The newlines that count are those
// that the filter for the parser leaves.
void mark_fresh(std::vector<Lexeme>& tokens, std::vector<bool>& fresh) {
  const std::vector<Lexeme> kept = filter_newlines(tokens);
  size_t next = 0;
  bool first = true;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Lexeme& t = tokens[i];
    while (next < kept.size() && kept[next].begin < t.begin) ++next;
    if (t.kind == Kind::NEWLINE) {
      if (next < kept.size() && kept[next].begin == t.begin && kept[next].kind == Kind::NEWLINE) first = true;
      continue;
    }
    fresh[i] = first && !closes(t.kind);
    first = opens(t.kind) || t.kind == Kind::COMMA || t.kind == Kind::SEMICOLON;
  }
}

}  // namespace

SourceLines read_lines(const Text& text) {
  std::vector<Lexeme> tokens = lex(text, 0, static_cast<uint32_t>(text.all.size())).tokens;
  std::vector<bool> fresh(tokens.size());
  mark_fresh(tokens, fresh);
  SourceLines lines(1);
  uint32_t end = 0, column = 0;  // of the last token
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Lexeme& t = tokens[i];
    const std::string_view gap = text.all.substr(end, t.begin - end);
    const std::string_view comment = comment_in(gap);
    if (!comment.empty()) {
      lines.back().comment = comment;
      lines.back().comment_from = column + width(gap.substr(0, gap.find('#')));
    }
    column += width(gap);
    end = t.end;
    if (t.kind == Kind::NEWLINE) lines.emplace_back(), column = 0;
    if (t.kind == Kind::NEWLINE || t.kind == antlr4::Token::EOF) continue;
    const bool first = lines.back().cells.empty();
    lines.back().cells.push_back({t.kind, text.of(t), column, !first && width(gap) >= 2, fresh[i], 0, 0, width(text.of(t))});
    column += lines.back().cells.back().width;
  }
  return lines;
}

uint32_t width_of(const SourceLine& line) {
  uint32_t width = line.indent;
  for (const Cell& c : line.cells) width += c.space + c.padding + c.width;
  return width;
}

bool is_name_here(const SourceLine& line, size_t i) {
  const size_t kind = line.cells[i].kind;
  if (!is_word(kind)) return false;
  const bool after_dot = i > 0 && line.cells[i - 1].kind == Kind::DOT;
  const bool key = i + 1 < line.cells.size() && line.cells[i + 1].kind == Kind::COLON;
  const bool argument = i + 1 < line.cells.size() && line.cells[i + 1].kind == Kind::EQUAL;
  return after_dot || key || argument || kind >= Kind::MODEL;
}

}  // namespace glia::syntax
