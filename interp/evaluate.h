// The reference evaluator: runs a function of the IR one node after the other with the reference kernels. It is the
// oracle that every faster way of running is held against.
#pragma once
#include <atomic>
#include <expected>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interp/value.h"
#include "ir/func.h"

namespace glia::interp {

// A run-time error of the user's program, with its place.
struct Fault {
  std::string message;
  ir::SrcId src;
  std::string help;
};

// Functions of the host by name, for the op `host`. A fault without a place gets that of the call.
using HostFunction = std::function<std::expected<Value, Fault>(std::span<const Value> args, const ir::Attrs& attrs, ir::TypeId result,
                                                               const ir::Module& module)>;
using HostFunctions = std::map<std::string, HostFunction, std::less<>>;

struct EvalOptions {
  std::ostream* out = nullptr;  // where `print` writes; null: standard output
  const HostFunctions* host = nullptr;
  const std::atomic<bool>* stop = nullptr;  // looked at between nodes: true ends the run with a fault
  int max_depth = 100'000;                                 // of calls inside calls
  size_t max_stack = size_t{6} << 20;                      // bytes of the caller's stack that a run may take
  size_t own_stack = size_t{4} << 30;                      // address space for the stack of recursive functions
  std::function<void(ir::ValueId, const Value&)> observe;  // every result of the function itself, in order
  // Every result of it and of nested functions, with its arguments; false stops the run with a fault.
  std::function<bool(const ir::Func&, ir::ValueId, std::span<const Value> args, const Value&)> inspect;
};

// The results of `f`. Sizes that its types name are taken from the arguments. A value is dropped after its last use.
std::expected<std::vector<Value>, Fault> evaluate(const ir::Module& module, const ir::Func& f, std::span<const Value> args,
                                                  const EvalOptions& options = {});

// Where numbers first went wrong.
struct BadValue {
  ir::ValueId value;    // of the function where it happened
  int64_t element = 0;  // counted through the tensors of the value
  bool is_nan = false;
  ir::SrcId src;
  std::string func;  // name of the function, which may be a nested one
};

// The first result with a NaN, or with an infinity where every float it was made from was finite (a constant may be
// infinite). Nothing where all results are good or a fault came first.
std::optional<BadValue> first_non_finite(const ir::Module& module, const ir::Func& f, std::span<const Value> args,
                                         const EvalOptions& options = {});

}  // namespace glia::interp
