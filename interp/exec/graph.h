// The function as the planner sees it: tuples taken apart, values that are only another shape of one tensor joined,
// and pure rearrangements (broadcast, transpose, slice, flip) turned into ways of reading.
#pragma once
#include <expected>
#include <span>
#include <vector>

#include "interp/exec/step.h"
#include "interp/exec/tiles.h"
#include "interp/evaluate.h"
#include "ir/func.h"

namespace glia::interp::exec {

using Extents = std::vector<int64_t>;

enum class Role : uint8_t {
  param,
  splat,  // one number everywhere
  data,   // known when the plan is made
  view,   // another slot read in another order
  fused,  // one element at a time
  other,  // a step of its own
  temp,   // between the steps of one node
};

struct Slot {
  Role role;
  ir::ValueId node;
  size_t part = 0;  // which tensor of the node's value
  DType dtype;
  Extents sizes;
  size_t count;
  SlotId source;    // view: what is read
  Walk walk;        // view: how

  size_t bytes() const { return count * dtype_size(dtype); }
};

// A tensor where a node uses it: the slot's elements in row-major order under these sizes.
struct Leaf {
  SlotId slot;
  Extents sizes;
};

struct Graph {
  const ir::Module& module;
  const ir::Func& func;
  std::vector<Slot> slots;
  std::vector<std::vector<Leaf>> leaves;  // by node; of a tuple in order; empty for a node that no result needs
  size_t param_count = 0;

  const ir::Node& node(const Slot& s) const { return func[s.node]; }
  const Slot& operator[](SlotId s) const { return slots[s.index()]; }
  SlotId arg(const Slot& s, size_t k) const { return leaves[node(s).args[k].index()][0].slot; }
  const Extents& arg_sizes(const Slot& s, size_t k) const { return leaves[node(s).args[k].index()][0].sizes; }
  SlotId add(Slot s) { return slots.push_back(std::move(s)), SlotId(slots.size() - 1); }
};

bool is_text(const Graph& g, ir::ValueId v);  // made by an op of the host

// Whether `user` takes a view as it lies, so that the view is never written out.
bool reads_through(const Graph& g, const Slot& user, SlotId arg);

// f(slot) for every tensor that the node reads, also by way of texts made from tensors.
template <class F>
void for_each_tensor(const Graph& g, const ir::Node& n, F&& f) {
  for (ir::ValueId a : n.args) {
    for (const Leaf& l : g.leaves[a.index()]) f(l.slot);
    if (g.leaves[a.index()].empty() && is_text(g, a)) for_each_tensor(g, g.func[a], f);
  }
}

std::expected<Graph, Fault> make_graph(const ir::Module& module, const ir::Func& func);

size_t count_of(const Extents& sizes);
Extents dense_strides(const Extents& sizes);

}  // namespace glia::interp::exec
