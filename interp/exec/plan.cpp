// See plan.h. From graph to schedule to units to placed steps.
#include "interp/exec/plan.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "interp/exec/arena.h"
#include "interp/exec/contract.h"
#include "interp/exec/fuse.h"
#include "interp/exec/pool.h"
#include "interp/exec/steps.h"
#include "interp/kernels/kernel.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::interp {

using namespace exec;

struct Plan::State {
  Graph graph;
  PlanStats stats;
  Pool pool;
  MatrixLibrary library;
  std::vector<Step> steps;
  std::shared_ptr<Buffer> arena, constants, scratch;
  size_t scratch_stride = 0, result_count = 0;
  std::vector<std::byte*> bases;

  State(Graph g, size_t threads) : graph(std::move(g)), pool(threads), library(pool.size()) {}
};

namespace {

// Turns the works of the schedule into units.
class Lowering {
 public:
  Lowering(Graph& g, const Schedule& plan, const MatrixLibrary& library, const EvalOptions& options, PlanStats& stats)
      : g_(g), plan_(plan), library_(library), options_(options), stats_(stats) {}

  std::expected<std::vector<Unit>, Fault> run() {
    for (const Work& w : plan_.works)
      if (auto done = lower(w); !done) return std::unexpected(done.error());
    return std::move(units_);
  }

 private:
  std::expected<void, Fault> lower(const Work& w) {
    if (w.role == Role::fused) return ++stats_.fused_groups, add(make_fused(g_, plan_, w));
    if (w.role == Role::view) return ++stats_.fused_groups, add(make_copy_of_view(g_, w.slots[0]));
    const ir::Node& n = g_.func[w.node];
    if (n.op == ir::op<ir::Contract>)
      if (auto units = make_contract(g_, library_, w.slots[0])) return ++stats_.matmuls, add(std::move(*units));
    if (ir::info(n.op).family == ir::Family::reduce)
      if (auto units = make_reduction(g_, w.slots[0])) return add(std::move(*units));
    if (auto unit = make_row_gather(g_, w.slots.empty() ? SlotId() : w.slots[0], n)) return add(std::move(*unit));
    ++stats_.fallback_kernels;
    if (kernel_for(n.op)) return add(make_kernel(g_, plan_, w.slots[0]));
    auto units = make_evaluated(g_, w, options_);
    if (!units) return std::unexpected(units.error());
    return add(std::move(*units));
  }

  static std::optional<Unit> make_row_gather(const Graph& g, SlotId out, const ir::Node& n) {
    return n.op == ir::op<ir::Gather> ? exec::make_row_gather(g, out) : std::nullopt;
  }

  std::expected<void, Fault> add(Unit u) {
    units_.push_back(std::move(u));
    return {};
  }
  std::expected<void, Fault> add(std::vector<Unit> units) {
    for (Unit& u : units) units_.push_back(std::move(u));
    return {};
  }

  Graph& g_;
  const Schedule& plan_;
  const MatrixLibrary& library_;
  const EvalOptions& options_;
  PlanStats& stats_;
  std::vector<Unit> units_;
};

// Gives every slot its place.
class Placing {
 public:
  Placing(Graph& g, const Schedule& plan, std::vector<Unit>& units) : g_(g), plan_(plan), units_(units) {}

  std::expected<Places, Fault> run() {
    place_results();
    places_.refs.resize(g_.slots.size());
    fixed_.resize(g_.slots.size(), false);
    place_params_and_results();
    if (auto done = place_constants(); !done) return std::unexpected(done.error());
    place_computed();
    return std::move(places_);
  }
  std::shared_ptr<Buffer> constants;
  size_t arena_bytes = 0, result_count = 0;

 private:
  bool is_computed(SlotId s) const { return g_[s].role == Role::fused || g_[s].role == Role::other || g_[s].role == Role::view; }

  // A computed result is written where the caller wants it; others are copied there at the end.
  void place_results() {
    std::vector<std::pair<SlotId, SlotId>> copies;
    for (ir::ValueId r : g_.func.results)
      for (const Leaf& l : std::vector<Leaf>(g_.leaves[r.index()])) {
        SlotId home = l.slot;
        const bool taken = std::find(homes_.begin(), homes_.end(), home) != homes_.end();
        if (!is_computed(home) || taken) {
          Slot copy = g_[home];
          copy.role = Role::temp;
          home = g_.add(std::move(copy));
          copies.emplace_back(l.slot, home);
        }
        homes_.push_back(home);
      }
    for (auto [from, to] : copies) units_.push_back(make_copy(g_, from, to));
    result_count = homes_.size();
  }

  void place_params_and_results() {
    for (size_t p = 0; p < g_.param_count; ++p) fix(SlotId(p), {first_param_base + static_cast<uint32_t>(p), 0});
    for (size_t r = 0; r < homes_.size(); ++r) fix(homes_[r], {first_param_base + static_cast<uint32_t>(g_.param_count + r), 0});
  }

  void fix(SlotId s, Ref r) {
    places_.refs[s.index()] = r;
    fixed_[s.index()] = true;
  }

  std::expected<void, Fault> place_constants() {
    size_t bytes = 0;
    std::vector<SlotId> known;
    for (size_t s = 0; s < plan_.stored.size(); ++s) {
      if (!plan_.stored[s] || (g_.slots[s].role != Role::splat && g_.slots[s].role != Role::data)) continue;
      known.push_back(SlotId(s));
      fix(SlotId(s), {constant_base, bytes});
      bytes += (g_.slots[s].bytes() + arena_alignment - 1) / arena_alignment * arena_alignment;
    }
    constants = Buffer::make(bytes);
    if (!constants) return std::unexpected(Fault{fmt::format("no memory for {} bytes of constants", bytes), {}, {}});
    for (SlotId s : known)
      if (auto done = fill(g_[s], constants->data() + places_[s].offset); !done) return done;
    return {};
  }

  std::expected<void, Fault> fill(const Slot& s, std::byte* to) const {
    const ir::Node& n = g_.node(s);
    const Sizes sizes(g_.module.types);
    auto done = kernel_for(n.op)(KernelCall{n.op, n.attrs, {}, View{s.dtype, s.sizes, to}, sizes});
    if (!done) return std::unexpected(Fault{done.error(), n.src, {}});
    return {};
  }

  void place_computed() {
    std::vector<SlotId> slots;
    std::vector<Lifetime> lives;
    std::vector<size_t> live_of(g_.slots.size(), ~size_t{0});
    for (size_t i = 0; i < units_.size(); ++i) {
      auto touch = [&](SlotId s) {
        if (fixed_[s.index()] || g_[s].count == 0) return;
        size_t& live = live_of[s.index()];
        if (live == ~size_t{0}) live = lives.size(), slots.push_back(s), lives.push_back({g_[s].bytes(), i, i});
        lives[live].last = i;
      };
      for (SlotId s : units_[i].writes) touch(s);
      for (SlotId s : units_[i].reads) touch(s);
    }
    const Layout layout = lay_out(lives);
    GLIA_CHECK(is_sound(lives, layout), "tensors alive at one time lie apart");
    for (size_t k = 0; k < slots.size(); ++k) places_.refs[slots[k].index()] = {arena_base, layout.offsets[k]};
    arena_bytes = layout.bytes;
  }

  Graph& g_;
  const Schedule& plan_;
  std::vector<Unit>& units_;
  std::vector<SlotId> homes_;  // by result
  std::vector<bool> fixed_;
  Places places_;
};

struct ParallelRun {
  const Step* step;
  Call call;
  std::byte* scratch;
  size_t scratch_stride;
  std::atomic<bool> failed{false};

  static void job(void* data, size_t worker, size_t chunk) {
    ParallelRun& r = *static_cast<ParallelRun*>(data);
    Call call = r.call;
    call.worker = worker;
    call.scratch = r.scratch + worker * r.scratch_stride;
    call.begin = chunk;
    call.end = chunk + 1;
    Fault own;
    call.fault = &own;
    if (!r.step->run(r.step->data.get(), call) && !r.failed.exchange(true)) *r.call.fault = std::move(own);
  }
};

}  // namespace

Plan::Plan(std::unique_ptr<State> state) : state_(std::move(state)) {}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;
const PlanStats& Plan::stats() const { return state_->stats; }

std::expected<Plan, Fault> Plan::make(const ir::Module& module, const ir::Func& f, const PlanOptions& options) {
  auto graph = make_graph(module, f);
  if (!graph) return std::unexpected(graph.error());
  keep_openmp_single_threaded();
  auto state = std::make_unique<State>(std::move(*graph), static_cast<size_t>(std::clamp(options.threads, 1, 256)));
  const Schedule plan = schedule(state->graph);
  auto units = Lowering(state->graph, plan, state->library, options.evaluate, state->stats).run();
  if (!units) return std::unexpected(units.error());
  Placing placing(state->graph, plan, *units);
  auto places = placing.run();
  if (!places) return std::unexpected(places.error());
  for (Unit& u : *units) state->steps.push_back(u.finish(*places));
  for (const Step& s : state->steps) state->scratch_stride = std::max(state->scratch_stride, (s.scratch + 63) / 64 * 64);
  state->constants = placing.constants;
  state->arena = Buffer::make(placing.arena_bytes);
  state->scratch = Buffer::make(state->scratch_stride * state->pool.size());
  if (!state->arena || !state->scratch) return std::unexpected(Fault{fmt::format("no memory for an arena of {} bytes", placing.arena_bytes), {}, {}});
  state->result_count = placing.result_count;
  state->stats.instructions = state->steps.size();
  state->stats.arena_bytes = placing.arena_bytes;
  state->bases.resize(first_param_base + state->graph.param_count + placing.result_count);
  state->bases[arena_base] = state->arena->data();
  state->bases[constant_base] = state->constants->data();
  return Plan(std::move(state));
}

std::expected<void, Fault> Plan::run(std::span<const void* const> params, std::span<void* const> results) {
  State& s = *state_;
  GLIA_CHECK(params.size() == s.graph.param_count && results.size() == s.result_count, "a pointer for each tensor");
  for (size_t p = 0; p < params.size(); ++p)
    s.bases[first_param_base + p] = const_cast<std::byte*>(static_cast<const std::byte*>(params[p]));  // only ever read
  for (size_t r = 0; r < results.size(); ++r) s.bases[first_param_base + params.size() + r] = static_cast<std::byte*>(results[r]);
  Fault fault;
  for (const Step& step : s.steps) {
    Call call{s.bases.data(), s.scratch->data(), 0, 0, step.chunks, &fault};
    if (!step.parallel || s.pool.size() == 1) {
      if (!step.run(step.data.get(), call)) return std::unexpected(std::move(fault));
    } else {
      ParallelRun run{&step, call, s.scratch->data(), s.scratch_stride};
      s.pool.run(step.chunks, &ParallelRun::job, &run);
      if (run.failed) return std::unexpected(std::move(fault));
    }
  }
  return {};
}

}  // namespace glia::interp
