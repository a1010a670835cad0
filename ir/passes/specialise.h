// Makes a function for known sizes: in types and attributes, in nested functions too; `dim` becomes a constant, calls
// become what they call.
#pragma once
#include <expected>

#include "base/diag.h"
#include "ir/func.h"

namespace glia::ir {

// A diagnostic where a size that is known only now does not fit: a slice past the end, a reshape to another count.
std::expected<Func, Diagnostic> specialise(Module& m, const Func& f, const Dims::Bindings& sizes);

}  // namespace glia::ir
