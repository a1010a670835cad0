// The passes of ir/passes/pipeline.h, one after the other.
#include "train/lower.h"

#include "ir/passes/pipeline.h"

namespace glia::train {

std::expected<ir::FuncId, Diagnostic> lower(ir::Module& module, ir::FuncId func, const Stages& seen) {
  if (!seen) {
    auto done = ir::run_pipeline(module, module[func]);
    if (!done) return std::unexpected(std::move(done.error()));
    return module.add(std::move(*done));
  }
  ir::Func now = module[func];
  for (const ir::Pass& pass : ir::pipeline()) {
    auto next = pass.run(module, now);
    if (!next) return std::unexpected(std::move(next.error()));
    now = std::move(*next);
    seen(pass.name, now);
  }
  return module.add(std::move(now));
}

}  // namespace glia::train
