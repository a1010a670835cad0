// The glia command.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "cli/verbs.h"

namespace {
// Nothing is left half done: files are written beside their place and renamed.
void on_interrupt(int) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, "\n", 1);
  ::_exit(glia::cli::interrupted);
}
}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_interrupt);
  try {
    const auto parsed = glia::cli::parse_command_line({argv + 1, argv + argc});
    return parsed.command ? glia::cli::run_command(*parsed.command) : parsed.status;
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
    return glia::cli::program_wrong;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "internal error: %s\n", e.what());
  } catch (...) {
    std::fputs("internal error: an unknown exception\n", stderr);
  }
  return glia::cli::internal_fault;
}
