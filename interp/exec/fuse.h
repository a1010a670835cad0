// Decides which elementwise values are computed together, and in what order everything runs.
#pragma once
#include <vector>

#include "interp/exec/graph.h"

namespace glia::interp::exec {

// Slots that one step (or one short run of steps) computes: a fused group, the tensors of one node, or one view that
// has to be written out.
struct Work {
  std::vector<SlotId> slots;  // empty: a node with effects only
  ir::ValueId node;           // unless fused
  Role role;
};

struct Schedule {
  std::vector<Work> works;    // in the order they run
  std::vector<bool> stored;   // by slot: needs memory of its own
};

// Values are grouped where they have the same number of elements, are connected, and no path leaves the group and
// comes back: each slot has a level, which grows along every edge that needs memory, and a group stays in one level.
Schedule schedule(const Graph& g);

// Whether `user` reads its argument `arg` element for element, so that both may be in one group.
bool joins(const Graph& g, const Slot& user, SlotId arg);

}  // namespace glia::interp::exec
