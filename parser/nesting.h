// What is checked on the tokens before any recursion runs: brackets that do not pair, and nesting so deep that
// a recursive parser, or what reads its tree, would run out of stack.
#pragma once
#include "parser/lexemes.h"

namespace glia::syntax {

// How deep brackets and prefixes may nest, and how many operations may follow each other. Together they bound the
// depth of the tree; the inside of a string gets less, since strings nest too.
struct DepthLimits {
  uint32_t nesting, chain;
};
inline constexpr DepthLimits file_limits{256, 1000};
inline constexpr DepthLimits string_limits{32, 64};

// Reports the first nesting over the limit.
bool check_depth(const Text& text, const std::vector<Lexeme>& tokens, DepthLimits limits, Diagnostics& diags);

// Reports text whose strings hold interpolations in interpolations beyond the limit, before it is lexed.
bool check_string_depth(const Text& text, Diagnostics& diags);

// The tokens cut where a declaration begins at the left edge of a line, each part ended by EOF: for a text whose
// brackets do not pair.
std::vector<std::vector<Lexeme>> left_edge_parts(const Text& text, const std::vector<Lexeme>& tokens);

bool all_pair(const std::vector<Lexeme>& tokens);

// Reports brackets without a partner. Returns true if all pair.
bool check_brackets(const Text& text, const std::vector<Lexeme>& tokens, Diagnostics& diags);

}  // namespace glia::syntax
