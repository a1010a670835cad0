// Where derivatives flow in a function, read from its nodes: what its result depends on, and where a path ends.
#pragma once
#include <optional>
#include <vector>

#include "ir/func.h"

namespace glia {

// By node: whether a change of it changes the value `result` at first order, as far as the nodes tell. What stands inside
// branches and loops is taken to pass everything on.
std::vector<bool> reached(const ir::Module& module, const ir::Func& f, ir::ValueId result);

// The first node on the way from `from` to `result` that has no derivative; nothing where the way does not exist.
std::optional<ir::ValueId> path_end(const ir::Module& module, const ir::Func& f, ir::ValueId from, ir::ValueId result);

}  // namespace glia
