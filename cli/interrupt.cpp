// See interrupt.h. A signal handler reaches nothing but what is static.
#include "cli/interrupt.h"

#include <csignal>

namespace glia::cli {

namespace {
std::atomic<bool> interrupted_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) { interrupted_flag.store(true, std::memory_order_relaxed); }
}  // namespace

std::atomic<bool>& interrupt_flag() { return interrupted_flag; }

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;  // without SA_RESTART: a read for the next line ends, too
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace glia::cli
