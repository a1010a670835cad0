// Whole files in and out. Nothing read here can exhaust memory: the output of every read is limited.
#pragma once
#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/error.h"

namespace glia::io {

enum class Gzip : uint8_t { detect, never };

inline constexpr uint64_t default_limit = uint64_t{8} << 30;

// The bytes of a file; those of a gzip file (by its name, `.gz`, or by its first two bytes) are unpacked.
Result<std::string> read_file(const std::string& path, Gzip gzip = Gzip::detect, uint64_t limit = default_limit);

// Unpacks gzip data of one or more members. `path` is for messages only.
Result<std::string> gunzip(std::string_view packed, const std::string& path, uint64_t limit = default_limit);

// Writes the parts one after another to a new file beside `path`, then renames it: a reader sees the old
// file or the whole new one, never a part.
Result<void> write_file(const std::string& path, std::span<const std::string_view> parts);
Result<void> write_file(const std::string& path, std::string_view content);

// Runs a reader; a file too large for the memory of this machine becomes an error that names it.
template <class Reader>
auto within_memory(const std::string& path, Reader&& reader) -> decltype(reader()) {
  try {
    return reader();
  } catch (const std::bad_alloc&) {
    return fail("cannot read `" + path + "`: it does not fit into memory");
  } catch (const std::length_error&) {
    return fail("cannot read `" + path + "`: it does not fit into memory");
  }
}

}  // namespace glia::io
