// A sum of products over labels, as a batch of matrix products, with a rearranging copy only where the labels of an
// operand or of the result do not fall into rows and columns as they lie.
#pragma once
#include <optional>

#include "interp/exec/fused.h"
#include "interp/exec/matmul.h"

namespace glia::interp::exec {

// Nothing where the contraction is none of that; the reference kernel takes it then.
std::optional<std::vector<Unit>> make_contract(Graph& g, const MatrixLibrary& library, SlotId out);

}  // namespace glia::interp::exec
