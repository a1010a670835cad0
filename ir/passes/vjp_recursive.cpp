// Reverse mode of functions that call themselves, and of what runs again instead of being kept.
#include "ir/ops/all.h"
#include "ir/passes/partition.h"
#include "ir/passes/tape.h"
#include "ir/passes/vjp_nested.h"

namespace glia::ir {

namespace {
// What every call shares, such as a weight, gets one sum that goes through all calls; to hand it on costs less than to make
// zeros and add.
bool sums_up(const Types& types, TypeId type) {
  return types[type].kind == TypeKind::list || (types.is_tensor(type) && !types.shape(type).empty());
}

// (args.., cotangents of the seeded results.., sums..) to the results and the cotangents of what is asked for.
Differentiated<Func> forward_and_back(Reverse& run, const Func& body, const Recursive& r) {
  const bool through = r.through_where;
  Builder nb(run.m, body.name);
  std::vector<Value> args = copy_params(nb, body);
  std::vector<Cotangent> seeds(body.results.size()), sums(r.asked.size());
  for (size_t k : r.seeded) seeds[k] = parts(nb.param(body[body.results[k]].type), through);
  std::vector<ValueId> wrt;
  for (size_t a = 0, next = 0; a < r.asked.size(); ++a) {
    wrt.push_back(body.params[r.asked[a]]);
    if (next < r.summed.size() && r.summed[next] == r.asked[a]) sums[a] = parts(nb.param(args[r.asked[a]].type()), through), ++next;
  }
  auto swept = reverse(run, nb, body, args, wrt, seeds, Effects::kept, sums);
  if (!swept) return std::unexpected(swept.error());
  for (const Value& v : swept->results) nb.result(v.id);
  for (size_t a = 0; a < wrt.size(); ++a) nb.result(whole(swept->bars[a], args[r.asked[a]]).id);
  return nb.finish();
}

// The interface, before the bodies are there: calls inside refer to it.
Recursive reserve(Module& m, const Func& f, FuncId id, const std::vector<bool>& active, bool through) {
  Recursive r{};
  r.through_where = through;
  std::vector<TypeId> found, results = result_types(f);
  for (size_t k = 0; k < results.size(); ++k)
    if (carries_float(m.types, results[k])) r.seeded.push_back(k);
  for (size_t k = 0; k < active.size(); ++k) {
    const TypeId type = f[f.params[k]].type;
    if (!active[k] || !carries_float(m.types, type)) continue;
    r.asked.push_back(k), found.push_back(type);
    if (sums_up(m.types, type)) r.summed.push_back(k);
  }
  bool effect = false;
  for (const Node& n : f.nodes) effect = effect || has_effect(m, n);
  results.push_back(m.types.tape());
  r.forward = m.reserve(m[id].name, std::move(results), effect);
  r.backward = m.reserve(m[id].name + "'", std::move(found));
  return r;
}
}  // namespace

Differentiated<const Recursive*> recursive_derivative(const KeepingUse& u) {
  Module& m = u.b.module();
  const FuncId id = u.node.attrs.func(AttrKey::func);
  if (m.pending(id)) return not_supported(u.b, u.node, "it takes a derivative of itself");
  const Func f = m[id];
  size_t floats = 0;
  for (TypeId t : result_types(f)) floats += carries_float(m.types, t);
  // A result that nothing depends on has zeros made for it, which must not meet an infinite factor.
  const bool through = u.through_where || floats > 1 || reaches(m, id, [](const Node& n) { return n.op == op<Select> || n.op == op<Unless>; });
  const auto key = std::tuple(id, u.active, through);
  if (auto known = u.run.known.find(key); known != u.run.known.end()) return &known->second;
  const Recursive& r = u.run.known.emplace(key, reserve(m, f, id, u.active, through)).first->second;
  auto both = forward_and_back(u.run, inline_calls(m, f), r);
  if (!both) return std::unexpected(both.error());
  Halves halves = partition(m, *both, f.params.size(), f.results.size());
  m.define(r.forward, std::move(halves.forward));
  m.define(r.backward, std::move(halves.backward));
  return &r;
}

Differentiated<std::vector<Cotangent>> recursive_vjp(const ControlUse& u) {
  const Recursive& r = *u.kept->call;
  const size_t count = result_types(u.b.module()[u.node.attrs.func(AttrKey::func)]).size();
  std::vector<Cotangent> g = split_results(u.g, count);
  std::vector<Value> y = results_of(u.y, count), args{u.kept->tape};
  for (size_t k : r.seeded) args.push_back(whole(g[k], y[k]));
  for (size_t k : r.summed) args.push_back(whole(u.take(k), u.x[k]));
  std::vector<TypeId> types;
  for (size_t k : r.asked) types.push_back(u.x[k].type());
  std::vector<Value> all = emit_control(u.b, op<CallOp>, args, {{AttrKey::func, r.backward}}, types);
  std::vector<Cotangent> found(u.x.size());
  for (size_t a = 0; a < r.asked.size(); ++a) found[r.asked[a]] = parts(all[a], r.through_where);
  return found;
}

// The function runs again, and back, in a node of its own, so that nothing of it is kept.
Differentiated<std::vector<Cotangent>> recompute_vjp(const ControlUse& u) {
  Module& m = u.b.module();
  const Func body = inline_calls(m, m[u.node.attrs.func(AttrKey::func)]);
  std::vector<Value> y = results_of(u.y, body.results.size());
  std::vector<TypeId> types;
  for (const Value& v : y) types.push_back(v.type());
  Seeds seeds = *seeds_of(u.b, u.g, types, y);
  Builder nb(m, body.name + "'");
  std::vector<Value> args = copy_params(nb, body), inner = seed_params(nb, body, seeds);
  std::vector<size_t> asked;
  std::vector<ValueId> wrt;
  for (size_t k = 0; k < u.x.size(); ++k)
    if (u.active[k]) asked.push_back(k), wrt.push_back(body.params[k]);
  auto bars = rerun(u.run, nb, body, args, wrt, spread_seeds(seeds, inner, body.results.size()));
  if (!bars) return std::unexpected(bars.error());
  std::vector<size_t> which;
  for (size_t a = 0; a < asked.size(); ++a)
    if (!(*bars)[a].zero()) which.push_back(a), nb.result(whole((*bars)[a], args[asked[a]]).id);
  std::vector<Cotangent> found(u.x.size());
  if (which.empty()) return found;
  std::vector<Value> outer(u.x.begin(), u.x.end());
  outer.insert(outer.end(), seeds.values.begin(), seeds.values.end());
  types.clear();
  for (size_t a : which) types.push_back(u.x[asked[a]].type());
  std::vector<Value> all = emit_control(u.b, op<Recompute>, outer, {{AttrKey::func, nb.finish_into_module()}}, types);
  for (size_t r = 0; r < which.size(); ++r) found[asked[which[r]]] = parts(all[r], any_through_where((*bars)[which[r]]));
  return found;
}

}  // namespace glia::ir
