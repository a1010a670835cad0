// What a name of the language is for: the comment and the signature of a declaration or of a built-in function.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "parser/ast.h"

namespace glia {

struct DocEntry {
  std::string name;       // "Dense", "Dense.call"
  std::string signature;  // on one line
  std::string doc;        // may be empty
  bool member = false;    // of a model
};

// The declarations of a file in its order; those of a model follow it.
std::vector<DocEntry> docs_of(const Sources& sources, const ast::Tree& tree);

std::optional<DocEntry> builtin_doc(const std::string& name);

// Names that a program sees without an import, but for those of the prelude.
std::vector<std::string> builtin_doc_names();

}  // namespace glia
