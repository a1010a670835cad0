// Diagnostics on standard error: for a person, or as lines of JSON.
#pragma once
#include <string>

#include "base/diag.h"

namespace glia::cli {

void print_diagnostics(const Diagnostics& diags, const Sources& sources, bool json = false);

// One object: code, severity, message, file, line, column, end, labels, notes, help. Without a place, `file` is null.
std::string diagnostic_json(const Diagnostic& d, const Sources& sources);

}  // namespace glia::cli
