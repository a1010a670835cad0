// IDX, the format of the MNIST files: a big endian header (two zero bytes, element type, rank, sizes), then
// the elements.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "io/array.h"

namespace glia::io {

// Reads a plain or gzip IDX file. 16-bit integers come out as i32, all other types as they are.
Result<Array> read_idx(const std::string& path);

// The same for bytes in memory; `path` is for messages.
Result<Array> parse_idx(std::string_view bytes, const std::string& path);

struct IdxPart {
  std::string path;
  int64_t rows = 0;
};

// The files of `dir` whose names begin with `prefix`, sorted by name. Where both `x` and `x.gz` are there,
// they hold the same data and `x` is taken. Empty if there are none.
Result<std::vector<std::string>> find_idx_parts(const std::string& dir, const std::string& prefix);

// Reads all of them and joins them along axis 0. `parts`, if given, says which rows came from which file.
Result<Array> read_idx_parts(const std::string& dir, const std::string& prefix, std::vector<IdxPart>* parts = nullptr);

}  // namespace glia::io
