// Parameters in safetensors files, by their paths in the model.
#pragma once
#include <optional>

#include "base/diag.h"
#include "interp/tensor.h"
#include "parser/program.h"

namespace glia::train {

Result<void> save_weights(const std::string& path, const TrainProgram& program, std::span<const interp::Tensor> params);

// The file's arrays in the order of the program's parameters. What does not fit (a missing or unknown name, another shape
// or element type) is reported, all of it at once.
std::optional<std::vector<interp::Tensor>> load_weights(const std::string& path, const ir::Types& types, const TrainProgram& program,
                                                        Diagnostics& diags);

void report_world(Diagnostics& diags, const Error& error);

}  // namespace glia::train
