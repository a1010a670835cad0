// See nesting.h. Each check is one loop over the tokens.
#include "parser/nesting.h"

namespace glia::syntax {

inline constexpr DiagKind nested_too_deep{"E0104", Severity::error, "nesting is deeper than {} levels"};
inline constexpr DiagKind chain_too_long{"E0105", Severity::error, "expression has more than {} operations in a row"};
inline constexpr DiagKind string_too_deep{"E0106", Severity::error, "interpolations in strings nest deeper than {} levels"};
inline constexpr DiagKind unclosed_bracket{"E0107", Severity::error, "`{}` is never closed"};
inline constexpr DiagKind wrong_bracket{"E0108", Severity::error, "found `{}`, but the bracket open here is `{}`"};
inline constexpr DiagKind stray_bracket{"E0109", Severity::error, "`{}` closes nothing"};

namespace {

// Each level of nesting costs some twelve stack frames of the parser, each operation of a chain one of a reader of
// the tree; strings in strings multiply both.
constexpr uint32_t string_limit = 16;

bool separates(size_t kind) { return kind == Kind::COMMA || kind == Kind::SEMICOLON || kind == Kind::NEWLINE; }

bool ends_operand(size_t kind) {
  return is_word(kind) ? kind == Kind::NAME || kind == Kind::CAPITAL || kind >= Kind::MODEL || kind == Kind::TRUE_ || kind == Kind::FALSE_
                       : closes(kind) || kind == Kind::INT || kind == Kind::FLOAT || kind == Kind::STRING || kind == Kind::UNDERSCORE;
}

// Makes the parser call itself: what stands to the right is one level deeper.
bool recurses(size_t kind, bool after_operand) {
  switch (kind) {
    case Kind::IF: case Kind::FOR: case Kind::LOOP: case Kind::SCAN: case Kind::MATCH: case Kind::ON: case Kind::NOT:
    case Kind::RECOMPUTE: case Kind::CACHED: case Kind::FAT_ARROW: case Kind::ARROW: case Kind::CARET: case Kind::YIELD: return true;
    case Kind::MINUS: return !after_operand;
    default: return false;
  }
}

// Makes the tree one level deeper without recursion in the parser: an operator, a call, an index, a field.
bool chains(size_t kind, bool after_operand) {
  switch (kind) {
    case Kind::PIPE: case Kind::OR: case Kind::AND: case Kind::PLUS: case Kind::STAR: case Kind::SLASH: case Kind::FLOOR_DIV:
    case Kind::PERCENT: case Kind::AT: case Kind::DOT: case Kind::EQ: case Kind::NE: case Kind::LT_: case Kind::LE: case Kind::GT:
    case Kind::GE: return true;
    case Kind::MINUS: case Kind::OPEN: case Kind::OPEN_LIST: return after_operand;
    default: return false;
  }
}

struct Level {
  uint32_t nested = 0;   // since the last separator
  uint32_t chained = 0;
};

std::string_view partner_of(size_t kind) {
  if (kind == Kind::OPEN) return ")";
  return kind == Kind::OPEN_LIST ? "]" : "}";
}

bool pairs(size_t open, size_t close) {
  if (open == Kind::OPEN || open == Kind::LAMBDA_OPEN) return close == Kind::CLOSE;
  return open == Kind::OPEN_LIST ? close == Kind::CLOSE_LIST : close == Kind::CLOSE_BRACE;
}

// A declaration at the left edge: where unclosed brackets are given up, so that what follows is read as usual.
bool begins_declaration(const Text& text, const std::vector<Lexeme>& tokens, size_t i) {
  if (i == 0 || tokens[i - 1].line == tokens[i].line) return false;
  if (tokens[i].begin > 0 && text.all[tokens[i].begin - 1] != '\n') return false;
  const size_t kind = tokens[i].kind, next = tokens[i + 1].kind;
  if (kind == Kind::FN || kind == Kind::TYPE || kind == Kind::IMPORT || kind == Kind::LET) return true;
  const bool contextual = kind == Kind::MODEL || kind == Kind::OPTIMIZER || kind == Kind::OPTION || kind == Kind::TRAIN || kind == Kind::TEST;
  return contextual && (next == Kind::NAME || next == Kind::CAPITAL || next == Kind::STRING || next == Kind::OPEN_BRACE);
}

}  // namespace

bool check_depth(const Text& text, const std::vector<Lexeme>& tokens, DepthLimits limits, Diagnostics& diags) {
  std::vector<Level> levels(1);
  uint32_t nested = 0, chained = 0;
  bool after_operand = false;
  for (const Lexeme& t : tokens) {
    if (separates(t.kind)) {
      nested -= levels.back().nested, chained -= levels.back().chained;
      levels.back() = {};
    }
    if (recurses(t.kind, after_operand)) ++nested, ++levels.back().nested;
    if (chains(t.kind, after_operand)) ++chained, ++levels.back().chained;
    if (opens(t.kind)) levels.push_back({1, 0}), ++nested;
    if (closes(t.kind) && levels.size() > 1) {
      nested -= levels.back().nested, chained -= levels.back().chained;
      levels.pop_back();
    }
    after_operand = ends_operand(t.kind);
    if (nested > limits.nesting) {
      diags.report(nested_too_deep, text.span(t), limits.nesting).help("name inner parts with `let`, or write them as functions");
      return false;
    }
    if (chained > limits.chain) {
      diags.report(chain_too_long, text.span(t), limits.chain).help("name parts with `let`, or use a loop or `sum`");
      return false;
    }
  }
  return true;
}

bool check_string_depth(const Text& text, Diagnostics& diags) {
  std::vector<char> open;  // '"' a string, '{' a brace inside one
  for (size_t i = 0; i < text.all.size(); ++i) {
    const char c = text.all[i];
    if (c == '\n' || c == '\r') open.clear();
    const bool in_string = !open.empty() && open.back() == '"';
    if (c == '#' && open.empty()) {
      while (i + 1 < text.all.size() && text.all[i + 1] != '\n' && text.all[i + 1] != '\r') ++i;
    } else if (c == '\\' && in_string) {
      if (i + 1 < text.all.size() && text.all[i + 1] != '\n' && text.all[i + 1] != '\r') ++i;
    } else if (c == '"') {
      in_string ? open.pop_back() : open.push_back(c);
    } else if (c == '{' && !open.empty()) {
      open.push_back(c);
    } else if (c == '}' && !open.empty() && !in_string) {
      open.pop_back();
    }
    if (open.size() > 2 * string_limit) {
      const auto at = static_cast<uint32_t>(i);
      diags.report(string_too_deep, Span{text.file, at, at + 1}, string_limit)
          .help("build inner texts with `let` first; a plain `{` in a string is written `\\{`");
      return false;
    }
  }
  return true;
}

bool all_pair(const std::vector<Lexeme>& tokens) {
  std::vector<size_t> open;
  for (const Lexeme& t : tokens) {
    if (opens(t.kind)) open.push_back(t.kind);
    if (!closes(t.kind)) continue;
    if (open.empty() || !pairs(open.back(), t.kind)) return false;
    open.pop_back();
  }
  return open.empty();
}

namespace {

// Brackets that do not pair, one report for each place where that shows.
class BracketReport {
 public:
  BracketReport(const Text& text, Diagnostics& diags) : text_(text), diags_(diags) {}

  void open(const Lexeme& t) { open_.push_back(&t); }
  bool any_open() const { return !open_.empty(); }

  void close(const Lexeme& t) {
    if (!open_.empty() && pairs(open_.back()->kind, t.kind)) return open_.pop_back();
    size_t outer = open_.size();
    while (outer > 0 && !pairs(open_[outer - 1]->kind, t.kind)) --outer;
    if (outer > 0) {  // the inner ones were forgotten
      report_unclosed(*open_.back()).label(text_.span(t), fmt::format("found `{}` instead", text_.of(t)));
      open_.resize(outer - 1);
    } else if (open_.empty() || open_.back()->kind == Kind::OPEN_BRACE) {
      diags_.report(stray_bracket, text_.span(t), text_.of(t)).help("remove it, or add the bracket that opens before it");
    } else {
      const Lexeme& innermost = *open_.back();
      diags_.report(wrong_bracket, text_.span(t), text_.of(t), text_.of(innermost))
          .label(text_.span(innermost), "opened here")
          .help(fmt::format("close it with `{}`", partner_of(innermost.kind)));
      open_.pop_back();
    }
  }

  void give_up(const Lexeme& at) {
    Diagnostic& d = report_unclosed(*open_.back());
    if (at.kind == antlr4::Token::EOF)
      d.note("the file ends before it is closed");
    else
      d.label(text_.span(at), "the next declaration begins here");
    open_.clear();
  }

 private:
  Diagnostic& report_unclosed(const Lexeme& opener) {
    return diags_.report(unclosed_bracket, text_.span(opener), text_.of(opener)).help(fmt::format("add `{}`", partner_of(opener.kind)));
  }

  const Text& text_;
  Diagnostics& diags_;
  std::vector<const Lexeme*> open_;
};

}  // namespace

std::vector<std::vector<Lexeme>> left_edge_parts(const Text& text, const std::vector<Lexeme>& tokens) {
  std::vector<std::vector<Lexeme>> parts(1);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (begins_declaration(text, tokens, i) && !parts.back().empty()) {
      parts.back().push_back({antlr4::Token::EOF, tokens[i].begin, tokens[i].begin, tokens[i].line});
      parts.emplace_back();
    }
    parts.back().push_back(tokens[i]);
  }
  return parts;
}

bool check_brackets(const Text& text, const std::vector<Lexeme>& tokens, Diagnostics& diags) {
  // Declarations at the left edge inside a block are unusual but allowed: only once something is known to be
  // wrong do they count as a sign of where.
  if (all_pair(tokens)) return true;
  constexpr size_t most_reports = 5;
  const size_t before = diags.error_count();
  BracketReport report(text, diags);
  for (size_t i = 0; i < tokens.size() && diags.error_count() - before < most_reports; ++i) {
    const Lexeme& t = tokens[i];
    if (report.any_open() && (t.kind == antlr4::Token::EOF || begins_declaration(text, tokens, i))) report.give_up(t);
    if (opens(t.kind)) report.open(t);
    if (closes(t.kind)) report.close(t);
  }
  return false;
}

}  // namespace glia::syntax
