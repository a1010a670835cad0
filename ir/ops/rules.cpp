// Checks that type rules share.
#include "ir/ops/rules.h"

#include <algorithm>

namespace glia::ir {

Complaint tensors(const TypeContext& c) {
  for (TypeId t : c.args)
    if (!c.types.is_tensor(t)) return fmt::format("takes tensors, found {}", c.types.print(t));
  return std::nullopt;
}

Complaint axis_within(int64_t axis, size_t rank) {
  if (axis >= 0 && axis < static_cast<int64_t>(rank)) return std::nullopt;
  return fmt::format("axis {} is not one of the {} axes", axis, rank);
}

Complaint distinct_axes(const Ints& axes, size_t rank) {
  std::vector<bool> seen(rank);
  for (int64_t a : axes) {
    if (Complaint bad = axis_within(a, rank)) return bad;
    if (seen[static_cast<size_t>(a)]) return fmt::format("axis {} is named twice", a);
    seen[static_cast<size_t>(a)] = true;
  }
  return std::nullopt;
}

Complaint sizes(const Types& types, const DimList& shape) {
  for (DimId d : shape) {
    if (!d.valid()) return "a size is too large";
    if (auto n = types.dims.known(d); n && *n < 0) return fmt::format("a size is negative: {}", *n);
  }
  return std::nullopt;
}

}  // namespace glia::ir
