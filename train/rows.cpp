// Columns checked once when training starts, so that a batch is only copies of rows.
#include "train/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <numeric>

#include "interp/philox.h"
#include "train/runner.h"

namespace glia::train {

using interp::Tensor;
using interp::Value;

namespace {
// Roots beside those of the steps, which count from 1.
constexpr int64_t evaluation_key = -1, init_key = -2, shuffle_key = -3;

struct Column {
  DType dtype;
  std::vector<int64_t> row_shape;
  std::string name;
};

std::string shape_text(DType t, std::span<const int64_t> shape) {
  return shape.empty() ? std::string(dtype_name(t)) : fmt::format("{}[{}]", dtype_name(t), fmt::join(shape, ", "));
}

std::expected<Tensor, std::string> checked(Tensor t, const Column& c) {
  const std::span<const int64_t> row = t.rank() == 0 ? std::span<const int64_t>() : std::span<const int64_t>(t.shape).subspan(1);
  if (t.rank() == 0 || t.dtype != c.dtype || !std::equal(row.begin(), row.end(), c.row_shape.begin(), c.row_shape.end()))
    return std::unexpected(fmt::format("a row's `{}` is {} in the data, but the program takes {}", c.name, shape_text(t.dtype, row),
                                       shape_text(c.dtype, c.row_shape)));
  return t;
}

std::expected<Tensor, std::string> stacked(std::span<const Tensor* const> rows, const Column& c) {
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i]->dtype != c.dtype || rows[i]->shape != c.row_shape)
      return std::unexpected(fmt::format("`{}` of row {} is {}, but the program takes {} in every row", c.name, i,
                                         shape_text(rows[i]->dtype, rows[i]->shape), shape_text(c.dtype, c.row_shape)));
  return interp::stack(rows, c.dtype, c.row_shape);
}

// Rows one by one: column k is leaf k of each.
std::expected<DataSet, std::string> from_items(const Value& value, int64_t count, std::span<const Column> columns) {
  std::vector<Value> items;  // keeps the leaves alive
  std::vector<std::vector<const Tensor*>> by_column(columns.size());
  for (int64_t i = 0; i < count; ++i) items.push_back(interp::list_item(value, i));
  for (size_t i = 0; i < items.size(); ++i) {
    const auto leaves = interp::leaves(items[i]);
    if (leaves.size() != columns.size())
      return std::unexpected(
          fmt::format("row {} of the data has {} numbers or tensors, but the program takes {}", i, leaves.size(), columns.size()));
    for (size_t k = 0; k < leaves.size(); ++k) by_column[k].push_back(leaves[k]);
  }
  DataSet set{count, {}, {}};
  for (size_t k = 0; k < columns.size(); ++k) {
    auto t = stacked(by_column[k], columns[k]);
    if (!t) return std::unexpected(std::move(t.error()));
    set.columns.push_back(std::move(*t));
  }
  return set;
}

std::expected<DataSet, std::string> from_tensors(std::span<const Tensor> tensors, std::span<const Column> columns) {
  if (tensors.size() != columns.size())
    return std::unexpected(fmt::format("a row of the data has {} columns, but the program takes {}", tensors.size(), columns.size()));
  DataSet set;
  for (size_t k = 0; k < columns.size(); ++k) {
    auto t = checked(tensors[k], columns[k]);
    if (!t) return std::unexpected(std::move(t.error()));
    const int64_t count = t->shape[0];
    if (k > 0 && count != set.count)
      return std::unexpected(fmt::format("`{}` has {} rows, but `{}` has {}", columns[k].name, count, columns[0].name, set.count));
    set.count = count;
    set.columns.push_back(std::move(*t));
  }
  return set;
}

// The columns where all are tensors already.
std::optional<std::vector<Tensor>> whole_columns(const Value& value) {
  if (value.is_tensor()) return std::vector{value.tensor()};
  if (!value.is_rows()) return std::nullopt;
  std::vector<Tensor> columns;
  for (const Value& c : value.rows().columns) {
    if (!c.is_tensor()) return std::nullopt;
    columns.push_back(c.tensor());
  }
  return columns;
}
}  // namespace

namespace {
bool one_shape(const ir::Types& types, ir::TypeId t) {
  if (!types.is_tensor(t)) return false;
  const ir::Shape& shape = types.shape(t);
  return std::all_of(shape.begin(), shape.end(), [&](ir::DimId d) { return types.dims.known(d).has_value(); });
}

// Columns of what has no one shape. A row of several columns is a record.
std::expected<DataSet, std::string> as_columns_of_lists(const Value& value, size_t columns) {
  const auto count = interp::list_size(value);
  if (!count) return std::unexpected(std::string("the data is not a list of rows"));
  DataSet set{*count, {}, {}};
  if (value.is_rows() && !value.rows().fields.empty()) {
    for (const Value& c : value.rows().columns) set.lists.push_back(c.is_tensor() ? Value(interp::Rows{*count, {}, {c}}) : c);
    return set;
  }
  if (columns == 1 && (*count == 0 || !interp::list_item(value, 0).is_tuple())) return set.lists = {value}, set;
  std::vector<interp::List> lists(columns);
  for (int64_t i = 0; i < *count; ++i) {
    const Value row = interp::list_item(value, i);
    for (size_t k = 0; k < columns; ++k) lists[k].elems.push_back(row.tuple().elems[k]);
  }
  for (interp::List& l : lists) set.lists.emplace_back(std::move(l));
  return set;
}
}  // namespace

std::vector<Value> as_lists(const DataSet& data) {
  if (!data.lists.empty()) return data.lists;
  std::vector<Value> lists;
  for (const Tensor& c : data.columns) lists.emplace_back(interp::Rows{data.count, {}, {c}});
  return lists;
}

Value chosen_items(const Value& list, std::span<const int64_t> rows) {
  interp::List chosen;
  for (int64_t i : rows) chosen.elems.push_back(interp::list_item(list, i));
  return chosen;
}

std::expected<DataSet, std::string> make_data_set(const Value& value, const ir::Types& types, std::span<const ir::TypeId> types_of_columns,
                                                  std::span<const std::string> names) {
  if (!std::all_of(types_of_columns.begin(), types_of_columns.end(), [&](ir::TypeId t) { return one_shape(types, t); }))
    return as_columns_of_lists(value, types_of_columns.size());
  std::vector<Column> columns;
  for (size_t k = 0; k < types_of_columns.size(); ++k) {
    const std::string name = k < names.size() && !names[k].empty() ? names[k] : fmt::format("column {}", k + 1);
    columns.push_back({types.dtype(types_of_columns[k]), known_shape(types, types_of_columns[k]), name});
  }
  if (const auto tensors = whole_columns(value)) return from_tensors(*tensors, columns);
  const auto count = interp::list_size(value);
  if (!count) return std::unexpected(std::string("the data is not a list of rows"));
  return from_items(value, *count, columns);
}

std::expected<BatchBuffers, std::string> make_batch_buffers(const DataSet& data, int64_t batch) {
  BatchBuffers made;
  for (const Tensor& c : data.columns) {
    std::vector<int64_t> shape = c.shape;
    shape[0] = batch;
    auto t = Tensor::allocate(c.dtype, std::move(shape));
    if (!t) return std::unexpected(std::move(t.error()));
    made.columns.push_back(std::move(*t));
  }
  auto streams = Tensor::allocate(DType::i64, {batch});
  if (!streams) return std::unexpected(std::move(streams.error()));
  made.streams = std::move(*streams);
  return made;
}

void gather_rows(const DataSet& data, std::span<const int64_t> rows, BatchBuffers& into) {
  for (size_t k = 0; k < data.columns.size(); ++k) {
    const size_t bytes = data.count == 0 ? 0 : data.columns[k].byte_size() / static_cast<size_t>(data.count);
    const std::byte* from = data.columns[k].data->data();
    std::byte* to = into.columns[k].data->data();
    if (bytes == 0) continue;
    for (size_t i = 0; i < rows.size(); ++i) std::memcpy(to + i * bytes, from + static_cast<size_t>(rows[i]) * bytes, bytes);
  }
}

void fill_streams(int64_t root, std::span<const int64_t> rows, BatchBuffers& into) {
  auto streams = into.streams.as<int64_t>();
  for (size_t i = 0; i < rows.size(); ++i) streams[i] = interp::stream_mix(root, rows[i]);
}

int64_t step_root(int64_t seed, int64_t step) { return interp::stream_mix(seed, step); }
int64_t evaluation_root(int64_t seed) { return interp::stream_mix(seed, evaluation_key); }
int64_t init_root(int64_t seed) { return interp::stream_mix(seed, init_key); }

void in_order(std::vector<int64_t>& order, int64_t count) {
  order.resize(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), int64_t{0});
}

void shuffled(std::vector<int64_t>& order, int64_t count, int64_t seed, int64_t epoch) {
  in_order(order, count);
  const int64_t stream = interp::stream_mix(interp::stream_mix(seed, shuffle_key), epoch);
  for (int64_t i = count - 1; i > 0; --i) {
    const auto words = interp::draw(stream, 0, i);
    const uint64_t wide = (uint64_t{words[0]} << 32) | words[1];
    // The high half of the product is below i + 1 (Lemire 2019); its bias is below 2^-32 for any set that fits in memory.
    __extension__ using Wide = unsigned __int128;
    const auto j = static_cast<int64_t>((static_cast<Wide>(wide) * static_cast<uint64_t>(i + 1)) >> 64);
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(j)]);
  }
}

}  // namespace glia::train
