// What batching knows of a value: whether it has the axis of the rows; of a tuple, for each element.
#pragma once
#include <expected>

#include "base/diag.h"
#include "ir/ops/op.h"

namespace glia::ir {

struct Rows {
  Value value;               // of a tuple: invalid
  bool batched = false;
  TypeId type;               // without the axis
  std::vector<Rows> elems;   // of a tuple
};

Rows as_rows(Value v, TypeId type, bool batched);
bool any_batched(const Rows& r);
// One value: with the axis in every part, or (where no part has it) without.
Value settled(Builder& b, const Rows& r, bool batched, DimId rows);

// One run of the pass over a function.
struct BatchRun {
  Builder& b;
  DimId rows;
  std::vector<FuncId> open;  // calls being batched, to notice recursion
  size_t row_by_row = 0;     // nodes that had no rule
};

template <class T>
using Batching = std::expected<T, Diagnostic>;

Batching<std::vector<Rows>> batch_into(BatchRun& run, const Func& f, std::span<const Rows> args);
Batching<Rows> batch_control(BatchRun& run, const Node& n, std::span<const Rows> args);
Batching<Rows> batch_row_by_row(BatchRun& run, const Node& n, std::span<const Rows> args);
std::unexpected<Diagnostic> not_batched(Builder& b, const Node& n, std::string_view why);
bool sees_batch(const Module& m, const Node& n);  // itself or in a nested function

}  // namespace glia::ir
