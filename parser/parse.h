// Text to syntax tree. The one way in: everything of ANTLR stays behind it.
#pragma once
#include "base/diag.h"
#include "parser/ast.h"

namespace glia {

// Parses a whole file. Returns a tree also after errors, with what could be read; `diags` tells whether it
// may be used. Never throws; refuses text that is not UTF-8 and nesting over the limit.
ast::Tree parse(const Sources& sources, FileId file, Diagnostics& diags);

}  // namespace glia
