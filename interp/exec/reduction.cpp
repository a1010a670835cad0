// Reductions as one step for each run of neighbouring axes, the last run first. See steps.h.
#include <algorithm>

#include "interp/exec/reduce_loops.h"
#include "interp/exec/steps.h"
#include "ir/ops/all.h"

namespace glia::interp::exec {

namespace {

constexpr size_t chunk_elements = 16 * 1024, parallel_elements = 64 * 1024;

struct ReduceStep {
  ReduceFn loop;
  size_t count, inner, rows, rows_per_chunk;
  Ref x, out;

  bool run(const Call& call) {
    loop(call.at<std::byte>(x), call.at<std::byte>(out), count, inner, call.begin * rows_per_chunk, std::min(call.end * rows_per_chunk, rows));
    return true;
  }
};

struct Axes {
  size_t size;
  bool reduced;
};

// Neighbours of one kind as one axis.
std::vector<Axes> joined_axes(const Extents& sizes, const ir::Ints& axes) {
  std::vector<Axes> runs;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    const bool reduced = std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) != axes.end();
    if (!runs.empty() && runs.back().reduced == reduced) runs.back().size *= static_cast<size_t>(sizes[i]);
    else runs.push_back({static_cast<size_t>(sizes[i]), reduced});
  }
  return runs;
}

Unit reduce_run(const Graph& g, ir::OpId op, SlotId x, SlotId out, size_t outer, size_t count, size_t inner) {
  const ReduceFn loop = inner == 1 ? reduce_rows(op, g[x].dtype) : reduce_columns_of(op, g[x].dtype);
  const size_t rows = inner == 1 ? outer : outer * ((inner + reduce_columns - 1) / reduce_columns);
  const size_t row_elements = count * (inner == 1 ? 1 : std::min(inner, reduce_columns));
  const size_t rows_per_chunk = std::max<size_t>(1, chunk_elements / std::max<size_t>(row_elements, 1));
  Unit unit{{x}, {out}, {}};
  unit.finish = [=](const Places& places) {
    return make_step(ReduceStep{loop, count, inner, rows, rows_per_chunk, places[x], places[out]}, (rows + rows_per_chunk - 1) / rows_per_chunk,
                     outer * count * inner >= parallel_elements);
  };
  return unit;
}

}  // namespace

std::optional<std::vector<Unit>> make_reduction(Graph& g, SlotId out) {
  const ir::OpId op = g.node(g[out]).op;
  SlotId x = g.arg(g[out], 0);
  if (!reduce_rows(op, g[x].dtype) || g[x].count == 0) return std::nullopt;
  std::vector<Axes> runs = joined_axes(g.arg_sizes(g[out], 0), g.node(g[out]).attrs.ints(ir::AttrKey::axes));
  std::vector<Unit> units;
  size_t left = static_cast<size_t>(std::count_if(runs.begin(), runs.end(), [](const Axes& a) { return a.reduced; }));
  if (left == 0) return std::vector{make_copy(g, x, out)};
  for (size_t i = runs.size(); i-- > 0;) {
    if (!runs[i].reduced) continue;
    size_t outer = 1, inner = 1;
    for (size_t k = 0; k < i; ++k) outer *= runs[k].size;
    for (size_t k = i + 1; k < runs.size(); ++k) inner *= runs[k].size;
    const SlotId to = --left == 0 ? out : g.add({Role::temp, g[out].node, 0, g[out].dtype, {static_cast<int64_t>(outer * inner)}, outer * inner, {}, {}});
    units.push_back(reduce_run(g, op, x, to, outer, runs[i].size, inner));
    runs[i].size = 1;
    x = to;
  }
  return units;
}

}  // namespace glia::interp::exec
