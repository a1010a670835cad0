// A function that runs forward and then backward, cut in two: the forward half keeps on a tape what the backward half needs.
#pragma once
#include "ir/func.h"

namespace glia::ir {

struct Halves {
  Func forward;   // (args..) -> (results.., tape)
  Func backward;  // (tape, late..) -> (found..)
};

// `whole` takes args.. and what comes late, and gives results.. (which do not depend on what comes late) and what is
// found. What is cheap to make is made again instead of being kept.
Halves partition(Module& m, const Func& whole, size_t args, size_t results);

}  // namespace glia::ir
