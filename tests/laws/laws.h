// The two laws of every function: its derivative agrees with finite differences, and over a batch it gives what it gives
// one by one.
#pragma once
#include "tests/laws/case.h"

namespace glia::laws {

inline constexpr int64_t rows = 3;

// `f` gives one f64.
void check_derivative(ir::Module& m, const Made& f, const std::string& what, double tolerance = 1e-6);

// For each row its arguments; those flagged differ between rows. Compared bit for bit.
using RowData = std::vector<std::vector<interp::Value>>;
void check_batched(ir::Module& m, ir::FuncId f, const RowData& data, const std::vector<bool>& flags, const std::string& what);

}  // namespace glia::laws
