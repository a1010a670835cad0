// The spaces between tokens of one line.
#include "parser/format_lines.h"

namespace glia::syntax {

namespace {

// Whether an expression or a type may end with this token.
bool ends_operand(const SourceLine& line, size_t i) {
  const size_t kind = line.cells[i].kind;
  if (is_word(kind)) return is_name_here(line, i) || kind == Kind::TRUE_ || kind == Kind::FALSE_;
  switch (kind) {
    case Kind::CLOSE: case Kind::CLOSE_LIST: case Kind::CLOSE_BRACE: case Kind::INT: case Kind::FLOAT: case Kind::STRING:
    case Kind::UNDERSCORE: case Kind::TYPE_VAR: case Kind::QUESTION: return true;
    default: return false;
  }
}

// What the brackets around a token are, carried from line to line.
struct Around {
  std::vector<size_t> open;      // kinds
  std::vector<bool> optimizer;   // of a brace: the body of an optimiser
  bool optimizer_next = false;   // the next brace will be one
  bool operand = false;          // the last token may end an operand
  bool sign = false;             // it is a minus with nothing to its left that it could be taken from

  bool in_slice() const { return !open.empty() && open.back() == Kind::OPEN_LIST; }

  void step(const SourceLine& line, size_t i) {
    const Cell& c = line.cells[i];
    sign = c.kind == Kind::MINUS && (c.fresh || !operand);
    operand = ends_operand(line, i);
    if (c.fresh && open.empty()) optimizer_next = c.kind == Kind::OPTIMIZER;
    if (opens(c.kind)) {
      open.push_back(c.kind);
      optimizer.push_back(optimizer_next && is_brace(c.kind));
      if (is_brace(c.kind)) optimizer_next = false;
    }
    if (closes(c.kind) && !open.empty()) open.pop_back(), optimizer.pop_back();
  }
};

bool glued_left(const SourceLine& line, size_t i, const Around& around) {
  const Cell& c = line.cells[i];
  const bool call = ends_operand(line, i - 1);
  switch (c.kind) {
    case Kind::COMMA: case Kind::SEMICOLON: case Kind::CLOSE: case Kind::CLOSE_LIST: case Kind::DOT: case Kind::ELLIPSIS:
      return true;
    case Kind::COLON: return line.cells[i - 1].kind != Kind::COMMA;   // x[:, :, 0]
    case Kind::CLOSE_BRACE: return is_brace(line.cells[i - 1].kind);
    case Kind::RANGE: return call;
    case Kind::OPEN: {
      const bool update = line.cells[i - 1].kind == Kind::UPDATE && line.cells[i - 1].fresh && !around.optimizer.empty() && around.optimizer.back();
      return call && !update;
    }
    case Kind::OPEN_LIST: return call;
    default: return false;
  }
}

bool glued_right(const SourceLine& line, size_t i, const Around& around) {
  switch (line.cells[i].kind) {
    case Kind::OPEN: case Kind::OPEN_LIST: case Kind::DOT: case Kind::RANGE: return true;
    case Kind::COLON: return around.in_slice();
    case Kind::MINUS: return around.sign;
    default: return false;
  }
}

}  // namespace

void set_spaces(SourceLines& lines) {
  Around around;
  for (SourceLine& line : lines)
    for (size_t i = 0; i < line.cells.size(); ++i) {
      const bool glued = i == 0 || glued_right(line, i - 1, around) || glued_left(line, i, around);
      line.cells[i].space = glued ? 0 : 1;
      around.step(line, i);
    }
}

}  // namespace glia::syntax
