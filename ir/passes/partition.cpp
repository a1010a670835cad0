// What depends on a late parameter is the backward half; what that half uses of the rest is kept.
#include "ir/passes/partition.h"

#include <algorithm>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/copy.h"
#include "ir/passes/dead.h"
#include "ir/passes/size_names.h"

namespace glia::ir {

namespace {
struct Cut {
  Module& m;
  const Func& whole;
  size_t args, results;
  std::vector<bool> late = {};
  std::vector<bool> again = {};    // made in the backward half: late, or cheap and wanted there
  std::vector<ValueId> kept = {};  // in order
};

bool is_cheap(const Node& n) {
  if (info(n.op).family == Family::constant) return true;
  switch (n.op.v) {
    case op<VecZeros>.v: case op<TupleOp>.v: case op<Broadcast>.v: case op<Reshape>.v: return true;
    default: return false;
  }
}

void mark_late(Cut& c) {
  c.late.resize(c.whole.nodes.size());
  for (size_t k = c.args; k < c.whole.params.size(); ++k) c.late[c.whole.params[k].index()] = true;
  for (size_t i = 0; i < c.whole.nodes.size(); ++i)
    for (ValueId a : c.whole.nodes[i].args) c.late[i] = c.late[i] || c.late[a.index()];
}

// From what is found back to the first values that are not made again.
void mark_again(Cut& c) {
  std::vector<bool> wanted(c.whole.nodes.size());
  c.again.resize(c.whole.nodes.size());
  for (size_t r = c.results; r < c.whole.results.size(); ++r) wanted[c.whole.results[r].index()] = true;
  for (size_t i = c.whole.nodes.size(); i-- > 0;) {
    if (!wanted[i]) continue;
    c.again[i] = c.late[i] || is_cheap(c.whole.nodes[i]);
    if (!c.again[i]) c.kept.push_back(ValueId(i));
    else
      for (ValueId a : c.whole.nodes[i].args) wanted[a.index()] = true;
  }
}

// ---- sizes: every name that the backward half uses is bound by a value in it -------------------------

void remove_told(const Types& types, TypeId type, SizeNames& from) {
  for (AtomId a : told_by(types, type)) from.erase(a);
}

void keep_sizes(Cut& c) {
  SizeNames open;
  std::set<FuncId> seen;
  for (size_t i = 0; i < c.whole.nodes.size(); ++i)
    if (c.again[i]) add_size_names(c.m, c.whole.nodes[i], open, seen);
  for (size_t k = c.args; k < c.whole.params.size(); ++k) remove_told(c.m.types, c.whole[c.whole.params[k]].type, open);
  for (ValueId v : c.kept) remove_told(c.m.types, c.whole[v].type, open);
  for (size_t i = 0; i < c.whole.nodes.size() && !open.empty(); ++i) {
    if (c.late[i]) continue;
    const size_t before = open.size();
    remove_told(c.m.types, c.whole.nodes[i].type, open);
    if (open.size() < before) c.kept.push_back(ValueId(i));
  }
  std::sort(c.kept.begin(), c.kept.end());
}

// ---- the halves -------------------------------------------------------------------------------------

std::vector<Value> arguments(const Node& n, std::span<const Value> values) {
  std::vector<Value> x;
  for (ValueId a : n.args) x.push_back(values[a.index()]);
  return x;
}

Func forward_half(const Cut& c) {
  Builder b(c.m, c.whole.name);
  std::vector<Value> values(c.whole.nodes.size());
  for (size_t k = 0; k < c.args; ++k) values[c.whole.params[k].index()] = copy_param(b, c.whole[c.whole.params[k]]);
  for (size_t i = 0; i < c.whole.nodes.size(); ++i)
    if (const Node& n = c.whole.nodes[i]; !c.late[i] && n.op != op<Param>) values[i] = copy_node(b, n, arguments(n, values));
  for (size_t r = 0; r < c.results; ++r) b.result(values[c.whole.results[r].index()].id);
  std::vector<ValueId> kept;
  for (ValueId v : c.kept) kept.push_back(values[v.index()].id);
  b.result(b.emit(op<Pack>, std::move(kept)).id);
  return remove_dead(c.m, b.finish());
}

std::vector<int> count_uses(const Func& f) {
  std::vector<int> uses(f.nodes.size());
  for (const Node& n : f.nodes)
    for (ValueId a : n.args) ++uses[a.index()];
  for (ValueId r : f.results) ++uses[r.index()];
  return uses;
}

// A sum so far and rows added to zeros: the rows are added to the sum, and no zeros are made.
Value sum_at_rows(const Cut& c, const Node& n, std::span<const Value> values, const std::vector<int>& uses) {
  for (size_t k = 0; k < 2 && n.op == op<Add>; ++k) {
    const Node& rows = c.whole[n.args[k]];
    if (rows.op != op<ScatterAdd> || uses[n.args[k].index()] != 1) continue;
    Value x = values[n.args[1 - k].index()];
    x.b->set_src(rows.src);
    return add_at(x, values[rows.args[0].index()], values[rows.args[1].index()], rows.attrs.integer(AttrKey::axis), rows.attrs.integer(AttrKey::batch));
  }
  return {};
}

Func backward_half(const Cut& c) {
  const std::vector<int> uses = count_uses(c.whole);
  Builder b(c.m, c.whole.name + "'");
  Value tape = b.param(c.m.types.tape());
  std::vector<Value> values(c.whole.nodes.size());
  for (size_t k = c.args; k < c.whole.params.size(); ++k) values[c.whole.params[k].index()] = copy_param(b, c.whole[c.whole.params[k]]);
  for (size_t k = 0; k < c.kept.size(); ++k) {
    const Node& n = c.whole[c.kept[k]];
    b.set_src(n.src);
    values[c.kept[k].index()] = b.emit(op<Unpack>, {tape.id}, {{AttrKey::index, static_cast<int64_t>(k)}}, n.type);
  }
  for (size_t i = 0; i < c.whole.nodes.size(); ++i)
    if (const Node& n = c.whole.nodes[i]; c.again[i] && n.op != op<Param>) {
      values[i] = sum_at_rows(c, n, values, uses);
      if (!values[i].valid()) values[i] = copy_node(b, n, arguments(n, values));
    }
  for (size_t r = c.results; r < c.whole.results.size(); ++r) b.result(values[c.whole.results[r].index()].id);
  return remove_dead(c.m, b.finish());
}
}  // namespace

Halves partition(Module& m, const Func& whole, size_t args, size_t results) {
  Cut c{m, whole, args, results};
  mark_late(c);
  mark_again(c);
  keep_sizes(c);
  return {forward_half(c), backward_half(c)};
}

}  // namespace glia::ir
