// Ctrl-C as a flag that a computation looks at, for a session that outlives it.
#pragma once
#include <atomic>

namespace glia::cli {

// From now on Ctrl-C sets the flag instead of ending the program.
void catch_interrupts();
std::atomic<bool>& interrupt_flag();

}  // namespace glia::cli
