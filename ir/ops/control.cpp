// Type rules of the structural ops. Those with nested functions get their type from the maker and are checked against
// their functions by the verifier; passes treat them by name.
#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

TypeRule TupleOp::type(const TypeContext& c) {
  std::vector<TypeId> elems(c.args.begin(), c.args.end());
  if (!c.attrs.has(AttrKey::fields)) return c.types.tuple(std::move(elems));
  if (Complaint bad = needs<std::vector<std::string>>(c, AttrKey::fields)) return std::unexpected(*bad);
  auto fields = c.attrs.get<std::vector<std::string>>(AttrKey::fields);
  if (fields.size() != elems.size()) return wrong("has {} fields for {} values", fields.size(), elems.size());
  return c.types.record(std::move(fields), std::move(elems), has_attr<std::string>(c, AttrKey::name) ? c.attrs.text(AttrKey::name) : "");
}

TypeRule Get::type(const TypeContext& c) {
  if (Complaint bad = needs<int64_t>(c, AttrKey::index)) return std::unexpected(*bad);
  const Type& t = c.types[c.args[0]];
  int64_t index = c.attrs.integer(AttrKey::index);
  if (t.kind != TypeKind::tuple) return wrong("takes a tuple, found {}", c.types.print(c.args[0]));
  if (index < 0 || index >= static_cast<int64_t>(t.elems.size())) return wrong("{} has no element {}", c.types.print(c.args[0]), index);
  return t.elems[static_cast<size_t>(index)];
}

TypeRule Assert::type(const TypeContext& c) {
  if (c.args.empty() || !c.types.is_scalar(c.args[0]) || c.dtype(0) != DType::boolean)
    return wrong("takes a bool, found {}", c.args.empty() ? "nothing" : c.types.print(c.args[0]));
  for (TypeId t : c.args.subspan(1))
    if (c.types[t].kind != TypeKind::str) return wrong("says texts, found {}", c.types.print(t));
  return c.types.unit();
}

// Holds where it does for every row.
Batched Assert::batch(const Use& u, std::span<const Batched> args, DimId) {
  std::vector<ValueId> ids{args[0].value.id};
  if (args[0].batched) ids[0] = u.b.emit(op<All>, ids, {{AttrKey::axes, Ints{0}}}).id;
  for (const Batched& text : args.subspan(1)) ids.push_back(text.value.id);
  return {u.b.emit(op<Assert>, std::move(ids), u.attrs()), false};
}

}  // namespace glia::ir
