// Where the parser stopped and what could have stood there. The habits are in syntax_habits.cpp.
#include "parser/syntax_errors.h"

#include <algorithm>

#include "base/text.h"

namespace glia::syntax {

inline constexpr DiagKind unexpected{"E0110", Severity::error, "found {}, expected {}"};
inline constexpr DiagKind unclosed_string{"E0111", Severity::error, "this string is never closed"};
inline constexpr DiagKind bad_number{"E0112", Severity::error, "`{}` is not a number"};
inline constexpr DiagKind unknown_character{"E0113", Severity::error, "the character `{}` has no meaning here"};
inline constexpr DiagKind foreign{"E0114", Severity::error, "`{}` is not an operator of Glia"};
inline constexpr DiagKind unknown_word{"E0116", Severity::error, "`{}` does not begin anything here"};
inline constexpr DiagKind missing_digits{"E0115", Severity::error, "digits are needed on both sides of the point in `{}`"};

using antlr4::misc::IntervalSet;

bool Stop::expects(size_t kind) const {
  return std::any_of(expected.begin(), expected.end(), [&](const Expected& e) { return e.kind == kind; });
}

void StopAtFirst::sync(antlr4::Parser* parser) {
  const size_t at = parser->getTokenStream()->index();
  if (at != synced_token_) synced_.clear(), synced_token_ = at;
  synced_.push_back(parser->getATN().nextTokens(parser->getATN().states[parser->getState()]));
}

void StopAtFirst::keep(antlr4::Parser* parser, size_t token) {
  IntervalSet all = parser->getExpectedTokens();
  if (token == synced_token_)
    for (const IntervalSet& more : synced_) all.addAll(more);
  stop = {token, parser->getContext()->getRuleIndex(), {}};
  for (const ssize_t kind : all.toList()) {
    if (kind == 0 || kind == static_cast<ssize_t>(antlr4::Token::EPSILON)) continue;
    std::string literal = kind > 0 ? parser->getVocabulary().getLiteralName(static_cast<size_t>(kind)) : "";
    if (literal.size() > 2) literal = literal.substr(1, literal.size() - 2);  // without the quotes
    stop.expected.push_back({static_cast<size_t>(kind), std::move(literal)});
  }
}

void StopAtFirst::reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) {
  keep(parser, e.getOffendingToken()->getTokenIndex());
}

antlr4::Token* StopAtFirst::recoverInline(antlr4::Parser* parser) {
  keep(parser, parser->getCurrentToken()->getTokenIndex());
  throw antlr4::ParseCancellationException();
}

void StopAtFirst::recover(antlr4::Parser*, std::exception_ptr) { throw antlr4::ParseCancellationException(); }

namespace {

std::string found_words(const Text& text, const Lexeme& t) {
  if (t.kind == antlr4::Token::EOF && t.begin >= text.all.size()) return "the end of the file";
  if (t.kind == Kind::NEWLINE || t.begin == t.end) return "the end of the line";
  return t.kind == Kind::STRING ? "a string" : fmt::format("`{}`", shortened(text.of(t)));
}

// Signs that only go on with what is already complete: "expected an operator" helps nobody.
bool goes_on(size_t kind) {
  switch (kind) {
    case Kind::PIPE: case Kind::OR: case Kind::AND: case Kind::EQ: case Kind::NE: case Kind::LT_: case Kind::LE: case Kind::GT:
    case Kind::GE: case Kind::PLUS: case Kind::MINUS: case Kind::STAR: case Kind::SLASH: case Kind::FLOOR_DIV: case Kind::PERCENT:
    case Kind::AT: case Kind::CARET: case Kind::DOT: case Kind::OPEN: case Kind::OPEN_LIST: case Kind::FAT_ARROW: case Kind::ASSIGN:
    case Kind::RANGE: case Kind::ARROW: case Kind::CONSTRUCT_OPEN: case Kind::ELLIPSIS: return true;
    default: return false;
  }
}

// May begin an expression, a pattern, a type, a statement or a declaration.
bool begins_phrase(size_t kind) {
  if (is_word(kind)) return kind != Kind::THEN && kind != Kind::ELSE && kind != Kind::IN && kind != Kind::WHILE && kind != Kind::YIELD;
  switch (kind) {
    case Kind::INT: case Kind::FLOAT: case Kind::STRING: case Kind::UNDERSCORE: case Kind::OPEN: case Kind::OPEN_LIST:
    case Kind::OPEN_BRACE: case Kind::MINUS: case Kind::LAMBDA_OPEN: case Kind::RECORD_OPEN: case Kind::CONSTRUCT_OPEN:
    case Kind::TYPE_VAR: return true;
    default: return false;
  }
}

// The phrase that the expected kinds begin, if they are too many to list.
std::string phrase(const Stop& stop) {
  const bool member = stop.expects(Kind::PARAM) && !stop.expects(Kind::NAME);
  if (member) return "`param`, `state`, `layer` or `fn`";
  if (stop.expects(Kind::INT) && stop.expects(Kind::OPEN_LIST)) {
    if (stop.expects(Kind::LET) && !stop.expects(Kind::IN)) return stop.expects(Kind::FN) ? "a declaration or a statement" : "a statement";
    return stop.expects(Kind::RANGE) && stop.expects(Kind::QUESTION) ? "a size" : "an expression";
  }
  if (stop.expects(Kind::TYPE_VAR) && stop.expects(Kind::OPEN_LIST)) return "a type";
  if (stop.expects(Kind::INT) && stop.expects(Kind::UNDERSCORE)) return "a pattern";
  return stop.expects(Kind::NAME) ? "a name" : "";
}

std::string kind_words(const Stop::Expected& e, bool in_string) {
  switch (e.kind) {
    case antlr4::Token::EOF: return in_string ? "`}`" : "a new line";
    case Kind::NEWLINE: case Kind::SEMICOLON: return "a new line";
    case Kind::CAPITAL: return "a capitalised name";
    case Kind::INT: case Kind::FLOAT: return "a number";
    case Kind::STRING: return "a string";
    case Kind::LAMBDA_OPEN: return "`(`";
    case Kind::RECORD_OPEN: case Kind::CONSTRUCT_OPEN: return "`{`";
    default: return fmt::format("`{}`", e.literal);
  }
}

std::string expected_words(const Stop& stop, bool in_string) {
  const std::string many = phrase(stop);
  const bool arrow = stop.rule == GliaParser::RuleForExpr || stop.rule == GliaParser::RuleArm || stop.rule == GliaParser::RuleLambda;
  const bool complete = std::any_of(stop.expected.begin(), stop.expected.end(), [](const auto& e) {
    return !goes_on(e.kind);
  });
  std::vector<std::string> words;
  if (!many.empty()) words.push_back(many);
  const bool any_word = stop.expects(Kind::IN) && stop.expects(Kind::LET);  // a name, whatever it means elsewhere
  for (const Stop::Expected& e : stop.expected) {
    if (any_word && is_word(e.kind)) continue;
    if (!many.empty() && (begins_phrase(e.kind) || e.kind == Kind::QUESTION)) continue;
    const bool needed = arrow && e.kind == Kind::FAT_ARROW;
    if (goes_on(e.kind) && !needed && (complete || !many.empty())) continue;
    std::string word = kind_words(e, in_string);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
  }
  if (words.size() > 6) words.resize(6);
  return words.empty() ? "nothing more" : join_words(words);
}

Span line_rest(const Text& text, const Lexeme& t) {
  const size_t end = text.all.find_first_of("\r\n", t.begin);
  return {text.file, t.begin, static_cast<uint32_t>(std::min(end, text.all.size()))};
}

std::string number_help(std::string_view source) {
  if (source.starts_with("0x")) return "after `0x` stand the digits 0-9 and a-f";
  if (source.find_first_not_of("0123456789_.") == std::string_view::npos) return "a single `_` may stand between two digits";
  return "names begin with a letter; a product is written with `*`: `2 * x`";
}

// The tokens that are wrong wherever they stand.
bool explain_token(const Text& text, const Lexeme& t, Diagnostics& diags) {
  const std::string_view source = text.of(t);
  switch (t.kind) {
    case Kind::UNCLOSED_STRING: {
      Diagnostic& d = diags.report(unclosed_string, line_rest(text, t));
      d.help("close it with `\"` on the same line; a line break in a text is written `\\n`");
      if (text.sources.text(line_rest(text, t)).find('{') != std::string_view::npos) d.help("a plain `{` in a string is written `\\{`");
      return true;
    }
    case Kind::BAD_NUMBER:
      diags.report(bad_number, text.span(t), shortened(source)).help(number_help(source));
      return true;
    case Kind::FOREIGN: diags.report(foreign, text.span(t), source).help(foreign_operator(source)); return true;
    case Kind::UNKNOWN: {
      Diagnostic& d = diags.report(unknown_character, text.span(t), source);
      if (source == "'" || source == "`" || source == "“" || source == "”") d.help("texts stand in double quotes: \"…\"");
      if (source == "\\") d.help("a lambda is written `x => e`; a line goes on after an operator or inside brackets");
      return true;
    }
    default: return false;
  }
}

// `2.` and `.5`
bool explain_point(const Text& text, const std::vector<Lexeme>& tokens, size_t at, Diagnostics& diags) {
  const auto touch = [&](size_t i) { return tokens[i].end == tokens[i + 1].begin; };
  size_t first = at;
  std::string better;
  if (tokens[at].kind == Kind::DOT && at + 1 < tokens.size() && tokens[at + 1].kind == Kind::INT && touch(at)) {
    better = fmt::format("0.{}", text.of(tokens[at + 1]));
  } else if (at >= 2 && tokens[at - 1].kind == Kind::DOT && tokens[at - 2].kind == Kind::INT && touch(at - 2)) {
    first = at - 2;
    better = fmt::format("{}.0", text.of(tokens[first]));
  } else {
    return false;
  }
  const Span s = join(text.span(tokens[first]), text.span(tokens[first + 1]));
  diags.report(missing_digits, s, text.sources.text(s)).help(fmt::format("write `{}`", better));
  return true;
}

}  // namespace

void explain(const Text& text, const std::vector<Lexeme>& tokens, const Stop& stop, Diagnostics& diags) {
  const Lexeme& t = tokens[stop.token];
  if (explain_token(text, t, diags) || explain_point(text, tokens, stop.token, diags)) return;
  const std::optional<Habit> meant = habit(text, tokens, stop);
  if (meant && meant->word_before) {
    const Lexeme& word = tokens[stop.token - 1];
    diags.report(unknown_word, text.span(word), text.of(word)).help(meant->help);
    return;
  }
  const Lexeme& last = tokens.back();
  Span at = text.span(t);
  if (t.kind == Kind::NEWLINE) at.end = at.begin;
  // Nothing stands at the end of a line: point behind what does.
  const bool nothing = at.begin == at.end;
  if (nothing && stop.token > 0) at.begin = at.end = tokens[stop.token - 1].end;
  Diagnostic& d = diags.report(unexpected, at, found_words(text, t), expected_words(stop, last.end > last.begin));
  if (meant) d.help(meant->help);
}

}  // namespace glia::syntax
