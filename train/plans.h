// The compiled steps of a run and the memory they work on: parameters and states twice, so that what a step read is
// still there when its result turns out wrong; one batch of rows; the scores. After the first step of each batch size
// nothing is allocated.
#pragma once
#include <map>
#include <optional>

#include "train/rows.h"
#include "train/runner.h"
#include "train/scores.h"

namespace glia::train {

struct RunSetup {
  Session& session;
  const TrainProgram& program;
  std::vector<interp::Value> captures;
  RunOptions run;
};

// Parameters and optimiser states, side by side.
struct Weights {
  std::vector<interp::Tensor> params, states;
};
Weights like(const Weights& w);  // the same sizes, contents undefined
bool all_finite(std::span<const interp::Tensor> tensors);

// The scores that a step writes.
struct StepScores {
  interp::Tensor loss;
  std::vector<float> metrics, counts;  // counts: where examples give different numbers of them
  double mean_loss() const { return interp::element_real(loss, 0); }
};

class TrainingSteps {
 public:
  TrainingSteps(RunSetup& setup, const DataSet& data, Weights start);

  // One step on these rows; false: it failed and was reported.
  bool run(std::span<const int64_t> rows, int64_t step, float epoch, int64_t root);
  const StepScores& scores() const { return scores_; }
  const Weights& weights() const { return sides_[now_]; }  // after the last step
  const Weights& weights_before() const { return sides_[1 - now_]; }

  // What the last step was given, for finding out what went wrong in it.
  const ir::Func& last_func() const;
  std::vector<interp::Value> last_inputs() const;

 private:
  struct Ready {
    ir::FuncId func;
    Runner runner;
    std::vector<const void*> in[2];  // by the side that is read
    std::vector<void*> out[2];
  };
  Ready* ready(int64_t batch);
  bool run_by_example(std::span<const int64_t> rows, int64_t root);
  void connect(Ready& r);
  const void* column(size_t k, int64_t batch) const;

  RunSetup& setup_;
  const DataSet& data_;
  Weights sides_[2];
  size_t now_ = 0;
  std::optional<BatchBuffers> room_;
  int64_t room_for_ = 0;
  interp::Tensor step_, epoch_;
  StepScores scores_;
  std::map<int64_t, Ready> ready_;
  Ready* last_ = nullptr;
  bool by_example_ = false;                     // rows have no batch axis: one after the other
  std::map<int64_t, ir::FuncId> examples_ready_;
  ir::FuncId last_by_example_;
  std::vector<interp::Value> last_args_;
};

// Scores of a whole data set, in order, in batches; nothing where it failed, which was reported.
class EvaluationSteps {
 public:
  EvaluationSteps(RunSetup& setup, const DataSet& data, int64_t batch, int64_t seed);
  std::optional<Scores> run(std::span<const interp::Tensor> params);

 private:
  bool run_batch(std::span<const int64_t> rows, std::span<const interp::Tensor> params);
  Runner* ready(int64_t batch);
  bool run_by_example(std::span<const int64_t> rows, std::span<const interp::Tensor> params);

  bool by_example_ = false;
  std::map<int64_t, ir::FuncId> examples_ready_;
  RunSetup& setup_;
  const DataSet& data_;
  int64_t batch_, root_;
  std::optional<BatchBuffers> room_;
  StepScores scores_;
  std::vector<int64_t> order_;
  Tally tally_;
  std::map<int64_t, Runner> ready_;
  std::vector<const void*> in_;
  std::vector<void*> out_;
};

}  // namespace glia::train
