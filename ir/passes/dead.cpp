// One sweep backward to mark, one forward to renumber.
#include "ir/passes/dead.h"

#include "ir/ops/all.h"

namespace glia::ir {

namespace {
std::vector<bool> needed(const Module& m, const Func& f) {
  std::vector<bool> live(f.nodes.size());
  for (ValueId r : f.results) live[r.index()] = true;
  for (size_t i = f.nodes.size(); i-- > 0;) {
    if (!live[i]) live[i] = f.nodes[i].op == op<Param> || has_effect(m, f.nodes[i]);
    if (live[i])
      for (ValueId a : f.nodes[i].args) live[a.index()] = true;
  }
  return live;
}
}  // namespace

Func remove_dead(Module& m, const Func& f) {
  std::vector<bool> live = needed(m, f);
  std::vector<ValueId> renamed(f.nodes.size());
  Func kept;
  kept.name = f.name;
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    if (!live[i]) continue;
    renamed[i] = ValueId(kept.nodes.size());
    kept.nodes.push_back(f.nodes[i]);
    for (ValueId& a : kept.nodes.back().args) a = renamed[a.index()];
  }
  for (ValueId p : f.params) kept.params.push_back(renamed[p.index()]);
  for (ValueId r : f.results) kept.results.push_back(renamed[r.index()]);
  return kept;
}

}  // namespace glia::ir
