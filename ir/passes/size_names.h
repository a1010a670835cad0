// Which size names a node uses, and which values tell them at run time.
#pragma once
#include <set>

#include "ir/func.h"

namespace glia::ir {

using SizeNames = std::set<AtomId>;

// The names in the node's type, attributes and nested functions; `seen` holds the functions looked at already.
void add_size_names(const Module& m, const Node& n, SizeNames& to, std::set<FuncId>& seen);
// The names that a value of the type tells: those that stand alone in the shape of a tensor.
SizeNames told_by(const Types& types, TypeId type);
// The names that no parameter tells, each with the first node whose value tells it: that node runs wherever the name is used.
std::map<AtomId, ValueId> tellers(const Module& m, const Func& f);

}  // namespace glia::ir
