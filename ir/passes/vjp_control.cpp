// Reverse mode of call (with a derivative by hand), if and map.
#include "ir/ops/all.h"
#include "ir/passes/vjp_nested.h"

namespace glia::ir {

namespace {
// The user's own rule: other(args.., results.., cotangents..).
Differentiated<std::vector<Cotangent>> call_vjp(const ControlUse& u) {
  if (!u.node.attrs.has(AttrKey::other)) return not_supported(u.b, u.node, "it calls itself");
  Module& m = u.b.module();
  std::vector<TypeId> results = result_types(m[u.node.attrs.func(AttrKey::func)]);
  std::vector<ValueId> args;
  for (const Value& x : u.x) args.push_back(x.id);
  for (const Value& y : results_of(u.y, results.size())) args.push_back(y.id);
  std::vector<Cotangent> g = split_results(u.g, results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    auto value = whole(u.b, g[i], results[i]);
    if (!value) return not_supported(u.b, u.node, u.b.types().print(results[i]));
    args.push_back(value->id);
  }
  std::vector<Cotangent> found;
  for (const Value& v : inline_func(u.b, m[u.node.attrs.func(AttrKey::other)], args)) found.push_back(parts(v, any_through_where(u.g)));
  if (found.size() != u.x.size()) return not_supported(u.b, u.node, "the derivative by hand has another number of results");
  return found;
}

// ---- if -----------------------------------------------------------------------------------------

struct Branch {
  std::unique_ptr<Builder> b;
  std::vector<Cotangent> bars;  // of the arguments after the condition
};

Differentiated<Branch> reverse_branch(const ControlUse& u, FuncId which, const Seeds& seeds) {
  Module& m = u.b.module();
  Func body = inline_calls(m, m[which]);
  Branch branch{std::make_unique<Builder>(m, body.name + "'"), std::vector<Cotangent>(u.x.size() - 1)};
  std::vector<Value> args = params_like(*branch.b, u.x.subspan(1)), inner = params_like(*branch.b, seeds.values);
  std::vector<size_t> active;
  std::vector<ValueId> wrt;
  for (size_t k = 1; k < u.x.size(); ++k)
    if (u.active[k]) active.push_back(k - 1), wrt.push_back(body.params[k - 1]);
  auto bars = rerun(*branch.b, body, args, wrt, spread_seeds(seeds, inner, body.results.size()));
  if (!bars) return std::unexpected(bars.error());
  for (size_t i = 0; i < active.size(); ++i) branch.bars[active[i]] = (*bars)[i];
  return branch;
}

// Both branches give the cotangents that either has; of the branch not taken nothing is run.
Differentiated<std::vector<Cotangent>> if_vjp(const ControlUse& u) {
  FuncId then = u.node.attrs.func(AttrKey::func), otherwise = u.node.attrs.func(AttrKey::other);
  auto seeds = seeds_of(u.b, u.g, result_types(u.b.module()[then]));
  if (!seeds) return not_supported(u.b, u.node, u.b.types().print(u.node.type));
  auto yes = reverse_branch(u, then, *seeds), no = reverse_branch(u, otherwise, *seeds);
  if (!yes) return std::unexpected(yes.error());
  if (!no) return std::unexpected(no.error());
  std::vector<size_t> which;
  std::vector<TypeId> types;
  for (size_t k = 1; k < u.x.size(); ++k) {
    if (yes->bars[k - 1].zero() && no->bars[k - 1].zero()) continue;
    auto a = whole(*yes->b, yes->bars[k - 1], u.x[k].type()), b = whole(*no->b, no->bars[k - 1], u.x[k].type());
    if (!a || !b) return not_supported(u.b, u.node, u.b.types().print(u.x[k].type()));
    yes->b->result(a->id), no->b->result(b->id);
    which.push_back(k), types.push_back(u.x[k].type());
  }
  std::vector<Cotangent> found(u.x.size());
  if (which.empty()) return found;
  std::vector<Value> args(u.x.begin(), u.x.end());
  args.insert(args.end(), seeds->values.begin(), seeds->values.end());
  Attrs attrs{{AttrKey::func, yes->b->finish_into_module()}, {AttrKey::other, no->b->finish_into_module()}};
  std::vector<Value> results = emit_control(u.b, op<If>, args, attrs, types);
  for (size_t i = 0; i < which.size(); ++i)
    found[which[i]] = parts(results[i], any_through_where(yes->bars[which[i] - 1]) || any_through_where(no->bars[which[i] - 1]));
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
  auto bars = rerun(nb, body, args, rows.wrt, spread_seeds(*seeds, inner, body.results.size()));
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
  if (u.node.op == op<CallOp>) return call_vjp(u);
  if (u.node.op == op<If>) return if_vjp(u);
  if (u.node.op == op<Map>) return map_vjp(u);
  if (u.node.op == op<Loop> || u.node.op == op<Scan>) return loop_vjp(u);
  if (u.node.op == op<While>) return while_vjp(u);
  return not_supported(u.b, u.node, "");
}

}  // namespace glia::ir
