// Removes the nodes that no result and no effect needs. Parameters stay.
#pragma once
#include "ir/func.h"

namespace glia::ir {

Func remove_dead(Module& m, const Func& f);

}  // namespace glia::ir
