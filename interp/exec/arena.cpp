// See arena.h.
#include "interp/exec/arena.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace glia::interp::exec {

static size_t rounded(size_t bytes) { return (bytes + arena_alignment - 1) / arena_alignment * arena_alignment; }
static bool meet(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

struct Taken {
  size_t begin, end;
};

static size_t tightest_gap(std::vector<Taken> taken, size_t bytes) {
  std::sort(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) { return a.begin < b.begin; });
  size_t best = 0, best_size = std::numeric_limits<size_t>::max(), free_from = 0;
  for (const Taken& t : taken) {
    if (t.begin >= free_from + bytes && t.begin - free_from < best_size) best = free_from, best_size = t.begin - free_from;
    free_from = std::max(free_from, t.end);
  }
  return best_size == std::numeric_limits<size_t>::max() ? free_from : best;
}

Layout lay_out(const std::vector<Lifetime>& tensors) {
  std::vector<size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return tensors[a].bytes > tensors[b].bytes; });
  Layout layout{std::vector<size_t>(tensors.size()), 0};
  for (size_t i = 0; i < order.size(); ++i) {
    std::vector<Taken> taken;
    for (size_t j = 0; j < i; ++j)
      if (meet(tensors[order[i]], tensors[order[j]]))
        taken.push_back({layout.offsets[order[j]], layout.offsets[order[j]] + rounded(tensors[order[j]].bytes)});
    const size_t bytes = rounded(tensors[order[i]].bytes);
    layout.offsets[order[i]] = tightest_gap(std::move(taken), bytes);
    layout.bytes = std::max(layout.bytes, layout.offsets[order[i]] + bytes);
  }
  return layout;
}

bool is_sound(const std::vector<Lifetime>& tensors, const Layout& layout) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const size_t begin = layout.offsets[i], end = begin + tensors[i].bytes;
    if (begin % arena_alignment != 0 || end > layout.bytes) return false;
    for (size_t j = 0; j < i; ++j)
      if (meet(tensors[i], tensors[j]) && begin < layout.offsets[j] + tensors[j].bytes && layout.offsets[j] < end) return false;
  }
  return true;
}

}  // namespace glia::interp::exec
