// Cotangents of tensors, and of structures of them.
#include "ir/passes/cotangent.h"

#include <algorithm>

#include "ir/ops/all.h"
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

Value retyped(Value v, TypeId type) {
  if (v.type() == type) return v;
  Builder& b = *v.b;
  Value tape = b.emit(op<Pack>, {v.id});
  return b.emit(op<Unpack>, {tape.id}, {{AttrKey::index, int64_t{0}}}, type);
}

namespace {
// zeros + values at some places of a list: then the places are added to, and the zeros are not made.
Value added_in_place(Value into, Value more) {
  Builder& b = *more.b;
  const Node n = b.func()[more.id];
  if (n.op != op<ListAdd> || b.func()[n.args[0]].op != op<VecZeros>) return {};
  std::vector<ValueId> args = n.args;
  args[0] = into.id;
  return b.emit(op<ListAdd>, std::move(args));
}
}  // namespace

Value sum_of(Value a, Value b) {
  if (a.b->types().is_tensor(a.type())) return a + b;
  if (Value v = added_in_place(a, b); v.valid()) return v;
  if (Value v = added_in_place(b, a); v.valid()) return retyped(v, a.type());
  return a.b->emit(op<VecAdd>, {a.id, b.id});
}

void accumulate(Cotangent& into, const Cotangent& more) {
  if (more.zero()) return;
  into.through_where = into.through_where || more.through_where;
  if (more.value.valid()) into.value = into.value.valid() ? sum_of(into.value, more.value) : more.value;
  // Of two cases of a variant just one is reached at run time.
  if (!into.elems.empty() && into.which != more.which) return;
  if (!more.elems.empty()) into.which = more.which;
  if (into.elems.size() < more.elems.size()) into.elems.resize(more.elems.size());
  for (size_t i = 0; i < more.elems.size(); ++i) accumulate(into.elems[i], more.elems[i]);
}

namespace {
using Whole = std::optional<Value>;

Value zeros_of(Value primal) { return primal.b->emit(op<VecZeros>, {primal.id}); }

bool has_unknown(const Types& types, const Type& t) {
  for (DimId d : t.shape)
    for (AtomId a : types.dims.atoms_of(d))
      if (types.dims.is_unknown(a)) return true;
  return false;
}

Whole whole_tensor(Builder& b, const Cotangent& c, const Type& t, Value primal) {
  if (c.value.valid()) return c.value;
  if (!has_unknown(b.types(), t)) return constant(b, 0, t.dtype, t.shape);
  return primal.valid() ? Whole(zeros_of(primal)) : std::nullopt;
}

Whole whole_tuple(Builder& b, const Cotangent& c, TypeId type, Value primal) {
  const Type t = b.types()[type];
  std::vector<Value> elems;
  for (size_t i = 0; i < t.elems.size(); ++i) {
    auto elem = whole(b, i < c.elems.size() ? c.elems[i] : Cotangent{}, t.elems[i], primal.valid() ? get(primal, static_cast<int64_t>(i)) : Value{});
    if (!elem) return std::nullopt;
    elems.push_back(*elem);
  }
  return tuple_as(b, type, elems);
}

// The value of the case that the fields make, which is the case of the primal.
Whole from_fields(Builder& b, const Cotangent& c, const std::string& name, Value primal) {
  const std::vector<TypeId> types = b.module().variants.at(name)[static_cast<size_t>(c.which)].types;
  std::vector<ValueId> fields;
  for (size_t k = 0; k < types.size(); ++k) {
    const Cotangent field = k < c.elems.size() ? c.elems[k] : Cotangent{};
    Value of = b.emit(op<Payload>, {primal.id}, {{AttrKey::index, c.which}, {AttrKey::axis, static_cast<int64_t>(k)}}, types[k]);
    fields.push_back(whole(field, of).id);
  }
  return b.emit(op<Construct>, std::move(fields), {{AttrKey::name, name}, {AttrKey::index, c.which}});
}

Whole from_places(Builder& b, const Cotangent& c) {
  std::vector<ValueId> values;
  Ints places;
  for (size_t k = 0; k < c.elems.size(); ++k) {
    if (c.elems[k].zero()) continue;
    values.push_back(c.elems[k].value.id);
    places.push_back(static_cast<int64_t>(k));
  }
  return b.emit(op<Pack>, std::move(values), {{AttrKey::axes, std::move(places)}});
}

bool in_parts(const Cotangent& c) {
  return std::any_of(c.elems.begin(), c.elems.end(), [](const Cotangent& e) { return !e.zero(); });
}
}  // namespace

std::optional<Value> whole(Builder& b, const Cotangent& c, TypeId type, Value primal) {
  const Type t = b.types()[type];
  if (t.kind == TypeKind::tensor) return whole_tensor(b, c, t, primal);
  if (t.kind == TypeKind::tuple) return whole_tuple(b, c, type, primal);
  if (t.kind == TypeKind::tape && c.zero()) return from_places(b, c);
  if (!primal.valid() && !(t.kind == TypeKind::tape || (c.value.valid() && !in_parts(c)))) return std::nullopt;
  if (c.zero()) return carries_float(b.types(), type) ? zeros_of(primal) : primal;
  if (!in_parts(c)) return c.value;
  Whole made = t.kind == TypeKind::tape ? from_places(b, c) : from_fields(b, c, t.name, primal);
  return c.value.valid() ? sum_of(c.value, *made) : made;
}

Value whole(const Cotangent& c, Value primal) { return *whole(*primal.b, c, primal.type(), primal); }

Cotangent parts(Value whole, bool through_where) {
  const Type t = whole.b->types()[whole.type()];
  Cotangent c;
  c.through_where = through_where;
  if (t.kind != TypeKind::tuple && carries_float(whole.b->types(), whole.type())) c.value = whole;
  if (t.kind == TypeKind::tuple)
    for (size_t i = 0; i < t.elems.size(); ++i) c.elems.push_back(parts(get(whole, static_cast<int64_t>(i)), through_where));
  return c;
}

bool any_through_where(const Cotangent& c) {
  return c.through_where || std::any_of(c.elems.begin(), c.elems.end(), any_through_where);
}

}  // namespace glia::ir
