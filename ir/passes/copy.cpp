// Copying functions node by node.
#include "ir/passes/copy.h"

#include <algorithm>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/peephole.h"

namespace glia::ir {

namespace {
std::vector<ValueId> ids_of(std::span<const Value> values) {
  std::vector<ValueId> ids;
  for (const Value& v : values) ids.push_back(v.id);
  return ids;
}
}  // namespace

Value copy_node(Builder& b, const Node& n, std::span<const Value> args) {
  b.set_src(n.src);
  return make(b, n.op, args, n.attrs, info(n.op).type && n.op != op<TupleOp> ? TypeId{} : n.type);
}

Value copy_param(Builder& b, const Node& param, TypeId type) {
  b.set_src(param.src);
  return b.param(type.valid() ? type : param.type, param.attrs.has(AttrKey::name) ? param.attrs.text(AttrKey::name) : "");
}

std::vector<Value> copy_params(Builder& b, const Func& f) {
  std::vector<Value> params;
  for (ValueId p : f.params) params.push_back(copy_param(b, f[p]));
  return params;
}

std::vector<Value> copy_nodes(Builder& b, const Func& f, std::span<const Value> params, Effects effects, const NodeMaker& make) {
  std::vector<Value> values(f.nodes.size());
  for (size_t i = 0; i < f.params.size(); ++i) values[f.params[i].index()] = params[i];
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    const Node& n = f.nodes[i];
    if (n.op == op<Param> || (effects == Effects::dropped && info(n.op).effect)) continue;
    std::vector<Value> args;
    for (ValueId a : n.args) args.push_back(values[a.index()]);
    if (std::any_of(args.begin(), args.end(), [](const Value& v) { return !v.valid(); })) continue;
    if (make) values[i] = make(i, args);
    if (!values[i].valid()) values[i] = copy_node(b, n, args);
  }
  return values;
}

namespace {
void inline_into(Builder& b, const Func& f, std::vector<Value>& values);

std::vector<Value> inline_call(Builder& b, FuncId callee, std::span<const Value> args, SrcId call) {
  const Func& f = b.module()[callee];
  Builder nested(b.module(), f.name);
  std::vector<Value> values(f.nodes.size());
  for (ValueId p : f.params) values[p.index()] = copy_param(nested, f[p]);
  inline_into(nested, f, values);
  for (ValueId r : f.results) nested.result(values[r.index()].id);
  b.set_src(call);
  return inline_func(b, nested.finish(), ids_of(args));
}

void inline_into(Builder& b, const Func& f, std::vector<Value>& values) {
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    const Node& n = f.nodes[i];
    if (n.op == op<Param>) continue;
    std::vector<Value> args;
    for (ValueId a : n.args) args.push_back(values[a.index()]);
    bool inlined = n.op == op<CallOp> && !n.attrs.has(AttrKey::other) && !is_recursive(b.module(), n.attrs.func(AttrKey::func));
    if (!inlined) {
      values[i] = copy_node(b, n, args);
      continue;
    }
    std::vector<Value> results = inline_call(b, n.attrs.func(AttrKey::func), args, n.src);
    values[i] = results.size() == 1 ? results[0] : tuple(b, results);
  }
}
}  // namespace

Func inline_calls(Module& m, const Func& f) {
  if (std::none_of(f.nodes.begin(), f.nodes.end(), [](const Node& n) { return n.op == op<CallOp>; })) return f;
  Builder b(m, f.name);
  std::vector<Value> values(f.nodes.size());
  for (ValueId p : f.params) values[p.index()] = copy_param(b, f[p]);
  inline_into(b, f, values);
  for (ValueId r : f.results) b.result(values[r.index()].id);
  return b.finish();
}

FuncId reserve_like(Module& m, FuncId id, const std::function<TypeId(TypeId)>& type) {
  std::vector<TypeId> results = result_types(m[id]);
  if (type)
    for (TypeId& t : results) t = type(t);
  bool effect = m.pending_effect(id);
  for (const Node& n : m[id].nodes) effect = effect || has_effect(m, n);
  return m.reserve(m[id].name, std::move(results), effect);
}

size_t state_count(const Node& loop) {
  return loop.attrs.has(AttrKey::wrt) ? static_cast<size_t>(loop.attrs.ints(AttrKey::wrt)[0]) : loop.args.size();
}

TypeId result_type(Types& types, std::span<const TypeId> results) {
  return results.size() == 1 ? results[0] : types.tuple({results.begin(), results.end()});
}

std::vector<TypeId> result_types(const Func& f) {
  std::vector<TypeId> types;
  for (ValueId r : f.results) types.push_back(f[r].type);
  return types;
}

std::vector<Value> results_of(Value y, size_t count) {
  if (count == 1) return {y};
  std::vector<Value> all;
  for (size_t i = 0; i < count; ++i) all.push_back(get(y, static_cast<int64_t>(i)));
  return all;
}

std::vector<Value> emit_control(Builder& b, OpId op, std::span<const Value> args, Attrs attrs, std::span<const TypeId> results) {
  return results_of(b.emit(op, ids_of(args), std::move(attrs), result_type(b.types(), results)), results.size());
}

Value tuple_as(Builder& b, TypeId type, std::span<const Value> elems) {
  Type t = b.types()[type];
  Attrs attrs;
  if (!t.fields.empty()) attrs.set(AttrKey::fields, t.fields);
  if (!t.fields.empty() && !t.name.empty()) attrs.set(AttrKey::name, t.name);
  return b.emit(op<TupleOp>, ids_of(elems), std::move(attrs));
}

std::optional<TypeId> stacked(Types& types, TypeId type, DimId rows) {
  Type t = types[type];
  if (t.kind == TypeKind::tensor) {
    t.shape.insert(t.shape.begin(), rows);
    return types.tensor(t.dtype, std::move(t.shape));
  }
  if (t.kind != TypeKind::tuple) return std::nullopt;
  for (TypeId& e : t.elems) {
    auto inner = stacked(types, e, rows);
    if (!inner) return std::nullopt;
    e = *inner;
  }
  return t.fields.empty() ? types.tuple(std::move(t.elems)) : types.record(std::move(t.fields), std::move(t.elems), std::move(t.name));
}

Value row(Value x, Value i) {
  const Type t = x.b->types()[x.type()];
  if (t.kind == TypeKind::tensor) return gather(x, i);
  std::vector<Value> elems;
  for (size_t k = 0; k < t.elems.size(); ++k) elems.push_back(row(get(x, static_cast<int64_t>(k)), i));
  return tuple_as(*x.b, x.type(), elems);
}

}  // namespace glia::ir
