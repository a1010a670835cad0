// Readers as functions of the host: a folder like MNIST's, and tables with typed columns.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interp/data_call.h"
#include "io/cifar.h"
#include "io/clips.h"
#include "io/columns.h"
#include "io/mnist.h"
#include "io/numbers.h"

namespace glia::interp {
namespace {

const std::string& path_argument(const DataCall& call) {
  GLIA_CHECK(call.args.size() == 1 && call.args[0].is_text(), "a reader takes a path");
  return call.args[0].text();
}

// The type of a field of the result's record, where the result has one.
ir::TypeId field_type(const DataCall& call, size_t field) {
  if (!call.result.valid()) return {};
  const ir::Type& type = call.module.types[call.result];
  return type.kind == ir::TypeKind::tuple && field < type.elems.size() ? type.elems[field] : ir::TypeId{};
}

// A copy; unlike Tensor::from it reports that memory is short.
DataResult tensor_of(const io::Array& array) {
  auto t = Tensor::allocate(array.dtype, array.shape);
  if (!t) return data_fault(t.error());
  if (!array.bytes.empty()) std::memcpy(t->data->data(), array.bytes.data(), array.bytes.size());
  return Value(std::move(*t));
}

std::expected<io::ColumnKind, Fault> column_kind(const std::string& name) {
  if (name == "number") return io::ColumnKind::number;
  if (name == "integer") return io::ColumnKind::integer;
  if (name == "text") return io::ColumnKind::text;
  if (name == "classes") return io::ColumnKind::classes;
  return data_fault(fmt::format("`{}` is no kind of column", name));
}

std::expected<std::vector<io::ColumnSpec>, Fault> column_specs(const DataCall& call) {
  std::vector<io::ColumnSpec> specs;
  for (const std::string& value : option_values(call, "column")) {
    const auto parts = option_parts(value);
    GLIA_CHECK(parts.size() >= 4, "a column has a name, a kind, a form and a source");
    const auto kind = column_kind(parts[1]);
    if (!kind) return std::unexpected(kind.error());
    specs.push_back({parts[0], {parts.begin() + 3, parts.end()}, *kind, parts[2] == "list", {}});
  }
  return specs;
}

std::expected<io::CsvOptions, Fault> csv_options(const DataCall& call) {
  const auto header = option_bool(call, "header", true), trim = option_bool(call, "trim", false);
  if (!header) return std::unexpected(header.error());
  if (!trim) return std::unexpected(trim.error());
  const std::string separator = option(call, "separator", ",");
  if (separator.size() != 1 || separator == "\"" || separator == "\n" || separator == "\r")
    return data_fault(fmt::format("a separator is one character, not `{}`", separator), "such as `separator = \";\"` or `separator = \"\\t\"`");
  return io::CsvOptions{*header, separator[0], *trim, 0};
}

std::expected<io::MissingRule, Fault> missing_rule(const DataCall& call) {
  io::MissingRule rule;
  const std::string name = option(call, "missing", "error");
  if (name == "drop") rule.policy = io::Missing::drop;
  else if (name == "nan") rule.policy = io::Missing::nan;
  else if (name != "error") return data_fault(fmt::format("`missing` is \"error\", \"drop\" or \"nan\", not \"{}\"", name));
  return rule;
}

Value text_column(io::Column& column, int64_t rows, bool list) {
  List texts;
  const size_t each = list && rows > 0 ? column.text.size() / static_cast<size_t>(rows) : 1;
  for (size_t i = 0; i < column.text.size(); i += each) {
    if (!list) {
      texts.elems.emplace_back(std::move(column.text[i]));
      continue;
    }
    List inner;
    for (size_t k = i; k < i + each; ++k) inner.elems.emplace_back(std::move(column.text[k]));
    texts.elems.emplace_back(std::move(inner));
  }
  return texts;
}

// The columns, without repeats, in which a dropped row lacks a value.
std::vector<std::string> columns_that_lack(const io::CsvTable& table, const io::Columns& kept, std::span<const io::ColumnSpec> specs,
                                           const io::MissingRule& rule) {
  std::vector<std::string> names;
  for (const io::ColumnSpec& spec : specs)
    for (const std::string& name : spec.columns) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const auto column = std::find(table.header.begin(), table.header.end(), name) - table.header.begin();
      size_t next = 0;  // of the kept rows, which are in order
      for (int64_t row = 0; row < table.rows(); ++row) {
        if (next < kept.rows.size() && kept.rows[next] == row) {
          ++next;
        } else if (std::find(rule.markers.begin(), rule.markers.end(), io::trim_spaces(table.cell(row, column))) != rule.markers.end()) {
          names.push_back(name);
          break;
        }
      }
    }
  return names;
}

std::string dropped_note(const std::string& path, int64_t rows, std::vector<std::string> names) {
  constexpr size_t shown = 5;
  const size_t more = names.size() > shown ? names.size() - shown : 0;
  if (more > 0) names.resize(shown), names.push_back(fmt::format("and {} more", more));
  return fmt::format("`{}`: {} {} dropped for missing values ({})", path, rows, rows == 1 ? "row" : "rows", fmt::join(names, ", "));
}

}  // namespace

namespace {
// Two sets of two columns each.
struct PairSet {
  const io::Array *inputs, *labels;
};

DataResult pair_rows(const DataCall& call, std::initializer_list<PairSet> sets, const std::string& input) {
  Tuple out;
  for (const PairSet& set : sets) {
    Rows rows{set.inputs->rows(), {input, "label"}, {}};
    for (const io::Array* array : {set.inputs, set.labels}) {
      auto column = tensor_of(*array);
      if (!column) return column;
      rows.columns.push_back(std::move(*column));
    }
    if (auto ok = agree(rows, field_type(call, out.elems.size()), call.module, path_argument(call)); !ok) return std::unexpected(ok.error());
    out.elems.emplace_back(std::move(rows));
  }
  return out;
}
}  // namespace

DataResult read_mnist_rows(const DataCall& call) {
  const auto set = io::read_mnist(path_argument(call));
  if (!set) return data_fault(set.error());
  return pair_rows(call, {{&set->train.images, &set->train.labels}, {&set->test.images, &set->test.labels}}, "image");
}

DataResult read_cifar_rows(const DataCall& call) {
  const auto set = io::read_cifar(path_argument(call));
  if (!set) return data_fault(set.error());
  return pair_rows(call, {{&set->train.images, &set->train.labels}, {&set->test.images, &set->test.labels}}, "image");
}

DataResult read_clip_rows(const DataCall& call) {
  const auto rate = option_int(call, "rate", 16000), samples = option_int(call, "samples", 16000);
  if (!rate) return std::unexpected(rate.error());
  if (!samples) return std::unexpected(samples.error());
  const auto set = io::read_clips(path_argument(call), *rate, *samples);
  if (!set) return data_fault(set.error());
  return pair_rows(call, {{&set->train.waves, &set->train.labels}, {&set->test.waves, &set->test.labels}}, "wave");
}

DataResult read_csv_rows(const DataCall& call, const Note& note) {
  const std::string& path = path_argument(call);
  const auto specs = column_specs(call);
  if (!specs) return std::unexpected(specs.error());
  const auto options = csv_options(call);
  if (!options) return std::unexpected(options.error());
  const auto missing = missing_rule(call);
  if (!missing) return std::unexpected(missing.error());
  const auto table = io::read_csv(path, *options);
  if (!table) return data_fault(table.error());
  auto selected = io::select_columns(*table, *specs, *missing);
  if (!selected) return data_fault(selected.error());
  Rows rows{static_cast<int64_t>(selected->rows.size()), {}, {}};
  if (rows.count == 0) return data_fault(table->rows() == 0 ? fmt::format("`{}` has no rows", path)
                                                            : fmt::format("every one of the {} rows of `{}` has a missing value", table->rows(), path));
  for (size_t i = 0; i < specs->size(); ++i) {
    io::Column& column = selected->columns[i];
    rows.fields.push_back(column.name);
    auto value = column.kind == io::ColumnKind::text ? DataResult(text_column(column, rows.count, (*specs)[i].list)) : tensor_of(column.array);
    if (!value) return value;
    rows.columns.push_back(std::move(*value));
  }
  if (auto ok = agree(rows, call.result, call.module, path); !ok) return std::unexpected(ok.error());
  if (selected->rows_dropped > 0 && note) note(dropped_note(path, selected->rows_dropped, columns_that_lack(*table, *selected, *specs, *missing)));
  return rows;
}

}  // namespace glia::interp
