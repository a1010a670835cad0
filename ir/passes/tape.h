// Nodes whose derivative reads a tape: their functions call themselves, run over lists, or hold such nodes.
#pragma once
#include "ir/passes/vjp.h"

namespace glia::ir {

bool keeps_tape(const Module& m, const Node& n);

// Such a node about to be run.
struct KeepingUse {
  Reverse& run;
  Builder& b;
  const Node& node;
  std::span<const Value> x;
  std::vector<bool> active;
  bool through_where;
};

struct KeepingRun {
  Value y;
  Kept kept;
};

Differentiated<KeepingRun> run_keeping(const KeepingUse& u);
// Defines the functions that were reserved for a derivative that nobody asked for.
void keep_nothing(Module& m, const Node& n, const Kept& kept);

// The step of a while that keeps: (tapes, states.., shared..) -> (tapes and one more, states..), from (states.., shared..)
// -> (states.., tape).
Func appending_step(Module& m, const Func& step);

// The derivatives of a function that calls itself, in the parameters flagged; made at the first use.
Differentiated<const Recursive*> recursive_derivative(const KeepingUse& u);

}  // namespace glia::ir
