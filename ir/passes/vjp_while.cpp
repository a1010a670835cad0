// Reverse mode of while. How often it runs is known only at run time, so nothing is stored: the steps are counted, and
// going back each state is computed again from the start. Slow for long loops, and takes no more memory than the loop.
#include "ir/ops/all.h"
#include "ir/passes/vjp_nested.h"

namespace glia::ir {

namespace {
struct WhileUse {
  const ControlUse& u;
  Func body;              // params: states, shared arguments
  size_t states;
  std::vector<size_t> active, asked;  // states that carry a derivative; positions in x of shared arguments asked for

  Builder& b() const { return u.b; }
  std::span<const Value> shared() const { return u.x.subspan(states); }
};

void find_active(WhileUse& w) {
  std::vector<bool> on(w.states);
  for (size_t k = 0; k < w.states; ++k) on[k] = w.u.active[k];
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<ValueId> wrt;
    for (size_t k = 0; k < w.u.x.size(); ++k)
      if (k < w.states ? on[k] : w.u.active[k]) wrt.push_back(w.body.params[k]);
    std::vector<bool> depends = depends_on(w.b().types(), w.body, wrt);
    for (size_t k = 0; k < w.states; ++k)
      if (!on[k] && depends[w.body.results[k].index()]) on[k] = changed = true;
  }
  for (size_t k = 0; k < w.states; ++k)
    if (on[k]) w.active.push_back(k);
  for (size_t k = w.states; k < w.u.x.size(); ++k)
    if (w.u.active[k]) w.asked.push_back(k);
}

std::vector<TypeId> types_of(std::span<const Value> values) {
  std::vector<TypeId> all;
  for (const Value& v : values) all.push_back(v.type());
  return all;
}

std::vector<Value> joined(std::initializer_list<std::span<const Value>> lists) {
  std::vector<Value> all;
  for (auto list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

Attrs while_attrs(FuncId func, FuncId condition, size_t states) {
  return {{AttrKey::func, func}, {AttrKey::other, condition}, {AttrKey::wrt, Ints{static_cast<int64_t>(states)}}};
}

// The step with a counter as first state: (n, states.., extra.., shared..) to (n + 1, states'..). `extra` is carried by the
// condition only.
FuncId counted_step(const WhileUse& w, std::span<const Value> extra) {
  Builder nb(w.b().module(), w.body.name);
  Value n = nb.param(nb.types().tensor(DType::i32));
  std::vector<Value> states = params_like(nb, w.u.x.first(w.states));
  params_like(nb, extra);
  std::vector<Value> shared = params_like(nb, w.shared());
  std::vector<Value> values = copy_nodes(nb, w.body, joined({states, shared}), Effects::dropped);
  nb.result((n + 1.0).id);
  for (ValueId r : w.body.results) nb.result(values[r.index()].id);
  return nb.finish_into_module();
}

// How often the loop ran.
Value trips(const WhileUse& w) {
  Builder nb(w.b().module(), w.body.name);
  nb.param(nb.types().tensor(DType::i32));
  std::vector<Value> params = params_like(nb, w.u.x);
  const Func condition = inline_calls(nb.module(), nb.module()[w.u.node.attrs.func(AttrKey::other)]);
  nb.result(copy_nodes(nb, condition, params, Effects::dropped)[condition.results[0].index()].id);
  std::vector<Value> args = joined({std::vector<Value>{constant_int(w.b(), 0, DType::i32)}, w.u.x});
  std::vector<TypeId> types = types_of(std::span<const Value>(args).first(w.states + 1));
  return emit_control(w.b(), op<While>, args, while_attrs(counted_step(w, {}), nb.finish_into_module(), w.states + 1), types)[0];
}

// The states after `count` steps, inside b.
std::vector<Value> states_at(Builder& b, const WhileUse& w, Value count, std::span<const Value> start, std::span<const Value> shared) {
  Builder nb(b.module(), w.body.name);
  Value n = nb.param(count.type());
  params_like(nb, start);
  Value limit = nb.param(count.type());
  params_like(nb, shared);
  nb.result((n < limit).id);
  FuncId condition = nb.finish_into_module();
  std::vector<Value> args = joined({std::vector<Value>{constant_int(b, 0, DType::i32)}, start, std::vector<Value>{count}, shared});
  std::vector<TypeId> types = types_of(std::span<const Value>(args).first(w.states + 1));
  std::vector<Value> all = emit_control(b, op<While>, args, while_attrs(counted_step(w, {{count}}), condition, w.states + 1), types);
  return {all.begin() + 1, all.end()};
}

// (left, bars of active states.., bars of shared.., starts.., shared..): one step back.
Differentiated<FuncId> step_back(const WhileUse& w, std::span<const Value> bars, bool through) {
  Builder nb(w.b().module(), w.body.name + "'");
  Value left = nb.param(nb.types().tensor(DType::i32));
  std::vector<Value> of = params_like(nb, bars), start = params_like(nb, w.u.x.first(w.states)), shared = params_like(nb, w.shared());
  Value at = left - 1.0;
  std::vector<Value> states = states_at(nb, w, at, start, shared);
  std::vector<ValueId> wrt;
  std::vector<Cotangent> seeds(w.states);
  for (size_t a = 0; a < w.active.size(); ++a) seeds[w.active[a]] = parts(of[a], through), wrt.push_back(w.body.params[w.active[a]]);
  for (size_t k : w.asked) wrt.push_back(w.body.params[k]);
  auto back = rerun(w.u.run, nb, w.body, joined({states, shared}), wrt, seeds);
  if (!back) return std::unexpected(back.error());
  nb.result(at.id);
  for (size_t a = 0; a < wrt.size(); ++a) {
    Cotangent c = (*back)[a];
    if (a >= w.active.size()) accumulate(c, parts(of[a]));
    nb.result(whole(nb, c, of[a].type())->id);
  }
  return nb.finish_into_module();
}

FuncId some_left(Builder& b, std::span<const Value> args) {
  Builder nb(b.module(), "left");
  std::vector<Value> params = params_like(nb, args);
  nb.result((params[0] > 0.0).id);
  return nb.finish_into_module();
}
}  // namespace

Differentiated<std::vector<Cotangent>> while_vjp(const ControlUse& u) {
  if (u.kept) return fold_vjp(u);
  Module& m = u.b.module();
  WhileUse w{u, inline_calls(m, m[u.node.attrs.func(AttrKey::func)]), state_count(u.node), {}, {}};
  find_active(w);
  std::vector<Value> bars;
  std::vector<Cotangent> g = split_results(u.g, w.states);
  std::vector<size_t> which = w.active;
  which.insert(which.end(), w.asked.begin(), w.asked.end());
  bool through = any_through_where(u.g);
  for (size_t k : which) {
    auto bar = whole(u.b, k < w.states ? g[k] : Cotangent{}, u.x[k].type());
    if (!bar) return not_supported(u.b, u.node, fmt::format("its state is {}", m.types.print(u.x[k].type())));
    bars.push_back(*bar);
  }
  auto step = step_back(w, bars, through);
  if (!step) return std::unexpected(step.error());
  std::vector<Value> args = joined({std::vector<Value>{trips(w)}, bars, u.x});
  std::vector<TypeId> types = types_of(std::span<const Value>(args).first(bars.size() + 1));
  std::vector<Value> all = emit_control(u.b, op<While>, args, while_attrs(*step, some_left(u.b, args), types.size()), types);
  std::vector<Cotangent> found(u.x.size());
  for (size_t a = 0; a < which.size(); ++a) found[which[a]] = parts(all[a + 1], through);
  return found;
}

}  // namespace glia::ir
