// Statements are lowered and run by the reference evaluator: they run once, so that compiling them would not pay.
#include "train/session.h"

#include "train/lower.h"

namespace glia::train {

namespace {
inline constexpr DiagKind run_time_error{"E0601", Severity::error, "{}"};
}  // namespace

Session::Session(ir::Module& module, Diagnostics& diags, const SessionOptions& options)
    : module_(module), diags_(diags), options_(options) {
  keep(GlobalId(0), interp::Tensor::scalar<int64_t>(options.seed));
}

Host Session::host() {
  return {[this](const Step& step) { return run(step); }, [this](GlobalId id) { return integer(id); },
          [this](int64_t seed) { keep(GlobalId(0), interp::Tensor::scalar<int64_t>(seed)); }};
}

void Session::keep(GlobalId id, interp::Value v) {
  if (values_.size() <= id.index()) values_.resize(id.index() + 1);
  values_[id.index()] = std::move(v);
}

const interp::Value* Session::value(GlobalId id) const {
  return id.valid() && id.index() < values_.size() && values_[id.index()] ? &*values_[id.index()] : nullptr;
}

std::optional<int64_t> Session::integer(GlobalId id) const {
  const interp::Value* v = value(id);
  if (!v || !v->is_tensor() || v->tensor().rank() != 0 || is_float(v->tensor().dtype)) return std::nullopt;
  return interp::element_int(v->tensor(), 0);
}

int64_t Session::seed() const { return integer(GlobalId(0)).value_or(options_.seed); }

interp::EvalOptions Session::eval_options() const {
  interp::EvalOptions e;
  e.out = options_.out;
  e.host = options_.host;
  e.stop = options_.stop;
  return e;
}

std::optional<std::vector<interp::Value>> Session::evaluate(ir::FuncId func, std::span<const interp::Value> args) {
  auto lowered = lower(module_, func);
  if (!lowered) {
    diags_.add(std::move(lowered.error()));
    return std::nullopt;
  }
  auto results = interp::evaluate(module_, module_[*lowered], args, eval_options());
  if (results) return std::move(*results);
  report(results.error());
  return std::nullopt;
}

bool Session::run(const Step& step) {
  std::vector<interp::Value> args;
  for (GlobalId id : step.inputs) {
    const interp::Value* v = value(id);
    if (!v) return false;  // its statement failed and said so
    args.push_back(*v);
  }
  auto results = evaluate(step.func, args);
  if (!results) return false;
  GLIA_CHECK(results->size() == step.outputs.size(), "a statement gives as many values as it has outputs");
  for (size_t i = 0; i < results->size(); ++i) keep(step.outputs[i], std::move((*results)[i]));
  return true;
}

void label_callers(const ir::Module& module, ir::SrcId src, Diagnostic& d) {
  if (!src.valid()) return;
  constexpr int most = 4;
  ir::SrcId at = module.src(src).caller;
  for (int i = 0; at.valid() && i < most; ++i, at = module.src(at).caller)
    if (module.span(at) != d.span) d.label(module.span(at), "called from here");
}

void Session::report(const interp::Fault& fault) {
  Diagnostic& d = diags_.report(run_time_error, module_.span(fault.src), fault.message);
  label_callers(module_, fault.src, d);
  if (!fault.help.empty()) d.help(fault.help);
}

}  // namespace glia::train
