// Sources of nodes, and what follows from a node's nested functions.
#include "ir/func.h"

#include <set>

#include "ir/ops/table.h"

namespace glia::ir {

SrcId Module::add(Src s) {
  size_t key = (size_t{s.span.begin} << 32 | s.span.end) ^ (size_t{s.span.file.v} << 20) ^ (size_t{s.caller.v} << 8);
  for (SrcId known : src_index_[key])
    if (srcs_[known.index()].span == s.span && srcs_[known.index()].caller == s.caller) return known;
  srcs_.push_back(s);
  src_index_[key].push_back(SrcId(srcs_.size() - 1));
  return SrcId(srcs_.size() - 1);
}

std::vector<FuncId> nested_funcs(const Node& node) {
  std::vector<FuncId> found;
  for (const AttrEntry& e : node.attrs.entries())
    if (auto* f = std::get_if<FuncId>(&e.value)) found.push_back(*f);
  return found;
}

namespace {
bool effect_within(const Module& module, const Node& node, std::set<FuncId>& seen) {
  if (info(node.op).effect) return true;
  for (FuncId id : nested_funcs(node)) {
    if (!seen.insert(id).second) continue;
    for (const Node& inner : module[id].nodes)
      if (effect_within(module, inner, seen)) return true;
  }
  return false;
}
}  // namespace

bool has_effect(const Module& module, const Node& node) {
  std::set<FuncId> seen;
  return effect_within(module, node, seen);
}

}  // namespace glia::ir
