// What the parts of the reference evaluator share: the state of a run, and of one function in it.
#pragma once
#include <functional>
#include <unordered_map>

#include "interp/evaluate.h"
#include "interp/sizes.h"

namespace glia::interp {

using Evaluated = std::expected<Value, Fault>;
using AllEvaluated = std::expected<std::vector<Value>, Fault>;

struct Run {
  const ir::Module& module;
  const EvalOptions& options;
  int depth = 0;                     // functions inside functions
  int calls = 0;                     // of these, calls
  const char* stack_base = nullptr;  // where the stack was when the run began
  size_t max_stack = 0;              // bytes of it that may be taken
  // by function: the values that nobody needs after each node
  std::unordered_map<const ir::Func*, std::vector<std::vector<ir::ValueId>>> dead_after;

  const ir::Types& types() const { return module.types; }
};

// One node about to run, its arguments evaluated.
struct Step {
  Run& run;
  const ir::Func& func;
  const ir::Node& node;
  std::span<Value> args;  // to take from: an argument needed later is a copy
  const Sizes& sizes;

  const ir::Attrs& attrs() const { return node.attrs; }
  ir::TypeId arg_type(size_t k) const { return func[node.args[k]].type; }
  std::unexpected<Fault> fault(std::string message, std::string help = {}) const {
    return std::unexpected(Fault{std::move(message), node.src, std::move(help)});
  }
};

// How much of the stack a call takes depends on the build, so its size is watched beside the count.
bool stack_is_short(const Run& run);
AllEvaluated run_func(Run& run, const ir::Func& f, std::vector<Value> args, const Sizes* outer, ir::SrcId caller);
Evaluated run_control(const Step& s);
Evaluated run_host(const Step& s);
Evaluated run_dynamic(const Step& s);  // lists, variants, tapes
Evaluated run_vector_op(const Step& s);
Evaluated run_fold(const Step& s);
Evaluated zeros_of(const Step& s, Value v);
Evaluated add_values(const Step& s, Value a, Value b);
AllEvaluated call_nested(const Step& s, const ir::Func& f, std::vector<Value> args);
Value bundle(std::vector<Value> results);  // the only one itself, any other number as a tuple
Value counter_value(const Step& s, const ir::Func& f, int64_t i);

// Runs the work on a stack of its own, of as much address space as can be had up to `bytes`; only what is used is committed.
void on_own_stack(size_t bytes, const std::function<void(size_t usable)>& work);

}  // namespace glia::interp
