// Pointers are connected once for each batch size and side; a step then only copies rows and runs.
#include "train/plans.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "train/by_example.h"

namespace glia::train {

using interp::Tensor;
using interp::Value;

namespace {
inline constexpr DiagKind no_memory{"E0603", Severity::error, "there is no room for a batch of {} rows: {}"};

// All exponent bits set means infinite or NaN. In blocks, so that the compiler makes vector code of it.
bool finite_f32(std::span<const float> x) {
  constexpr uint32_t exponent = 0x7f800000u;
  constexpr size_t block = 64;
  size_t i = 0;
  for (; i + block <= x.size(); i += block) {
    uint32_t bad = 0;
    for (size_t k = 0; k < block; ++k) bad |= static_cast<uint32_t>((std::bit_cast<uint32_t>(x[i + k]) & exponent) == exponent);
    if (bad != 0) return false;
  }
  for (; i < x.size(); ++i)
    if ((std::bit_cast<uint32_t>(x[i]) & exponent) == exponent) return false;
  return true;
}

bool finite(const Tensor& t) {
  if (!is_float(t.dtype)) return true;
  if (t.dtype == DType::f32) return finite_f32(t.as<float>());
  for (int64_t i = 0; i < t.size(); ++i)
    if (!std::isfinite(interp::element_real(t, i))) return false;
  return true;
}

StepScores room_for_scores(const ir::Module& m, const TrainProgram& p) {
  const ir::Func& f = m[p.train_example];
  return {Tensor::zeros(m.types.dtype(f[f.results[0]].type), {}), std::vector<float>(p.metrics.size(), 0.0f), {}};
}

std::optional<BatchBuffers> room(RunSetup& s, const DataSet& data, int64_t batch) {
  auto made = make_batch_buffers(data, batch);
  if (made) return std::move(*made);
  s.session.diags().report(no_memory, s.program.loss_span, batch, made.error()).help("make `batch` smaller");
  return std::nullopt;
}

constexpr std::string_view no_batch_axis = "E0711";

// Rows of different shapes, or values of earlier statements that are no tensors, are worked on one example at a time.
bool needs_examples(const RunSetup& s, const DataSet& data) {
  return !data.lists.empty() || !std::all_of(s.captures.begin(), s.captures.end(), [](const Value& v) { return v.is_tensor(); });
}

std::optional<ir::FuncId> example_step(RunSetup& s, std::map<int64_t, ir::FuncId>& ready, int64_t batch, bool training) {
  if (auto it = ready.find(batch); it != ready.end()) return it->second;
  ir::Module& m = s.session.module();
  auto func = training ? training_step_by_example(m, s.program, batch) : evaluation_step_by_example(m, s.program, batch);
  if (!func) return s.session.diags().add(std::move(func.error())), std::nullopt;
  return ready[batch] = *func;
}

Tensor row_streams(int64_t root, std::span<const int64_t> rows) {
  BatchBuffers room{{}, Tensor::zeros(DType::i64, {static_cast<int64_t>(rows.size())})};
  fill_streams(root, rows, room);
  return room.streams;
}

void take_scores(const RunSetup& s, std::span<const Value> results, StepScores& into) {
  const size_t metrics = s.program.metrics.size();
  into.loss = results[0].tensor();
  into.counts.resize(metrics);
  for (size_t k = 0; k < metrics; ++k) {
    into.metrics[k] = static_cast<float>(interp::element_real(results[1 + k].tensor(), 0));
    into.counts[k] = static_cast<float>(interp::element_real(results[1 + metrics + k].tensor(), 0));
  }
}

std::optional<Runner> make_runner(RunSetup& s, std::expected<ir::FuncId, Diagnostic> func) {
  if (!func) {
    s.session.diags().add(std::move(func.error()));
    return std::nullopt;
  }
  auto made = Runner::make(s.session.module(), *func, s.run);
  if (made) return std::move(*made);
  s.session.report(made.error());
  return std::nullopt;
}

void add_pointers(std::vector<const void*>& to, std::span<const Tensor> tensors) {
  for (const Tensor& t : tensors) to.push_back(t.data->data());
}

void add_pointers(std::vector<void*>& to, std::span<const Tensor> tensors) {
  for (const Tensor& t : tensors) to.push_back(t.data->data());
}

void add_scores(std::vector<void*>& to, StepScores& scores) {
  to.push_back(scores.loss.data->data());
  for (float& f : scores.metrics) to.push_back(&f);
}
}  // namespace

Weights like(const Weights& w) {
  Weights made;
  for (const Tensor& t : w.params) made.params.push_back(Tensor::zeros(t.dtype, t.shape));
  for (const Tensor& t : w.states) made.states.push_back(Tensor::zeros(t.dtype, t.shape));
  return made;
}

bool all_finite(std::span<const Tensor> tensors) { return std::all_of(tensors.begin(), tensors.end(), finite); }

// ---- training -------------------------------------------------------------------------------------

TrainingSteps::TrainingSteps(RunSetup& setup, const DataSet& data, Weights start)
    : setup_(setup),
      data_(data),
      sides_{std::move(start), {}},
      step_(Tensor::scalar<int32_t>(0)),
      epoch_(Tensor::scalar(0.0f)),
      scores_(room_for_scores(setup.session.module(), setup.program)) {
  sides_[1] = like(sides_[0]);
  by_example_ = needs_examples(setup, data);
}

// A batch of all rows is read where the data lies.
const void* TrainingSteps::column(size_t k, int64_t batch) const {
  return batch == data_.count ? data_.columns[k].data->data() : room_->columns[k].data->data();
}

void TrainingSteps::connect(Ready& r) {
  const int64_t batch = room_for_;
  for (size_t side = 0; side < 2; ++side) {
    r.in[side] = {step_.data->data(), epoch_.data->data(), room_->streams.data->data()};
    add_pointers(r.in[side], sides_[side].params);
    add_pointers(r.in[side], sides_[side].states);
    for (size_t k = 0; k < data_.columns.size(); ++k) r.in[side].push_back(column(k, batch));
    for (const Value& c : setup_.captures) r.in[side].push_back(c.tensor().data->data());
    r.out[side].clear();
    add_pointers(r.out[side], sides_[1 - side].params);
    add_pointers(r.out[side], sides_[1 - side].states);
    add_scores(r.out[side], scores_);
  }
}

TrainingSteps::Ready* TrainingSteps::ready(int64_t batch) {
  if (auto it = ready_.find(batch); it != ready_.end()) return &it->second;
  if (batch > room_for_) {  // the first batch is the largest, so this happens once
    if (room_ = room(setup_, data_, batch); !room_) return nullptr;
    room_for_ = batch;
  }
  auto func = training_step(setup_.session.module(), setup_.program, batch);
  by_example_ = !func && func.error().code == no_batch_axis;
  if (by_example_) return nullptr;
  auto runner = make_runner(setup_, func);
  if (!runner) return nullptr;
  Ready& r = ready_.emplace(batch, Ready{*func, std::move(*runner), {}, {}}).first->second;
  connect(r);
  return &r;
}

bool TrainingSteps::run(std::span<const int64_t> rows, int64_t step, float epoch, int64_t root) {
  step_.as<int32_t>()[0] = static_cast<int32_t>(step);
  epoch_.as<float>()[0] = epoch;
  Ready* r = by_example_ ? nullptr : ready(static_cast<int64_t>(rows.size()));
  if (by_example_) return run_by_example(rows, root);
  if (!r) return false;
  last_ = r;
  if (static_cast<int64_t>(rows.size()) != data_.count) gather_rows(data_, rows, *room_);
  fill_streams(root, rows, *room_);
  if (auto done = r->runner.run(r->in[now_], r->out[now_]); !done) return setup_.session.report(done.error()), false;
  now_ = 1 - now_;
  return true;
}

bool TrainingSteps::run_by_example(std::span<const int64_t> rows, int64_t root) {
  auto func = example_step(setup_, examples_ready_, static_cast<int64_t>(rows.size()), true);
  if (!func) return false;
  const Weights& before = sides_[now_];
  std::vector<Value> args{step_, epoch_, row_streams(root, rows)};
  args.insert(args.end(), before.params.begin(), before.params.end());
  args.insert(args.end(), before.states.begin(), before.states.end());
  for (const Value& column : as_lists(data_)) args.push_back(chosen_items(column, rows));
  args.insert(args.end(), setup_.captures.begin(), setup_.captures.end());
  last_by_example_ = *func, last_args_ = args;
  auto results = interp::evaluate(setup_.session.module(), setup_.session.module()[*func], args, setup_.run.evaluate);
  if (!results) return setup_.session.report(results.error()), false;
  Weights& after = sides_[1 - now_];
  for (size_t i = 0; i < after.params.size(); ++i) after.params[i] = (*results)[i].tensor();
  for (size_t i = 0; i < after.states.size(); ++i) after.states[i] = (*results)[after.params.size() + i].tensor();
  take_scores(setup_, std::span<const Value>(*results).subspan(after.params.size() + after.states.size()), scores_);
  now_ = 1 - now_;
  return true;
}

const ir::Func& TrainingSteps::last_func() const { return setup_.session.module()[by_example_ ? last_by_example_ : last_->func]; }

std::vector<Value> TrainingSteps::last_inputs() const {
  return by_example_ ? last_args_ : values_at(setup_.session.module(), last_func(), last_->in[1 - now_]);
}

// ---- evaluation -----------------------------------------------------------------------------------

EvaluationSteps::EvaluationSteps(RunSetup& setup, const DataSet& data, int64_t batch, int64_t seed)
    : setup_(setup),
      data_(data),
      batch_(batch <= 0 ? data.count : std::min(batch, data.count)),
      root_(evaluation_root(seed)),
      scores_(room_for_scores(setup.session.module(), setup.program)),
      tally_(setup.session.module(), setup.program) {
  in_order(order_, data.count);
  by_example_ = needs_examples(setup, data);
}

Runner* EvaluationSteps::ready(int64_t batch) {
  if (auto it = ready_.find(batch); it != ready_.end()) return &it->second;
  if (!room_ && !(room_ = room(setup_, data_, batch_))) return nullptr;
  auto func = evaluation_step(setup_.session.module(), setup_.program, batch);
  by_example_ = !func && func.error().code == no_batch_axis;
  if (by_example_) return nullptr;
  auto runner = make_runner(setup_, std::move(func));
  return runner ? &ready_.emplace(batch, std::move(*runner)).first->second : nullptr;
}

bool EvaluationSteps::run_batch(std::span<const int64_t> rows, std::span<const Tensor> params) {
  Runner* runner = by_example_ ? nullptr : ready(static_cast<int64_t>(rows.size()));
  if (by_example_) return run_by_example(rows, params);
  if (!runner) return false;
  gather_rows(data_, rows, *room_);
  fill_streams(root_, rows, *room_);
  in_.clear(), out_.clear();
  in_.push_back(room_->streams.data->data());
  add_pointers(in_, params);
  add_pointers(in_, room_->columns);
  for (const Value& c : setup_.captures) in_.push_back(c.tensor().data->data());
  add_scores(out_, scores_);
  if (auto done = runner->run(in_, out_); !done) return setup_.session.report(done.error()), false;
  tally_.add(static_cast<int64_t>(rows.size()), scores_.mean_loss(), scores_.metrics);
  return true;
}

bool EvaluationSteps::run_by_example(std::span<const int64_t> rows, std::span<const Tensor> params) {
  auto func = example_step(setup_, examples_ready_, static_cast<int64_t>(rows.size()), false);
  if (!func) return false;
  std::vector<Value> args{row_streams(root_, rows)};
  args.insert(args.end(), params.begin(), params.end());
  for (const Value& column : as_lists(data_)) args.push_back(chosen_items(column, rows));
  args.insert(args.end(), setup_.captures.begin(), setup_.captures.end());
  auto results = interp::evaluate(setup_.session.module(), setup_.session.module()[*func], args, setup_.run.evaluate);
  if (!results) return setup_.session.report(results.error()), false;
  take_scores(setup_, *results, scores_);
  tally_.add(static_cast<int64_t>(rows.size()), scores_.mean_loss(), scores_.metrics, scores_.counts);
  return true;
}

std::optional<Scores> EvaluationSteps::run(std::span<const Tensor> params) {
  tally_.clear();
  const std::span<const int64_t> order(order_);
  const auto batch = static_cast<size_t>(batch_);
  for (size_t at = 0; at < order.size(); at += batch)
    if (!run_batch(order.subspan(at, std::min(batch, order.size() - at)), params)) return std::nullopt;
  return tally_.scores(setup_.session, setup_.program);
}

}  // namespace glia::train
