// Maps, loops and scans as folds.
#include "ir/passes/as_fold.h"

#include <algorithm>

#include "ir/ops/all.h"
#include "ir/passes/copy.h"

namespace glia::ir {

namespace {
bool is_dynamic(const Node& n) {
  if (n.op == op<CallOp>) return !n.attrs.has(AttrKey::other);
  constexpr OpId first = op<Length>, last = op<VecDot>;
  return (n.op.v >= first.v && n.op.v <= last.v && n.op != op<Recompute>) || n.op == op<MakeList>;
}

bool over_lists(Module& m, const Node& n) {
  if (n.op != op<Map> && n.op != op<Loop> && n.op != op<Scan>) return false;
  return reaches(m, n.attrs.func(AttrKey::func), is_dynamic);
}

bool has_shape(const Module& m, const Func& body) {
  return std::all_of(body.results.begin(), body.results.end(), [&](ValueId r) { return m.types.is_tensor(body[r].type); });
}

// A scan gives what are its states, too.
FuncId states_and_outs(Module& m, const Func& step) {
  Builder b(m, step.name);
  std::vector<ValueId> args;
  for (const Value& v : copy_params(b, step)) args.push_back(v.id);
  const std::vector<Value> states = inline_func(b, step, args);
  for (int twice = 0; twice < 2; ++twice)
    for (const Value& s : states) b.result(s.id);
  return b.finish_into_module();
}

// Sizes inside the items of a list are not named.
TypeId list_of_rows(Types& types, TypeId stacked) {
  const Type t = types[stacked];
  Shape row;
  for (size_t i = 1; i < t.shape.size(); ++i) row.push_back(types.dims.known(t.shape[i]) ? t.shape[i] : types.dims.unknown());
  return types.list(types.tensor(t.dtype, row));
}

Value as_fold(Builder& b, const Node& n, std::span<const Value> x) {
  Module& m = b.module();
  const FuncId step = n.attrs.func(AttrKey::func);
  const size_t states = n.op == op<Map> ? 0 : state_count(n), results = m[step].results.size();
  std::vector<Value> args{dim_value(b, n.attrs.get<DimId>(AttrKey::count))};
  args.insert(args.end(), x.begin(), x.end());
  const std::vector<TypeId> given = results == 1 ? std::vector<TypeId>{n.type} : m.types[n.type].elems;
  std::vector<TypeId> types;
  for (size_t k = 0; k < states; ++k) types.push_back(n.op == op<Loop> ? given[k] : x[k].type());
  if (n.op != op<Loop>)
    for (TypeId t : given) types.push_back(list_of_rows(m.types, t));
  Attrs attrs{{AttrKey::func, n.op == op<Scan> ? states_and_outs(m, m[step]) : step}, {AttrKey::wrt, Ints{static_cast<int64_t>(states), 0}}};
  std::vector<Value> all = emit_control(b, op<Fold>, args, attrs, types), made;
  if (n.op == op<Loop>) made = all;
  else
    for (size_t k = 0; k < given.size(); ++k) made.push_back(b.emit(op<Stack>, {all[states + k].id}, {}, given[k]));
  return made.size() == 1 ? made[0] : tuple(b, made);
}
}  // namespace

Func lists_as_folds(Module& m, const Func& f, std::vector<ValueId>& places) {
  if (std::none_of(f.nodes.begin(), f.nodes.end(), [&](const Node& n) { return over_lists(m, n); })) return f;
  Builder b(m, f.name);
  std::vector<Value> values = copy_nodes(b, f, copy_params(b, f), Effects::kept, [&](size_t i, std::span<const Value> x) -> Value {
    const Node& n = f.nodes[i];
    if (!over_lists(m, n) || !has_shape(m, m[n.attrs.func(AttrKey::func)])) return {};
    b.set_src(n.src);
    return as_fold(b, n, x);
  });
  for (ValueId r : f.results) b.result(values[r.index()].id);
  for (ValueId& p : places) p = values[p.index()].id;
  return b.finish();
}

}  // namespace glia::ir
