// A function that uses every op, by a few arguments of many types; shared by the tests of text, verifier and passes.
#pragma once
#include <string>

#include "ir/func.h"

namespace glia::ir {

FuncId every_op(Module& m);

}  // namespace glia::ir
