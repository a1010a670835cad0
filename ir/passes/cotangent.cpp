// Cotangents of tensors and tuples.
#include "ir/passes/cotangent.h"

#include <algorithm>

#include "ir/passes/copy.h"

namespace glia::ir {

bool Cotangent::zero() const {
  return !value.valid() && std::all_of(elems.begin(), elems.end(), [](const Cotangent& c) { return c.zero(); });
}

bool carries_float(const Types& types, TypeId type) {
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::tensor: return is_float(t.dtype);
    case TypeKind::tuple:
    case TypeKind::list: return std::any_of(t.elems.begin(), t.elems.end(), [&](TypeId e) { return carries_float(types, e); });
    case TypeKind::variant:  // its cases may
    case TypeKind::tape: return true;
    case TypeKind::fn:
    case TypeKind::str:
    case TypeKind::object:
    case TypeKind::poison: return false;
  }
  return false;
}

void accumulate(Cotangent& into, const Cotangent& more) {
  if (more.zero()) return;
  into.through_where = into.through_where || more.through_where;
  if (more.value.valid()) into.value = into.value.valid() ? into.value + more.value : more.value;
  if (into.elems.size() < more.elems.size()) into.elems.resize(more.elems.size());
  for (size_t i = 0; i < more.elems.size(); ++i) accumulate(into.elems[i], more.elems[i]);
}

std::optional<Value> whole(Builder& b, const Cotangent& c, TypeId type) {
  const Type t = b.types()[type];
  if (t.kind == TypeKind::tensor) return c.value.valid() ? c.value : constant(b, 0, t.dtype, t.shape);
  if (t.kind != TypeKind::tuple) return std::nullopt;
  std::vector<Value> elems;
  for (size_t i = 0; i < t.elems.size(); ++i) {
    auto elem = whole(b, i < c.elems.size() ? c.elems[i] : Cotangent{}, t.elems[i]);
    if (!elem) return std::nullopt;
    elems.push_back(*elem);
  }
  return tuple_as(b, type, elems);
}

Cotangent parts(Value whole, bool through_where) {
  const Type t = whole.b->types()[whole.type()];
  Cotangent c{.value = {}, .elems = {}, .through_where = through_where};
  if (t.kind == TypeKind::tensor && is_float(t.dtype)) c.value = whole;
  if (t.kind == TypeKind::tuple)
    for (size_t i = 0; i < t.elems.size(); ++i) c.elems.push_back(parts(get(whole, static_cast<int64_t>(i)), through_where));
  return c;
}

bool any_through_where(const Cotangent& c) {
  return c.through_where || std::any_of(c.elems.begin(), c.elems.end(), any_through_where);
}

}  // namespace glia::ir
