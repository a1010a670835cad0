// See reach.h.
#include "parser/reach.h"

#include "ir/ops/table.h"

namespace glia {

using namespace ir;

namespace {
bool has_floats(const Types& types, TypeId t) {
  const Type& type = types[t];
  if (type.kind == TypeKind::tensor) return is_float(type.dtype) || is_generic(type.dtype);
  if (type.kind == TypeKind::variant || type.kind == TypeKind::object) return true;
  for (TypeId e : type.elems)
    if (has_floats(types, e)) return true;
  return false;
}

// Does argument k pass its derivative on?
bool passes(const Module& module, const Func& f, const Node& n, size_t k) {
  const OpInfo& op = info(n.op);
  if (!has_floats(module.types, f[n.args[k]].type) || !has_floats(module.types, n.type)) return false;
  return op.control || !op.differentiable || op.differentiable(k);
}
}  // namespace

std::vector<bool> reached(const Module& module, const Func& f, ValueId result) {
  std::vector<bool> live(f.nodes.size());
  live[result.index()] = true;
  for (size_t i = f.nodes.size(); i-- > 0;)
    if (live[i])
      for (size_t k = 0; k < f.nodes[i].args.size(); ++k)
        if (passes(module, f, f.nodes[i], k)) live[f.nodes[i].args[k].index()] = true;
  return live;
}

std::optional<ValueId> path_end(const Module& module, const Func& f, ValueId from, ValueId result) {
  std::vector<bool> used(f.nodes.size()), changed(f.nodes.size());
  used[result.index()] = true;
  for (size_t i = f.nodes.size(); i-- > 0;)
    if (used[i])
      for (ValueId a : f.nodes[i].args) used[a.index()] = true;
  changed[from.index()] = true;
  for (size_t i = 0; i < f.nodes.size(); ++i)
    for (size_t k = 0; k < f.nodes[i].args.size(); ++k) {
      if (!used[i] || !changed[f.nodes[i].args[k].index()]) continue;
      if (!passes(module, f, f.nodes[i], k)) return ValueId(i);
      changed[i] = true;
    }
  return std::nullopt;
}

}  // namespace glia
