// Runs one kernel on tensors made in a test.
#pragma once
#include <gtest/gtest.h>

#include "interp/kernels/kernel.h"
#include "ir/ops/all.h"

namespace glia::interp {

struct KernelCase {
  ir::Types types;
  Sizes sizes{types};

  ir::DimList dims(const std::vector<int64_t>& ns) {
    ir::DimList list;
    for (int64_t n : ns) list.push_back(types.dims.constant(n));
    return list;
  }

  std::expected<Tensor, std::string> run(ir::OpId op, const std::vector<Tensor>& args, const ir::Attrs& attrs, DType dtype,
                                         std::vector<int64_t> shape) {
    std::vector<View> views;
    for (const Tensor& t : args) views.push_back(view(t));
    Tensor out = Tensor::zeros(dtype, std::move(shape));
    if (out.byte_size() > 0) std::fill_n(out.data->data(), out.byte_size(), std::byte(0x7f));  // a kernel writes the whole of it
    auto done = kernel_for(op)(KernelCall{op, attrs, views, view(out), sizes});
    if (!done) return std::unexpected(done.error());
    return out;
  }
};

template <class T>
std::vector<double> reals(const std::expected<Tensor, std::string>& t) {
  EXPECT_TRUE(t.has_value()) << t.error();
  std::vector<double> result;
  if (t)
    for (T x : t->as<T>()) result.push_back(static_cast<double>(x));
  return result;
}

}  // namespace glia::interp
