// Batching of the ops with nested functions. Their functions are batched where control itself does not differ from row to
// row; where it does, the whole node runs row by row.
#include <algorithm>
#include <memory>

#include "ir/ops/all.h"
#include "ir/passes/copy.h"
#include "ir/passes/rows.h"

namespace glia::ir {

namespace {
// The arguments of the node, each with the axis or without it.
struct Settled {
  std::vector<Value> values;
  std::vector<TypeId> types;  // without the axis
  std::vector<bool> batched;
};

Settled settle(BatchRun& run, std::span<const Rows> args) {
  Settled s;
  for (const Rows& a : args) {
    s.batched.push_back(any_batched(a));
    s.values.push_back(settled(run.b, a, s.batched.back(), run.rows));
    s.types.push_back(a.type);
  }
  return s;
}

void give_axis(BatchRun& run, Settled& s, size_t k) {
  if (s.batched[k]) return;
  s.values[k] = settled(run.b, as_rows(s.values[k], s.types[k], false), true, run.rows);
  s.batched[k] = true;
}

// A nested function batched, its results not chosen yet.
struct Nested {
  std::unique_ptr<Builder> b;
  std::vector<Rows> results;
};

Batching<Nested> nest(BatchRun& run, FuncId id, std::span<const Value> args, std::span<const TypeId> types,
                      const std::vector<bool>& batched) {
  Module& m = run.b.module();
  const Func& f = m[id];
  Nested n{std::make_unique<Builder>(m, f.name), {}};
  std::vector<Rows> params;
  for (size_t k = 0; k < args.size(); ++k)
    params.push_back(as_rows(copy_param(*n.b, f[f.params[k]], args[k].type()), types[k], batched[k]));
  BatchRun inner{*n.b, run.rows, run.open};
  inner.open.push_back(id);
  auto results = batch_into(inner, f, params);
  if (!results) return std::unexpected(results.error());
  n.results = std::move(*results);
  return n;
}

Attrs with(Attrs attrs, FuncId func) {
  attrs.set(AttrKey::func, func);
  return attrs;
}

FuncId finish(BatchRun& run, Nested& n, const std::vector<bool>& batched) {
  for (size_t r = 0; r < n.results.size(); ++r) n.b->result(settled(*n.b, n.results[r], batched[r], run.rows).id);
  return n.b->finish_into_module();
}

std::vector<bool> flags(const Nested& n) {
  std::vector<bool> all;
  for (const Rows& r : n.results) all.push_back(any_batched(r));
  return all;
}

std::vector<TypeId> with_axis(BatchRun& run, std::span<const TypeId> types, const std::vector<bool>& batched) {
  std::vector<TypeId> all;
  for (size_t i = 0; i < types.size(); ++i)
    all.push_back(batched[i] ? stacked(run.b.types(), types[i], run.rows).value_or(types[i]) : types[i]);
  return all;
}

// The results of an emitted node as the one value that it is.
Rows gathered(const Node& n, std::span<const Value> results, std::span<const TypeId> types, const std::vector<bool>& batched) {
  if (results.size() == 1) return as_rows(results[0], types[0], batched[0]);
  Rows all{{}, false, n.type, {}};
  for (size_t i = 0; i < results.size(); ++i) all.elems.push_back(as_rows(results[i], types[i], batched[i]));
  return all;
}

Batching<Rows> batch_if(BatchRun& run, const Node& n, std::span<const Rows> args) {
  Settled s = settle(run, args);
  if (s.batched[0]) return batch_row_by_row(run, n, args);
  std::span<const Value> x(s.values);
  std::vector<bool> batched(s.batched.begin() + 1, s.batched.end());
  std::span<const TypeId> types(s.types);
  auto yes = nest(run, n.attrs.func(AttrKey::func), x.subspan(1), types.subspan(1), batched);
  if (!yes) return std::unexpected(yes.error());
  auto no = nest(run, n.attrs.func(AttrKey::other), x.subspan(1), types.subspan(1), batched);
  if (!no) return std::unexpected(no.error());
  std::vector<bool> out = flags(*yes), other = flags(*no);
  for (size_t r = 0; r < out.size(); ++r) out[r] = out[r] || other[r];
  std::vector<TypeId> results = result_types(run.b.module()[n.attrs.func(AttrKey::func)]);
  Attrs attrs{{AttrKey::func, finish(run, *yes, out)}, {AttrKey::other, finish(run, *no, out)}};
  run.b.set_src(n.src);
  return gathered(n, emit_control(run.b, n.op, s.values, attrs, with_axis(run, results, out)), results, out);
}

// [count, rows, ..] to [rows, count, ..] in every tensor.
Value rows_first(Value v) {
  const Type t = v.b->types()[v.type()];
  if (t.kind == TypeKind::tensor) return move_axis(v, 1, 0);
  std::vector<Value> elems;
  for (size_t i = 0; i < t.elems.size(); ++i) elems.push_back(rows_first(get(v, static_cast<int64_t>(i))));
  return tuple_as(*v.b, v.type(), elems);
}

// For results that are stacked over `count`.
Batching<Rows> stacked_results(BatchRun& run, const Node& n, std::span<const Value> x, Attrs attrs, std::span<const TypeId> each,
                               const std::vector<bool>& batched) {
  DimId count = n.attrs.get<DimId>(AttrKey::count);
  std::vector<TypeId> inner = with_axis(run, each, batched), emitted, types;
  for (size_t r = 0; r < each.size(); ++r) {
    auto outer = stacked(run.b.types(), inner[r], count), plain = stacked(run.b.types(), each[r], count);
    if (!outer || !plain) return not_batched(run.b, n, "its results have no leading axis");
    emitted.push_back(*outer), types.push_back(*plain);
  }
  std::vector<Value> results = emit_control(run.b, n.op, x, std::move(attrs), emitted);
  for (size_t r = 0; r < results.size(); ++r)
    if (batched[r]) results[r] = rows_first(results[r]);
  return gathered(n, results, types, batched);
}

Batching<Rows> batch_map(BatchRun& run, const Node& n, std::span<const Rows> args) {
  Settled s = settle(run, args);
  FuncId body = n.attrs.func(AttrKey::func);
  const Func& f = run.b.module()[body];
  // The counter has no value out here; its type is all that nesting reads of an argument.
  std::vector<Value> x = s.values;
  std::vector<TypeId> types = s.types;
  std::vector<bool> batched = s.batched;
  x.insert(x.begin(), constant_int(run.b, 0, run.b.types().dtype(f[f.params[0]].type)));
  types.insert(types.begin(), f[f.params[0]].type);
  batched.insert(batched.begin(), false);
  auto nested = nest(run, body, x, types, batched);
  if (!nested) return std::unexpected(nested.error());
  std::vector<bool> out = flags(*nested);
  std::vector<TypeId> each = result_types(f);
  run.b.set_src(n.src);
  return stacked_results(run, n, s.values, with(n.attrs, finish(run, *nested, out)), each, out);
}

// A state has the axis as soon as its start or a step gives it one; steps are batched until that no longer changes.
Batching<Nested> nest_step(BatchRun& run, const Node& n, Settled& s, size_t states, bool counter) {
  FuncId body = n.attrs.func(AttrKey::func);
  const Func& f = run.b.module()[body];
  for (;;) {
    std::vector<Value> x = s.values;
    std::vector<TypeId> types = s.types;
    std::vector<bool> batched = s.batched;
    if (counter) {
      x.insert(x.begin(), constant_int(run.b, 0, run.b.types().dtype(f[f.params[0]].type)));
      types.insert(types.begin(), f[f.params[0]].type);
      batched.insert(batched.begin(), false);
    }
    auto nested = nest(run, body, x, types, batched);
    if (!nested) return nested;
    std::vector<bool> out = flags(*nested);
    bool settled_now = true;
    for (size_t k = 0; k < states; ++k)
      if (out[k] && !s.batched[k]) give_axis(run, s, k), settled_now = false;
    if (settled_now) return nested;
  }
}

Batching<Rows> batch_loop(BatchRun& run, const Node& n, std::span<const Rows> args) {
  Settled s = settle(run, args);
  size_t states = state_count(n);
  auto nested = nest_step(run, n, s, states, true);
  if (!nested) return std::unexpected(nested.error());
  std::vector<bool> out(s.batched.begin(), s.batched.begin() + static_cast<ptrdiff_t>(states));
  std::span<const TypeId> each = std::span<const TypeId>(s.types).first(states);
  Attrs attrs = with(n.attrs, finish(run, *nested, out));
  run.b.set_src(n.src);
  if (n.op == op<Scan>) return stacked_results(run, n, s.values, attrs, each, out);
  return gathered(n, emit_control(run.b, n.op, s.values, attrs, with_axis(run, each, out)), each, out);
}

Batching<Rows> batch_while(BatchRun& run, const Node& n, std::span<const Rows> args) {
  Settled s = settle(run, args);
  size_t states = state_count(n);
  auto nested = nest_step(run, n, s, states, false);
  if (!nested) return std::unexpected(nested.error());
  auto condition = nest(run, n.attrs.func(AttrKey::other), s.values, s.types, s.batched);
  if (!condition) return std::unexpected(condition.error());
  if (flags(*condition)[0]) return batch_row_by_row(run, n, args);
  std::vector<bool> out(s.batched.begin(), s.batched.begin() + static_cast<ptrdiff_t>(states));
  std::span<const TypeId> each = std::span<const TypeId>(s.types).first(states);
  Attrs attrs = with(n.attrs, finish(run, *nested, out));
  attrs.set(AttrKey::other, finish(run, *condition, {false}));
  run.b.set_src(n.src);
  return gathered(n, emit_control(run.b, n.op, s.values, attrs, with_axis(run, each, out)), each, out);
}

// ---- call -----------------------------------------------------------------------------------------

// The rule by hand over the rows: what an argument shared by all rows gets is the sum over them.
Batching<FuncId> batch_rule(BatchRun& run, FuncId rule, const Settled& s, std::span<const TypeId> results, const std::vector<bool>& out) {
  Builder scratch(run.b.module(), "types");
  std::vector<TypeId> types = s.types;
  std::vector<bool> batched = s.batched;
  std::vector<Value> x;
  for (const Value& v : s.values) x.push_back(scratch.param(v.type()));
  std::vector<TypeId> wide = with_axis(run, results, out);
  for (int twice = 0; twice < 2; ++twice)  // the results, then their cotangents
    for (size_t r = 0; r < results.size(); ++r) x.push_back(scratch.param(wide[r])), types.push_back(results[r]), batched.push_back(out[r]);
  auto nested = nest(run, rule, x, types, batched);
  if (!nested) return std::unexpected(nested.error());
  auto total = [](auto&& self, Rows& r) -> void {
    if (r.batched) r.value = sum(r.value, {0}), r.batched = false;
    for (Rows& e : r.elems) self(self, e);
  };
  for (size_t k = 0; k < nested->results.size(); ++k)
    if (k < s.batched.size() && !s.batched[k]) total(total, nested->results[k]);
  return finish(run, *nested, s.batched);
}

Batching<Rows> batch_call(BatchRun& run, const Node& n, std::span<const Rows> args) {
  FuncId callee = n.attrs.func(AttrKey::func);
  if (std::find(run.open.begin(), run.open.end(), callee) != run.open.end()) return batch_row_by_row(run, n, args);
  std::vector<TypeId> each = result_types(run.b.module()[callee]);
  if (!n.attrs.has(AttrKey::other)) {
    run.open.push_back(callee);
    auto results = batch_into(run, run.b.module()[callee], args);
    run.open.pop_back();
    if (!results) return std::unexpected(results.error());
    return results->size() == 1 ? (*results)[0] : Rows{{}, false, n.type, *results};
  }
  Settled s = settle(run, args);
  auto nested = nest(run, callee, s.values, s.types, s.batched);
  if (!nested) return std::unexpected(nested.error());
  std::vector<bool> out = flags(*nested);
  auto rule = batch_rule(run, n.attrs.func(AttrKey::other), s, each, out);
  if (!rule) return std::unexpected(rule.error());
  Attrs attrs = with(n.attrs, finish(run, *nested, out));
  attrs.set(AttrKey::other, *rule);
  run.b.set_src(n.src);
  return gathered(n, emit_control(run.b, n.op, s.values, attrs, with_axis(run, each, out)), each, out);
}
}  // namespace

Batching<Rows> batch_control(BatchRun& run, const Node& n, std::span<const Rows> args) {
  if (n.op == op<CallOp>) return batch_call(run, n, args);
  if (n.op == op<If>) return batch_if(run, n, args);
  if (n.op == op<Map>) return batch_map(run, n, args);
  if (n.op == op<Loop> || n.op == op<Scan>) return batch_loop(run, n, args);
  if (n.op == op<While>) return batch_while(run, n, args);
  return batch_row_by_row(run, n, args);
}

// map i: the node itself on row i of what is batched.
Batching<Rows> batch_row_by_row(BatchRun& run, const Node& n, std::span<const Rows> args) {
  if (sees_batch(run.b.module(), n)) return not_batched(run.b, n, "batch_mean or batch_sum stands where examples part");
  Settled s = settle(run, args);
  auto type = stacked(run.b.types(), n.type, run.rows);
  if (!type) return not_batched(run.b, n, "its result has no leading axis");
  Builder nb(run.b.module(), "row");
  Value i = nb.param(nb.types().tensor(DType::i32));
  std::vector<Value> x;
  for (const Value& v : s.values) x.push_back(nb.param(v.type()));
  for (size_t k = 0; k < x.size(); ++k)
    if (s.batched[k]) x[k] = row(x[k], i);
  Value y = copy_node(nb, n, x);
  const Type whole = run.b.types()[*type];
  bool several = whole.kind == TypeKind::tuple && whole.fields.empty() && whole.elems.size() != 1;
  std::vector<TypeId> types = several ? whole.elems : std::vector<TypeId>{*type};
  for (const Value& r : several ? results_of(y, types.size()) : std::vector<Value>{y}) nb.result(r.id);
  ++run.row_by_row;
  run.b.set_src(n.src);
  Attrs attrs{{AttrKey::func, nb.finish_into_module()}, {AttrKey::count, run.rows}};
  std::vector<ValueId> ids;
  for (const Value& v : s.values) ids.push_back(v.id);
  return as_rows(run.b.emit(op<Map>, ids, attrs, *type), n.type, true);
}

}  // namespace glia::ir
