// Runs the top-level statements of a program as the front end goes through it, and keeps their values for the statements
// and the training that come later.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "base/diag.h"
#include "interp/evaluate.h"
#include "parser/program.h"

namespace glia::train {

struct SessionOptions {
  int64_t seed = 0;
  const interp::HostFunctions* host = nullptr;  // readers of data
  std::ostream* out = nullptr;                  // where `print` writes; null: standard output
  const std::atomic<bool>* stop = nullptr;      // true ends what runs with a fault
};

class Session {
 public:
  Session(ir::Module& module, Diagnostics& diags, const SessionOptions& options);

  Host host();  // holds a reference to this session
  bool run(const Step& step);

  const interp::Value* value(GlobalId id) const;  // null: never computed
  std::optional<int64_t> integer(GlobalId id) const;
  int64_t seed() const;  // of the program: the stream that its draws start from

  // The results of a function that is lowered first; nothing where it failed, which has been reported.
  std::optional<std::vector<interp::Value>> evaluate(ir::FuncId func, std::span<const interp::Value> args);
  void report(const interp::Fault& fault);

  ir::Module& module() { return module_; }
  Diagnostics& diags() { return diags_; }
  const SessionOptions& options() const { return options_; }
  interp::EvalOptions eval_options() const;

 private:
  void keep(GlobalId id, interp::Value v);

  ir::Module& module_;
  Diagnostics& diags_;
  SessionOptions options_;
  std::vector<std::optional<interp::Value>> values_;  // by GlobalId
};

// Labels the calls that led to a place inside an inlined function.
void label_callers(const ir::Module& module, ir::SrcId src, Diagnostic& d);

}  // namespace glia::train
