// From what the front end hands over to what can be run: derivatives and maps expanded, simplified.
#pragma once
#include <expected>
#include <functional>
#include <string_view>

#include "base/diag.h"
#include "ir/func.h"

namespace glia::train {

// Called after each stage with its name and the function then.
using Stages = std::function<void(std::string_view name, const ir::Func& f)>;

std::expected<ir::FuncId, Diagnostic> lower(ir::Module& module, ir::FuncId func, const Stages& seen = {});

}  // namespace glia::train
