// CSV tables (RFC 4180): the text of every cell, with its row and line for messages. Types come later, in
// io/columns.h, because only the user of a table knows them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace glia::io {

struct CsvOptions {
  bool header = true;      // the first record names the columns; otherwise they are c0, c1, ...
  char separator = ',';
  bool trim = false;       // leave out spaces around cells (", " as separator)
  int64_t skip_lines = 0;  // lines before the table that are not part of it
};

// Cells are views into one buffer: 4 bytes a cell besides the text. Rows and columns count from 0 in code and
// rows from 1 in messages, the header not counted.
struct CsvTable {
  std::string path;
  std::vector<std::string> header;
  std::string text;             // all cells of all rows, unquoted, one after another
  std::vector<uint32_t> ends;   // per cell: where it ends in `text`
  std::vector<uint32_t> lines;  // per row: its first line in the file, from 1

  int64_t rows() const { return static_cast<int64_t>(lines.size()); }
  int64_t columns() const { return static_cast<int64_t>(header.size()); }
  std::string_view cell(int64_t row, int64_t column) const;
  std::string where(int64_t row, int64_t column) const;  // "`data/x.csv`, row 17, column `horsepower`"
};

// Reads a plain or gzip table. Every row has as many cells as the header, or as the first row if there is
// none. A table with a header and no rows is read as such; a file with no records at all is an error. Blank
// lines are no rows, except inside a table of one column, where they are empty cells.
Result<CsvTable> read_csv(const std::string& path, const CsvOptions& options = {});

// The same for text in memory; `path` is for messages.
Result<CsvTable> parse_csv(std::string text, const std::string& path, const CsvOptions& options = {});

}  // namespace glia::io
