// Names of sizes, as what ties nodes together beside their arguments.
#include "ir/passes/size_names.h"

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::ir {

namespace {
void add(const Dims& dims, DimId d, SizeNames& to) {
  if (!d.valid()) return;
  for (AtomId a : dims.atoms_of(d)) to.insert(a);
}

void add(const Types& types, TypeId type, SizeNames& to) {
  const Type& t = types[type];
  for (DimId d : t.shape) add(types.dims, d, to);
  if (t.kind == TypeKind::tuple)
    for (TypeId e : t.elems) add(types, e, to);
}

// Structure tells the sizes that come with its values; the shape of a computed tensor follows from its arguments.
bool tells(const Node& n) { return n.op != op<Param> && (info(n.op).family == Family::control || info(n.op).family == Family::host); }
}  // namespace

void add_size_names(const Module& m, const Node& n, SizeNames& to, std::set<FuncId>& seen) {
  add(m.types, n.type, to);
  for (const AttrEntry& e : n.attrs.entries()) {
    if (auto* d = std::get_if<DimId>(&e.value)) add(m.types.dims, *d, to);
    if (auto* list = std::get_if<DimList>(&e.value))
      for (DimId d : *list) add(m.types.dims, d, to);
  }
  for (FuncId f : nested_funcs(n))
    if (seen.insert(f).second)
      for (const Node& inner : m[f].nodes) add_size_names(m, inner, to, seen);
}

SizeNames told_by(const Types& types, TypeId type) {
  const Type& t = types[type];
  SizeNames told;
  for (DimId d : t.shape)
    if (auto a = types.dims.as_atom(d); a && !types.dims.is_unknown(*a)) told.insert(*a);
  if (t.kind == TypeKind::tuple)
    for (TypeId e : t.elems) told.merge(told_by(types, e));
  return told;
}

std::map<AtomId, ValueId> tellers(const Module& m, const Func& f) {
  SizeNames given;
  for (ValueId p : f.params) given.merge(told_by(m.types, f[p].type));
  std::map<AtomId, ValueId> first;
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    if (!tells(f.nodes[i])) continue;
    for (AtomId a : told_by(m.types, f.nodes[i].type))
      if (!given.contains(a)) first.emplace(a, ValueId(i));
  }
  return first;
}

}  // namespace glia::ir
