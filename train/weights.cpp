// Names, shapes and element types are compared one by one, and everything wrong is told at once.
#include "train/weights.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "io/safetensors.h"
#include "train/runner.h"

namespace glia::train {

using interp::Tensor;

namespace {
inline constexpr DiagKind world{"E0600", Severity::error, "{}"};
inline constexpr DiagKind missing_weight{"E0611", Severity::error, "`{}` has no parameter `{}`, which the model needs"};
inline constexpr DiagKind unknown_weight{"E0612", Severity::error, "`{}` has a parameter `{}`, which the model does not have"};
inline constexpr DiagKind other_type{"E0613", Severity::error, "parameter `{}` is {} in `{}`, but {} in the model"};

std::string type_text(DType t, std::span<const int64_t> shape) {
  return shape.empty() ? std::string(dtype_name(t)) : fmt::format("{}[{}]", dtype_name(t), fmt::join(shape, ", "));
}

const io::NamedArray* find(const io::SafeTensors& file, std::string_view name) {
  for (const io::NamedArray& a : file.arrays)
    if (a.name == name) return &a;
  return nullptr;
}

void report_unknown(const std::string& path, const io::SafeTensors& file, const TrainProgram& program, Diagnostics& diags) {
  std::vector<std::string> names;
  for (const Leaf& l : program.params) names.push_back(l.path);
  for (const io::NamedArray& a : file.arrays) {
    if (std::find(names.begin(), names.end(), a.name) != names.end()) continue;
    Diagnostic& d = diags.report(unknown_weight, program.loss_span, path, a.name);
    if (auto near = nearest(a.name, names)) d.help(fmt::format("the model has `{}`", *near));
  }
}
}  // namespace

void report_world(Diagnostics& diags, const Error& error) {
  Diagnostic& d = diags.report(world, Span{}, error.message);
  if (!error.help.empty()) d.help(error.help);
}

Result<void> save_weights(const std::string& path, const TrainProgram& program, std::span<const Tensor> params) {
  std::vector<io::NamedArray> arrays;
  for (size_t i = 0; i < params.size(); ++i) arrays.push_back({program.params[i].path, params[i].to_array()});
  return io::write_safetensors(path, arrays, {{"format", "glia"}, {"model", program.model}});
}

std::optional<std::vector<Tensor>> load_weights(const std::string& path, const ir::Types& types, const TrainProgram& program,
                                                Diagnostics& diags) {
  auto file = io::read_safetensors(path);
  if (!file) return report_world(diags, file.error()), std::nullopt;
  const size_t before = diags.error_count();
  std::vector<std::string> names;
  for (const io::NamedArray& a : file->arrays) names.push_back(a.name);
  std::vector<Tensor> params;
  for (const Leaf& l : program.params) {
    const io::NamedArray* a = find(*file, l.path);
    const DType dtype = types.dtype(l.type);
    const std::vector<int64_t> shape = known_shape(types, l.type);
    if (!a) {
      Diagnostic& d = diags.report(missing_weight, program.loss_span, path, l.path);
      if (auto near = nearest(l.path, names)) d.help(fmt::format("the nearest name in the file is `{}`", *near));
    } else if (a->array.dtype != dtype || a->array.shape != shape) {
      diags.report(other_type, program.loss_span, l.path, type_text(a->array.dtype, a->array.shape), path, type_text(dtype, shape));
    } else {
      params.push_back(Tensor::from(a->array));
    }
  }
  report_unknown(path, *file, program, diags);
  if (diags.error_count() > before) return std::nullopt;
  return params;
}

}  // namespace glia::train
