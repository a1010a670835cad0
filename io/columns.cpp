// Selecting typed columns: first which rows stay, by the rule for missing values, then each cell of them.
#include "io/columns.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "io/file.h"
#include "io/numbers.h"

namespace glia::io {
namespace {

using Places = std::vector<int64_t>;  // the columns of one spec, by position

std::string header_list(const CsvTable& table) {
  constexpr size_t shown = 40;
  const std::span names(table.header.data(), std::min(shown, table.header.size()));
  const std::string more = table.header.size() > shown ? fmt::format(", and {} more", table.header.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(names, ", "), more);
}

Result<int64_t> find_column(const CsvTable& table, const std::string& name) {
  const auto at = std::find(table.header.begin(), table.header.end(), name);
  if (at != table.header.end()) return at - table.header.begin();
  std::string message = fmt::format("`{}` has no column `{}`; its columns are {}", table.path, name, header_list(table));
  const bool data = std::all_of(table.header.begin(), table.header.end(), [](const auto& h) { return parse_f32(h).has_value(); });
  if (data) return fail(std::move(message), "the first row looks like data: read the table with header = false");
  if (table.header.size() == 1 && table.header[0].find_first_of(";\t|") != std::string::npos)
    return fail(std::move(message), "the cells seem to be separated by another character: name it as the separator");
  const auto near = nearest(name, table.header);
  return fail(std::move(message), near ? fmt::format("did you mean `{}`?", *near) : "");
}

Result<std::vector<Places>> find_columns(const CsvTable& table, std::span<const ColumnSpec> specs) {
  std::vector<Places> all;
  for (const ColumnSpec& spec : specs) {
    if (spec.columns.empty()) return fail(fmt::format("`{}`: no columns are named for `{}`", table.path, spec.name));
    GLIA_CHECK(spec.list || spec.columns.size() == 1, "several columns that are no list");
    Places places;
    for (const std::string& name : spec.columns) {
      const auto place = find_column(table, name);
      if (!place) return std::unexpected(place.error());
      places.push_back(*place);
    }
    all.push_back(std::move(places));
  }
  return all;
}

bool is_missing(std::string_view cell, const MissingRule& rule) {
  const std::string_view text = trim_spaces(cell);
  return std::any_of(rule.markers.begin(), rule.markers.end(), [&](const std::string& marker) { return text == marker; });
}

std::string shown_missing(std::string_view cell) {
  const std::string_view text = trim_spaces(cell);
  return text.empty() ? "the value is missing (an empty cell)" : fmt::format("the value is missing (`{}`)", text);
}

// What may not be missing under the rule: everything, or only what has no NaN.
bool forbidden(ColumnKind kind, Missing policy) {
  return policy != Missing::nan || kind == ColumnKind::integer || kind == ColumnKind::classes;
}

struct Selection {
  const CsvTable& table;
  std::span<const ColumnSpec> specs;
  const MissingRule& missing;
  std::vector<Places> places;
  Columns out;

  int64_t first_forbidden(int64_t row) const;  // the column that is missing in this row, or -1
  Result<void> keep_rows();
  std::unexpected<Error> missing_fault(int64_t row, int64_t column, int64_t count) const;
  template <class T, class Parse>
  Result<void> convert(const ColumnSpec& spec, const Places& at, DType dtype, Column& column, Parse&& parse) const;
  Result<void> fill(const ColumnSpec& spec, const Places& at, Column& column) const;
  void copy_text(const Places& at, Column& column) const;
  Result<void> number_classes(const ColumnSpec& spec, const Places& at, Column& column) const;
};

int64_t Selection::first_forbidden(int64_t row) const {
  for (size_t i = 0; i < specs.size(); ++i)
    for (int64_t column : places[i])
      if (forbidden(specs[i].kind, missing.policy) && is_missing(table.cell(row, column), missing)) return column;
  return -1;
}

std::unexpected<Error> Selection::missing_fault(int64_t row, int64_t column, int64_t count) const {
  std::string message = fmt::format("{}: {}", table.where(row, column), shown_missing(table.cell(row, column)));
  if (count > 1) message += fmt::format("; {} of {} rows have a missing value", count, table.rows());
  if (missing.policy == Missing::nan)
    return fail(std::move(message), "integers and classes have no NaN: `missing = \"drop\"` leaves such rows out");
  return fail(std::move(message), "`missing = \"drop\"` leaves such rows out, `missing = \"nan\"` reads NaN");
}

Result<void> Selection::keep_rows() {
  int64_t count = 0, bad_row = 0, bad_column = -1;
  for (int64_t row = 0; row < table.rows(); ++row) {
    const int64_t column = first_forbidden(row);
    if (column < 0) out.rows.push_back(row);
    if (column >= 0 && count++ == 0) bad_row = row, bad_column = column;
  }
  if (count > 0 && missing.policy != Missing::drop) return missing_fault(bad_row, bad_column, count);
  out.rows_dropped = count;
  return {};
}

// Fills the column's array; parse(cell) gives a Result<T> whose message goes on after the place.
template <class T, class Parse>
Result<void> Selection::convert(const ColumnSpec& spec, const Places& at, DType dtype, Column& column, Parse&& parse) const {
  std::vector<int64_t> shape = {static_cast<int64_t>(out.rows.size())};
  if (spec.list) shape.push_back(static_cast<int64_t>(at.size()));
  column.array = make_array(dtype, std::move(shape));
  auto to = column.array.as<T>().begin();
  for (int64_t row : out.rows)
    for (int64_t place : at) {
      const Result<T> value = parse(table.cell(row, place));
      if (!value)
        return fail(fmt::format("{}: {} (line {})", table.where(row, place), value.error().message, table.lines[static_cast<size_t>(row)]),
                    value.error().help);
      *to++ = *value;
    }
  return {};
}

void Selection::copy_text(const Places& at, Column& column) const {
  for (int64_t row : out.rows)
    for (int64_t place : at) column.text.emplace_back(table.cell(row, place));
}

Result<void> Selection::number_classes(const ColumnSpec& spec, const Places& at, Column& column) const {
  column.classes = spec.classes;
  if (column.classes.empty()) {
    std::set<std::string_view> distinct;
    for (int64_t row : out.rows)
      for (int64_t place : at) distinct.insert(table.cell(row, place));
    column.classes.assign(distinct.begin(), distinct.end());
  }
  std::unordered_map<std::string_view, int32_t> ids;
  for (const std::string& name : column.classes) ids.emplace(name, static_cast<int32_t>(ids.size()));
  if (ids.size() != column.classes.size()) return fail(fmt::format("a class of `{}` is listed twice", spec.name));
  return convert<int32_t>(spec, at, DType::i32, column, [&](std::string_view cell) -> Result<int32_t> {
    const auto found = ids.find(cell);
    if (found != ids.end()) return found->second;
    return fail(fmt::format("`{}` is not one of the {} classes", cell, ids.size()),
                fmt::format("the classes are {}", fmt::join(spec.classes, ", ")));
  });
}

Result<void> Selection::fill(const ColumnSpec& spec, const Places& at, Column& column) const {
  switch (spec.kind) {
    case ColumnKind::number:
      return convert<float>(spec, at, DType::f32, column, [&](std::string_view cell) -> Result<float> {
        if (missing.policy == Missing::nan && is_missing(cell, missing)) return std::numeric_limits<float>::quiet_NaN();
        return parse_f32(cell);
      });
    case ColumnKind::integer: return convert<int32_t>(spec, at, DType::i32, column, parse_i32);
    case ColumnKind::text: copy_text(at, column); return {};
    case ColumnKind::classes: return number_classes(spec, at, column);
  }
  return {};
}

Result<Columns> select(const CsvTable& table, std::span<const ColumnSpec> specs, const MissingRule& missing) {
  auto places = find_columns(table, specs);
  if (!places) return std::unexpected(places.error());
  Selection selection{table, specs, missing, std::move(*places), {}};
  if (auto ok = selection.keep_rows(); !ok) return std::unexpected(ok.error());
  for (size_t i = 0; i < specs.size(); ++i) {
    Column column{specs[i].name, specs[i].kind, {}, {}, {}};
    if (auto ok = selection.fill(specs[i], selection.places[i], column); !ok) return std::unexpected(ok.error());
    selection.out.columns.push_back(std::move(column));
  }
  return std::move(selection.out);
}

}  // namespace

Result<Columns> select_columns(const CsvTable& table, std::span<const ColumnSpec> specs, const MissingRule& missing) {
  return within_memory(table.path, [&] { return select(table, specs, missing); });
}

}  // namespace glia::io
