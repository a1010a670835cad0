// Between lexer and parser: newlines that do not end a statement go, and brackets that the parser could only
// tell apart by looking far ahead get kinds of their own.
#pragma once
#include "parser/lexemes.h"

namespace glia::syntax {

// The three rules of the language: a newline ends a statement except inside `(` and `[`, after a token that
// cannot end an expression, and before a line that begins with a word or sign that continues one.
std::vector<Lexeme> filter_newlines(const std::vector<Lexeme>& tokens);

// Retypes `(` of lambdas, `{` of records and `{` of constructions (the kinds are explained in grammar/Glia.g4).
void retype_brackets(std::vector<Lexeme>& tokens);

}  // namespace glia::syntax
