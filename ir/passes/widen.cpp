// Rebuilds the function with f64 for f32.
#include "ir/passes/widen.h"

#include <map>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/copy.h"
#include "ir/peephole.h"

namespace glia::ir {

namespace {
std::string widened_variant(Module& m, const std::string& name);
}

TypeId widened(Module& m, TypeId type) {
  Type t = m.types[type];
  if (t.kind == TypeKind::tensor) return t.dtype == DType::f32 ? m.types.with_dtype(type, DType::f64) : type;
  for (TypeId& e : t.elems) e = widened(m, e);
  switch (t.kind) {
    case TypeKind::tuple: return m.types.record(std::move(t.fields), std::move(t.elems), std::move(t.name));
    case TypeKind::list: return m.types.list(t.elems[0]);
    case TypeKind::variant: return m.types.variant(widened_variant(m, t.name));
    case TypeKind::fn: {
      TypeId result = t.elems.back();
      t.elems.pop_back();
      return m.types.fn(std::move(t.elems), result);
    }
    case TypeKind::tensor: case TypeKind::str: case TypeKind::tape: case TypeKind::object: case TypeKind::poison: return type;
  }
  return type;
}

namespace {
// A variant of the same cases with wider fields; it is there before its fields are, which may hold it.
std::string widened_variant(Module& m, const std::string& name) {
  constexpr std::string_view mark = " of f64";
  const std::string wide = name + std::string(mark);
  if (name.ends_with(mark) || !m.variants.contains(name)) return name;
  if (m.variants.contains(wide)) return wide;
  const std::vector<VariantCase> cases = m.variants[wide] = m.variants[name];
  for (size_t k = 0; k < cases.size(); ++k)
    for (size_t i = 0; i < cases[k].types.size(); ++i) {
      const TypeId field = widened(m, cases[k].types[i]);
      m.variants[wide][k].types[i] = field;
    }
  return wide;
}

// The value converted to its wider type; what holds no tensors one by one stays.
Value widened_value(Value v) {
  Types& types = v.b->types();
  TypeId to = widened(v.b->module(), v.type());
  if (to == v.type()) return v;
  if (types.is_tensor(to)) return cast(v, DType::f64);
  const Type t = types[v.type()];
  if (t.kind != TypeKind::tuple) return v;
  std::vector<Value> elems;
  for (size_t k = 0; k < t.elems.size(); ++k) elems.push_back(widened_value(get(v, static_cast<int64_t>(k))));
  return tuple_as(*v.b, to, elems);
}

struct Widener {
  Module& m;
  std::map<FuncId, FuncId> done;

  Func func(const Func& f);
  FuncId nested(FuncId id);
  Attrs attrs(const Attrs& old);
  Value node(Builder& b, const Node& n, std::span<const Value> x);
};

FuncId Widener::nested(FuncId id) {
  if (auto known = done.find(id); known != done.end()) return known->second;
  if (!is_recursive(m, id)) return done[id] = m.add(func(m[id]));
  FuncId made = done[id] = reserve_like(m, id, [&](TypeId t) { return widened(m, t); });
  m.define(made, func(m[id]));
  return made;
}

Attrs Widener::attrs(const Attrs& old) {
  Attrs made = old;
  for (const AttrEntry& e : old.entries()) {
    if (auto* dtype = std::get_if<DType>(&e.value); dtype && *dtype == DType::f32) made.set(e.key, DType::f64);
    if (auto* id = std::get_if<FuncId>(&e.value)) made.set(e.key, nested(*id));
  }
  return made;
}

Value Widener::node(Builder& b, const Node& n, std::span<const Value> x) {
  b.set_src(n.src);
  bool as_it_is = info(n.op).family == Family::random || n.op == op<HostCall>;
  if (as_it_is) return widened_value(make(b, n.op, x, n.attrs, n.type));
  Attrs made = attrs(n.attrs);
  if (n.op == op<Construct>) made.set(AttrKey::name, widened_variant(m, made.text(AttrKey::name)));
  return make(b, n.op, x, std::move(made), widened(m, n.type));
}

Func Widener::func(const Func& f) {
  Builder b(m, f.name);
  std::vector<Value> copies(f.nodes.size());
  for (ValueId p : f.params) copies[p.index()] = copy_param(b, f[p], widened(m, f[p].type));
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    if (f.nodes[i].op == op<Param>) continue;
    std::vector<Value> x;
    for (ValueId a : f.nodes[i].args) x.push_back(copies[a.index()]);
    copies[i] = node(b, f.nodes[i], x);
  }
  for (ValueId r : f.results) b.result(copies[r.index()].id);
  return b.finish();
}
}  // namespace

Func widen(Module& m, const Func& f) { return Widener{m, {}}.func(f); }

}  // namespace glia::ir
