// Reverse mode of if: the reversed node has the same condition and reversed branches. A branch runs again before it is
// reversed, unless it calls itself or runs over a list: then both branches have kept a tape.
#include <algorithm>

#include "ir/ops/all.h"
#include "ir/passes/partition.h"
#include "ir/passes/tape.h"
#include "ir/passes/vjp_nested.h"

namespace glia::ir {

namespace {
// The arguments asked for. Those that are one value outside have one cotangent.
struct Asked {
  std::vector<std::vector<size_t>> groups;  // arguments of the branches, which lack the condition
  std::vector<Cotangent> sums;              // by group; zero where no sum goes through the branches
};

Asked asked_of(const ControlUse& u) {
  Asked a;
  std::map<ValueId, size_t> group;
  for (size_t k = 1; k < u.x.size(); ++k) {
    if (!u.active[k]) continue;
    auto [at, fresh] = group.emplace(u.node.args[k], a.groups.size());
    if (fresh) a.groups.emplace_back();
    a.groups[at->second].push_back(k - 1);
  }
  a.sums.resize(a.groups.size());
  return a;
}

// Sums so far go through the branches, so that the one taken adds to them and no zeros are made for the other.
void take_sums(const ControlUse& u, Asked& a) {
  for (size_t i = 0; i < a.groups.size(); ++i) {
    Cotangent sofar = u.take(a.groups[i][0] + 1);
    a.sums[i] = parts(whole(sofar, u.x[a.groups[i][0] + 1]), any_through_where(sofar));
    if (sofar.zero()) a.sums[i] = {};
  }
}

struct Branch {
  std::unique_ptr<Builder> b;
  std::vector<Value> args, results;
  std::vector<Cotangent> bars;  // by group
};

// (args.., cotangents.., sums..), its results not chosen yet.
Differentiated<Branch> reverse_branch(const ControlUse& u, FuncId which, const Seeds& seeds, const Asked& asked) {
  Module& m = u.b.module();
  Func body = inline_calls(m, m[which]);
  Branch branch{std::make_unique<Builder>(m, body.name + "'"), {}, {}, {}};
  branch.args = copy_params(*branch.b, body);
  std::vector<Value> inner = seed_params(*branch.b, body, seeds);
  std::vector<ValueId> wrt;
  std::vector<Cotangent> sums;
  for (size_t i = 0; i < asked.groups.size(); ++i) {
    const Cotangent& sofar = asked.sums[i];
    for (size_t k : asked.groups[i]) wrt.push_back(body.params[k]), sums.emplace_back();
    const size_t first = asked.groups[i][0];
    if (!sofar.zero()) sums[sums.size() - asked.groups[i].size()] = parts(branch.b->param(branch.args[first].type()), any_through_where(sofar));
  }
  const Effects effects = u.kept ? Effects::kept : Effects::dropped;
  auto swept = reverse(u.run, *branch.b, body, branch.args, wrt, spread_seeds(seeds, inner, body.results.size()), effects, sums);
  if (!swept) return std::unexpected(swept.error());
  branch.results = std::move(swept->results);
  size_t next = 0;
  for (const auto& group : asked.groups) {
    branch.bars.emplace_back();
    for (size_t n = 0; n < group.size(); ++n) accumulate(branch.bars.back(), swept->bars[next++]);
  }
  return branch;
}

// The branch as a function of the tape instead of its arguments; what keeps the tape is defined.
FuncId backward_half(const ControlUse& u, Branch& branch, std::span<const Value> found, FuncId forward) {
  Module& m = u.b.module();
  for (const Value& v : branch.results) branch.b->result(v.id);
  for (const Value& v : found) branch.b->result(v.id);
  Halves halves = partition(m, branch.b->finish(), branch.args.size(), branch.results.size());
  m.define(forward, std::move(halves.forward));
  return m.add(std::move(halves.backward));
}

FuncId whole_branch(Branch& branch, std::span<const Value> found) {
  for (const Value& v : found) branch.b->result(v.id);
  return branch.b->finish_into_module();
}

// What either branch has a cotangent for, in both.
struct Found {
  std::vector<size_t> groups;
  std::vector<Value> yes, no;
};

Found found_in(const Asked& asked, Branch& yes, Branch& no) {
  Found f;
  for (size_t i = 0; i < asked.groups.size(); ++i) {
    if (yes.bars[i].zero() && no.bars[i].zero()) continue;
    const size_t k = asked.groups[i][0];
    f.groups.push_back(i);
    f.yes.push_back(whole(yes.bars[i], yes.args[k])), f.no.push_back(whole(no.bars[i], no.args[k]));
  }
  return f;
}

std::vector<Value> backward_args(const ControlUse& u, const Seeds& seeds, const Asked& asked) {
  std::vector<Value> args{u.x[0]};
  if (u.kept) args.push_back(u.kept->tape);
  else args.insert(args.end(), u.x.begin() + 1, u.x.end());
  args.insert(args.end(), seeds.values.begin(), seeds.values.end());
  for (size_t i = 0; i < asked.groups.size(); ++i)
    if (!asked.sums[i].zero()) args.push_back(whole(asked.sums[i], u.x[asked.groups[i][0] + 1]));
  return args;
}
}  // namespace

// Both branches give the cotangents that either has; of the branch not taken nothing is run.
Differentiated<std::vector<Cotangent>> if_vjp(const ControlUse& u) {
  FuncId then = u.node.attrs.func(AttrKey::func), otherwise = u.node.attrs.func(AttrKey::other);
  std::vector<TypeId> results = result_types(u.b.module()[then]);
  std::vector<Value> y = results_of(u.y, results.size());
  const Seeds seeds = *seeds_of(u.b, u.g, results, y);
  Asked asked = asked_of(u);
  if (u.kept) take_sums(u, asked);
  auto yes = reverse_branch(u, then, seeds, asked), no = reverse_branch(u, otherwise, seeds, asked);
  if (!yes) return std::unexpected(yes.error());
  if (!no) return std::unexpected(no.error());
  const Found f = found_in(asked, *yes, *no);
  const FuncId a = u.kept ? backward_half(u, *yes, f.yes, u.kept->forward[0]) : whole_branch(*yes, f.yes);
  const FuncId b = u.kept ? backward_half(u, *no, f.no, u.kept->forward[1]) : whole_branch(*no, f.no);
  std::vector<Cotangent> found(u.x.size());
  if (f.groups.empty()) return found;
  std::vector<TypeId> types;
  for (size_t i : f.groups) types.push_back(u.x[asked.groups[i][0] + 1].type());
  std::vector<Value> all = emit_control(u.b, op<If>, backward_args(u, seeds, asked), {{AttrKey::func, a}, {AttrKey::other, b}}, types);
  for (size_t i = 0; i < f.groups.size(); ++i) {
    const size_t group = f.groups[i];
    found[asked.groups[group][0] + 1] = parts(all[i], any_through_where(yes->bars[group]) || any_through_where(no->bars[group]));
  }
  return found;
}

}  // namespace glia::ir
