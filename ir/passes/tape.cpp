// Which nodes keep a tape, and their forward pass.
#include "ir/passes/tape.h"

#include <algorithm>

#include "ir/ops/all.h"

namespace glia::ir {

namespace {
bool is_recursive_call(const Node& n) { return n.op == op<CallOp> && !n.attrs.has(AttrKey::other); }

bool reaches_tape(const Module& m, const Node& n) {
  for (FuncId f : nested_funcs(n))
    if (reaches(m, f, [](const Node& inner) { return is_recursive_call(inner) || inner.op == op<Fold>; })) return true;
  return false;
}

// A tensor, or a tuple of them.
bool is_static(const Types& types, TypeId type) {
  const Type& t = types[type];
  if (t.kind == TypeKind::tuple) return std::all_of(t.elems.begin(), t.elems.end(), [&](TypeId e) { return is_static(types, e); });
  return t.kind == TypeKind::tensor || !carries_float(types, type);
}

// The function's results and one tape more.
FuncId reserve_keeping(Module& m, FuncId f) {
  std::vector<TypeId> results = result_types(m[f]);
  results.push_back(m.types.tape());
  const bool effect = std::any_of(m[f].nodes.begin(), m[f].nodes.end(), [&](const Node& n) { return has_effect(m, n); });
  return m.reserve(m[f].name, std::move(results), effect);
}

std::vector<TypeId> types_of_results(const Types& types, const Node& n, size_t count) {
  return count == 1 ? std::vector<TypeId>{n.type} : types[n.type].elems;
}

Value bundled(std::span<const Value> results) { return results.size() == 1 ? results[0] : tuple(*results[0].b, results); }

// The results before the last are those of the node itself.
KeepingRun kept_run(std::vector<Value> all, Kept kept, Builder& b) {
  kept.tape = all.back();
  all.pop_back();
  return {all.empty() ? tuple(b, {}) : bundled(all), std::move(kept)};
}

KeepingRun run_if(const KeepingUse& u) {
  Module& m = u.b.module();
  const FuncId then = u.node.attrs.func(AttrKey::func);
  Kept kept{{}, {reserve_keeping(m, then), reserve_keeping(m, u.node.attrs.func(AttrKey::other))}};
  std::vector<TypeId> types = types_of_results(m.types, u.node, m[then].results.size());
  types.push_back(m.types.tape());
  Attrs attrs{{AttrKey::func, kept.forward[0]}, {AttrKey::other, kept.forward[1]}};
  return kept_run(emit_control(u.b, op<If>, u.x, attrs, types), std::move(kept), u.b);
}

KeepingRun run_fold(const KeepingUse& u) {
  Module& m = u.b.module();
  const FuncId step = u.node.attrs.func(AttrKey::func);
  Kept kept{{}, {reserve_keeping(m, step)}};
  std::vector<TypeId> types = types_of_results(m.types, u.node, m[step].results.size());
  types.push_back(m.types.list(m.types.tape()));
  Attrs attrs = u.node.attrs;
  attrs.set(AttrKey::func, kept.forward[0]);
  return kept_run(emit_control(u.b, op<Fold>, u.x, attrs, types), std::move(kept), u.b);
}

// The condition, with the tapes as a first argument that it does not look at.
FuncId with_tapes(Module& m, const Func& condition) {
  Builder nb(m, condition.name);
  nb.param(m.types.list(m.types.tape()));
  std::vector<ValueId> args;
  for (const Value& v : copy_params(nb, condition)) args.push_back(v.id);
  for (const Value& v : inline_func(nb, condition, args)) nb.result(v.id);
  return nb.finish_into_module();
}

KeepingRun run_while(const KeepingUse& u) {
  Module& m = u.b.module();
  const FuncId step = u.node.attrs.func(AttrKey::func);
  const TypeId tapes = m.types.list(m.types.tape());
  std::vector<TypeId> types = types_of_results(m.types, u.node, m[step].results.size());
  types.insert(types.begin(), tapes);
  const bool effect = has_effect(m, u.node);
  Kept kept{{}, {m.reserve(m[step].name, types, effect)}};
  std::vector<Value> args{u.b.emit(op<MakeList>, {}, {}, tapes)};
  args.insert(args.end(), u.x.begin(), u.x.end());
  Attrs attrs{{AttrKey::func, kept.forward[0]}, {AttrKey::other, with_tapes(m, m[u.node.attrs.func(AttrKey::other)])},
              {AttrKey::wrt, Ints{static_cast<int64_t>(types.size())}}};
  std::vector<Value> all = emit_control(u.b, op<While>, args, attrs, types);
  std::rotate(all.begin(), all.begin() + 1, all.end());
  return kept_run(std::move(all), std::move(kept), u.b);
}

Differentiated<KeepingRun> run_call(const KeepingUse& u) {
  auto derivative = recursive_derivative(u);
  if (!derivative) return std::unexpected(derivative.error());
  u.b.set_src(u.node.src);
  Module& m = u.b.module();
  Kept kept{{}, {}, *derivative};
  std::vector<TypeId> types = types_of_results(m.types, u.node, m[u.node.attrs.func(AttrKey::func)].results.size());
  types.push_back(m.types.tape());
  return kept_run(emit_control(u.b, op<CallOp>, u.x, {{AttrKey::func, kept.call->forward}}, types), std::move(kept), u.b);
}

Func with_empty_tape(Module& m, const Func& f) {
  Builder nb(m, f.name);
  std::vector<ValueId> args;
  for (const Value& v : copy_params(nb, f)) args.push_back(v.id);
  for (const Value& v : inline_func(nb, f, args)) nb.result(v.id);
  nb.result(nb.emit(op<Pack>, {}).id);
  return nb.finish();
}
}  // namespace

bool keeps_tape(const Module& m, const Node& n) {
  if (n.op == op<Fold> || is_recursive_call(n)) return true;
  if (n.op == op<If>) return reaches_tape(m, n);
  if (n.op != op<While>) return false;
  for (ValueId p : m[n.attrs.func(AttrKey::func)].params)
    if (!is_static(m.types, m[n.attrs.func(AttrKey::func)][p].type)) return true;
  return reaches_tape(m, n);
}

Differentiated<KeepingRun> run_keeping(const KeepingUse& u) {
  u.b.set_src(u.node.src);
  if (u.node.op == op<If>) return run_if(u);
  if (u.node.op == op<Fold>) return run_fold(u);
  if (u.node.op == op<While>) return run_while(u);
  return run_call(u);
}

Func appending_step(Module& m, const Func& step) {
  Builder nb(m, step.name);
  Value tapes = nb.param(m.types.list(m.types.tape()));
  std::vector<ValueId> args;
  for (const Value& v : copy_params(nb, step)) args.push_back(v.id);
  std::vector<Value> results = inline_func(nb, step, args);
  nb.result(nb.emit(op<Append>, {tapes.id, results.back().id}).id);
  for (size_t k = 0; k + 1 < results.size(); ++k) nb.result(results[k].id);
  return nb.finish();
}

void keep_nothing(Module& m, const Node& n, const Kept& kept) {
  if (kept.call) return;
  if (n.op == op<While>) return m.define(kept.forward[0], appending_step(m, with_empty_tape(m, m[n.attrs.func(AttrKey::func)])));
  m.define(kept.forward[0], with_empty_tape(m, m[n.attrs.func(AttrKey::func)]));
  if (n.op == op<If>) m.define(kept.forward[1], with_empty_tape(m, m[n.attrs.func(AttrKey::other)]));
}

}  // namespace glia::ir
