// The steps that are neither fused groups nor products: reductions, row lookups, and whatever is left to the reference
// kernels and the evaluator.
#pragma once
#include <optional>

#include "interp/exec/fused.h"

namespace glia::interp::exec {

// Nothing where there is no such step for the node.
std::optional<std::vector<Unit>> make_reduction(Graph& g, SlotId out);
std::optional<Unit> make_row_gather(const Graph& g, SlotId out);

// The reference kernel on memory placed by the plan; views among its arguments are written out first.
std::vector<Unit> make_kernel(Graph& g, const Schedule& plan, SlotId out);
// A node with nested functions or effects, by the evaluator. The fault says what it needs that a plan has not.
std::expected<std::vector<Unit>, Fault> make_evaluated(Graph& g, const Work& work, const EvalOptions& options);

Unit make_copy(const Graph& g, SlotId from, SlotId to);

}  // namespace glia::interp::exec
