// A training step without a batch axis: a fold over the rows, one example at a time.
#include "train/by_example.h"

#include "ir/ops/all.h"
#include "ir/passes/copy.h"
#include "ir/passes/differentiate.h"

namespace glia::train {

using ir::Builder;
using ir::FuncId;
using ir::TypeId;
using ir::Value;
using ir::ValueId;

namespace {
constexpr DiagKind state_needs_batch{"E0606", Severity::error,
                                     "the model changes a state in training, but its examples differ in shape and cannot be batched"};

// What is summed over the rows, and what a row's function is given.
struct Sums {
  FuncId of_row;                // the loss and metrics of one row, perhaps with gradients behind them
  std::vector<TypeId> shared;   // parameters of it that all rows share, in order: params, captures
  std::vector<TypeId> items;    // its columns
  size_t metrics = 0, grads = 0;
};

Value total(Value x) {
  x = ir::cast(x, DType::f32);
  return x.rank() == 0 ? x : ir::sum(x);
}

Value count(Value x) { return total(ir::ones_like(ir::cast(x, DType::f32))); }

Sums sums_of(const ir::Module& m, const TrainProgram& p, FuncId of_row, size_t grads) {
  const ir::Func& f = m[of_row];
  Sums s{of_row, {}, {}, p.metrics.size(), grads};
  const size_t first_column = 1 + p.params.size(), first_capture = first_column + p.columns.size();
  for (size_t i = 1; i < f.params.size(); ++i)
    (i >= first_column && i < first_capture ? s.items : s.shared).push_back(f[f.params[i]].type);
  return s;
}

// func(i, loss, metric sums.., metric counts.., gradients.., items.., streams, shared..): with those of row i added.
FuncId row_body(ir::Module& m, const TrainProgram& p, const Sums& s, std::span<const Value> starts, TypeId streams) {
  Builder b(m, "row");
  Value i = b.param(b.types().tensor(DType::i32));
  std::vector<Value> sums, items, shared;
  for (const Value& v : starts) sums.push_back(b.param(v.type()));
  for (TypeId t : s.items) items.push_back(b.param(t));
  Value stream = ir::gather(b.param(streams), i);
  for (TypeId t : s.shared) shared.push_back(b.param(t));
  std::vector<ValueId> args{stream.id};
  for (size_t k = 0; k < p.params.size(); ++k) args.push_back(shared[k].id);
  for (const Value& v : items) args.push_back(v.id);
  for (size_t k = p.params.size(); k < shared.size(); ++k) args.push_back(shared[k].id);
  std::vector<Value> row = ir::inline_func(b, m[s.of_row], args);
  b.result((sums[0] + ir::cast(row[0], sums[0].dtype())).id);
  for (size_t k = 0; k < s.metrics; ++k) b.result((sums[1 + k] + total(row[1 + k])).id);
  for (size_t k = 0; k < s.metrics; ++k) b.result((sums[1 + s.metrics + k] + count(row[1 + k])).id);
  for (size_t k = 0; k < s.grads; ++k) b.result((sums[1 + 2 * s.metrics + k] + row[1 + s.metrics + k]).id);
  return b.finish_into_module();
}

// Mean loss, metric sums and counts, mean gradients.
std::vector<Value> over_rows(Builder& b, const TrainProgram& p, const Sums& s, int64_t batch, std::span<const Value> params, Value streams,
                             std::span<const Value> columns, std::span<const Value> captures) {
  ir::Module& m = b.module();
  const ir::Func& row = m[s.of_row];
  std::vector<Value> starts{ir::constant(b, 0, m.types.dtype(row[row.results[0]].type))};
  for (size_t k = 0; k < 2 * s.metrics; ++k) starts.push_back(ir::constant(b, 0, DType::f32));
  for (size_t k = 0; k < s.grads; ++k) {
    const TypeId t = row[row.results[1 + s.metrics + k]].type;
    starts.push_back(ir::constant(b, 0, m.types.dtype(t), m.types.shape(t)));
  }
  const FuncId body = row_body(m, p, s, starts, streams.type());
  std::vector<Value> args{ir::constant_int(b, batch, DType::i32)};
  std::vector<TypeId> types;
  for (const Value& v : starts) args.push_back(v), types.push_back(v.type());
  for (const Value& v : columns) args.push_back(v);
  args.push_back(streams);
  for (const Value& v : params) args.push_back(v);
  for (const Value& v : captures) args.push_back(v);
  const ir::Ints split{static_cast<int64_t>(starts.size()), static_cast<int64_t>(columns.size())};
  std::vector<Value> sums = ir::emit_control(b, ir::op<ir::Fold>, args, {{ir::AttrKey::func, body}, {ir::AttrKey::wrt, split}}, types);
  const double weight = 1.0 / static_cast<double>(batch);
  sums[0] = weight * sums[0];
  for (size_t k = 0; k < s.grads; ++k) sums[1 + 2 * s.metrics + k] = weight * sums[1 + 2 * s.metrics + k];
  return sums;
}

std::vector<Value> named_params(Builder& b, std::span<const Leaf> leaves) {
  std::vector<Value> params;
  for (const Leaf& l : leaves) params.push_back(b.param(l.type, l.path));
  return params;
}

struct Inputs {
  std::vector<Value> columns, captures;
};

Inputs add_inputs(Builder& b, const TrainProgram& p, const ir::Func& example) {
  Inputs in;
  const size_t first_capture = 1 + p.params.size() + p.columns.size();
  for (size_t k = 0; k < p.columns.size(); ++k) in.columns.push_back(b.param(b.types().list(p.columns[k]), p.column_names[k]));
  for (size_t i = first_capture; i < example.params.size(); ++i) in.captures.push_back(b.param(example[example.params[i]].type));
  return in;
}
}  // namespace

std::expected<FuncId, Diagnostic> training_step_by_example(ir::Module& m, const TrainProgram& p, int64_t batch) {
  if (!p.model_states.empty())
    return std::unexpected(Diagnostic{state_needs_batch.code, Severity::error, std::string(state_needs_batch.text), p.loss_span, {}, {}, {}});
  std::vector<size_t> wrt = trained(p);
  for (size_t& i : wrt) i += 1;
  auto gradient = ir::value_and_grad(m, p.train_example, wrt);
  if (!gradient) return std::unexpected(std::move(gradient.error()));
  Builder b(m, "train_step");
  Value step = b.param(b.types().tensor(DType::i32), "step"), epoch = b.param(b.types().tensor(DType::f32), "epoch");
  Value streams = b.param(b.types().tensor(DType::i64, {b.dims().constant(batch)}), "stream");
  std::vector<Value> params = named_params(b, p.params), states = named_params(b, p.states);
  Inputs in = add_inputs(b, p, m[p.train_example]);
  const Sums s = sums_of(m, p, *gradient, wrt.size());
  std::vector<Value> sums = over_rows(b, p, s, batch, params, streams, in.columns, in.captures);
  const size_t scores = 1 + 2 * s.metrics;
  for (const Value& v : updated(b, p, step, epoch, params, std::span<const Value>(sums).subspan(scores), states, in.captures)) b.result(v.id);
  for (size_t k = 0; k < scores; ++k) b.result(sums[k].id);
  return lower(m, b.finish_into_module());
}

std::expected<FuncId, Diagnostic> evaluation_step_by_example(ir::Module& m, const TrainProgram& p, int64_t batch) {
  Builder b(m, "eval_step");
  Value streams = b.param(b.types().tensor(DType::i64, {b.dims().constant(batch)}), "stream");
  std::vector<Value> params = named_params(b, p.params);
  Inputs in = add_inputs(b, p, m[p.eval_example]);
  for (const Value& v : over_rows(b, p, sums_of(m, p, p.eval_example, 0), batch, params, streams, in.columns, in.captures)) b.result(v.id);
  return lower(m, b.finish_into_module());
}

}  // namespace glia::train
