// The CSV reader. It unquotes cells in place: a cell never gets longer, so the buffer that held the file
// ends up holding the cells.
#include "io/csv.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "io/file.h"
#include "io/numbers.h"

namespace glia::io {
namespace {

constexpr uint64_t text_limit = std::numeric_limits<uint32_t>::max() - 1;  // ends and lines are 32 bits
constexpr size_t column_limit = size_t{1} << 20;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view quote_help = "put the whole cell in quotes and write a quote inside it twice";

struct Scanner {
  CsvTable& table;
  const CsvOptions& options;
  size_t in = 0;      // next byte to read
  size_t out = 0;     // where the next cell's text goes; never beyond `in`
  uint32_t line = 1;  // of `in`

  bool done() const { return in >= table.text.size(); }
  char peek(size_t ahead = 0) const { return in + ahead < table.text.size() ? table.text[in + ahead] : '\0'; }
  bool at_line_end() const { return done() || peek() == '\n' || (peek() == '\r' && peek(1) == '\n'); }
  void next_line();
  void skip_spaces();
  std::string here(size_t column) const;
  Result<void> quoted(size_t column);
  Result<void> plain(size_t column);
  Result<void> cell(size_t column);
  Result<size_t> record(std::vector<uint32_t>& ends);
};

void Scanner::next_line() {
  if (done()) return;
  in += peek() == '\r' ? 2 : 1;
  ++line;
}

void Scanner::skip_spaces() {
  while (options.trim && !done() && peek() == ' ' && options.separator != ' ') ++in;
}

std::string Scanner::here(size_t column) const {
  if (table.header.empty()) return fmt::format("`{}`, line {}, column {}", table.path, line, column + 1);
  const std::string name = column < table.header.size() ? fmt::format("`{}`", table.header[column]) : std::to_string(column + 1);
  return fmt::format("`{}`, row {}, column {}", table.path, table.rows() + 1, name);
}

Result<void> Scanner::quoted(size_t column) {
  const uint32_t opened = line;
  for (++in;; ++in) {
    if (done()) {
      return fail(fmt::format("{}: the quote opened on line {} is never closed", here(column), opened), std::string(quote_help));
    }
    const char c = peek();
    if (c == '\n') ++line;
    if (c == '"' && peek(1) != '"') break;
    if (c == '"') ++in;
    table.text[out++] = c;
  }
  ++in;
  skip_spaces();
  if (at_line_end() || peek() == options.separator) return {};
  return fail(fmt::format("{}: text after the closing quote (line {})", here(column), line), std::string(quote_help));
}

Result<void> Scanner::plain(size_t column) {
  const size_t begin = out;
  for (; !at_line_end() && peek() != options.separator; ++in) {
    if (peek() == '"')
      return fail(fmt::format("{}: a quote inside an unquoted cell (line {})", here(column), line), std::string(quote_help));
    if (peek() == '\r') {
      return fail(fmt::format("{}: a carriage return without a line feed (line {})", here(column), line),
                  "end lines with LF or CR LF; line ends of CR alone are not read");
    }
    table.text[out++] = peek();
  }
  while (options.trim && out > begin && table.text[out - 1] == ' ') --out;
  return {};
}

Result<void> Scanner::cell(size_t column) {
  skip_spaces();
  return !done() && peek() == '"' ? quoted(column) : plain(column);
}

// Reads one record and its line end; says how many cells it has.
Result<size_t> Scanner::record(std::vector<uint32_t>& ends) {
  for (size_t column = 0;; ++column) {
    if (column == column_limit) return fail(fmt::format("`{}`, line {}: more than {} columns", table.path, line, column_limit));
    if (auto ok = cell(column); !ok) return std::unexpected(ok.error());
    ends.push_back(static_cast<uint32_t>(out));
    if (at_line_end()) {
      next_line();
      return column + 1;
    }
    ++in;  // the separator
  }
}

// Where a name stands that stands there before: (first, again). Sorted, because a header can be long.
std::optional<std::pair<size_t, size_t>> repeated_name(const std::vector<std::string>& names) {
  std::vector<size_t> order(names.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return names[a] < names[b]; });
  for (size_t i = 1; i < order.size(); ++i)
    if (names[order[i]] == names[order[i - 1]]) return std::pair(order[i - 1], order[i]);
  return std::nullopt;
}

Result<void> check_header(const CsvTable& table) {
  const auto repeated = repeated_name(table.header);
  if (!repeated) return {};
  const bool data = std::all_of(table.header.begin(), table.header.end(), [](const auto& name) { return parse_f32(name).has_value(); });
  return fail(fmt::format("`{}`: the header names two columns `{}` (columns {} and {})", table.path, table.header[repeated->first],
                          repeated->first + 1, repeated->second + 1),
              data ? "the first row looks like data: read the table with header = false" : "rename one of them");
}

void default_names(CsvTable& table, size_t columns) {
  for (size_t i = 0; i < columns; ++i) table.header.push_back(fmt::format("c{}", i));
}

Result<void> read_header(Scanner& scanner) {
  std::vector<uint32_t> ends;
  std::vector<std::string> names;
  const auto count = scanner.record(ends);
  if (!count) return std::unexpected(count.error());
  for (size_t i = 0, begin = 0; i < *count; begin = ends[i++]) {
    std::string name(trim_spaces(std::string_view(scanner.table.text).substr(begin, ends[i] - begin)));
    names.push_back(name.empty() ? fmt::format("c{}", i) : std::move(name));
  }
  scanner.table.header = std::move(names);
  scanner.out = 0;  // the names live in `header` now
  return check_header(scanner.table);
}

Result<void> read_row(Scanner& scanner) {
  CsvTable& table = scanner.table;
  const uint32_t line = scanner.line;
  const auto count = scanner.record(table.ends);
  if (!count) return std::unexpected(count.error());
  if (table.header.empty()) default_names(table, *count);
  if (*count != table.header.size()) {
    const std::string_view source = scanner.options.header ? "header" : "first row";
    return fail(fmt::format("`{}`, row {}: {} cell{} where the {} has {} (line {})", table.path, table.rows() + 1, *count,
                            *count == 1 ? "" : "s", source, table.header.size(), line),
                table.header.size() == 1 || *count == 1 ? "is the separator right?"
                                                     : "a cell that holds the separator must be in quotes");
  }
  table.lines.push_back(line);
  return {};
}

// Line ends after the last record are taken off first, so a blank line here has a record after it. In a table
// of one column it is an empty cell.
bool at_record(Scanner& scanner) {
  while (scanner.table.columns() != 1 && !scanner.done() && scanner.at_line_end()) scanner.next_line();
  return !scanner.done();
}

void drop_blank_end(std::string& text) {
  while (text.ends_with('\n')) text.resize(text.size() - (text.ends_with("\r\n") ? 2 : 1));
}

Result<void> check_text(const std::string& text, const std::string& path) {
  if (text.size() > text_limit)
    return fail(fmt::format("`{}` is larger than the limit of {} bytes", path, text_limit), "split it into several files");
  const bool wide = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  const size_t zero = text.find('\0');
  if (wide || zero != std::string::npos)
    return fail(fmt::format("`{}` is not text in UTF-8: {}", path,
                            wide ? "it begins like UTF-16" : fmt::format("byte {} is zero", zero + 1)),
                "save it as UTF-8");
  if (const auto bad = first_invalid_utf8(text)) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(*bad), '\n') + 1;
    return fail(fmt::format("`{}`, line {}: not valid UTF-8 (byte {:02x})", path, line, static_cast<uint8_t>(text[*bad])),
                fmt::format("if it is Latin-1: iconv -f latin1 -t utf8 '{}' > new.csv", path));
  }
  return {};
}

Result<void> check_options(const CsvOptions& options) {
  const bool special = std::string_view("\"\r\n\0", 4).find(options.separator) != std::string_view::npos;
  if (!special && static_cast<uint8_t>(options.separator) < 0x80) return {};
  return fail("a separator of cells is one ASCII character, not a quote or a line end");
}

}  // namespace

std::string_view CsvTable::cell(int64_t row, int64_t column) const {
  const auto i = static_cast<size_t>(row * columns() + column);
  GLIA_CHECK(row >= 0 && column >= 0 && column < columns() && i < ends.size(), "a cell outside the table");
  const uint32_t begin = i == 0 ? 0 : ends[i - 1];
  return std::string_view(text).substr(begin, ends[i] - begin);
}

std::string CsvTable::where(int64_t row, int64_t column) const {
  return fmt::format("`{}`, row {}, column `{}`", path, row + 1, header[static_cast<size_t>(column)]);
}

Result<CsvTable> parse_csv(std::string text, const std::string& path, const CsvOptions& options) {
  if (auto ok = check_options(options); !ok) return std::unexpected(ok.error());
  if (auto ok = check_text(text, path); !ok) return std::unexpected(ok.error());
  CsvTable table{path, {}, std::move(text), {}, {}};
  Scanner scanner{table, options};
  drop_blank_end(table.text);
  if (table.text.starts_with(byte_order_mark)) scanner.in = byte_order_mark.size();
  for (int64_t i = 0; i < options.skip_lines && !scanner.done(); ++i) {
    while (!scanner.at_line_end()) ++scanner.in;
    scanner.next_line();
  }
  if (!at_record(scanner)) return fail(fmt::format("`{}` is empty: there is no {}", path, options.header ? "header" : "row"));
  if (options.header)
    if (auto ok = read_header(scanner); !ok) return std::unexpected(ok.error());
  while (at_record(scanner))
    if (auto ok = read_row(scanner); !ok) return std::unexpected(ok.error());
  table.text.resize(scanner.out);
  table.text.shrink_to_fit();
  return table;
}

Result<CsvTable> read_csv(const std::string& path, const CsvOptions& options) {
  auto text = read_file(path, Gzip::detect, text_limit);
  if (!text) return std::unexpected(text.error());
  return within_memory(path, [&] { return parse_csv(std::move(*text), path, options); });
}

}  // namespace glia::io
