// Shared by the derivatives of the ops with nested functions.
#include "ir/passes/vjp_nested.h"

#include <algorithm>

#include "ir/ops/all.h"

namespace glia::ir {

Differentiated<std::vector<Cotangent>> rerun(Reverse& run, Builder& nb, const Func& body, std::span<const Value> args, std::span<const ValueId> wrt,
                                             std::span<const Cotangent> seeds) {
  auto swept = reverse(run, nb, body, args, wrt, seeds, Effects::dropped);
  if (!swept) return std::unexpected(swept.error());
  return std::move(swept->bars);
}

std::vector<Cotangent> split_results(const Cotangent& g, size_t count) {
  if (count == 1) return {g};
  std::vector<Cotangent> all = g.elems;
  all.resize(count);
  return all;
}

std::optional<Seeds> seeds_of(Builder& b, const Cotangent& g, std::span<const TypeId> results, std::span<const Value> primal) {
  Seeds seeds;
  std::vector<Cotangent> each = split_results(g, results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (each[i].zero()) continue;
    auto value = whole(b, each[i], results[i], primal.empty() ? Value{} : primal[i]);
    if (!value) return std::nullopt;
    seeds.which.push_back(i);
    seeds.values.push_back(*value);
    seeds.through_where.push_back(any_through_where(each[i]));
  }
  return seeds;
}

std::vector<Value> params_like(Builder& nb, std::span<const Value> outer) {
  std::vector<Value> params;
  for (const Value& v : outer) params.push_back(nb.param(v.type()));
  return params;
}

std::vector<Value> seed_params(Builder& nb, const Func& body, const Seeds& seeds) {
  std::vector<Value> params;
  for (size_t r : seeds.which) params.push_back(nb.param(body[body.results[r]].type));
  return params;
}

std::vector<Cotangent> spread_seeds(const Seeds& seeds, std::span<const Value> inner, size_t count) {
  std::vector<Cotangent> all(count);
  for (size_t i = 0; i < seeds.which.size(); ++i) all[seeds.which[i]] = parts(inner[i], seeds.through_where[i]);
  return all;
}

namespace {
bool reads_row(const Node& n, ValueId param, ValueId counter) {
  return n.op == op<Gather> && n.args[0] == param && n.args[1] == counter && n.attrs.integer(AttrKey::axis) == 0 &&
         n.attrs.integer(AttrKey::batch) == 0;
}

// The one node that reads row i of the parameter, if nothing else does.
ValueId row_read(const Types& types, const Func& body, ValueId param, DimId count) {
  if (!types.is_tensor(body[param].type) || types.is_scalar(body[param].type) || types.shape(body[param].type)[0] != count) return {};
  if (std::find(body.results.begin(), body.results.end(), param) != body.results.end()) return {};
  ValueId row;
  for (size_t i = 0; i < body.nodes.size(); ++i) {
    const Node& n = body.nodes[i];
    if (std::find(n.args.begin(), n.args.end(), param) == n.args.end()) continue;
    if (row.valid() || !reads_row(n, param, body.params[0])) return {};
    row = ValueId(i);
  }
  return row;
}

Cotangent from_rows(Value stacked, bool by_row, bool through_where) {
  Cotangent c = parts(stacked, through_where);
  if (by_row) return c;
  auto sum_over = [](auto&& self, Cotangent& each) -> void {
    if (each.value.valid()) each.value = sum(each.value, {0});
    for (Cotangent& e : each.elems) self(self, e);
  };
  sum_over(sum_over, c);
  return c;
}
}  // namespace

RowSweep row_sweep(const Types& types, const Func& body, std::span<const ValueId> params, DimId count) {
  RowSweep all;
  for (ValueId p : params) {
    ValueId row = row_read(types, body, p, count);
    all.wrt.push_back(row.valid() ? row : p);
    all.by_row.push_back(row.valid());
  }
  return all;
}

Differentiated<std::vector<Cotangent>> map_back(const ControlUse& u, Builder& nb, const Func& body, const RowSweep& rows,
                                                std::span<const Cotangent> bars, std::span<const Value> outer) {
  DimId count = u.node.attrs.get<DimId>(AttrKey::count);
  std::vector<size_t> which;
  std::vector<TypeId> types;
  for (size_t a = 0; a < bars.size(); ++a) {
    if (bars[a].zero()) continue;
    TypeId each = body[rows.wrt[a]].type;
    auto value = whole(nb, bars[a], each);
    auto type = value ? stacked(u.b.types(), each, count) : std::nullopt;
    if (!type) return not_supported(u.b, u.node, u.b.types().print(each));
    nb.result(value->id);
    which.push_back(a), types.push_back(*type);
  }
  std::vector<Cotangent> found(bars.size());
  if (which.empty()) return found;
  std::vector<Value> results =
      emit_control(u.b, op<Map>, outer, {{AttrKey::func, nb.finish_into_module()}, {AttrKey::count, count}}, types);
  for (size_t r = 0; r < which.size(); ++r)
    found[which[r]] = from_rows(results[r], rows.by_row[which[r]], any_through_where(bars[which[r]]));
  return found;
}

}  // namespace glia::ir
