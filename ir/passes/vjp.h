// Reverse mode over one function: the sweep from cotangents of its results back to chosen values.
#pragma once
#include <expected>
#include <functional>
#include <map>
#include <memory>

#include "base/diag.h"
#include "ir/passes/copy.h"
#include "ir/passes/cotangent.h"

namespace glia::ir {

// Which nodes depend on `wrt` in a way that has a derivative.
std::vector<bool> depends_on(const Types& types, const Func& f, std::span<const ValueId> wrt);

template <class T>
using Differentiated = std::expected<T, Diagnostic>;

// A function that calls itself, differentiated in some of its parameters: forward(args..) gives the results and a tape,
// backward(tape, cotangents of `seeded` results.., sums so far of `summed` args..) the cotangents of `asked` args. One that
// is summed has the sum so far in it.
struct Recursive {
  FuncId forward, backward;
  std::vector<size_t> seeded, asked, summed;
  bool through_where = false;  // what is found may have come through a `where`
};

// What one derivative knows: the functions that call themselves, by the parameters asked for and whether the cotangents came
// through a `where`.
struct Reverse {
  Module& m;
  std::map<std::tuple<FuncId, std::vector<bool>, bool>, Recursive> known = {};
};

// What the forward pass of a node keeps for its derivative. The functions are reserved, and defined when the derivative
// says what they keep.
struct Kept {
  Value tape;                    // fold, while: a list of tapes
  std::vector<FuncId> forward;   // if: both branches; fold, while: the step
  const Recursive* call = nullptr;
};

// A use of an op with nested functions, or of values made at run time.
struct ControlUse {
  Reverse& run;
  Builder& b;
  const Node& node;
  std::span<const Value> x;
  Value y;
  const Cotangent& g;        // not zero
  std::vector<bool> active;  // which arguments are asked for
  const Kept* kept;          // null: nothing is kept
  std::function<Cotangent(size_t)> take;  // the sum so far of argument k, to be part of what is found
};

// A function swept inside b: the values of its results, and the cotangents of `wrt`.
struct Swept {
  std::vector<Value> results;
  std::vector<Cotangent> bars;
};

// Emits f of the arguments, then the sweep from the cotangents of its results to those of `wrt`, which begin with `sums`.
// `f` has no calls and gradients inside but of functions that call themselves. Nodes that do not lie between wrt and the
// results are not differentiated.
Differentiated<Swept> reverse(Reverse& run, Builder& b, const Func& f, std::span<const Value> args, std::span<const ValueId> wrt,
                              std::span<const Cotangent> seeds, Effects effects, std::span<const Cotangent> sums = {});

// The cotangents of the arguments.
Differentiated<std::vector<Cotangent>> control_vjp(const ControlUse& u);
Differentiated<std::vector<Cotangent>> if_vjp(const ControlUse& u);
Differentiated<std::vector<Cotangent>> loop_vjp(const ControlUse& u);   // loop and scan
Differentiated<std::vector<Cotangent>> while_vjp(const ControlUse& u);
Differentiated<std::vector<Cotangent>> fold_vjp(const ControlUse& u);   // fold, and while with a tape
Differentiated<std::vector<Cotangent>> recompute_vjp(const ControlUse& u);
Differentiated<std::vector<Cotangent>> recursive_vjp(const ControlUse& u);
Differentiated<std::vector<Cotangent>> dynamic_vjp(const ControlUse& u);  // lists, variants, tapes

std::unexpected<Diagnostic> not_supported(Builder& b, const Node& node, std::string_view what);

}  // namespace glia::ir
