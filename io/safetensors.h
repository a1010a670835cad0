// safetensors: named arrays in one file. A header in JSON (name, element type, sizes, place), then the bytes.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "io/array.h"

namespace glia::io {

struct NamedArray {
  std::string name;
  Array array;
};

struct SafeTensors {
  std::vector<NamedArray> arrays;               // in the order of the header
  std::map<std::string, std::string> metadata;  // `__metadata__`
};

// Strict: every byte of the file belongs to the header or to exactly one array.
Result<SafeTensors> read_safetensors(const std::string& path);

// The same for bytes in memory; `path` is for messages.
Result<SafeTensors> parse_safetensors(std::string_view bytes, const std::string& path);

// Atomic. The header lists the arrays as given; their bytes lie with wider elements first, so that every
// array is aligned. Equal input gives equal files. A name that is empty, repeated, `__metadata__` or not UTF-8
// is an error.
Result<void> write_safetensors(const std::string& path, std::span<const NamedArray> arrays,
                               const std::map<std::string, std::string>& metadata = {});

}  // namespace glia::io
