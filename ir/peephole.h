// Nodes made through the laws that cost nothing to look for: x * 1 is x, a transpose of a transpose is one, an operation
// on numbers is a number. All of them are exact in IEEE arithmetic, but that a sum over no axes keeps a -0.
#pragma once
#include <span>

#include "ir/value.h"

namespace glia::ir {

// Builder::emit, unless one of the laws knows a simpler value.
Value make(Builder& b, OpId op, std::span<const Value> x, Attrs attrs = {}, TypeId type = {});

}  // namespace glia::ir
