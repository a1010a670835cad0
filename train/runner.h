// A lowered function made ready to be run many times on tensors of fixed sizes: by a plan, or by the reference evaluator
// as the oracle that plans are held against.
#pragma once
#include <expected>
#include <span>
#include <variant>

#include "interp/exec/plan.h"

namespace glia::train {

enum class Backend : uint8_t { plan, interp };

struct RunOptions {
  Backend backend = Backend::plan;
  int threads = 1;
  interp::EvalOptions evaluate;
};

class Runner {
 public:
  static std::expected<Runner, interp::Fault> make(const ir::Module& module, ir::FuncId func, const RunOptions& options);

  // One pointer a parameter and a result, all tensors; no result overlaps another or a parameter.
  std::expected<void, interp::Fault> run(std::span<const void* const> params, std::span<void* const> results);

 private:
  struct Oracle {
    const ir::Module* module;
    const ir::Func* func;
    interp::EvalOptions options;
  };
  explicit Runner(std::variant<interp::Plan, Oracle> how) : how_(std::move(how)) {}
  std::variant<interp::Plan, Oracle> how_;
};

// The sizes of a tensor type, all known.
std::vector<int64_t> known_shape(const ir::Types& types, ir::TypeId type);

// Values of a function's parameters, copied from where the pointers lead.
std::vector<interp::Value> values_at(const ir::Module& module, const ir::Func& f, std::span<const void* const> params);

}  // namespace glia::train
