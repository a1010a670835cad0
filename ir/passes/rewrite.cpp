// One forward loop over the nodes, making each anew through a map from old to new values and letting rules act on what was
// just made.
#include "ir/passes/rewrite.h"

#include <map>

#include "ir/ops/all.h"
#include "ir/passes/copy.h"
#include "ir/passes/dead.h"
#include "ir/peephole.h"

namespace glia::ir {

bool same_func(const Func& a, const Func& b) {
  if (a.params != b.params || a.results != b.results || a.nodes.size() != b.nodes.size()) return false;
  for (size_t i = 0; i < a.nodes.size(); ++i) {
    const Node &x = a.nodes[i], &y = b.nodes[i];
    if (x.op != y.op || x.type != y.type || x.args != y.args || !(x.attrs == y.attrs)) return false;
  }
  return true;
}

namespace {
constexpr int most_rounds = 12;
constexpr int most_steps = 64;  // rules applied one after the other to one node

struct Engine {
  Module& m;
  Rules rules;
  std::map<FuncId, FuncId> done;  // nested functions

  std::multimap<OpId, const Rule*> by_root;

  Func round(const Func& f);
  Func to_fixpoint(Func f);
  FuncId nested(FuncId id);
  Value settle(Value v, const std::vector<int>& uses);
  Attrs attrs_of(const Node& n);
};

std::vector<int> count_uses(const Func& f) {
  std::vector<int> uses(f.nodes.size());
  for (const Node& n : f.nodes)
    for (ValueId a : n.args) ++uses[a.index()];
  for (ValueId r : f.results) ++uses[r.index()];
  return uses;
}

// A function that calls itself becomes one that calls its new self.
FuncId Engine::nested(FuncId id) {
  if (auto known = done.find(id); known != done.end()) return known->second;
  if (is_recursive(m, id)) {
    FuncId made = done[id] = reserve_like(m, id);
    done[made] = made;
    m.define(made, to_fixpoint(m[id]));
    return made;
  }
  done[id] = id;
  Func simpler = to_fixpoint(m[id]);
  if (same_func(simpler, m[id])) return id;
  FuncId made = m.add(std::move(simpler));
  done.emplace(made, made);
  return done[id] = made;
}

Attrs Engine::attrs_of(const Node& n) {
  Attrs attrs = n.attrs;
  for (const AttrEntry& e : n.attrs.entries())
    if (auto* id = std::get_if<FuncId>(&e.value)) attrs.set(e.key, nested(*id));
  return attrs;
}

Value Engine::settle(Value v, const std::vector<int>& uses) {
  for (int step = 0; step < most_steps; ++step) {
    Value next;
    std::vector<Value> x;
    const OpId root = v.b->func()[v.id].op;
    for (ValueId a : v.b->func()[v.id].args) x.push_back(v.b->value(a));
    for (auto [it, end] = by_root.equal_range(root); it != end && !next.valid(); ++it) {
      next = it->second->apply(Site{v, x, uses});
      if (next.valid() && next.id == v.id) next = {};
    }
    if (!next.valid()) return v;
    v = next;
  }
  return v;
}

Func Engine::round(const Func& f) {
  Builder b(m, f.name);
  std::vector<Value> copies(f.nodes.size());
  std::vector<int> old_uses = count_uses(f), uses;
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    const Node& n = f.nodes[i];
    b.set_src(n.src);
    if (n.op == op<Param>) {
      copies[i] = copy_param(b, n);
    } else {
      std::vector<Value> x;
      for (ValueId a : n.args) x.push_back(copies[a.index()]);
      Value made = make(b, n.op, x, attrs_of(n), n.type);
      uses.resize(std::max(uses.size(), b.func().nodes.size()));
      copies[i] = settle(made, uses);
    }
    uses.resize(b.func().nodes.size());
    uses[copies[i].id.index()] += old_uses[i];
  }
  for (ValueId r : f.results) b.result(copies[r.index()].id);
  Func made = b.finish();
  made.params.clear();
  for (ValueId p : f.params) made.params.push_back(copies[p.index()].id);
  return made;
}

Func Engine::to_fixpoint(Func f) {
  f = remove_dead(m, f);
  for (int k = 0; k < most_rounds; ++k) {
    Func next = remove_dead(m, round(f));
    bool unchanged = same_func(next, f);
    f = std::move(next);
    if (unchanged) break;
  }
  return f;
}
}  // namespace

Func rewrite(Module& m, const Func& f, Rules rules) {
  Engine engine{m, rules, {}, {}};
  for (const Rule& r : rules) engine.by_root.emplace(r.root, &r);
  return engine.to_fixpoint(f);
}

}  // namespace glia::ir
