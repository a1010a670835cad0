// The planned way of running: a fully specialised function is compiled once into a flat list of steps whose tensors have
// their places in one arena; a run is a loop over the steps. For any number of threads the results have the same bits.
#pragma once
#include <expected>
#include <memory>
#include <span>

#include "interp/evaluate.h"

namespace glia::interp {

struct PlanOptions {
  int threads = 1;
  EvalOptions evaluate;  // for nodes that the evaluator runs: branches, loops, prints
};

struct PlanStats {
  size_t instructions = 0;
  size_t fused_groups = 0;
  size_t matmuls = 0;
  size_t fallback_kernels = 0;  // run by the reference kernels or the evaluator
  size_t arena_bytes = 0;
};

class Plan {
 public:
  // Every size in `f` is known. The module and the function outlive the plan.
  static std::expected<Plan, Fault> make(const ir::Module& module, const ir::Func& f, const PlanOptions& options = {});
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  // One pointer for each tensor among the parameters and results, in order; those in a tuple one by one. The caller owns
  // the memory; no result overlaps another or a parameter. One run at a time.
  std::expected<void, Fault> run(std::span<const void* const> params, std::span<void* const> results);
  const PlanStats& stats() const;

 private:
  struct State;
  explicit Plan(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace glia::interp
