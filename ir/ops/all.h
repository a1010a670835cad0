// Every op, and its id: the position in the list. Included only where ops are named as types.
#pragma once
#include "ir/ops/control.h"
#include "ir/ops/elementwise.h"
#include "ir/ops/host.h"
#include "ir/ops/linalg.h"
#include "ir/ops/linear.h"
#include "ir/ops/lists.h"
#include "ir/ops/reduce.h"
#include "ir/ops/series.h"
#include "ir/ops/source.h"
#include "ir/ops/window.h"

namespace glia::ir {

template <class... Lists>
struct Join;
template <class... Ops>
struct Join<OpList<Ops...>> { using type = OpList<Ops...>; };
template <class... A, class... B, class... Rest>
struct Join<OpList<A...>, OpList<B...>, Rest...> { using type = typename Join<OpList<A..., B...>, Rest...>::type; };

using AllOps = Join<ElementwiseOps, LinearOps, ReduceOps, SourceOps, ControlOps, DynamicOps, HostOps, WindowOps, SeriesOps, LinalgOps>::type;

template <class Op, class... Ops>
consteval size_t position(OpList<Ops...>) {
  size_t i = 0, found = sizeof...(Ops);
  ((std::is_same_v<Op, Ops> ? (found = i) : 0, ++i), ...);
  if (found == sizeof...(Ops)) throw "this op is not in its family's list";
  return found;
}

template <class Op>
inline constexpr OpId op = OpId(position<Op>(AllOps{}));

}  // namespace glia::ir
