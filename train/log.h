// Where events go: JSON lines for programs, plain lines for files, a progress bar for people.
#pragma once
#include <cstdio>
#include <string>

#include "train/events.h"

namespace glia::train {

Log json_log(std::FILE* out);   // one object a line: start, step (every 100th, and each that validates), epoch, end
Log plain_log(std::FILE* out);  // one line an epoch, and the last scores
// Redraws one line of `terminal` in place, at most ten times a second; finished epochs stay above it.
Log progress_log(std::FILE* terminal, std::FILE* out);

// "loss 0.3412  accuracy 0.9012"
std::string scores_text(const Scores& s, const std::vector<std::string>& metrics);
// The same as a JSON object: { "event": "eval", "loss": …, "metrics": { … } }
std::string scores_line(const Scores& s, const std::vector<std::string>& metrics);
std::string duration_text(double seconds);  // "42 s", "3:07", "1:02:03"
// One line of the progress bar in at most `width` columns.
std::string bar_text(const Started& run, const StepDone& e, size_t width);

}  // namespace glia::train
