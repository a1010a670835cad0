// Reverse mode of loop and scan: with the state before every step stored,
//   1. a scan from the last step to the first carries the cotangents of the state back,
//   2. a map over the steps, which no longer depend on each other, gives the cotangents of what all steps share.
// The second is what batching turns into one matrix product for the weights of a recurrent cell.
#include <algorithm>

#include "ir/ops/all.h"
#include "ir/passes/vjp_nested.h"

namespace glia::ir {

namespace {
// The loop under reversal, with what both parts need.
struct LoopUse {
  const ControlUse& u;
  Func body;                          // params: counter, states, shared arguments
  size_t states;
  DimId count;
  std::vector<size_t> active;         // states that carry a derivative
  std::vector<size_t> asked;          // shared arguments to differentiate in
  std::vector<Value> before;          // of every state, the one each step begins with, stacked
  std::vector<Value> seeds;           // scan: of active states, the cotangents of the stacked results
  std::vector<bool> through_where;    // of active states

  Builder& b() const { return u.b; }
  Types& types() const { return u.b.types(); }
  std::span<const Value> shared() const { return u.x.subspan(states); }
};

// A state carries a derivative if its start does, or if a step makes it depend on what does.
void find_active(LoopUse& l) {
  std::vector<bool> on(l.states);
  for (size_t k = 0; k < l.states; ++k) on[k] = l.u.active[k];
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<ValueId> wrt;
    for (size_t k = 0; k < l.u.x.size(); ++k)
      if (k < l.states ? on[k] : l.u.active[k]) wrt.push_back(l.body.params[k + 1]);
    std::vector<bool> depends = depends_on(l.types(), l.body, wrt);
    for (size_t k = 0; k < l.states; ++k)
      if (!on[k] && depends[l.body.results[k].index()]) on[k] = changed = true;
  }
  for (size_t k = 0; k < l.states; ++k)
    if (on[k]) l.active.push_back(k);
  for (size_t k = l.states; k < l.u.x.size(); ++k)
    if (l.u.active[k]) l.asked.push_back(k - l.states);
}

Shape with_leading(DimId n, Shape shape) {
  shape.insert(shape.begin(), n);
  return shape;
}

// first, then the rows of stack: one row more.
Value prepend(Value first, Value stack) {
  Value one = reshape(first, with_leading(first.b->dims().constant(1), first.shape()));
  return concat(std::vector<Value>{one, stack}, 0);
}

Value rows_of(Value x, DimId from, DimId to) {
  DimList starts(x.rank(), x.b->dims().constant(0)), stops = x.shape();
  starts[0] = from, stops[0] = to;
  return slice(x, starts, stops, Ints(x.rank(), 1));
}

std::vector<TypeId> stacks(Types& types, std::span<const Value> values, DimId count) {
  std::vector<TypeId> all;
  for (const Value& v : values) all.push_back(*stacked(types, v.type(), count));
  return all;
}

void store_states(LoopUse& l) {
  std::vector<Value> after;
  if (l.u.node.op == op<Scan>) after = results_of(l.u.y, l.states);
  else after = emit_control(l.b(), op<Scan>, l.u.x, l.u.node.attrs, stacks(l.types(), l.u.x.first(l.states), l.count));
  for (size_t k = 0; k < l.states; ++k) l.before.push_back(rows_of(prepend(l.u.x[k], after[k]), l.b().dims().constant(0), l.count));
}

std::vector<ValueId> state_params(const LoopUse& l) {
  std::vector<ValueId> wrt;
  for (size_t k : l.active) wrt.push_back(l.body.params[k + 1]);
  return wrt;
}

// The arguments of the body at step `at`, inside a body that has the stacked states and the shared arguments.
std::vector<Value> step_arguments(Value at, std::span<const Value> before, std::span<const Value> shared) {
  std::vector<Value> args{at};
  for (const Value& s : before) args.push_back(row(s, at));
  args.insert(args.end(), shared.begin(), shared.end());
  return args;
}

std::vector<Cotangent> step_seeds(const LoopUse& l, std::span<const Value> of_active) {
  std::vector<Cotangent> seeds(l.states);
  for (size_t a = 0; a < l.active.size(); ++a) seeds[l.active[a]] = parts(of_active[a], l.through_where[a]);
  return seeds;
}

// 1: func(r, cotangents.., seeds.., before.., shared..) for step count - 1 - r.
Differentiated<FuncId> reversed_step(const LoopUse& l, std::span<const Value> start) {
  Builder nb(l.b().module(), l.body.name + "'");
  Value r = copy_param(nb, l.body[l.body.params[0]]);
  std::vector<Value> bars = params_like(nb, start), seeds = params_like(nb, l.seeds), before = params_like(nb, l.before),
                     shared = params_like(nb, l.shared());
  Value at = dim_value(nb, l.count, r.dtype()) - 1.0 - r;
  for (size_t a = 0; a < seeds.size(); ++a) bars[a] = bars[a] + row(seeds[a], at);
  auto back = rerun(l.u.run, nb, l.body, step_arguments(at, before, shared), state_params(l), step_seeds(l, bars));
  if (!back) return std::unexpected(back.error());
  for (size_t a = 0; a < l.active.size(); ++a) nb.result(whole(nb, (*back)[a], start[a].type())->id);
  return nb.finish_into_module();
}

// Of active states, the cotangents at the start of the steps in reverse: row r is that after step count - 1 - r.
Differentiated<std::vector<Value>> carried_back(const LoopUse& l) {
  bool scan = l.u.node.op == op<Scan>;
  std::vector<Cotangent> g = split_results(l.u.g, l.states);
  std::vector<Value> start;
  for (size_t k : l.active) start.push_back(scan ? zeros_like(l.u.x[k]) : *whole(l.b(), g[k], l.u.x[k].type()));
  auto step = reversed_step(l, start);
  if (!step) return std::unexpected(step.error());
  std::vector<Value> args = start;
  for (std::span<const Value> more : {std::span<const Value>(l.seeds), std::span<const Value>(l.before), l.shared()})
    args.insert(args.end(), more.begin(), more.end());
  Attrs attrs{{AttrKey::func, *step}, {AttrKey::count, l.count}, {AttrKey::wrt, Ints{static_cast<int64_t>(start.size())}}};
  std::vector<Value> carried = emit_control(l.b(), op<Scan>, args, attrs, stacks(l.types(), start, l.count));
  for (size_t a = 0; a < start.size(); ++a) carried[a] = prepend(start[a], carried[a]);
  return carried;
}

// 2: func(i, cotangents after each step.., before.., shared..), the cotangents of what is asked for.
Differentiated<std::vector<Cotangent>> of_shared(const LoopUse& l, std::span<const Value> after) {
  Builder nb(l.b().module(), l.body.name + "'");
  Value i = copy_param(nb, l.body[l.body.params[0]]);
  std::vector<Value> bars = params_like(nb, after), before = params_like(nb, l.before), shared = params_like(nb, l.shared());
  for (Value& v : bars) v = row(v, i);
  std::vector<ValueId> asked;
  for (size_t k : l.asked) asked.push_back(l.body.params[1 + l.states + k]);
  RowSweep rows = row_sweep(l.types(), l.body, asked, l.count);
  auto back = rerun(l.u.run, nb, l.body, step_arguments(i, before, shared), rows.wrt, step_seeds(l, bars));
  if (!back) return std::unexpected(back.error());
  std::vector<Value> args(after.begin(), after.end());
  for (std::span<const Value> more : {std::span<const Value>(l.before), l.shared()}) args.insert(args.end(), more.begin(), more.end());
  return map_back(l.u, nb, l.body, rows, *back, args);
}

void take_seeds(LoopUse& l) {
  std::vector<Cotangent> g = split_results(l.u.g, l.states);
  for (size_t k : l.active) {
    l.through_where.push_back(any_through_where(g[k]));
    if (l.u.node.op == op<Scan>) l.seeds.push_back(*whole(l.b(), g[k], *stacked(l.types(), l.u.x[k].type(), l.count)));
  }
}
}  // namespace

Differentiated<std::vector<Cotangent>> loop_vjp(const ControlUse& u) {
  Module& m = u.b.module();
  LoopUse l{u, inline_calls(m, m[u.node.attrs.func(AttrKey::func)]), state_count(u.node),
            u.node.attrs.get<DimId>(AttrKey::count), {}, {}, {}, {}, {}};
  for (size_t k = 0; k < l.states; ++k)
    if (!m.types.is_tensor(u.x[k].type())) return not_supported(u.b, u.node, fmt::format("its state is {}", m.types.print(u.x[k].type())));
  find_active(l);
  store_states(l);
  take_seeds(l);
  auto carried = carried_back(l);
  if (!carried) return std::unexpected(carried.error());

  DimId none = u.b.dims().constant(0), end = u.b.dims().add(l.count, u.b.dims().constant(1));
  std::vector<Cotangent> found(u.x.size());
  std::vector<Value> after;
  for (size_t a = 0; a < l.active.size(); ++a) {
    Value back = (*carried)[a];
    found[l.active[a]] = parts(reshape(rows_of(back, l.count, end), Shape(u.x[l.active[a]].shape())), l.through_where[a]);
    after.push_back(flip(rows_of(back, none, l.count), {0}));
    if (!l.seeds.empty()) after.back() = after.back() + l.seeds[a];
  }
  if (l.asked.empty()) return found;
  auto shared = of_shared(l, after);
  if (!shared) return std::unexpected(shared.error());
  for (size_t a = 0; a < l.asked.size(); ++a) found[l.states + l.asked[a]] = (*shared)[a];
  return found;
}

}  // namespace glia::ir
