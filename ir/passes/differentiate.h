// Derivatives as a transformation of programs: reverse mode, IR to IR. The result is IR like any other and can be
// differentiated again.
#pragma once
#include "ir/passes/vjp.h"

namespace glia::ir {

// A function with f's parameters that gives all results of f, then for each parameter in `wrt` the derivative of the
// result number `result`, which is a float scalar. A parameter that it does not depend on gets zeros; the derivative of a
// tuple is a tuple of its type, with zeros for what holds no floats.
Differentiated<FuncId> value_and_grad(Module& m, FuncId f, std::span<const size_t> wrt, size_t result = 0);

// Every `grad` node replaced by the derivative itself, innermost first, in nested functions too.
Differentiated<Func> expand_grads(Module& m, const Func& f);

}  // namespace glia::ir
