// A function under construction with inputs drawn for it: what the tests of the executor start from.
#pragma once
#include <random>

#include "interp/element.h"
#include "interp/tensor.h"
#include "ir/value.h"

namespace glia::interp {

using ir::AttrKey;
using ir::Builder;
using V = ir::Value;

inline V operator*(V x, double y) { return y * x; }

struct Program {
  ir::Module module;
  Builder b{module, "f"};
  std::mt19937 random{1};

  ir::Shape shape(const std::vector<int64_t>& sizes) {
    ir::Shape s;
    for (int64_t n : sizes) s.push_back(module.types.dims.constant(n));
    return s;
  }
  V param(DType t, const std::vector<int64_t>& sizes) { return b.param(module.types.tensor(t, shape(sizes))); }
  V f32(const std::vector<int64_t>& sizes) { return param(DType::f32, sizes); }
  std::vector<int64_t> sizes(ir::TypeId t) const {
    std::vector<int64_t> out;
    for (ir::DimId d : module.types.shape(t)) out.push_back(*module.types.dims.known(d));
    return out;
  }

  Tensor draw(ir::TypeId type, int64_t ints = 3) {
    Tensor t = Tensor::zeros(module.types.dtype(type), sizes(type));
    std::uniform_real_distribution<double> real(-2, 2);
    std::uniform_int_distribution<int64_t> whole(0, ints - 1);
    with_element(t.dtype, [&]<class T>() {
      for (T& x : t.as<T>()) {
        if constexpr (is_real<T>) x = static_cast<T>(real(random));
        else x = static_cast<T>(whole(random) % (std::is_same_v<T, bool> ? 2 : 127));
      }
    });
    return t;
  }
};

}  // namespace glia::interp
