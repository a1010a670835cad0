// The syntax tree as s-expressions: for tests and for looking at what was parsed.
#pragma once
#include <string>

#include "parser/ast.h"

namespace glia::ast {

std::string print(const Tree& tree);  // one item a line
std::string print(const Tree& tree, ExprId expr);
std::string print(const Tree& tree, TypeExprId type);
std::string print(const Tree& tree, PatternId pattern);

}  // namespace glia::ast
