// Plans take pointers as they are; the oracle copies them into values and its results back.
#include "train/runner.h"

#include <cstring>

namespace glia::train {

using interp::Fault;
using interp::Tensor;
using interp::Value;

std::vector<int64_t> known_shape(const ir::Types& types, ir::TypeId type) {
  std::vector<int64_t> shape;
  for (ir::DimId d : types.shape(type)) {
    const auto n = types.dims.known(d);
    GLIA_CHECK(n.has_value(), "the sizes of a training step are known: " + types.print(type));
    shape.push_back(*n);
  }
  return shape;
}

std::vector<Value> values_at(const ir::Module& module, const ir::Func& f, std::span<const void* const> params) {
  std::vector<Value> values;
  for (size_t i = 0; i < params.size(); ++i) {
    const ir::TypeId type = f[f.params[i]].type;
    Tensor t = Tensor::zeros(module.types.dtype(type), known_shape(module.types, type));
    if (t.byte_size() > 0) std::memcpy(t.data->data(), params[i], t.byte_size());
    values.emplace_back(std::move(t));
  }
  return values;
}

std::expected<Runner, Fault> Runner::make(const ir::Module& module, ir::FuncId func, const RunOptions& options) {
  if (options.backend == Backend::interp) return Runner(Oracle{&module, &module[func], options.evaluate});
  auto plan = interp::Plan::make(module, module[func], {options.threads, options.evaluate});
  if (!plan) return std::unexpected(std::move(plan.error()));
  return Runner(std::move(*plan));
}

std::expected<void, Fault> Runner::run(std::span<const void* const> params, std::span<void* const> results) {
  if (auto* plan = std::get_if<interp::Plan>(&how_)) return plan->run(params, results);
  const Oracle& o = std::get<Oracle>(how_);
  auto values = interp::evaluate(*o.module, *o.func, values_at(*o.module, *o.func, params), o.options);
  if (!values) return std::unexpected(std::move(values.error()));
  for (size_t i = 0; i < results.size(); ++i) {
    const Tensor& t = (*values)[i].tensor();
    if (t.byte_size() > 0) std::memcpy(results[i], t.data->data(), t.byte_size());
  }
  return {};
}

}  // namespace glia::train
