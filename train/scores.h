// Losses and metrics of many examples: sums, so that a partial batch weighs as much as its examples.
#pragma once
#include <optional>
#include <vector>

#include "train/session.h"

namespace glia::train {

// Means by example; metrics in the order of the program, after their `finish`.
struct Scores {
  double loss = 0;
  std::vector<double> metrics;
};

class Tally {
 public:
  explicit Tally(const ir::Module& module, const TrainProgram& program);
  void clear();
  // How many numbers the metrics gave: as many for each example, or the counts.
  void add(int64_t examples, double mean_loss, std::span<const float> metric_sums, std::span<const float> metric_counts = {});

  int64_t examples() const { return examples_; }
  double loss() const { return examples_ == 0 ? 0 : loss_ / static_cast<double>(examples_); }
  // Runs the functions that finish metrics; nothing where one failed, which has been reported.
  std::optional<Scores> scores(Session& session, const TrainProgram& program) const;

 private:
  int64_t examples_ = 0;
  double loss_ = 0;
  std::vector<double> sums_, counts_;
  std::vector<double> sizes_;  // numbers a metric gives for one example
};

// The values of the program's captures, in order; nothing where one was never computed (reported).
std::optional<std::vector<interp::Value>> captured(Session& session, const TrainProgram& program);

// Arguments for a function of the train block: followed by the captures where it takes them.
std::vector<interp::Value> with_captures(const ir::Func& f, std::vector<interp::Value> args, std::span<const interp::Value> captures);

}  // namespace glia::train
