// Text files: UTF-8, whole or by line.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace glia::io {

// The text of a plain or gzip file, as it stands but for a byte order mark at its beginning. What is not UTF-8 is an
// error with its line and column.
Result<std::string> read_text(const std::string& path);
Result<std::string> check_text(std::string bytes, const std::string& path);  // the same for bytes in memory

// The lines, without their ends (LF or CR LF). A last line need not end; an empty line is a line; an empty text has none.
std::vector<std::string_view> split_lines(std::string_view text);

// "`data/x.txt`, line 3, column 5" of the byte at `offset`; columns count characters.
std::string text_place(std::string_view text, size_t offset, const std::string& path);

}  // namespace glia::io
