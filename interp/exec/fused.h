// A group of elementwise values as a small register program, run tile by tile: what nobody outside the group needs
// never leaves the cache.
#pragma once
#include "interp/exec/fuse.h"

namespace glia::interp::exec {

Unit make_fused(const Graph& g, const Schedule& plan, const Work& work);
Unit make_copy_of_view(const Graph& g, SlotId view);
// Writes `walk` over `source` into `out`, in order.
Unit make_walk(const Graph& g, SlotId source, const Walk& walk, SlotId out);

// The number that fills a splat, as the bytes of its element type.
std::vector<std::byte> splat_bytes(const Graph& g, const Slot& s);

}  // namespace glia::interp::exec
