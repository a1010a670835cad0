// The ops as data: what passes, printers and backends read. Made from the lists in all.h, never kept by hand.
#pragma once
#include <span>

#include "ir/ops/op.h"

namespace glia::ir {

std::span<const OpInfo> op_table();                        // indexed by OpId
inline const OpInfo& info(OpId id) { return op_table()[id.index()]; }
std::optional<OpId> op_from_name(std::string_view name);

}  // namespace glia::ir
