// A training or evaluation step that goes through its rows one after the other: for programs whose examples differ in shape,
// so that they have no batch axis. The same mean loss and gradient as a batched step, run by the reference evaluator.
#pragma once
#include "train/step.h"

namespace glia::train {

// (step, epoch, streams: i64[batch], params.., states.., a list for each column.., captures..)
//   -> (params.., states.., mean loss, metric sums.., numbers in each metric..)
std::expected<ir::FuncId, Diagnostic> training_step_by_example(ir::Module& module, const TrainProgram& program, int64_t batch);

// (streams, params.., a list for each column.., captures..) -> (mean loss, metric sums.., numbers in each metric..)
std::expected<ir::FuncId, Diagnostic> evaluation_step_by_example(ir::Module& module, const TrainProgram& program, int64_t batch);

}  // namespace glia::train
