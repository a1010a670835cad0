// Reverse mode of fold, and of a while that keeps tapes: each step has kept a tape, and a fold over the tapes from the last
// to the first carries back the cotangents of the states, and the sums over the steps for what all of them share.
#include "ir/ops/all.h"
#include "ir/passes/partition.h"
#include "ir/passes/tape.h"
#include "ir/passes/vjp_nested.h"

namespace glia::ir {

namespace {
// Parameter k of the step stands for argument k of the node.
struct Steps {
  const ControlUse& u;
  FuncId step;
  Func body;
  size_t first, states, lists;          // arguments: [count], states, lists, shared
  std::vector<Cotangent> g;             // of the results
  std::vector<size_t> active = {};      // states that carry a derivative, counted from 0
  std::vector<size_t> outs = {};        // results with a cotangent that are no states
  std::vector<size_t> shared = {}, items = {};  // arguments asked for
  bool through = false;

  Builder& b() const { return u.b; }
  TypeId param_type(size_t k) const { return body[body.params[k]].type; }
};

Steps steps_of(const ControlUse& u) {
  Module& m = u.b.module();
  const bool fold = u.node.op == op<Fold>;
  const FuncId step = u.node.attrs.func(AttrKey::func);
  Steps s{u, step, inline_calls(m, m[step]), fold, state_count(u.node), fold ? static_cast<size_t>(u.node.attrs.ints(AttrKey::wrt)[1]) : 0, {}};
  s.g = split_results(u.g, s.body.results.size());
  s.through = any_through_where(u.g) || reaches(m, step, [](const Node& n) { return n.op == op<Select> || n.op == op<Unless>; });
  return s;
}

// A state carries a derivative if its start does, or if a step makes it depend on what does.
void find_active(Steps& s) {
  std::vector<bool> on = s.u.active, depends;
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<ValueId> wrt;
    for (size_t k = 0; k < on.size(); ++k)
      if (on[k]) wrt.push_back(s.body.params[k]);
    depends = depends_on(s.b().types(), s.body, wrt);
    for (size_t k = 0; k < s.states; ++k)
      if (!on[s.first + k] && depends[s.body.results[k].index()]) on[s.first + k] = changed = true;
  }
  for (size_t k = 0; k < on.size(); ++k) {
    if (!on[k] || k < s.first) continue;
    if (k < s.first + s.states) s.active.push_back(k - s.first);
    else (k < s.first + s.states + s.lists ? s.items : s.shared).push_back(k);
  }
  for (size_t r = s.states; r < s.body.results.size(); ++r)
    if (depends[s.body.results[r].index()] && !s.g[r].zero()) s.outs.push_back(r);
}

// The step forward and back: (args.., cotangents of states.., of outs.., sums..) to the results, then the cotangents of
// states, the sums, and the cotangents of items.
Differentiated<Halves> halves_of(const Steps& s) {
  Builder nb(s.b().module(), s.body.name);
  std::vector<Value> args = copy_params(nb, s.body);
  std::vector<Cotangent> seeds(s.body.results.size()), sums(s.active.size());
  std::vector<ValueId> wrt;
  for (size_t k : s.active) seeds[k] = parts(nb.param(s.body[s.body.results[k]].type), s.through), wrt.push_back(s.body.params[s.first + k]);
  for (size_t r : s.outs) seeds[r] = parts(nb.param(s.body[s.body.results[r]].type), s.through);
  for (size_t k : s.shared) sums.push_back(parts(nb.param(s.param_type(k)), s.through)), wrt.push_back(s.body.params[k]);
  for (size_t k : s.items) wrt.push_back(s.body.params[k]);
  auto swept = reverse(s.u.run, nb, s.body, args, wrt, seeds, Effects::kept, sums);
  if (!swept) return std::unexpected(swept.error());
  for (const Value& v : swept->results) nb.result(v.id);
  for (size_t a = 0; a < wrt.size(); ++a) {
    const size_t k = a < s.active.size() ? s.first + s.active[a] : a < s.active.size() + s.shared.size() ? s.shared[a - s.active.size()] : s.items[a - s.active.size() - s.shared.size()];
    nb.result(whole(swept->bars[a], args[k]).id);
  }
  return partition(nb.module(), nb.finish(), args.size(), s.body.results.size());
}

void define_forward(const Steps& s, Func forward) {
  Module& m = s.b().module();
  m.define(s.u.kept->forward[0], s.u.node.op == op<While> ? appending_step(m, forward) : std::move(forward));
}

Value reversed(Value list) { return list.b->emit(op<ListReverse>, {list.id}); }

// What the fold back is given.
struct Back {
  std::vector<Value> start;  // cotangents of states, sums
  std::vector<Value> lists;  // tapes, cotangents of outs; from the last step to the first
};

Back back_of(const Steps& s) {
  Back back;
  std::vector<Value> y = results_of(s.u.y, s.body.results.size());
  for (size_t k : s.active) back.start.push_back(whole(s.g[k], y[k]));
  for (size_t k : s.shared) back.start.push_back(whole(s.u.take(k), s.u.x[k]));
  back.lists.push_back(reversed(s.u.kept->tape));
  for (size_t r : s.outs) back.lists.push_back(reversed(whole(s.g[r], y[r])));
  return back;
}

// The backward half in the order of a fold: (i, cotangents of states.., sums.., tape, cotangents of outs..).
FuncId step_back(const Steps& s, const Back& back, const Func& half) {
  Module& m = s.b().module();
  Builder nb(m, half.name);
  nb.param(m.types.tensor(DType::i32));
  std::vector<Value> start = params_like(nb, back.start), rows;
  for (const Value& list : back.lists) rows.push_back(nb.param(m.types[list.type()].elems[0]));
  std::vector<ValueId> args{rows[0].id};
  for (size_t a = 0; a < s.active.size(); ++a) args.push_back(start[a].id);
  for (size_t k = 1; k < rows.size(); ++k) args.push_back(rows[k].id);
  for (size_t a = s.active.size(); a < start.size(); ++a) args.push_back(start[a].id);
  for (const Value& v : inline_func(nb, half, args)) nb.result(v.id);
  return nb.finish_into_module();
}

Value count_of(const Steps& s) {
  return s.u.node.op == op<Fold> ? s.u.x[0] : s.b().emit(op<Length>, {s.u.kept->tape.id});
}

// The cotangents of the items that were read, from the last to the first, as those of the list.
Value of_list(const Steps& s, Value list, Value items) {
  Builder& b = s.b();
  const Node count = b.func()[s.u.x[0].id];
  items = reversed(items);
  if (count.op == op<Length> && count.args[0] == list.id) return items;
  Value zeros = b.emit(op<VecZeros>, {list.id});
  return b.emit(op<ListAdd>, {zeros.id, constant_int(b, 0, DType::i32).id, s.u.x[0].id, constant_int(b, 1, DType::i32).id, items.id});
}
}  // namespace

Differentiated<std::vector<Cotangent>> fold_vjp(const ControlUse& u) {
  Steps s = steps_of(u);
  find_active(s);
  auto halves = halves_of(s);
  if (!halves) return std::unexpected(halves.error());
  define_forward(s, std::move(halves->forward));
  const Back back = back_of(s);
  std::vector<Value> args{count_of(s)};
  std::vector<TypeId> types;
  for (const Value& v : back.start) args.push_back(v), types.push_back(v.type());
  args.insert(args.end(), back.lists.begin(), back.lists.end());
  for (size_t k : s.items) types.push_back(u.x[k].type());
  const Ints split{static_cast<int64_t>(back.start.size()), static_cast<int64_t>(back.lists.size())};
  Attrs attrs{{AttrKey::func, step_back(s, back, halves->backward)}, {AttrKey::wrt, split}};
  std::vector<Value> all = emit_control(u.b, op<Fold>, args, attrs, types);
  std::vector<Cotangent> found(u.x.size());
  size_t next = 0;
  for (size_t k : s.active) found[s.first + k] = parts(retyped(all[next++], u.x[s.first + k].type()), s.through);
  for (size_t k : s.shared) found[k] = parts(all[next++], s.through);
  for (size_t k : s.items) found[k] = parts(of_list(s, u.x[k], all[next++]), s.through);
  return found;
}

}  // namespace glia::ir
