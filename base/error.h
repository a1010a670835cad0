// The world's faults (a file, memory, a device): values carried up to the command line. The user's
// faults are diagnostics (diag.h); our own faults are GLIA_CHECK.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <string>

namespace glia {

struct Error {
  std::string message;  // what failed and where: names the file, the row and column where there are any
  std::string help;     // what to do about it; may be empty
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(std::string message, std::string help = {}) {
  return std::unexpected(Error{std::move(message), std::move(help)});
}

[[noreturn]] void internal_error(const char* file, int line, const char* condition, const std::string& detail);

}  // namespace glia

// An invariant of ours. Stops the program with the place: never for what a user can cause.
#define GLIA_CHECK(cond, detail) \
  ((cond) ? void() : ::glia::internal_error(__FILE__, __LINE__, #cond, (detail)))
