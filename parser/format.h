// One style for Glia source. The author's line breaks, comments and real alignments stay; indentation, spaces, blank lines
// and the end of the file become regular. The result is formatted already: formatting it again changes nothing.
#pragma once
#include <optional>
#include <string>

#include "base/diag.h"

namespace glia {

// The formatted text. Nothing where the text has syntax errors (then they are in `diags`), and nothing either where the
// result would not mean the same: that is compared before anything is given out.
std::optional<std::string> format_source(Sources& sources, FileId file, Diagnostics& diags);

}  // namespace glia
