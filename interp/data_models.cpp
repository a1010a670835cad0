// Weights of other programs as values of a model, and rows made by the program itself.
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interp/data_call.h"
#include "io/llama2c.h"

namespace glia::interp {
namespace {

// A weight of the file, or of one layer of a stack of them.
struct Weight {
  const io::NamedArray* of;
  int64_t layer = -1;

  std::vector<int64_t> shape() const {
    const auto& s = of->array.shape;
    return layer < 0 ? s : std::vector<int64_t>(s.begin() + 1, s.end());
  }
};

// In the order of a model: what stands before the layers, each layer, what stands after them.
std::vector<Weight> in_model_order(const io::Llama2c& file) {
  std::vector<Weight> out;
  std::vector<const io::NamedArray*> stacked;
  const auto flush = [&] {
    for (int64_t layer = 0; layer < (stacked.empty() ? 0 : file.layers); ++layer)
      for (const io::NamedArray* w : stacked) out.push_back({w, layer});
    stacked.clear();
  };
  for (const io::NamedArray& w : file.weights) {
    const bool single = w.name == "token_embedding" || w.name == "rms_final" || w.name == "wcls";
    if (!single) {
      stacked.push_back(&w);
      continue;
    }
    flush();
    out.push_back({&w});
  }
  flush();
  return out;
}

std::vector<int64_t> sizes_of(const ir::Module& module, ir::TypeId type) {
  std::vector<int64_t> out;
  for (ir::DimId d : module.types[type].shape) out.push_back(module.types.dims.known(d).value_or(-1));
  return out;
}

DataResult weight_value(const Weight& w, const std::vector<int64_t>& shape) {
  auto t = Tensor::allocate(DType::f32, shape);
  if (!t) return data_fault(t.error());
  const size_t bytes = t->byte_size();
  std::memcpy(t->data->data(), w.of->array.bytes.data() + static_cast<size_t>(std::max<int64_t>(w.layer, 0)) * bytes, bytes);
  return Value(std::move(*t));
}

}  // namespace

DataResult read_llama_weights(const DataCall& call) {
  const std::string& path = call.args[0].text();
  const auto file = io::read_llama2c(path);
  if (!file) return data_fault(file.error());
  const auto weights = in_model_order(*file);
  const auto names = option_values(call, "param");
  const ir::Type& result = call.module.types[call.result];
  if (names.size() != weights.size())
    return data_fault(fmt::format("`{}` holds {} weights in {} layers, but the model has {} parameters", path, weights.size(), file->layers, names.size()),
                      "declare one parameter for each weight, in the order of the file");
  Tuple out;
  for (size_t i = 0; i < weights.size(); ++i) {
    const ir::TypeId type = result.kind == ir::TypeKind::tuple ? result.elems[i] : call.result;
    const auto wanted = sizes_of(call.module, type), found = weights[i].shape();
    if (wanted != found)
      return data_fault(fmt::format("`{}` has `{}` of [{}], but the parameter `{}` is [{}]", path, weights[i].of->name, fmt::join(found, ", "), names[i],
                                    fmt::join(wanted, ", ")));
    auto v = weight_value(weights[i], found);
    if (!v || weights.size() == 1) return v;
    out.elems.push_back(std::move(*v));
  }
  return out;
}

DataResult rows_of_tensors(const DataCall& call) {
  Rows rows{call.args[0].tensor().shape[0], option_values(call, "field"), {call.args.begin(), call.args.end()}};
  return rows;
}

}  // namespace glia::interp
