// Reverse mode of call (with a derivative by hand) and map; and which rule is whose.
#include "ir/ops/all.h"
#include "ir/passes/vjp_nested.h"

namespace glia::ir {

namespace {
// The user's own rule: other(args.., results.., cotangents..).
Differentiated<std::vector<Cotangent>> call_vjp(const ControlUse& u) {
  Module& m = u.b.module();
  std::vector<TypeId> results = result_types(m[u.node.attrs.func(AttrKey::func)]);
  std::vector<ValueId> args;
  for (const Value& x : u.x) args.push_back(x.id);
  std::vector<Value> y = results_of(u.y, results.size());
  for (const Value& v : y) args.push_back(v.id);
  std::vector<Cotangent> g = split_results(u.g, results.size());
  for (size_t i = 0; i < results.size(); ++i) args.push_back(whole(g[i], y[i]).id);
  std::vector<Cotangent> found;
  for (const Value& v : inline_func(u.b, m[u.node.attrs.func(AttrKey::other)], args)) found.push_back(parts(v, any_through_where(u.g)));
  if (found.size() != u.x.size()) return not_supported(u.b, u.node, "the derivative by hand has another number of results");
  return found;
}

// ---- map ----------------------------------------------------------------------------------------

// The reversed map runs the body of each row again. What all rows share sums its cotangents over the rows.
Differentiated<std::vector<Cotangent>> map_vjp(const ControlUse& u) {
  Module& m = u.b.module();
  DimId count = u.node.attrs.get<DimId>(AttrKey::count);
  Func body = inline_calls(m, m[u.node.attrs.func(AttrKey::func)]);
  std::vector<TypeId> results;
  for (TypeId t : result_types(body)) {
    auto s = stacked(m.types, t, count);
    if (!s) return not_supported(u.b, u.node, m.types.print(t));
    results.push_back(*s);
  }
  auto seeds = seeds_of(u.b, u.g, results);
  if (!seeds) return not_supported(u.b, u.node, m.types.print(u.node.type));

  Builder nb(m, body.name + "'");
  Value i = copy_param(nb, body[body.params[0]]);
  std::vector<Value> args = params_like(nb, u.x), inner = params_like(nb, seeds->values);
  args.insert(args.begin(), i);
  for (Value& s : inner) s = row(s, i);
  std::vector<size_t> active;
  std::vector<ValueId> asked;
  for (size_t k = 0; k < u.x.size(); ++k)
    if (u.active[k]) active.push_back(k), asked.push_back(body.params[k + 1]);
  RowSweep rows = row_sweep(m.types, body, asked, count);
  auto bars = rerun(u.run, nb, body, args, rows.wrt, spread_seeds(*seeds, inner, body.results.size()));
  if (!bars) return std::unexpected(bars.error());
  std::vector<Value> outer(u.x.begin(), u.x.end());
  outer.insert(outer.end(), seeds->values.begin(), seeds->values.end());
  auto of_active = map_back(u, nb, body, rows, *bars, outer);
  if (!of_active) return std::unexpected(of_active.error());
  std::vector<Cotangent> found(u.x.size());
  for (size_t a = 0; a < active.size(); ++a) found[active[a]] = (*of_active)[a];
  return found;
}
}  // namespace

Differentiated<std::vector<Cotangent>> control_vjp(const ControlUse& u) {
  if (u.node.op == op<CallOp>) return u.kept ? recursive_vjp(u) : call_vjp(u);
  if (u.node.op == op<If>) return if_vjp(u);
  if (u.node.op == op<Map>) return map_vjp(u);
  if (u.node.op == op<Loop> || u.node.op == op<Scan>) return loop_vjp(u);
  if (u.node.op == op<While>) return while_vjp(u);
  if (u.node.op == op<Fold>) return fold_vjp(u);
  if (u.node.op == op<Recompute>) return recompute_vjp(u);
  return dynamic_vjp(u);
}

}  // namespace glia::ir
