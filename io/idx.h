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

// Reads the files of `dir` whose names begin with `prefix` (io/folder.h) and joins them along axis 0. `parts`, if given,
// says which rows came from which file.
Result<Array> read_idx_parts(const std::string& dir, const std::string& prefix, std::vector<IdxPart>* parts = nullptr);

}  // namespace glia::io
