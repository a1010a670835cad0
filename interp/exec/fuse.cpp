// See fuse.h.
#include "interp/exec/fuse.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "ir/ops/table.h"

namespace glia::interp::exec {

bool joins(const Graph& g, const Slot& user, SlotId arg) {
  return user.role == Role::fused && g[arg].role == Role::fused && g[arg].count == user.count;
}

namespace {

class Scheduler {
 public:
  explicit Scheduler(const Graph& g) : g_(g), n_(g.slots.size()), level_(n_), group_(n_), uses_(n_), work_of_(n_, none) {}

  Schedule run() {
    find_uses();
    set_levels();
    sink();
    join_groups();
    mark_stored();
    make_works();
    order();
    return std::move(out_);
  }

 private:
  static constexpr size_t none = ~size_t{0};

  bool computed(size_t s) const { return g_.slots[s].role == Role::fused || g_.slots[s].role == Role::other || g_.slots[s].role == Role::view; }

  // What the slot needs in memory or in its group. A view is looked through: its source is read.
  template <class F>
  void for_each_arg(size_t s, F&& f) const {
    const Slot& slot = g_.slots[s];
    if (slot.role == Role::view) return f(slot.source);
    if (slot.role != Role::fused && slot.role != Role::other) return;
    for_each_tensor(g_, g_.node(slot), f);
  }

  SlotId read_by(size_t s, SlotId a) const { return reads_through(g_, g_.slots[s], a) ? g_[a].source : a; }

  void find_uses() {
    for (size_t s = 0; s < n_; ++s) for_each_arg(s, [&](SlotId a) { uses_[a.index()].push_back(s); });
    result_.assign(n_, false);
    for (ir::ValueId r : g_.func.results)
      for (const Leaf& l : g_.leaves[r.index()]) result_[l.slot.index()] = true;
    for (size_t i = 0; i < g_.func.nodes.size(); ++i)
      if (is_bare_effect(i)) for_each_tensor(g_, g_.func.nodes[i], [&](SlotId a) { result_[a.index()] = true; });
  }

  void set_levels() {
    for (size_t s = 0; s < n_; ++s)
      for_each_arg(s, [&](SlotId a) {
        const size_t step = joins(g_, g_.slots[s], a) || !computed(a.index()) ? 0 : 1;
        level_[s] = std::max(level_[s], level_[a.index()] + step);
      });
  }

  // A value made from one tensor alone costs no more to make late, with its users, than to keep.
  void sink() {
    for (size_t s = n_; s-- > 0;) {
      if (g_.slots[s].role != Role::fused || result_[s] || uses_[s].empty() || wide_args(s) > 1) continue;
      size_t lowest = none;
      for (size_t u : uses_[s]) lowest = joins(g_, g_.slots[u], SlotId(s)) ? std::min(lowest, level_[u]) : 0;
      if (std::any_of(uses_[s].begin(), uses_[s].end(), [&](size_t u) { return !joins(g_, g_.slots[u], SlotId(s)); })) continue;
      level_[s] = std::max(level_[s], lowest);
    }
  }

  size_t wide_args(size_t s) const {
    size_t n = 0;
    for_each_arg(s, [&](SlotId a) { n += g_[a].role != Role::splat && g_[a].count == g_.slots[s].count && g_[a].role != Role::view; });
    return n;
  }

  size_t root(size_t s) {
    while (group_[s] != s) s = group_[s] = group_[group_[s]];
    return s;
  }

  void join_groups() {
    std::iota(group_.begin(), group_.end(), size_t{0});
    for (size_t s = 0; s < n_; ++s)
      for_each_arg(s, [&](SlotId a) {
        if (joins(g_, g_.slots[s], a) && level_[s] == level_[a.index()]) group_[root(s)] = root(a.index());
      });
  }

  bool is_bare_effect(size_t node) const { return ir::info(g_.func.nodes[node].op).effect && g_.leaves[node].empty(); }

  void mark_stored() {
    out_.stored = result_;
    for (size_t s = n_; s-- > 0;) {
      const Role role = g_.slots[s].role;
      if (role == Role::view && !out_.stored[s]) continue;  // read by fused groups only, in their way
      for_each_arg(s, [&](SlotId a) {
        if (reads_through(g_, g_.slots[s], a)) out_.stored[g_[a].source.index()] = true;
        else if (role == Role::fused && g_[a].role == Role::splat) return;
        else if (role != Role::fused || root(s) != root(a.index())) out_.stored[a.index()] = true;
      });
    }
  }

  void make_works() {
    std::vector<size_t> work_of_root(n_, none);
    for (size_t s = 0; s < n_; ++s) {
      const Slot& slot = g_.slots[s];
      if (!computed(s) || (slot.role == Role::view && !out_.stored[s]) || (slot.role != Role::other && slot.count == 0)) continue;
      size_t& w = slot.role == Role::fused ? work_of_root[root(s)] : work_of_root[s];
      if (slot.role == Role::other && slot.part > 0) w = work_of_[s - 1];
      if (w == none) w = out_.works.size(), out_.works.push_back({{}, slot.node, slot.role});
      out_.works[w].slots.push_back(SlotId(s));
      work_of_[s] = w;
    }
    for (size_t i = 0; i < g_.func.nodes.size(); ++i)
      if (is_bare_effect(i)) out_.works.push_back({{}, ir::ValueId(i), Role::other});
  }

  std::vector<std::vector<size_t>> followers(std::vector<size_t>& waits) const {
    std::vector<std::vector<size_t>> next(out_.works.size());
    auto edge = [&](size_t from, size_t to) {
      if (from != none && from != to) next[from].push_back(to), ++waits[to];
    };
    size_t effect = none;
    for (size_t w = 0; w < out_.works.size(); ++w) {
      const Work& work = out_.works[w];
      for (SlotId s : work.slots)
        for_each_arg(s.index(), [&](SlotId a) { edge(work_of_[read_by(s.index(), a).index()], w); });
      if (work.slots.empty())
        for_each_tensor(g_, g_.func[work.node], [&](SlotId a) { edge(work_of_[a.index()], w); });
      if (work.role == Role::other && ir::info(g_.func[work.node].op).effect) edge(std::exchange(effect, w), w);
    }
    return next;
  }

  // The order of the function where it is possible: it keeps few values alive.
  void order() {
    std::vector<size_t> waits(out_.works.size());
    const auto next = followers(waits);
    auto key = [&](size_t w) { return out_.works[w].slots.empty() ? out_.works[w].node : g_[out_.works[w].slots.back()].node; };
    auto later = [&](size_t a, size_t b) { return std::pair(key(a), a) > std::pair(key(b), b); };
    std::priority_queue<size_t, std::vector<size_t>, decltype(later)> ready(later);
    for (size_t w = 0; w < waits.size(); ++w)
      if (waits[w] == 0) ready.push(w);
    std::vector<Work> ordered;
    while (!ready.empty()) {
      const size_t w = ready.top();
      ready.pop();
      for (size_t f : next[w])
        if (--waits[f] == 0) ready.push(f);
      ordered.push_back(out_.works[w]);
    }
    GLIA_CHECK(ordered.size() == out_.works.size(), "groups wait for each other");
    out_.works = std::move(ordered);
  }

  const Graph& g_;
  size_t n_;
  std::vector<size_t> level_, group_;
  std::vector<std::vector<size_t>> uses_;
  std::vector<size_t> work_of_;
  std::vector<bool> result_;  // what has to be in memory whoever else reads it
  Schedule out_;
};

}  // namespace

Schedule schedule(const Graph& g) { return Scheduler(g).run(); }

}  // namespace glia::interp::exec
