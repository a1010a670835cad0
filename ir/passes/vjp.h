// Reverse mode over one function: the sweep from cotangents of its results back to chosen values.
#pragma once
#include <expected>

#include "base/diag.h"
#include "ir/passes/cotangent.h"

namespace glia::ir {

// Which nodes depend on `wrt` in a way that has a derivative.
std::vector<bool> depends_on(const Types& types, const Func& f, std::span<const ValueId> wrt);

template <class T>
using Differentiated = std::expected<T, Diagnostic>;

// Sweeps f (without calls to functions and gradients inside) from the cotangents of its results to those of `wrt`.
// `primal` holds the value in b of every node of f. Nodes that do not lie between wrt and the results are not touched.
Differentiated<std::vector<Cotangent>> sweep(Builder& b, const Func& f, std::span<const Value> primal, std::span<const ValueId> wrt,
                                             std::span<const Cotangent> seeds);

// A use of an op with nested functions.
struct ControlUse {
  Builder& b;
  const Node& node;
  std::span<const Value> x;
  Value y;
  const Cotangent& g;        // not zero
  std::vector<bool> active;  // which arguments are asked for
};

// The cotangents of the arguments.
Differentiated<std::vector<Cotangent>> control_vjp(const ControlUse& u);
Differentiated<std::vector<Cotangent>> loop_vjp(const ControlUse& u);   // loop and scan
Differentiated<std::vector<Cotangent>> while_vjp(const ControlUse& u);

std::unexpected<Diagnostic> not_supported(Builder& b, const Node& node, std::string_view what);

}  // namespace glia::ir
