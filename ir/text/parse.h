// Reads the text form of functions. Whatever the text, the answer is a verified function or an error that names the line.
#pragma once
#include <string_view>

#include "base/error.h"
#include "ir/func.h"

namespace glia::ir {

// Adds the functions of the text to the module; gives the last of them.
Result<FuncId> parse_ir(Module& module, std::string_view text);

}  // namespace glia::ir
