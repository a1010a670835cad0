// Maps, loops and scans that run over values made at run time, as folds, which have a derivative over those.
#pragma once
#include "ir/func.h"

namespace glia::ir {

// `places` are values of f, and become those of the result.
Func lists_as_folds(Module& m, const Func& f, std::vector<ValueId>& places);

}  // namespace glia::ir
