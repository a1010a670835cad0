// Habits from other languages and common slips, recognised by the tokens around a syntax error. Each is a row
// or a short function; none decides whether the text is right, only what to say about it.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "parser/syntax_errors.h"

namespace glia::syntax {

namespace {

struct Row {
  std::string_view found;
  std::string_view help;
};

constexpr Row operators[] = {
    {"**", "powers are written with `^`: `x ^ 2`"},
    {"&", "write `and`"},
    {"&&", "write `and`"},
    {"||", "write `or`"},
    {"!", "write `not`"},
    {"++", "texts and numbers are added with `+`; lists are joined with `concat`"},
    {"===", "write `==`"},
    {"<<", "there are no bit shifts: multiply by a power of 2"},
    {">>", "there are no bit shifts: `//` by a power of 2"},
};

// Words that begin something in other languages and are plain names here.
constexpr Row words[] = {
    {"def", "a function is declared with `fn name(x: f32) -> f32 = …`"},
    {"func", "a function is declared with `fn`"},
    {"fun", "a function is declared with `fn`, a lambda is `x => e`"},
    {"function", "a function is declared with `fn`"},
    {"lambda", "a lambda is written `x => e` or `(x, y) => e`"},
    {"elif", "write `else if`"},
    {"elseif", "write `else if`"},
    {"return", "the last expression of a block is its value: leave `return` out"},
    {"class", "write `model` for parameters and layers, `type` for plain records"},
    {"struct", "write `type Name = { field: f32 }`"},
    {"enum", "write `type Name = A | B`"},
    {"var", "write `let`; values never change, a new `let` may use the same name"},
    {"const", "write `let`"},
    {"val", "write `let`"},
    {"mut", "values never change: carry them in a `loop`"},
    {"switch", "write `match e { pattern => value }`"},
    {"case", "write `match e { pattern => value }`"},
    {"try", "there are no exceptions: a wrong program is refused before it runs"},
    {"with", "regions are `on device(0) { … }`, `recompute { … }` and `cached { … }`"},
    {"del", "values are freed by themselves"},
    {"pass", "an empty block is `{}`"},
    {"is", "compare with `==`"},
};

template <size_t N>
std::optional<std::string> look_up(const Row (&rows)[N], std::string_view found) {
  for (const Row& r : rows)
    if (r.found == found) return std::string(r.help);
  return std::nullopt;
}

const std::vector<std::string> declaration_words = {"fn",     "let",   "type", "import", "model", "optimizer", "option", "train",
                                                    "test",   "from",  "assert", "param", "state", "layer",     "update", "recompute",
                                                    "cached", "match", "loop", "scan",   "for",   "if",        "on"};
const std::vector<std::string> expression_words = {"if", "for", "loop", "scan", "match", "not", "and", "or", "then", "else", "in", "while"};

// The tokens around a stop.
struct Around {
  const Text& text;
  const std::vector<Lexeme>& tokens;
  size_t at;

  size_t kind(size_t i) const { return tokens[i].kind; }
  std::string_view source(size_t i) const { return text.of(tokens[i]); }
  bool starts(size_t i) const {
    if (i == 0) return true;
    const size_t before = kind(i - 1);
    return before == Kind::NEWLINE || before == Kind::SEMICOLON || is_brace(before);
  }
  size_t statement_start() const {
    size_t i = at;
    while (!starts(i)) --i;
    return i;
  }
  bool mentions(size_t from, size_t wanted) const {
    for (size_t i = from; i < at; ++i)
      if (kind(i) == wanted) return true;
    return false;
  }
};

bool names(size_t kind) { return kind == Kind::NAME || kind == Kind::CAPITAL; }

std::string did_you_mean(std::string_view word) { return fmt::format("did you mean `{}`?", word); }

// The word at the stop, where another one was expected: `tehn`.
std::optional<std::string> misspelt_here(const Around& a, const Stop& stop) {
  if (!names(a.kind(a.at))) return std::nullopt;
  std::vector<std::string> possible;
  for (const Stop::Expected& e : stop.expected)
    if (is_word(e.kind) && !e.literal.empty()) possible.push_back(e.literal);
  if (auto word = nearest(a.source(a.at), possible)) return did_you_mean(*word);
  return std::nullopt;
}

// The word before the stop, which was read as a value: `modle Foo {`.
std::optional<std::string> misspelt_before(const Around& a) {
  if (a.at == 0 || a.kind(a.at - 1) != Kind::NAME) return std::nullopt;
  const size_t here = a.kind(a.at);
  const bool continues = is_word(here) || is_brace(here) || here == Kind::STRING || here == Kind::INT || here == Kind::FLOAT;
  if (!continues) return std::nullopt;
  const bool first = a.starts(a.at - 1);
  if (auto word = nearest(a.source(a.at - 1), first ? declaration_words : expression_words)) return did_you_mean(*word);
  return std::nullopt;
}

std::optional<std::string> equals_sign(const Around& a, const Stop& stop) {
  if (a.kind(a.at) == Kind::EQ && stop.expects(Kind::EQUAL)) return "`=` defines, `==` compares";
  if (a.kind(a.at) != Kind::EQUAL) return std::nullopt;
  const size_t first = a.statement_start();
  if (a.kind(first) == Kind::OPTION) return "an option has a type: `option x: f32 = …`";
  if (!stop.expects(Kind::EQ)) return std::nullopt;  // not after a value
  if (first + 1 == a.at && is_word(a.kind(first)))
    return fmt::format("a name is defined with `let {} = …`; a state is updated with `:=`; `==` compares", a.source(first));
  return "to compare, write `==`";
}

std::optional<std::string> colon(const Around& a, const Stop& stop) {
  if (a.kind(a.at) != Kind::COLON) return std::nullopt;
  const size_t first = a.statement_start();
  if (first + 1 == a.at && a.at >= 2 && (a.kind(a.at - 2) == Kind::RECORD_OPEN || a.kind(a.at - 2) == Kind::CONSTRUCT_OPEN))
    return "this brace opens a block; a record as its value is written `{ { a: e } }`";
  if (stop.rule == GliaParser::RuleTrailer) return "an argument is named with `=`: `f(x = 1)`";
  if (a.mentions(first, Kind::FOR)) return "write `for x in xs => e`; to carry a value along, `loop s = s0 for x in xs { e }`";
  if (a.mentions(first, Kind::IF)) return "write `if c then a else b`";
  if (a.mentions(first, Kind::WHILE)) return "write `loop s = s0 while c { e }`";
  if (a.mentions(first, Kind::FN)) return "the body of a function follows `=`, or stands in braces";
  return std::nullopt;
}

std::optional<std::string> brace(const Around& a) {
  if (!is_brace(a.kind(a.at))) return std::nullopt;
  const size_t first = a.statement_start();
  if (a.mentions(first, Kind::FOR)) return "`for` gives every value: `for x in xs => e`; to carry one along, `loop s = s0 for x in xs { e }`";
  if (a.mentions(first, Kind::IF) && !a.mentions(first, Kind::THEN)) return "write `if c then a else b`; a branch may be a block";
  return std::nullopt;
}

std::optional<std::string> arrows(const Around& a, const Stop& stop) {
  if (a.kind(a.at) == Kind::ARROW) {
    if (stop.expects(Kind::FAT_ARROW)) return "write `=>`; `->` stands in types only";
    return "a lambda is written `x => e`; `->` stands in types only";
  }
  if (a.kind(a.at) == Kind::FAT_ARROW && stop.expects(Kind::EQUAL)) return "the body of a function follows `=`";
  if (a.kind(a.at) == Kind::FAT_ARROW || a.kind(a.at) == Kind::LAMBDA_OPEN) return "a lambda as an operand stands in parentheses: `(x => e)`";
  return std::nullopt;
}

std::optional<std::string> keywords(const Around& a, const Stop& stop) {
  const size_t kind = a.kind(a.at);
  if (!is_word(kind) || names(kind) || kind >= Kind::MODEL) return std::nullopt;
  if (kind == Kind::FN && a.starts(a.at)) return "functions are declared at the top of a file or in a model; here write `let f = x => e`";
  if (kind == Kind::WHILE) return "write `loop s = s0 while c { e }`";
  if (kind == Kind::IF && !stop.expects(Kind::INT)) return "write `if c then a else b`";
  if (stop.expects(Kind::NAME) && !stop.expects(Kind::OPEN_LIST))
    return fmt::format("`{}` is a keyword and cannot be a name", a.source(a.at));
  const bool loose = kind == Kind::IF || kind == Kind::FOR || kind == Kind::LOOP || kind == Kind::SCAN || kind == Kind::MATCH ||
                     kind == Kind::ON || kind == Kind::RECOMPUTE || kind == Kind::CACHED;
  if (loose && stop.expects(Kind::INT)) return fmt::format("as an operand, `{}` stands in parentheses: `({} …)`", a.source(a.at), a.source(a.at));
  if (kind == Kind::NOT && stop.expects(Kind::INT)) return "`not` binds looser than this operator: write `(not …)`";
  return std::nullopt;
}

std::optional<std::string> after_word(const Around& a, const Stop& stop) {
  if (a.at == 0) return std::nullopt;
  const size_t before = a.kind(a.at - 1);
  const bool member = before == Kind::PARAM || before == Kind::STATE || before == Kind::LAYER;
  if (member && names(a.kind(a.at))) return fmt::format("`{}` stands in the braces of a `model`", a.source(a.at - 1));
  if (before == Kind::TEST) return "the name of a test is a text: `test \"…\" { … }`";
  if (stop.expects(Kind::COLON) && names(before) && names(a.kind(a.at)))
    return fmt::format("a type follows a colon: `{}: {}`", a.source(a.at - 1), a.source(a.at));
  return std::nullopt;
}

std::optional<std::string> signs(const Around& a, const Stop& stop) {
  const size_t before = a.at > 0 ? a.kind(a.at - 1) : 0;
  switch (a.kind(a.at)) {
    case Kind::BAR: return "write `or`; `|` separates the cases of a type";
    case Kind::QUESTION: return "write `if c then a else b`";
    case Kind::COMMA:
      if (stop.rule == GliaParser::RuleMatchExpr) return "arms are separated by new lines or `;`";
      if (stop.rule == GliaParser::RulePrimary) return "a tuple is written `(a, b)`, a record `{ a: a, b: b }`";
      return std::nullopt;
    case Kind::STRING:
      if (before == Kind::IMPORT) return "modules are named without quotes: `import nn`";
      if (names(before)) return fmt::format("arguments stand in parentheses: `{}(…)`", a.source(a.at - 1));
      return std::nullopt;
    case Kind::STAR:
      if (before == Kind::IMPORT) return "name what is needed: `from nn import Dense`, or `import nn` and write `nn.Dense`";
      return std::nullopt;
    case Kind::TYPE_VAR: return "texts stand in double quotes: \"…\"";
    default: return std::nullopt;
  }
}

}  // namespace

std::string foreign_operator(std::string_view op) {
  if (auto help = look_up(operators, op)) return *help;
  // What is left ends in `=`: `+=` and its kind.
  const std::string_view plain = op == "**=" ? "^" : op.substr(0, op.size() - 1);
  return fmt::format("values never change: write `let x = x {} …`, carry x in a `loop`, or for a state `s := s {} …`", plain, plain);
}

std::optional<Habit> habit(const Text& text, const std::vector<Lexeme>& tokens, const Stop& stop) {
  const Around a{text, tokens, stop.token};
  if (a.at > 0 && names(a.kind(a.at - 1)))
    if (auto help = look_up(words, a.source(a.at - 1))) return Habit{*help, true};
  if (names(a.kind(a.at)))
    if (auto help = look_up(words, a.source(a.at))) return Habit{*help};
  if (auto help = misspelt_here(a, stop)) return Habit{*help};
  if (auto help = after_word(a, stop)) return Habit{*help};
  if (auto help = misspelt_before(a)) return Habit{*help, true};
  if (auto help = equals_sign(a, stop)) return Habit{*help};
  if (auto help = colon(a, stop)) return Habit{*help};
  if (auto help = brace(a)) return Habit{*help};
  if (auto help = arrows(a, stop)) return Habit{*help};
  if (auto help = keywords(a, stop)) return Habit{*help};
  if (auto help = signs(a, stop)) return Habit{*help};
  return std::nullopt;
}

}  // namespace glia::syntax
