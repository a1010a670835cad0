// The same function in double precision: the oracle that tests measure f32 results against.
#pragma once
#include "ir/func.h"

namespace glia::ir {

// f32 becomes f64 in every type, constant and conversion, in nested functions too. Random draws and what the host reads
// stay the same numbers: they are made in f32 and converted.
Func widen(Module& m, const Func& f);
TypeId widened(Module& m, TypeId type);

}  // namespace glia::ir
