// A loss for one example, batched, differentiated and updated: one function.
#include "train/step.h"

#include <algorithm>

#include "ir/passes/batch.h"
#include "ir/passes/differentiate.h"

namespace glia::train {

using ir::Builder;
using ir::FuncId;
using ir::Value;
using ir::ValueId;

namespace {
constexpr DiagKind state_varies{"E0607", Severity::error, "the state `{}` would have another value for each example of the batch"};

using Ids = std::vector<ValueId>;

void append(Ids& to, std::span<const Value> from) {
  for (const Value& v : from) to.push_back(v.id);
}

std::vector<Value> named_params(Builder& b, std::span<const Leaf> leaves) {
  std::vector<Value> params;
  for (const Leaf& l : leaves) params.push_back(b.param(l.type, l.path));
  return params;
}

// The parameters that steps and what they are made of have in common.
struct Inputs {
  Value streams;
  std::vector<Value> columns, captures;
};

Inputs add_inputs(Builder& b, const TrainProgram& p, int64_t batch, const ir::Func& example) {
  Inputs in;
  const ir::DimId rows = b.dims().constant(batch);
  const size_t first = 1 + p.params.size();
  for (size_t i = 0; i < p.columns.size(); ++i) {
    ir::Shape shape = b.types().shape(p.columns[i]);
    shape.insert(shape.begin(), rows);
    in.columns.push_back(b.param(b.types().with_shape(p.columns[i], shape), i < p.column_names.size() ? p.column_names[i] : ""));
  }
  for (size_t i = first + p.columns.size(); i < example.params.size(); ++i) in.captures.push_back(b.param(example[example.params[i]].type));
  return in;
}

Value total(Value x, bool batched, int64_t batch) {
  x = ir::cast(x, DType::f32);
  Value s = x.rank() == 0 ? x : ir::sum(x);
  return batched ? s : static_cast<double>(batch) * s;
}

Diagnostic state_varies_at(const TrainProgram& p, size_t state) {
  std::string text = fmt::format(fmt::runtime(state_varies.text), p.params[p.model_states[state]].path);
  return Diagnostic{state_varies.code, Severity::error, std::move(text), p.loss_span, {}, {}, {"take the mean over the batch: `batch_mean(…)`"}};
}

// (streams, params.., columns.., captures..) -> (mean loss, metric sums.., new states of the model..)
std::expected<FuncId, Diagnostic> batch_of(ir::Module& m, const TrainProgram& p, FuncId example, int64_t batch) {
  std::vector<bool> by_row(m[example].params.size(), false);
  by_row[0] = true;
  for (size_t i = 0; i < p.columns.size(); ++i) by_row[1 + p.params.size() + i] = true;
  auto made = ir::batch(m, example, by_row, m.types.dims.constant(batch));
  if (!made) return std::unexpected(std::move(made.error()));
  Builder b(m, m[example].name);
  Ids args;
  for (ValueId v : m[made->func].params) args.push_back(b.param(m[made->func][v].type, "").id);
  std::vector<Value> results = ir::inline_func(b, m[made->func], args);
  // The weight of an example is in the sum, so that its cotangent is one constant.
  Value loss = results[0];
  if (made->batched[0]) loss = (1.0 / static_cast<double>(batch)) * ir::sum(loss);
  b.result(loss.id);
  for (const Metric& metric : p.metrics) b.result(total(results[metric.result], made->batched[metric.result], batch).id);
  for (size_t k = 1 + p.metrics.size(); k < results.size(); ++k) {
    if (made->batched[k]) return std::unexpected(state_varies_at(p, k - 1 - p.metrics.size()));
    b.result(results[k].id);
  }
  return b.finish_into_module();
}

}  // namespace

std::vector<Value> updated(Builder& b, const TrainProgram& p, Value step, Value epoch, std::span<const Value> params,
                           std::span<const Value> grads, std::span<const Value> states, std::span<const Value> captures) {
  Ids args{step.id, epoch.id};
  append(args, params);
  append(args, grads);
  append(args, states);
  const ir::Func& update = b.module()[p.update];
  if (update.params.size() > args.size()) append(args, captures);
  GLIA_CHECK(update.params.size() == args.size(), "the optimiser's update takes what the step has");
  return ir::inline_func(b, update, args);
}

std::vector<size_t> trained(const TrainProgram& program) {
  std::vector<size_t> which;
  for (size_t i = 0; i < program.params.size(); ++i)
    if (program.params[i].trainable) which.push_back(i);
  return which;
}

int64_t metric_size(const ir::Module& module, const TrainProgram& program, const Metric& metric) {
  const ir::Func& f = module[program.train_example];
  int64_t n = 1;
  for (ir::DimId d : module.types.shape(f[f.results[metric.result]].type)) n *= module.types.dims.known(d).value_or(1);
  return n;
}

std::expected<FuncId, Diagnostic> training_step(ir::Module& m, const TrainProgram& p, int64_t batch, const Stages& seen) {
  auto loss = batch_of(m, p, p.train_example, batch);
  if (!loss) return std::unexpected(std::move(loss.error()));
  std::vector<size_t> wrt = trained(p);
  for (size_t& i : wrt) i += 1;
  auto gradient = ir::value_and_grad(m, *loss, wrt);
  if (!gradient) return std::unexpected(std::move(gradient.error()));

  Builder b(m, "train_step");
  Value step = b.param(b.types().tensor(DType::i32), "step"), epoch = b.param(b.types().tensor(DType::f32), "epoch");
  Value streams = b.param(b.types().tensor(DType::i64, {b.dims().constant(batch)}), "stream");
  std::vector<Value> params = named_params(b, p.params), states = named_params(b, p.states);
  Inputs in = add_inputs(b, p, batch, m[p.train_example]);
  Ids args{streams.id};
  append(args, params);
  append(args, in.columns);
  append(args, in.captures);
  std::vector<Value> values = ir::inline_func(b, m[*gradient], args);
  const std::span<const Value> all(values);
  const size_t scores = 1 + p.metrics.size(), kept = p.model_states.size();
  std::vector<Value> after = updated(b, p, step, epoch, params, all.subspan(scores + kept), states, in.captures);
  for (size_t k = 0; k < kept; ++k) after[p.model_states[k]] = all[scores + k];
  for (const Value& v : after) b.result(v.id);
  for (const Value& v : all.first(scores)) b.result(v.id);
  return lower(m, b.finish_into_module(), seen);
}

std::expected<FuncId, Diagnostic> evaluation_step(ir::Module& m, const TrainProgram& p, int64_t batch, const Stages& seen) {
  auto loss = batch_of(m, p, p.eval_example, batch);
  if (!loss) return std::unexpected(std::move(loss.error()));
  Builder b(m, "eval_step");
  Value streams = b.param(b.types().tensor(DType::i64, {b.dims().constant(batch)}), "stream");
  std::vector<Value> params = named_params(b, p.params);
  Inputs in = add_inputs(b, p, batch, m[p.eval_example]);
  Ids args{streams.id};
  append(args, params);
  append(args, in.columns);
  append(args, in.captures);
  for (const Value& v : ir::inline_func(b, m[*loss], args)) b.result(v.id);
  return lower(m, b.finish_into_module(), seen);
}

}  // namespace glia::train
