// A step gave numbers that are not finite: it is run again by the reference evaluator, which names the expression.
#include <cmath>

#include "ir/ops/table.h"
#include "train/loop.h"

namespace glia::train {

namespace {
inline constexpr DiagKind became_bad{"E0721", Severity::error, "training stopped at step {}: a number became {}"};
inline constexpr DiagKind came_in_bad{"E0722", Severity::error, "training stopped at step {}: `{}` came in with {}"};

std::string_view kind_of(bool is_nan) { return is_nan ? "NaN" : "infinite"; }

std::string what_became_bad(const RunSetup& s, const TrainingSteps& steps) {
  if (!std::isfinite(steps.scores().mean_loss())) return std::isnan(steps.scores().mean_loss()) ? "the loss is NaN" : "the loss is infinite";
  for (size_t i = 0; i < s.program.params.size(); ++i)
    if (!all_finite(std::span(&steps.weights().params[i], 1)))
      return fmt::format("the loss is {:.6g}, but parameter `{}` is not finite after the step", steps.scores().mean_loss(),
                         s.program.params[i].path);
  return {};
}
}  // namespace

void blame_step(RunSetup& s, const TrainingSteps& steps, int64_t step, int64_t epoch) {
  const ir::Module& m = s.session.module();
  const ir::Func& f = steps.last_func();
  const auto inputs = steps.last_inputs();
  const auto bad = interp::first_non_finite(m, f, inputs, s.run.evaluate);
  const std::string seen = fmt::format("in epoch {}: {}", epoch, what_became_bad(s, steps));
  Diagnostics& diags = s.session.diags();
  if (!bad) {
    diags.report(became_bad, s.program.loss_span, step, "infinite or NaN").note(seen);
    return;
  }
  const bool in_step = bad->func == f.name && bad->value.index() < f.nodes.size();
  const bool given = in_step && ir::info(f[bad->value].op).name == "param";
  if (given) {
    const ir::Attrs& attrs = f[bad->value].attrs;
    const std::string name = attrs.has(ir::AttrKey::name) ? attrs.text(ir::AttrKey::name) : "a value of an earlier statement";
    diags.report(came_in_bad, s.program.loss_span, step, name, kind_of(bad->is_nan))
        .note(seen)
        .help("look for such a value in the data before training");
    return;
  }
  Diagnostic& d = diags.report(became_bad, m.span(bad->src).valid() ? m.span(bad->src) : s.program.loss_span, step, kind_of(bad->is_nan));
  label_callers(m, bad->src, d);
  d.note(seen);
  d.note("this expression, or its derivative, gave it from numbers that were all finite");
  d.help("keep its argument in range, or make the steps smaller (a smaller learning rate, or `clip_norm`)");
}

}  // namespace glia::train
