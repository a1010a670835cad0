// Sums in f64 over what steps give in f32.
#include "train/scores.h"

#include "train/step.h"

namespace glia::train {

using interp::Tensor;
using interp::Value;

Tally::Tally(const ir::Module& module, const TrainProgram& program) : sums_(program.metrics.size(), 0.0), counts_(program.metrics.size(), 0.0) {
  for (const Metric& m : program.metrics) sizes_.push_back(static_cast<double>(metric_size(module, program, m)));
}

void Tally::clear() {
  examples_ = 0, loss_ = 0;
  std::fill(sums_.begin(), sums_.end(), 0.0);
  std::fill(counts_.begin(), counts_.end(), 0.0);
}

void Tally::add(int64_t examples, double mean_loss, std::span<const float> metric_sums, std::span<const float> metric_counts) {
  examples_ += examples;
  for (size_t i = 0; i < sums_.size(); ++i) counts_[i] += metric_counts.empty() ? sizes_[i] * static_cast<double>(examples) : metric_counts[i];
  loss_ += mean_loss * static_cast<double>(examples);
  for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += metric_sums[i];
}

std::optional<Scores> Tally::scores(Session& session, const TrainProgram& program) const {
  Scores s{loss(), {}};
  for (size_t i = 0; i < sums_.size(); ++i) {
    double mean = counts_[i] == 0 ? 0 : sums_[i] / counts_[i];
    if (const auto finish = program.metrics[i].finish) {
      auto captures = captured(session, program);
      if (!captures) return std::nullopt;
      const std::vector<Value> args = with_captures(session.module()[*finish], {Tensor::scalar(static_cast<float>(mean))}, *captures);
      const auto finished = session.evaluate(*finish, args);
      if (!finished) return std::nullopt;
      mean = interp::element_real((*finished)[0].tensor(), 0);
    }
    s.metrics.push_back(mean);
  }
  return s;
}

std::optional<std::vector<Value>> captured(Session& session, const TrainProgram& program) {
  std::vector<Value> values;
  for (GlobalId id : program.captures) {
    const Value* v = session.value(id);
    if (!v) return std::nullopt;
    values.push_back(*v);
  }
  return values;
}

std::vector<Value> with_captures(const ir::Func& f, std::vector<Value> args, std::span<const Value> captures) {
  if (f.params.size() > args.size()) args.insert(args.end(), captures.begin(), captures.end());
  return args;
}

}  // namespace glia::train
