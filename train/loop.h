// The training run: epochs of minibatches, validation, and a stop at the first number that is not finite.
#pragma once
#include <optional>

#include "train/events.h"
#include "train/plans.h"

namespace glia::train {

struct TrainRequest {
  std::string file;             // for the log
  OptionValues options;         // for the log
  std::optional<int64_t> seed;  // else the train block's, else the program's
  RunOptions run;
  Log log;
  std::string out;  // safetensors file for the weights; empty: none
};

struct TrainResult {
  std::vector<interp::Tensor> params;
  Scores train;  // of the last epoch, in training mode
  std::optional<Scores> validate;
  int64_t steps = 0;
};

// Nothing where the run failed: the diagnostics say why.
std::optional<TrainResult> run_training(Session& session, const TrainProgram& program, const TrainRequest& request);

// Loss and metrics of given parameters on the validation data, or on the data where there is none.
std::optional<Scores> run_evaluation(Session& session, const TrainProgram& program, std::span<const interp::Tensor> params,
                                     const TrainRequest& request);

// Examples in a full step: of the train block, and never more than there are. Nothing where the data is wrong (reported).
std::optional<int64_t> batch_size(Session& session, const TrainProgram& program);

int64_t seed_of(const Session& session, const TrainProgram& program, const TrainRequest& request);

// Freshly initialised parameters.
std::optional<std::vector<interp::Tensor>> initial_params(Session& session, const TrainProgram& program, int64_t seed);

// Finds what in the step just run made the first number that is not finite, and reports it.
void blame_step(RunSetup& setup, const TrainingSteps& steps, int64_t step, int64_t epoch);

}  // namespace glia::train
