// One run: the state of the loop is the class Run; what it starts from is read and checked before.
#include "train/loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "train/weights.h"

namespace glia::train {

using interp::Tensor;
using interp::Value;

namespace {
inline constexpr DiagKind wrong_data{"E0604", Severity::error, "cannot train on this data: {}"};
inline constexpr DiagKind no_rows{"E0605", Severity::error, "{} has no rows"};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

std::optional<DataSet> read_rows(Session& s, const TrainProgram& p, GlobalId id, std::string_view which) {
  const Value* v = s.value(id);
  if (!v) return std::nullopt;
  auto set = make_data_set(*v, s.module().types, p.columns, p.column_names);
  if (!set) return s.diags().report(wrong_data, p.loss_span, set.error()), std::nullopt;
  if (set->count == 0) return s.diags().report(no_rows, p.loss_span, which), std::nullopt;
  return std::move(*set);
}

std::optional<std::vector<Tensor>> tensors_of(Session& s, ir::FuncId f, std::vector<Value> args, std::span<const Value> captures) {
  auto values = s.evaluate(f, with_captures(s.module()[f], std::move(args), captures));
  if (!values) return std::nullopt;
  std::vector<Tensor> tensors;
  for (const Value& v : *values) {
    Tensor own = Tensor::zeros(v.tensor().dtype, v.tensor().shape);  // steps write into it, so it is not shared
    std::copy_n(v.tensor().data->data(), own.byte_size(), own.data->data());
    tensors.push_back(std::move(own));
  }
  return tensors;
}

// How long the run is, from what the train block says.
struct Schedule {
  int64_t batch, steps_per_epoch, epochs, steps;
};

Schedule schedule_of(const TrainSettings& t, int64_t rows) {
  Schedule s{};
  s.batch = t.batch <= 0 ? rows : std::min(t.batch, rows);
  s.steps_per_epoch = (rows + s.batch - 1) / s.batch;
  if (t.epochs < 0 && t.steps >= 0) s.epochs = (t.steps + s.steps_per_epoch - 1) / s.steps_per_epoch;
  else s.epochs = t.epochs < 0 ? 1 : t.epochs;
  s.steps = s.epochs * s.steps_per_epoch;
  if (t.steps >= 0) s.steps = std::min(s.steps, t.steps);
  return s;
}

class Run {
 public:
  Run(RunSetup& setup, const TrainRequest& request, const DataSet& data, const DataSet* validate, Weights start, int64_t seed)
      : setup_(setup),
        request_(request),
        data_(data),
        seed_(seed),
        schedule_(schedule_of(setup.program.settings, data.count)),
        steps_(setup, data, std::move(start)),
        tally_(setup.session.module(), setup.program) {
    if (validate) validation_.emplace(setup, *validate, setup.program.settings.batch, seed);
  }

  std::optional<TrainResult> run() {
    start();
    if (setup_.program.settings.validate_every > 0 && !validate_step()) return std::nullopt;
    while (step_ < schedule_.steps)
      if (!run_epoch()) return std::nullopt;
    if (schedule_.steps == 0) {
      train_ = {};
      if (!validate()) return std::nullopt;
    }
    if (!request_.out.empty() && !save()) return std::nullopt;
    request_.log.event(Ended{epoch_, step_, train_, validated_, seconds_since(began_), request_.out});
    return TrainResult{steps_.weights().params, train_, validated_, step_};
  }

 private:
  void start() {
    Started e;
    e.file = request_.file, e.model = setup_.program.model, e.options = request_.options;
    for (const Metric& m : setup_.program.metrics) e.metrics.push_back(m.name);
    for (size_t i = 0; i < setup_.program.params.size(); ++i)
      if (setup_.program.params[i].trainable) e.parameters += steps_.weights().params[i].size();
    e.examples = data_.count, e.batch = schedule_.batch, e.epochs = schedule_.epochs, e.steps = schedule_.steps, e.seed = seed_;
    e.threads = setup_.run.threads;
    request_.log.event(e);
  }

  bool run_epoch() {
    const auto began = Clock::now();
    validating_ = 0;
    tally_.clear();
    const bool whole = schedule_.batch == data_.count;  // the order of one batch of all rows says nothing
    if (setup_.program.settings.shuffle && !whole) shuffled(order_, data_.count, seed_, epoch_);
    else in_order(order_, data_.count);
    ++epoch_;
    const std::span<const int64_t> order(order_);
    const auto batch = static_cast<size_t>(schedule_.batch);
    for (size_t at = 0; at < order.size() && step_ < schedule_.steps; at += batch)
      if (!run_step(order.subspan(at, std::min(batch, order.size() - at)), began)) return false;
    return end_epoch(began);
  }

  bool run_step(std::span<const int64_t> rows, Clock::time_point began) {
    const double epoch = static_cast<double>(step_) / static_cast<double>(schedule_.steps_per_epoch);
    ++step_;
    if (!steps_.run(rows, step_, static_cast<float>(epoch), step_root(seed_, step_))) return false;
    const double loss = steps_.scores().mean_loss();
    if (!std::isfinite(loss) || !all_finite(steps_.weights().params)) return blame_step(setup_, steps_, step_, epoch_), false;
    tally_.add(static_cast<int64_t>(rows.size()), loss, steps_.scores().metrics, steps_.scores().counts);
    const bool validates = setup_.program.settings.validate_every > 0 && step_ % setup_.program.settings.validate_every == 0;
    if (validates) return validate_step(loss, began);
    return !request_.log.wants_step(step_) || tell_step(loss, began, std::nullopt);
  }

  bool tell_step(double loss, Clock::time_point began, std::optional<Scores> validated) {
    StepDone e{step_, epoch_, loss, tally_.loss(), tally_.examples(), seconds_since(began_), 0, {}, std::move(validated)};
    e.examples_per_s = static_cast<double>(tally_.examples()) / std::max(1e-9, seconds_since(began) - validating_);
    auto scores = tally_.scores(setup_.session, setup_.program);
    if (!scores) return false;
    e.metrics = std::move(scores->metrics);
    request_.log.event(e);
    return true;
  }

  bool validate() {
    if (!validation_) return true;
    const auto began = Clock::now();
    validated_ = validation_->run(steps_.weights().params);
    validated_at_ = step_;
    validating_ += seconds_since(began);
    return validated_.has_value();
  }

  bool validate_step(std::optional<double> loss = {}, Clock::time_point began = Clock::now()) {
    if (!validation_) return true;
    if (!validate()) return false;
    if (loss) return tell_step(*loss, began, validated_);
    StepDone e;  // before the first step
    e.loss = e.mean_loss = std::nan("");
    e.validate = validated_;
    request_.log.event(e);
    return true;
  }

  bool end_epoch(Clock::time_point began) {
    const double spent = seconds_since(began) - validating_;
    auto scores = tally_.scores(setup_.session, setup_.program);
    if (!scores) return false;
    train_ = std::move(*scores);
    const bool due = setup_.program.settings.validate_every <= 0 || step_ == schedule_.steps;
    if (due && validated_at_ != step_ && !validate()) return false;
    EpochDone e{epoch_, step_, train_, validated_at_ == step_ ? validated_ : std::nullopt, 0, seconds_since(began)};
    e.examples_per_s = static_cast<double>(tally_.examples()) / std::max(1e-9, spent);
    request_.log.event(e);
    return run_on_epoch();
  }

  // What the program does after an epoch, such as printing samples.
  bool run_on_epoch() {
    const auto& f = setup_.program.on_epoch;
    if (!f) return true;
    std::vector<Value> args{Tensor::scalar<int64_t>(step_root(seed_, step_))};
    args.insert(args.end(), steps_.weights().params.begin(), steps_.weights().params.end());
    return setup_.session.evaluate(*f, with_captures(setup_.session.module()[*f], std::move(args), setup_.captures)).has_value();
  }

  bool save() {
    auto saved = save_weights(request_.out, setup_.program, steps_.weights().params);
    if (!saved) report_world(setup_.session.diags(), saved.error());
    return saved.has_value();
  }

  RunSetup& setup_;
  const TrainRequest& request_;
  const DataSet& data_;
  int64_t seed_;
  Schedule schedule_;
  TrainingSteps steps_;
  std::optional<EvaluationSteps> validation_;
  Tally tally_;
  Scores train_;
  std::optional<Scores> validated_;
  int64_t validated_at_ = -1, step_ = 0, epoch_ = 0;
  double validating_ = 0;  // seconds of this epoch
  std::vector<int64_t> order_;
  Clock::time_point began_ = Clock::now();
};

RunOptions run_options(const Session& s, const TrainRequest& r) {
  RunOptions o = r.run;
  o.evaluate = s.eval_options();
  return o;
}
}  // namespace

std::optional<int64_t> batch_size(Session& session, const TrainProgram& program) {
  const auto data = read_rows(session, program, program.data, "the data");
  if (!data) return std::nullopt;
  return schedule_of(program.settings, data->count).batch;
}

int64_t seed_of(const Session& session, const TrainProgram& program, const TrainRequest& request) {
  if (request.seed) return *request.seed;
  return program.settings.seed >= 0 ? program.settings.seed : session.seed();
}

std::optional<std::vector<Tensor>> initial_params(Session& s, const TrainProgram& p, int64_t seed) {
  auto captures = captured(s, p);
  if (!captures) return std::nullopt;
  return tensors_of(s, p.init, {Tensor::scalar<int64_t>(init_root(seed))}, *captures);
}

std::optional<TrainResult> run_training(Session& s, const TrainProgram& p, const TrainRequest& request) {
  auto captures = captured(s, p);
  auto data = read_rows(s, p, p.data, "the data");
  if (!captures || !data) return std::nullopt;
  std::optional<DataSet> validate;
  if (p.validate && !(validate = read_rows(s, p, *p.validate, "the validation data"))) return std::nullopt;
  const int64_t seed = seed_of(s, p, request);
  auto params = initial_params(s, p, seed);
  if (!params) return std::nullopt;
  auto states = tensors_of(s, p.init_states, {params->begin(), params->end()}, *captures);
  if (!states) return std::nullopt;
  RunSetup setup{s, p, std::move(*captures), run_options(s, request)};
  Run run(setup, request, *data, validate ? &*validate : nullptr, {std::move(*params), std::move(*states)}, seed);
  return run.run();
}

std::optional<Scores> run_evaluation(Session& s, const TrainProgram& p, std::span<const Tensor> params, const TrainRequest& request) {
  auto captures = captured(s, p);
  auto data = read_rows(s, p, p.validate.value_or(p.data), "the data");
  if (!captures || !data) return std::nullopt;
  RunSetup setup{s, p, std::move(*captures), run_options(s, request)};
  return EvaluationSteps(setup, *data, p.settings.batch, seed_of(s, p, request)).run(params);
}

}  // namespace glia::train
