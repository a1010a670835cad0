// Standardising: every feature to mean 0 and deviation 1, measured on one part and applied to all.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "interp/data_call.h"

namespace glia::interp {
namespace {

struct Feature {
  double mean = 0;
  double deviation = 1;  // biased; 1 where the feature is constant, which is then only centred
};

// NaN stands for a missing value: it is left out here and stays NaN. Differences from a first value keep a constant
// feature exactly constant and lose nothing to a large mean.
Feature measure(std::span<const float> values, size_t first, size_t step) {
  double origin = NAN, sum = 0, squares = 0;
  int64_t n = 0;
  for (size_t i = first; i < values.size(); i += step) {
    if (std::isnan(values[i])) continue;
    if (n++ == 0) origin = static_cast<double>(values[i]);
    sum += static_cast<double>(values[i]) - origin;
  }
  if (n == 0) return {};
  const double shift = sum / static_cast<double>(n);
  for (size_t i = first; i < values.size(); i += step)
    if (!std::isnan(values[i])) squares += std::pow(static_cast<double>(values[i]) - origin - shift, 2);
  const double deviation = std::sqrt(squares / static_cast<double>(n));
  return {origin + shift, deviation > 0 ? deviation : 1};
}

std::vector<Feature> measure_all(const Tensor& t) {
  std::vector<Feature> features(t.shape[0] == 0 ? 0 : static_cast<size_t>(t.size() / t.shape[0]));
  for (size_t j = 0; j < features.size(); ++j) features[j] = measure(t.as<float>(), j, features.size());
  return features;
}

DataResult rescaled(const Tensor& t, const std::vector<Feature>& features) {
  auto out = Tensor::allocate(DType::f32, t.shape);
  if (!out) return data_fault(out.error());
  const auto from = t.as<float>();
  const auto to = out->as<float>();
  if (features.empty()) return std::move(*out);
  for (size_t i = 0; i < from.size(); ++i) {
    const Feature& f = features[i % features.size()];
    to[i] = static_cast<float>((static_cast<double>(from[i]) - f.mean) / f.deviation);
  }
  return std::move(*out);
}

// Where the field is in the rows, and that it can be standardised there.
std::expected<size_t, Fault> float_column(const Rows& rows, const std::string& name) {
  const auto at = std::find(rows.fields.begin(), rows.fields.end(), name);
  if (at == rows.fields.end()) return data_fault(fmt::format("the rows have no field `{}`; they have {}", name, join_words(rows.fields, "and")));
  const Value& column = rows.columns[static_cast<size_t>(at - rows.fields.begin())];
  if (!column.is_tensor() || column.tensor().dtype != DType::f32)
    return data_fault(fmt::format("the field `{}` is not f32: only f32 is standardised", name));
  return static_cast<size_t>(at - rows.fields.begin());
}

std::expected<Rows, Fault> standardized(const Rows& rows, const Rows& fitted, std::span<const std::string> names) {
  Rows out = rows;
  for (const std::string& name : names) {
    const auto from = float_column(fitted, name), to = float_column(rows, name);
    if (!from) return std::unexpected(from.error());
    if (!to) return std::unexpected(to.error());
    const Tensor& measured = fitted.columns[*from].tensor();
    const Tensor& column = rows.columns[*to].tensor();
    if (!std::equal(measured.shape.begin() + 1, measured.shape.end(), column.shape.begin() + 1, column.shape.end()))
      return data_fault(fmt::format("the field `{}` has different sizes in the parts", name));
    auto scaled = rescaled(column, measure_all(measured));
    if (!scaled) return std::unexpected(scaled.error());
    out.columns[*to] = std::move(*scaled);
  }
  return out;
}

}  // namespace

DataResult standardize_rows(const DataCall& call) {
  GLIA_CHECK(call.args.size() == 1, "standardise takes rows or a tuple of them");
  const Value& data = call.args[0];
  const auto names = option_values(call, "column");
  const auto fit = option_int(call, "fit", 0);
  if (!fit) return std::unexpected(fit.error());
  const std::span<const Value> parts = data.is_tuple() ? std::span<const Value>(data.tuple().elems) : std::span(&data, 1);
  if (*fit < 0 || *fit >= static_cast<int64_t>(parts.size())) return data_fault(fmt::format("there is no part {} to fit: there are {}", *fit, parts.size()));
  const Value& fitted = parts[static_cast<size_t>(*fit)];
  Tuple out;
  for (const Value& part : parts) {
    GLIA_CHECK(part.is_rows() && fitted.is_rows(), "standardise takes rows or a tuple of them");
    auto rows = standardized(part.rows(), fitted.rows(), names);
    if (!rows) return std::unexpected(rows.error());
    out.elems.emplace_back(std::move(*rows));
  }
  return data.is_tuple() ? Value(std::move(out)) : std::move(out.elems[0]);
}

}  // namespace glia::interp
