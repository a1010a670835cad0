// Indentation: two spaces a bracket and two for a statement's further lines. `then`, `else`, `while` and `yield` at the
// start of a line stand below the `if` or `loop` that they belong to.
#include <algorithm>
#include <optional>

#include "parser/format_lines.h"

namespace glia::syntax {

namespace {

constexpr uint32_t step = 2;

struct Conditional {
  uint32_t column;
  bool has_then = false;  // else it is a filter or a guard
};

// One open bracket, or the file.
struct Level {
  uint32_t base = 0;    // of its statements or elements
  uint32_t outer = 0;   // of the line that opened it
  const SourceLine* line = nullptr;   // that opened it
  std::vector<Conditional> ifs;
  std::optional<uint32_t> loop;
  std::optional<uint32_t> further;  // of the line before, where that was a further line of the same statement
  bool introduces = false;          // the line before ends with what its body follows
  uint32_t before = 0;              // indentation of the line before
};

bool introduces_body(size_t kind) {
  switch (kind) {
    case Kind::EQUAL: case Kind::FAT_ARROW: case Kind::THEN: case Kind::ELSE: case Kind::ASSIGN: case Kind::COLON: case Kind::IN:
    case Kind::ARROW: case Kind::TILDE: return true;
    default: return false;
  }
}

class Indenter {
 public:
  uint32_t start(const SourceLine& line) {
    const Cell& first = line.cells.front();
    Level& level = levels_.back();
    if (closes(first.kind)) return level.outer;
    if (first.fresh) return level.base;
    if (first.kind == Kind::BACKWARD || first.kind == Kind::BAR) return level.base + step;
    if (first.kind == Kind::THEN && !level.ifs.empty()) return level.ifs.back().column;
    if (first.kind == Kind::ELSE)
      if (const auto found = owner_of_else(level)) return found->column;
    if ((first.kind == Kind::WHILE || first.kind == Kind::YIELD) && level.loop) return *level.loop;
    if (level.introduces) return level.before + step;
    return level.further.value_or(level.base + step);
  }

  // Goes over the tokens of a line whose indentation is set.
  void read(const SourceLine& line) {
    uint32_t column = line.indent;
    begin_ = line.indent;
    const bool further = !line.cells.front().fresh && !closes(line.cells.front().kind);
    for (size_t i = 0; i < line.cells.size(); ++i) {
      const Cell& c = line.cells[i];
      column += c.space + c.padding;
      token(line, i, column);
      column += c.width;
    }
    Level& level = levels_.back();
    level.before = line.indent;
    level.introduces = introduces_body(line.cells.back().kind);
    if (further && !opens(line.cells.back().kind)) level.further = line.indent;
  }

 private:
  static std::optional<Conditional> owner_of_else(const Level& level) {
    for (auto it = level.ifs.rbegin(); it != level.ifs.rend(); ++it)
      if (it->has_then) return *it;
    return std::nullopt;
  }

  void token(const SourceLine& line, size_t i, uint32_t column) {
    const Cell& c = line.cells[i];
    if (c.fresh) {
      Level& level = levels_.back();
      level.ifs.clear(), level.loop.reset(), level.further.reset();
    }
    if (opens(c.kind)) {
      const bool last = i + 1 == line.cells.size();
      Level inner;
      inner.base = last ? begin_ + step : column + c.width + line.cells[i + 1].space + line.cells[i + 1].padding;
      inner.outer = begin_;
      inner.line = &line;
      levels_.push_back(std::move(inner));
    } else if (closes(c.kind) && levels_.size() > 1) {
      if (levels_.back().line != &line) begin_ = levels_.back().outer;
      levels_.pop_back();
    } else if (!is_name_here(line, i)) {
      keyword(line, i, column);
    }
  }

  void keyword(const SourceLine& line, size_t i, uint32_t column) {
    Level& level = levels_.back();
    switch (line.cells[i].kind) {
      case Kind::IF:
        level.ifs.push_back({after_else_ && i > 0 && line.cells[i - 1].kind == Kind::ELSE ? *after_else_ : column});
        break;
      case Kind::THEN:
        if (!level.ifs.empty()) level.ifs.back().has_then = true;
        break;
      case Kind::ELSE: {
        while (!level.ifs.empty() && !level.ifs.back().has_then) level.ifs.pop_back();
        after_else_.reset();
        if (!level.ifs.empty()) after_else_ = level.ifs.back().column, level.ifs.pop_back();
        break;
      }
      case Kind::LOOP: case Kind::SCAN:
        level.loop = column;
        break;
      default:
        break;
    }
  }

  std::vector<Level> levels_{1};
  uint32_t begin_ = 0;  // of the line, or of the line that opened what this one has closed last
  std::optional<uint32_t> after_else_;  // column of the `if` whose `else` was read last
};

}  // namespace

void set_indents(SourceLines& lines) {
  Indenter indenter;
  std::vector<SourceLine*> comments;  // they stand as the next line of code does
  for (SourceLine& line : lines) {
    if (line.only_comment()) comments.push_back(&line);
    if (line.cells.empty()) continue;
    line.indent = indenter.start(line);
    const bool end = closes(line.cells.front().kind);
    for (SourceLine* c : comments) c->indent = line.indent + (end ? step : 0);
    comments.clear();
    indenter.read(line);
  }
  for (SourceLine* c : comments) c->indent = 0;
}

}  // namespace glia::syntax
