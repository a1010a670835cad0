// The end of the road for a broken invariant: say where, then stop.
#include "base/error.h"

#include <fmt/format.h>

namespace glia {

void internal_error(const char* file, int line, const char* condition, const std::string& detail) {
  fmt::print(stderr, "internal error at {}:{}: `{}` does not hold{}{}\nThis is a fault of Glia, not of your program.\n", file, line,
             condition, detail.empty() ? "" : ": ", detail);
  std::fflush(stderr);
  std::abort();
}

}  // namespace glia
