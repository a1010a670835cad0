// Errors that follow from one place: two of them show it, the others only repeat it.
#pragma once
#include <functional>

#include "base/diag.h"

namespace glia {

// The diagnostics without errors that name a place (where a value comes from, where something is declared) which two errors
// before them have named. Places for which `ignored` holds do not count: those in the library.
Diagnostics without_echoes(const Diagnostics& all, const std::function<bool(FileId)>& ignored);

}  // namespace glia
