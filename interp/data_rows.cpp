// Data sets in pieces: chosen rows, random parts, single columns.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "base/text.h"
#include "interp/data_call.h"
#include "interp/philox.h"

namespace glia::interp {
namespace {

std::expected<Tensor, Fault> take_rows(const Tensor& t, std::span<const int64_t> items) {
  std::vector<int64_t> shape = t.shape;
  shape[0] = static_cast<int64_t>(items.size());
  auto out = Tensor::allocate(t.dtype, std::move(shape));
  if (!out) return data_fault(out.error());
  const size_t bytes = t.shape[0] == 0 ? 0 : t.byte_size() / static_cast<size_t>(t.shape[0]);
  std::byte* to = out->data->data();
  for (int64_t i : items) {
    if (bytes > 0) std::memcpy(to, t.data->data() + static_cast<size_t>(i) * bytes, bytes);
    to += bytes;
  }
  return std::move(*out);
}

// The numbers 0 .. n-1 in random order (Fisher and Yates; Durstenfeld 1964). With 53 bits the product is always below
// the bound, and the chances of two items differ by less than n / 2^53.
std::vector<int64_t> shuffled(int64_t n, int64_t seed) {
  constexpr int64_t site = 0;
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  for (int64_t i = n - 1; i > 0; --i) {
    const double at = uniform(draw(seed, site, i), 53) * static_cast<double>(i + 1);
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(at)]);
  }
  return order;
}

struct Part {
  std::string name;
  double fraction;
};

std::expected<std::vector<Part>, Fault> fractions(const DataCall& call) {
  std::vector<Part> parts;
  double sum = 0;
  for (const std::string& value : option_values(call, "part")) {
    const auto fields = option_parts(value);
    GLIA_CHECK(fields.size() == 2, "a part has a name and a fraction");
    double fraction = 0;
    const char *begin = fields[1].data(), *end = begin + fields[1].size();
    const auto read = std::from_chars(begin, end, fraction);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(fraction) || fraction < 0)
      return data_fault(fmt::format("the part `{}` is {} of the rows: a fraction is from 0 to 1", fields[0], fields[1]));
    parts.push_back({fields[0], fraction});
    sum += fraction;
  }
  if (parts.empty()) return data_fault("a split needs parts", "such as `.split(train = 0.8, test = 0.2, seed = 0)`");
  if (sum > 1 + 1e-9) return data_fault(fmt::format("the parts of a split are {:.6g} of the rows together: at most 1", sum));
  return parts;
}

}  // namespace

DataResult take(const Value& list, std::span<const int64_t> items) {
  if (list.is_tensor()) {
    auto t = take_rows(list.tensor(), items);
    if (!t) return std::unexpected(t.error());
    return Value(std::move(*t));
  }
  if (list.is_list()) {
    List out;
    for (int64_t i : items) out.elems.push_back(list.list().elems[static_cast<size_t>(i)]);
    return out;
  }
  GLIA_CHECK(list.is_rows(), "items are taken from a list");
  Rows out{static_cast<int64_t>(items.size()), list.rows().fields, {}};
  for (const Value& column : list.rows().columns) {
    auto taken = take(column, items);
    if (!taken) return taken;
    out.columns.push_back(std::move(*taken));
  }
  return out;
}

DataResult split_rows(const DataCall& call) {
  GLIA_CHECK(call.args.size() == 1, "a split takes one list");
  const Value& all = call.args[0];
  const auto count = all.is_tensor() && all.tensor().rank() > 0 ? std::optional(all.tensor().shape[0]) : list_size(all);
  GLIA_CHECK(count.has_value(), "a split takes a list");
  const auto parts = fractions(call);
  if (!parts) return std::unexpected(parts.error());
  const auto seed = option_int(call, "seed", 0);
  if (!seed) return std::unexpected(seed.error());
  const auto order = shuffled(*count, *seed);
  Tuple out;
  double sum = 0;
  int64_t begin = 0;
  for (const Part& part : *parts) {
    sum += part.fraction;
    const int64_t end = std::min(*count, static_cast<int64_t>(std::floor(static_cast<double>(*count) * sum + 0.5)));
    if (end <= begin) return data_fault(fmt::format("the part `{}` has no rows: {:g} of {}", part.name, part.fraction, *count));
    auto taken = take(all, std::span(order).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
    if (!taken) return taken;
    out.elems.push_back(std::move(*taken));
    begin = end;
  }
  return out;
}

namespace {
// Of records that are kept one by one.
DataResult column_of_list(const DataCall& call) {
  const auto index = option_int(call, "index", 0);
  if (!index) return std::unexpected(index.error());
  List out;
  for (int64_t i = 0, n = list_size(call.args[0]).value_or(0); i < n; ++i)
    out.elems.push_back(list_item(call.args[0], i).tuple().elems[static_cast<size_t>(*index)]);
  return out;
}
}  // namespace

DataResult column_of_rows(const DataCall& call) {
  GLIA_CHECK(call.args.size() == 1, "a column is taken from rows");
  if (!call.args[0].is_rows()) return column_of_list(call);
  const Rows& rows = call.args[0].rows();
  const std::string name = option(call, "name", "");
  const auto at = std::find(rows.fields.begin(), rows.fields.end(), name);
  if (at == rows.fields.end()) return data_fault(fmt::format("the rows have no field `{}`; they have {}", name, join_words(rows.fields, "and")));
  const Value& column = rows.columns[static_cast<size_t>(at - rows.fields.begin())];
  const bool as_tensor = call.result.valid() && call.module.types.is_tensor(call.result);
  if (as_tensor || !column.is_tensor()) return column;
  return Rows{rows.count, {}, {column}};
}

}  // namespace glia::interp
