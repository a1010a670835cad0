// Runs the generated lexer and turns its code point positions into bytes.
#include "parser/lexemes.h"

#include "GliaLexer.h"

namespace glia::syntax {

namespace {

// Byte offset of each code point, and one past the last; empty where every code point is one byte.
std::vector<uint32_t> code_point_offsets(std::string_view text) {
  std::vector<uint32_t> offsets;
  for (size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) offsets.push_back(static_cast<uint32_t>(i));
  if (offsets.size() == text.size()) return {};
  offsets.push_back(static_cast<uint32_t>(text.size()));
  return offsets;
}

std::string doc_text(std::string_view comment) {
  comment.remove_prefix(2);
  if (comment.starts_with(' ')) comment.remove_prefix(1);
  while (!comment.empty() && (comment.back() == ' ' || comment.back() == '\t')) comment.remove_suffix(1);
  return std::string(comment);
}

}  // namespace

std::string shortened(std::string_view source) {
  constexpr size_t most = 40;
  if (source.size() <= most) return std::string(source);
  size_t end = most;
  while ((static_cast<unsigned char>(source[end]) & 0xC0) == 0x80) --end;
  return std::string(source.substr(0, end)) + "…";
}

bool is_word(size_t kind) { return (kind >= Kind::FN && kind <= Kind::AS) || kind == Kind::NAME || kind == Kind::CAPITAL; }

bool is_brace(size_t kind) { return kind == Kind::OPEN_BRACE || kind == Kind::RECORD_OPEN || kind == Kind::CONSTRUCT_OPEN; }
bool opens(size_t kind) { return kind == Kind::OPEN || kind == Kind::LAMBDA_OPEN || kind == Kind::OPEN_LIST || is_brace(kind); }
bool closes(size_t kind) { return kind == Kind::CLOSE || kind == Kind::CLOSE_LIST || kind == Kind::CLOSE_BRACE; }

Lexed lex(const Text& text, uint32_t begin, uint32_t end) {
  // The input class drops a leading byte order mark, which would shift every position after it.
  const std::string_view all = text.all.substr(0, end);
  if (all.substr(begin).starts_with("\xEF\xBB\xBF")) begin += 3;
  const std::string_view part = all.substr(begin);
  const std::vector<uint32_t> offsets = code_point_offsets(part);
  const auto byte = [&](size_t code_point) {
    return begin + (offsets.empty() ? static_cast<uint32_t>(code_point) : offsets[code_point]);
  };
  antlr4::ANTLRInputStream input{std::string(part)};
  GliaLexer lexer(&input);
  lexer.removeErrorListeners();

  Lexed out;
  uint32_t line_of_last = 0;
  for (;;) {
    const std::unique_ptr<antlr4::Token> t = lexer.nextToken();
    const size_t kind = t->getType();
    const auto line = static_cast<uint32_t>(t->getLine());
    if (kind == antlr4::Token::EOF) break;
    const Lexeme token{kind, byte(t->getStartIndex()), byte(t->getStopIndex() + 1), line};
    if (kind == Kind::DOC) {
      const bool before_all = line_of_last == 0;
      const bool of_file = before_all && (out.docs.empty() || (out.docs.back().of_file && out.docs.back().line + 1 == line));
      out.docs.push_back({doc_text(text.of(token)), token.begin, line, line_of_last != line, of_file});
    } else if (t->getChannel() == antlr4::Token::DEFAULT_CHANNEL) {
      out.tokens.push_back(token);
      if (kind != Kind::NEWLINE) line_of_last = line;
    }
  }
  const uint32_t last_line = out.tokens.empty() ? 1 : out.tokens.back().line;
  out.tokens.push_back({antlr4::Token::EOF, end, end, last_line});
  return out;
}

}  // namespace glia::syntax
