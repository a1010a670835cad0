// Reverse mode of lists, variants, tapes, and values as vectors. All of them are linear in what carries a derivative.
#include "ir/ops/all.h"
#include "ir/passes/vjp_nested.h"

namespace glia::ir {

namespace {
using Found = std::vector<Cotangent>;

// What a rule works with: the cotangent of the result as one value, and a few ops by name.
struct Rule {
  const ControlUse& u;
  bool through;
  Value g;

  Builder& b() const { return u.b; }
  Value number(int64_t n) const { return constant_int(u.b, n, DType::i32); }
  Value zeros(size_t k) const { return u.b.emit(op<VecZeros>, {u.x[k].id}); }
  Value length(Value list) const { return u.b.emit(op<Length>, {list.id}); }
  Value item(Value list, Value i, TypeId type) const { return u.b.emit(op<Item>, {list.id, i.id}, {}, type); }
  Value slice(Value list, Value from, Value to, Value step, TypeId type) const {
    return retyped(u.b.emit(op<ListSlice>, {list.id, from.id, to.id, step.id}), type);
  }
  Value add_at(Value list, Value from, Value to, Value step, Value values) const {
    return u.b.emit(op<ListAdd>, {list.id, from.id, to.id, step.id, values.id});
  }
  TypeId type(size_t k) const { return u.x[k].type(); }
  Cotangent of(Value v) const { return parts(v, through); }
  Found first(Value v) const {
    Found all(u.x.size());
    all[0] = of(v);
    return all;
  }
};

// ---- lists ------------------------------------------------------------------------------------------

Found of_item(const Rule& r) {
  Value one = r.b().emit(op<MakeList>, {r.g.id}, {}, r.type(0));
  return r.first(r.add_at(r.zeros(0), r.u.x[1], r.u.x[1] + 1.0, r.number(1), one));
}

Found of_append(const Rule& r) {
  Value n = r.length(r.u.x[0]);
  return {r.of(r.slice(r.g, r.number(0), n, r.number(1), r.type(0))), r.of(r.item(r.g, n, r.type(1)))};
}

Found of_concat(const Rule& r) {
  Found all;
  Value from = r.number(0);
  for (size_t k = 0; k < r.u.x.size(); ++k) {
    Value to = from + r.length(r.u.x[k]);
    all.push_back(r.of(r.slice(r.g, from, to, r.number(1), r.type(k))));
    from = to;
  }
  return all;
}

Found of_slice(const Rule& r) { return r.first(r.add_at(r.zeros(0), r.u.x[1], r.u.x[2], r.u.x[3], r.g)); }

Found of_list_add(const Rule& r) {
  Found all = r.first(r.g);
  all[4] = r.of(r.slice(r.g, r.u.x[1], r.u.x[2], r.u.x[3], r.type(4)));
  return all;
}

Found of_reverse(const Rule& r) { return r.first(r.b().emit(op<ListReverse>, {r.g.id})); }
Found of_stack(const Rule& r) { return r.first(r.b().emit(op<Unstack>, {r.g.id}, {}, r.type(0))); }
Found of_unstack(const Rule& r) { return r.first(r.b().emit(op<Stack>, {r.g.id}, {}, r.type(0))); }

Found of_make_list(const Rule& r) {
  Found all;
  for (size_t k = 0; k < r.u.x.size(); ++k) all.push_back(r.of(r.item(r.g, r.number(static_cast<int64_t>(k)), r.type(k))));
  return all;
}

// ---- values as vectors ------------------------------------------------------------------------------

Found of_add(const Rule& r) { return {r.of(r.g), r.of(retyped(r.g, r.type(1)))}; }

Value scaled(const Rule& r, Value v, Value by, TypeId type) { return retyped(r.b().emit(op<VecScale>, {v.id, by.id}), type); }

Found of_scale(const Rule& r) {
  return {r.of(scaled(r, r.g, r.u.x[1], r.type(0))), r.of(r.b().emit(op<VecDot>, {r.g.id, r.u.x[0].id}, {}, r.type(1)))};
}

Found of_dot(const Rule& r) { return {r.of(scaled(r, r.u.x[1], r.g, r.type(0))), r.of(scaled(r, r.u.x[0], r.g, r.type(1)))}; }

// ---- variants and tapes: in parts where they can be -------------------------------------------------

Found of_payload(const ControlUse& u) {
  Found all(1);
  const auto field = static_cast<size_t>(u.node.attrs.integer(AttrKey::axis));
  all[0].elems.resize(field + 1);
  all[0].elems[field] = u.g;
  all[0].which = u.node.attrs.integer(AttrKey::index);
  return all;
}

Found of_construct(const ControlUse& u) {
  Found all(u.x.size());
  const int64_t which = u.node.attrs.integer(AttrKey::index);
  for (size_t k = 0; k < u.x.size(); ++k) {
    if (!u.active[k]) continue;
    if (u.g.which == which && k < u.g.elems.size()) all[k] = u.g.elems[k];
    if (!u.g.value.valid()) continue;
    Attrs attrs{{AttrKey::index, which}, {AttrKey::axis, static_cast<int64_t>(k)}};
    accumulate(all[k], parts(u.b.emit(op<Payload>, {u.g.value.id}, attrs, u.x[k].type()), u.g.through_where));
  }
  return all;
}

// Each place of a tape holds one value, whatever its type.
Found of_unpack(const ControlUse& u) {
  Found all(u.x.size());
  const auto place = static_cast<size_t>(u.node.attrs.integer(AttrKey::index));
  all[0].elems.resize(place + 1);
  all[0].elems[place].value = whole(u.g, u.y);
  all[0].elems[place].through_where = any_through_where(u.g);
  return all;
}

Found of_pack(const ControlUse& u) {
  Found all(u.x.size());
  const bool through = any_through_where(u.g);
  for (size_t k = 0; k < u.x.size(); ++k) {
    if (!u.active[k]) continue;
    const auto place = static_cast<size_t>(u.node.attrs.has(AttrKey::axes) ? u.node.attrs.ints(AttrKey::axes)[k] : static_cast<int64_t>(k));
    if (place < u.g.elems.size() && u.g.elems[place].value.valid()) all[k] = parts(u.g.elems[place].value, through);
    if (!u.g.value.valid()) continue;
    Value kept = u.b.emit(op<Unpack>, {u.g.value.id, u.x[k].id}, {{AttrKey::index, static_cast<int64_t>(place)}}, u.x[k].type());
    accumulate(all[k], parts(kept, through));
  }
  return all;
}

Found (*rule_of(OpId id))(const Rule&) {
  switch (id.v) {
    case op<Item>.v: return of_item;
    case op<Append>.v: return of_append;
    case op<ListConcat>.v: return of_concat;
    case op<ListSlice>.v: return of_slice;
    case op<ListAdd>.v: return of_list_add;
    case op<ListReverse>.v: return of_reverse;
    case op<Stack>.v: return of_stack;
    case op<Unstack>.v: return of_unstack;
    case op<MakeList>.v: return of_make_list;
    case op<VecAdd>.v: return of_add;
    case op<VecScale>.v: return of_scale;
    case op<VecDot>.v: return of_dot;
    default: return nullptr;
  }
}
}  // namespace

Differentiated<std::vector<Cotangent>> dynamic_vjp(const ControlUse& u) {
  if (u.node.op == op<Payload>) return of_payload(u);
  if (u.node.op == op<Construct>) return of_construct(u);
  if (u.node.op == op<Unpack>) return of_unpack(u);
  if (u.node.op == op<Pack>) return of_pack(u);
  auto* rule = rule_of(u.node.op);
  if (!rule) return not_supported(u.b, u.node, "");
  return rule(Rule{u, any_through_where(u.g), whole(u.g, u.y)});
}

}  // namespace glia::ir
