// The IR of one training step and of one evaluation step, composed from the functions of a train block that are written
// for one example.
#pragma once
#include <expected>
#include <span>
#include <vector>

#include "ir/value.h"

#include "parser/program.h"
#include "train/lower.h"

namespace glia::train {

// (step: i32, epoch: f32, streams: i64[batch], params.., states.., columns.., captures..)
//   -> (params.., states.., mean loss, metric sums..)
// A metric sum is f32, over all its elements of all examples. The loss is differentiated after batching, so that a shared
// weight has one gradient, a contraction over the batch, and never one per example.
std::expected<ir::FuncId, Diagnostic> training_step(ir::Module& module, const TrainProgram& program, int64_t batch,
                                                    const Stages& seen = {});

// (streams: i64[batch], params.., columns.., captures..) -> (mean loss, metric sums..)
std::expected<ir::FuncId, Diagnostic> evaluation_step(ir::Module& module, const TrainProgram& program, int64_t batch,
                                                      const Stages& seen = {});

// The optimiser's update: new parameters and states from a gradient for each trained parameter.
std::vector<ir::Value> updated(ir::Builder& b, const TrainProgram& program, ir::Value step, ir::Value epoch, std::span<const ir::Value> params,
                               std::span<const ir::Value> grads, std::span<const ir::Value> states, std::span<const ir::Value> captures);

// How many numbers a metric gives for one example.
int64_t metric_size(const ir::Module& module, const TrainProgram& program, const Metric& metric);

// Which parameters are trained, by position.
std::vector<size_t> trained(const TrainProgram& program);

}  // namespace glia::train
