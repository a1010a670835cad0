// Batching: a function over one more leading axis for some of its parameters, the rest shared by all rows. Straight-line
// code becomes straight-line code; shared weights give one matrix product.
#pragma once
#include <expected>

#include "base/diag.h"
#include "ir/func.h"

namespace glia::ir {

struct BatchedFunc {
  FuncId func;
  std::vector<bool> batched;  // by result; a result that no row changes stays as it is
};

// f over `rows` for the parameters flagged. What has no rule of its own (a branch or a loop whose condition differs from
// row to row) becomes a `map` over the rows. Refused: lists and other values without a leading axis, output, and
// batch_mean or batch_sum under such a branch.
std::expected<BatchedFunc, Diagnostic> batch(Module& m, FuncId f, const std::vector<bool>& batched, DimId rows);

// Every `map` whose body can be batched over its index becomes code over a leading axis; innermost first, in nested
// functions too. The others stay.
Func expand_maps(Module& m, const Func& f);

}  // namespace glia::ir
