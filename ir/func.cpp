// Sources of nodes, and what follows from a node's nested functions.
#include "ir/func.h"

#include <set>

#include "ir/ops/all.h"
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

// A function not defined yet has a node per result, so that its result types can be asked for.
FuncId Module::reserve(std::string name, std::vector<TypeId> results, bool effect) {
  Func f;
  f.name = std::move(name);
  for (TypeId t : results) {
    f.results.push_back(ValueId(f.nodes.size()));
    f.nodes.push_back({op<Param>, t, {}, {}, {}});
  }
  FuncId id = add(std::move(f));
  pending_.emplace(id.v, effect);
  return id;
}

void Module::define(FuncId id, Func f) {
  GLIA_CHECK(pending(id), "only a reserved function is defined, and once");
  funcs_[id.index()] = std::move(f);
  pending_.erase(id.v);
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
    if (module.pending_effect(id)) return true;
    for (const Node& inner : module[id].nodes)
      if (effect_within(module, inner, seen)) return true;
  }
  return false;
}
}  // namespace

bool is_recursive(const Module& module, FuncId id) {
  if (module.pending(id)) return true;
  std::set<FuncId> seen;
  std::vector<FuncId> open{id};
  while (!open.empty()) {
    const Func& f = module[open.back()];
    open.pop_back();
    for (const Node& n : f.nodes)
      for (FuncId inner : nested_funcs(n)) {
        if (inner == id) return true;
        if (inner.index() < module.func_count() && seen.insert(inner).second) open.push_back(inner);
      }
  }
  return false;
}

bool reaches(const Module& module, FuncId id, const std::function<bool(const Node&)>& wanted) {
  std::set<FuncId> seen{id};
  std::vector<FuncId> open{id};
  while (!open.empty()) {
    const Func& f = module[open.back()];
    open.pop_back();
    for (const Node& n : f.nodes) {
      if (wanted(n)) return true;
      for (FuncId inner : nested_funcs(n))
        if (seen.insert(inner).second) open.push_back(inner);
    }
  }
  return false;
}

bool has_effect(const Module& module, const Node& node) {
  std::set<FuncId> seen;
  return effect_within(module, node, seen);
}

}  // namespace glia::ir
