// See newline_filter.h. Both passes are linear in the number of tokens.
#include "parser/newline_filter.h"

namespace glia::syntax {

namespace {

bool cannot_end_expression(size_t kind) {
  switch (kind) {
    case Kind::NOT: case Kind::AND: case Kind::OR: case Kind::THEN: case Kind::ELSE: case Kind::IN: case Kind::IF:
    case Kind::COMMA: case Kind::EQUAL: case Kind::ASSIGN: case Kind::FAT_ARROW: case Kind::ARROW: case Kind::COLON:
    case Kind::TILDE: case Kind::RANGE: case Kind::BAR: case Kind::PIPE:
    case Kind::EQ: case Kind::NE: case Kind::LT_: case Kind::LE: case Kind::GT: case Kind::GE:
    case Kind::PLUS: case Kind::MINUS: case Kind::STAR: case Kind::SLASH: case Kind::FLOOR_DIV: case Kind::PERCENT:
    case Kind::AT: case Kind::CARET:
    case Kind::OPEN: case Kind::OPEN_LIST: case Kind::OPEN_BRACE: return true;
    default: return false;
  }
}

bool continues(size_t kind) {
  switch (kind) {
    case Kind::PIPE: case Kind::DOT: case Kind::THEN: case Kind::ELSE: case Kind::WHILE: case Kind::AND: case Kind::OR:
    case Kind::BAR: case Kind::BACKWARD: case Kind::YIELD:
    case Kind::CLOSE: case Kind::CLOSE_LIST: case Kind::CLOSE_BRACE: return true;
    default: return false;
  }
}

// A lambda's parameters may begin after these, or at the start of a line.
bool lambda_may_follow(size_t kind) {
  switch (kind) {
    case Kind::NEWLINE: case Kind::EQUAL: case Kind::FAT_ARROW: case Kind::OPEN: case Kind::LAMBDA_OPEN: case Kind::OPEN_LIST:
    case Kind::OPEN_BRACE: case Kind::RECORD_OPEN: case Kind::CONSTRUCT_OPEN: case Kind::COMMA: case Kind::COLON:
    case Kind::SEMICOLON: case Kind::THEN: case Kind::ELSE: case Kind::YIELD: case Kind::ASSIGN: return true;
    default: return false;
  }
}

// Index of the bracket that closes each open one; the index of the last token where none does.
std::vector<size_t> partners(const std::vector<Lexeme>& tokens) {
  std::vector<size_t> partner(tokens.size(), tokens.size() - 1), stack;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (opens(tokens[i].kind)) stack.push_back(i);
    if (closes(tokens[i].kind) && !stack.empty()) partner[stack.back()] = i, stack.pop_back();
  }
  return partner;
}

}  // namespace

std::vector<Lexeme> filter_newlines(const std::vector<Lexeme>& tokens) {
  std::vector<Lexeme> out;
  std::vector<size_t> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Lexeme& t = tokens[i];
    if (opens(t.kind)) open.push_back(t.kind);
    if (closes(t.kind) && !open.empty()) open.pop_back();
    if (t.kind != Kind::NEWLINE) {
      out.push_back(t);
      continue;
    }
    while (tokens[i + 1].kind == Kind::NEWLINE) ++i;  // the last token is EOF
    const Lexeme& next = tokens[i + 1];
    // A word before `:` is a key (`backward: …`), whatever it means elsewhere.
    const bool key = is_word(next.kind) && i + 2 < tokens.size() && tokens[i + 2].kind == Kind::COLON;
    if (!open.empty() && open.back() != Kind::OPEN_BRACE) continue;
    if (out.empty() || cannot_end_expression(out.back().kind)) continue;
    if (continues(next.kind) && !key) continue;
    out.push_back(t);
  }
  return out;
}

void retype_brackets(std::vector<Lexeme>& tokens) {
  const std::vector<size_t> partner = partners(tokens);
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool first = i == 0;
    if (tokens[i].kind == Kind::OPEN) {
      const size_t close = partner[i];
      const bool arrow = close + 1 < tokens.size() && tokens[close + 1].kind == Kind::FAT_ARROW;
      if (arrow && (first || lambda_may_follow(tokens[i - 1].kind))) tokens[i].kind = Kind::LAMBDA_OPEN;
    } else if (tokens[i].kind == Kind::OPEN_BRACE) {
      const bool word = is_word(tokens[i + 1].kind);
      const size_t after = tokens[i + 2].kind;
      const bool spread = tokens[i + 1].kind == Kind::RANGE;
      const bool construct = word && (after == Kind::COLON || after == Kind::COMMA || after == Kind::CLOSE_BRACE);
      if (!first && tokens[i - 1].kind == Kind::CAPITAL && (construct || spread))
        tokens[i].kind = Kind::CONSTRUCT_OPEN;
      else if (spread || (word && after == Kind::COLON))
        tokens[i].kind = Kind::RECORD_OPEN;
    }
  }
}

}  // namespace glia::syntax
