// What a training run tells while it goes on. Logs are functions of events: json, plain lines, or a progress bar.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "train/scores.h"

namespace glia::train {

struct Started {
  std::string file, model;
  std::vector<std::string> metrics;  // names, in the order of Scores
  int64_t parameters = 0, examples = 0, batch = 0, epochs = 0, steps = 0, seed = 0;
  int threads = 1;
  OptionValues options;
};

struct StepDone {
  int64_t step = 0, epoch = 0;  // from 1
  double loss = 0;              // of this step's batch
  double mean_loss = 0;         // of the epoch so far
  int64_t examples = 0;         // of the epoch so far
  double seconds = 0, examples_per_s = 0;
  std::vector<double> metrics;  // means of the epoch so far; only where `wants_step` said yes
  std::optional<Scores> validate;
};

struct EpochDone {
  int64_t epoch = 0, step = 0;
  Scores train;
  std::optional<Scores> validate;
  double examples_per_s = 0, seconds = 0;
};

struct Ended {
  int64_t epochs = 0, steps = 0;
  Scores train;
  std::optional<Scores> validate;
  double seconds = 0;
  std::string out;  // where the weights went; empty: nowhere
};

using Event = std::variant<Started, StepDone, EpochDone, Ended>;

struct Log {
  std::function<bool(int64_t step)> wants_step;  // asked after each step
  std::function<void(const Event&)> event;
};

}  // namespace glia::train
