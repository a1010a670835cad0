// What the derivatives of the ops with nested functions share: each reversed body runs its function again and sweeps back.
#pragma once
#include <memory>

#include "ir/passes/copy.h"
#include "ir/passes/vjp.h"

namespace glia::ir {

// Runs `body` on args inside nb, without its effects, and sweeps it.
Differentiated<std::vector<Cotangent>> rerun(Reverse& run, Builder& nb, const Func& body, std::span<const Value> args, std::span<const ValueId> wrt,
                                             std::span<const Cotangent> seeds);

// The cotangents of the results that are not zero, as values to hand to a reversed body.
struct Seeds {
  std::vector<size_t> which;
  std::vector<Value> values;
  std::vector<bool> through_where;
};
// `primal`, where given, holds the results themselves: the zeros of lists and variants are made like them.
std::optional<Seeds> seeds_of(Builder& b, const Cotangent& g, std::span<const TypeId> results, std::span<const Value> primal = {});
std::vector<Cotangent> split_results(const Cotangent& g, size_t count);

// Adds parameters like these values; the cotangents they are, one per result of the body.
std::vector<Value> params_like(Builder& nb, std::span<const Value> outer);
// Parameters for the seeds, of the types that the body's results have.
std::vector<Value> seed_params(Builder& nb, const Func& body, const Seeds& seeds);
std::vector<Cotangent> spread_seeds(const Seeds& seeds, std::span<const Value> inner, size_t count);

// What to differentiate a body with a counter as its first parameter in, for each argument asked for. An argument that is
// only read as x[i] is asked for row by row, so that its cotangent is stacked instead of summed over whole tensors.
struct RowSweep {
  std::vector<ValueId> wrt;
  std::vector<bool> by_row;
};
RowSweep row_sweep(const Types& types, const Func& body, std::span<const ValueId> params, DimId count);

// Ends the reversed body nb with the cotangents found, maps it over the rows of `outer`, and sums over the rows what
// they share.
Differentiated<std::vector<Cotangent>> map_back(const ControlUse& u, Builder& nb, const Func& body, const RowSweep& rows,
                                                std::span<const Cotangent> bars, std::span<const Value> outer);

}  // namespace glia::ir
