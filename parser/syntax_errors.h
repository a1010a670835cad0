// Syntax errors in the user's words: what was found, what could stand there, and what was probably meant.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "parser/lexemes.h"

namespace glia::syntax {

// Where a parse stopped: the first token that fits nowhere.
struct Stop {
  struct Expected {
    size_t kind;
    std::string literal;  // `then`, empty for kinds with many texts
  };
  size_t token = 0;  // index into the tokens
  size_t rule = 0;   // the innermost grammar rule
  std::vector<Expected> expected;

  bool expects(size_t kind) const;
};

// The strategy for the second, slower parse: stops at the first error and keeps what is needed to explain it.
class StopAtFirst : public antlr4::DefaultErrorStrategy {
 public:
  Stop stop;

  void sync(antlr4::Parser* parser) override;
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override;
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void recover(antlr4::Parser* parser, std::exception_ptr e) override;

 private:
  void keep(antlr4::Parser* parser, size_t token);

  // Lists that could have gone on at this token: their signs could stand there too.
  size_t synced_token_ = 0;
  std::vector<antlr4::misc::IntervalSet> synced_;
};

// Reports the stop. `tokens` are what was parsed and end with EOF; an EOF with text stands for that text (the
// brace that ends an interpolation).
void explain(const Text& text, const std::vector<Lexeme>& tokens, const Stop& stop, Diagnostics& diags);

// What was probably meant, where the tokens around the stop show a habit from another language or a known slip.
struct Habit {
  std::string help;
  bool word_before = false;  // the word before the stop is the culprit, as in `modle Foo {`
};
std::optional<Habit> habit(const Text& text, const std::vector<Lexeme>& tokens, const Stop& stop);

// What to write for an operator that Glia does not have.
std::string foreign_operator(std::string_view op);

}  // namespace glia::syntax
