// One sweep backward to mark, one forward to renumber. What tells a size is needed as long as the size is.
#include "ir/passes/dead.h"

#include "ir/ops/all.h"
#include "ir/passes/size_names.h"

namespace glia::ir {

namespace {
void mark_tellers(const Module& m, const Node& n, const std::map<AtomId, ValueId>& tell, std::vector<bool>& live) {
  SizeNames names;
  std::set<FuncId> seen;
  add_size_names(m, n, names, seen);
  for (AtomId a : names)
    if (auto at = tell.find(a); at != tell.end()) live[at->second.index()] = true;
}

std::vector<bool> needed(const Module& m, const Func& f) {
  std::vector<bool> live(f.nodes.size());
  const std::map<AtomId, ValueId> tell = tellers(m, f);
  for (ValueId r : f.results) live[r.index()] = true;
  for (size_t i = f.nodes.size(); i-- > 0;) {
    if (!live[i]) live[i] = f.nodes[i].op == op<Param> || has_effect(m, f.nodes[i]);
    if (!live[i]) continue;
    for (ValueId a : f.nodes[i].args) live[a.index()] = true;
    if (!tell.empty()) mark_tellers(m, f.nodes[i], tell, live);
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
