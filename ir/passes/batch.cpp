// Batching of straight-line code by the rules of the ops, and the expansion of maps.
#include "ir/passes/batch.h"

#include <algorithm>
#include <unordered_map>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/copy.h"
#include "ir/passes/rows.h"

namespace glia::ir {

namespace {
// Nothing in it differs between rows.
Rows copy_shared(BatchRun& run, const Node& n, std::span<const Rows> args) {
  std::vector<Value> x;
  for (const Rows& a : args) x.push_back(settled(run.b, a, false, run.rows));
  return as_rows(copy_node(run.b, n, x), n.type, false);
}

Batching<Rows> batch_by_rule(BatchRun& run, const Node& n, std::span<const Rows> args) {
  std::vector<Batched> x;
  for (const Rows& a : args) x.push_back({a.value, a.batched});
  run.b.set_src(n.src);
  Batched y = info(n.op).batch(Use{run.b, n, {}, {}}, x, run.rows);
  return y.batched ? Rows{y.value, true, n.type, {}} : as_rows(y.value, n.type, false);
}

Batching<Rows> batch_node(BatchRun& run, const Node& n, std::span<const Rows> args) {
  if (n.op == op<TupleOp>) return Rows{{}, false, n.type, {args.begin(), args.end()}};
  if (n.op == op<Get> && !args[0].elems.empty()) return args[0].elems[static_cast<size_t>(n.attrs.integer(AttrKey::index))];
  bool any = std::any_of(args.begin(), args.end(), any_batched);
  if (!any && !sees_batch(run.b.module(), n)) return copy_shared(run, n, args);
  const OpInfo& op_info = info(n.op);
  if (op_info.control) return batch_control(run, n, args);
  if (op_info.batch) return batch_by_rule(run, n, args);
  if (op_info.family == Family::host) return not_batched(run.b, n, "what it takes differs between the examples");
  return batch_row_by_row(run, n, args);
}
}  // namespace

Batching<std::vector<Rows>> batch_into(BatchRun& run, const Func& f, std::span<const Rows> args) {
  std::vector<Rows> values(f.nodes.size());
  for (size_t i = 0; i < f.params.size(); ++i) values[f.params[i].index()] = args[i];
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    const Node& n = f.nodes[i];
    if (n.op == op<Param>) continue;
    std::vector<Rows> x;
    for (ValueId a : n.args) x.push_back(values[a.index()]);
    auto y = batch_node(run, n, x);
    if (!y) return std::unexpected(y.error());
    values[i] = std::move(*y);
  }
  std::vector<Rows> results;
  for (ValueId r : f.results) results.push_back(values[r.index()]);
  return results;
}

std::expected<BatchedFunc, Diagnostic> batch(Module& m, FuncId id, const std::vector<bool>& batched, DimId rows) {
  Func f = expand_maps(m, m[id]);
  Builder b(m, f.name);
  std::vector<Rows> args;
  for (size_t i = 0; i < f.params.size(); ++i) {
    const Node& p = f[f.params[i]];
    auto type = batched[i] ? stacked(m.types, p.type, rows) : p.type;
    if (!type) return not_batched(b, p, fmt::format("a value of type {} has no leading axis", m.types.print(p.type)));
    args.push_back(as_rows(copy_param(b, p, *type), p.type, batched[i]));
  }
  BatchRun run{b, rows, {id}};
  auto results = batch_into(run, f, args);
  if (!results) return std::unexpected(results.error());
  BatchedFunc made;
  for (const Rows& r : *results) {
    made.batched.push_back(any_batched(r));
    b.result(settled(b, r, made.batched.back(), rows).id);
  }
  made.func = b.finish_into_module();
  return made;
}

// ---- maps -----------------------------------------------------------------------------------------

namespace {
using Expanded = std::unordered_map<FuncId, FuncId>;

bool only_reads_rows(const Node& n) {
  return n.op == op<Param> || n.op == op<Get> || n.op == op<TupleOp> || n.op == op<Gather> || info(n.op).family == Family::constant;
}

// The map as a function of its arguments, if that is any better than the map.
std::optional<Func> straightened(Module& m, const Node& n) {
  FuncId id = n.attrs.func(AttrKey::func);
  const Func& body = m[id];
  DimId count = n.attrs.get<DimId>(AttrKey::count);
  Builder b(m, body.name);
  std::vector<Rows> args;
  for (size_t k = 1; k < body.params.size(); ++k) {
    TypeId type = body[body.params[k]].type;
    args.push_back(as_rows(copy_param(b, body[body.params[k]]), type, false));
  }
  TypeId counter = body[body.params[0]].type;
  args.insert(args.begin(), as_rows(iota(b, count, m.types.dtype(counter)), counter, true));
  BatchRun run{b, count, {id}};
  auto results = batch_into(run, body, args);
  if (!results) return std::nullopt;
  auto work = std::count_if(body.nodes.begin(), body.nodes.end(), [](const Node& x) { return !only_reads_rows(x); });
  if (run.row_by_row > 0 && static_cast<size_t>(work) <= run.row_by_row) return std::nullopt;
  for (const Rows& r : *results) b.result(settled(b, r, true, count).id);
  return b.finish();
}

Func expand(Module& m, const Func& f, Expanded& known);

bool reaches_map(const Module& m, FuncId id) {
  return reaches(m, id, [](const Node& n) { return n.op == op<Map>; });
}

FuncId expand_nested(Module& m, FuncId id, Expanded& known) {
  if (auto it = known.find(id); it != known.end()) return it->second;
  if (is_recursive(m, id)) {
    if (!reaches_map(m, id)) return known[id] = id;
    FuncId made = known[id] = reserve_like(m, id);
    m.define(made, expand(m, m[id], known));
    return made;
  }
  known.emplace(id, id);
  Func f = expand(m, m[id], known);
  bool changed = f.nodes.size() != m[id].nodes.size();
  for (size_t i = 0; i < f.nodes.size() && !changed; ++i)
    changed = f.nodes[i].op != m[id].nodes[i].op || !(f.nodes[i].attrs == m[id].nodes[i].attrs);
  return known[id] = changed ? m.add(std::move(f)) : id;
}

Func expand(Module& m, const Func& f, Expanded& known) {
  Builder b(m, f.name);
  std::vector<Value> values(f.nodes.size());
  for (ValueId p : f.params) values[p.index()] = copy_param(b, f[p]);
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    Node n = f.nodes[i];
    if (n.op == op<Param>) continue;
    for (AttrKey key : {AttrKey::func, AttrKey::other})
      if (n.attrs.has(key)) n.attrs.set(key, expand_nested(m, n.attrs.func(key), known));
    std::vector<Value> args;
    for (ValueId a : n.args) args.push_back(values[a.index()]);
    auto straight = n.op == op<Map> ? straightened(m, n) : std::nullopt;
    if (!straight) {
      values[i] = copy_node(b, n, args);
      continue;
    }
    std::vector<ValueId> ids;
    for (const Value& a : args) ids.push_back(a.id);
    b.set_src(n.src);
    std::vector<Value> results = inline_func(b, *straight, ids);
    values[i] = results.size() == 1 ? results[0] : tuple(b, results);
  }
  for (ValueId r : f.results) b.result(values[r.index()].id);
  return b.finish();
}
}  // namespace

Func expand_maps(Module& m, const Func& f) {
  Expanded known;
  return expand(m, f, known);
}

}  // namespace glia::ir
