// Typed columns of a CSV table: numbers, integers, text and classes, with a stated rule for missing values.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/array.h"
#include "io/csv.h"

namespace glia::io {

enum class ColumnKind : uint8_t {
  number,   // f32
  integer,  // i32
  text,     // the cell as it stands
  classes,  // text turned into i32 ids
};

struct ColumnSpec {
  std::string name;                  // of the result
  std::vector<std::string> columns;  // names in the header
  ColumnKind kind = ColumnKind::number;
  bool list = false;                 // one row gives [columns] even of one column; otherwise it is one value
  std::vector<std::string> classes;  // for `classes`: the id is the place here; empty: the distinct texts, sorted
};

enum class Missing : uint8_t {
  error,  // a missing value in a column that is used is an error
  drop,   // such rows are left out and counted
  nan,    // numbers become NaN and text stays as it is; integers and classes are still an error
};

struct MissingRule {
  Missing policy = Missing::error;
  std::vector<std::string> markers = {"", "?", "NA", "NaN", "nan"};  // compared without spaces around the cell
};

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  Array array;                       // [rows] or [rows, columns]; not used for text
  std::vector<std::string> text;     // for text: as many, row by row
  std::vector<std::string> classes;  // for classes: the text of each id
};

struct Columns {
  std::vector<Column> columns;  // one for each spec, in order
  std::vector<int64_t> rows;    // the row of the table (from 0) that each kept row was
  int64_t rows_dropped = 0;
};

Result<Columns> select_columns(const CsvTable& table, std::span<const ColumnSpec> specs, const MissingRule& missing = {});

}  // namespace glia::io
