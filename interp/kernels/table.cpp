// The kernel of every op, from the op lists: an op of a family that needs one and has none does not compile.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "interp/kernels/families.h"
#include "interp/kernels/kernel.h"
#include "ir/ops/all.h"

namespace glia::interp {

namespace {
template <class Op>
constexpr Kernel kernel_of() {
  if constexpr (Op::family == ir::Family::control || Op::family == ir::Family::host) return nullptr;
  else if constexpr (Op::family == ir::Family::elementwise) return nullptr;  // elementwise_kernel, by its element type
  else return &run_kernel<Op>;
}

template <class... Ops>
auto make_table(ir::OpList<Ops...>) {
  std::array<Kernel, sizeof...(Ops)> table{kernel_of<Ops>()...};
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i] == nullptr) table[i] = elementwise_kernel(ir::OpId(i));
  return table;
}
}  // namespace

Kernel kernel_for(ir::OpId op) {
  static const auto table = make_table(ir::AllOps{});
  return table[op.index()];
}

View view(const Tensor& t) { return {t.dtype, t.shape, t.data->data()}; }

int64_t KernelCall::size(ir::DimId d) const {
  const auto n = sizes(d);
  GLIA_CHECK(n.has_value(), "a size is known when a kernel runs");
  return *n;
}

std::vector<int64_t> KernelCall::dims(ir::AttrKey key) const {
  std::vector<int64_t> result;
  for (ir::DimId d : attrs.dims(key)) result.push_back(size(d));
  return result;
}

std::string position(int64_t index, std::span<const int64_t> shape) {
  std::vector<int64_t> place(shape.size());
  for (size_t i = shape.size(); i-- > 0;) place[i] = index % shape[i], index /= shape[i];
  return fmt::format("[{}]", fmt::join(place, ", "));
}

}  // namespace glia::interp
