// What is checked on the tokens before any recursion runs: brackets that do not pair, and nesting so deep that
// a recursive parser, or what reads its tree, would run out of stack.
#pragma once
#include "parser/lexemes.h"

namespace glia::syntax {

// Reports the first nesting over the limit. A tree made of the tokens is never deeper than about a thousand.
bool check_depth(const Text& text, const std::vector<Lexeme>& tokens, Diagnostics& diags);

// Reports text whose strings hold interpolations in interpolations beyond the limit, before it is lexed.
bool check_string_depth(const Text& text, Diagnostics& diags);

// Reports brackets without a partner. Returns true if all pair.
bool check_brackets(const Text& text, const std::vector<Lexeme>& tokens, Diagnostics& diags);

}  // namespace glia::syntax
