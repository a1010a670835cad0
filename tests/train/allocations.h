// How often this test program has asked for memory.
#pragma once
#include <cstddef>

namespace glia::train {

std::size_t allocations();

}  // namespace glia::train
