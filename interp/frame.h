// What the parts of the reference evaluator share: the state of a run, and of one function in it.
#pragma once
#include <unordered_map>

#include "interp/evaluate.h"
#include "interp/sizes.h"

namespace glia::interp {

using Evaluated = std::expected<Value, Fault>;
using AllEvaluated = std::expected<std::vector<Value>, Fault>;

struct Run {
  const ir::Module& module;
  const EvalOptions& options;
  int depth = 0;
  const char* stack_base = nullptr;  // where the stack was when the run began
  // by function: the values that nobody needs after each node
  std::unordered_map<const ir::Func*, std::vector<std::vector<ir::ValueId>>> dead_after;

  const ir::Types& types() const { return module.types; }
};

// One node about to run, its arguments evaluated.
struct Step {
  Run& run;
  const ir::Func& func;
  const ir::Node& node;
  std::span<const Value> args;
  const Sizes& sizes;

  const ir::Attrs& attrs() const { return node.attrs; }
  ir::TypeId arg_type(size_t k) const { return func[node.args[k]].type; }
  std::unexpected<Fault> fault(std::string message, std::string help = {}) const {
    return std::unexpected(Fault{std::move(message), node.src, std::move(help)});
  }
};

AllEvaluated run_func(Run& run, const ir::Func& f, std::vector<Value> args, const Sizes* outer, ir::SrcId caller);
Evaluated run_control(const Step& s);
Evaluated run_host(const Step& s);

}  // namespace glia::interp
