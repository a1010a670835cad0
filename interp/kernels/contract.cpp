// The sum of products, by plain loops over labels: the oracle for every faster product. Floats are multiplied and summed
// in f64 and rounded once. The last label of the result is the inner loop, so that rows are read in place.
#include <fmt/format.h>

#include <map>
#include <vector>

#include "interp/kernels/families.h"
#include "interp/kernels/strides.h"

namespace glia::interp {

using ir::AttrKey;
using ir::Ints;

namespace {
struct Label {
  int64_t size = 1, a = 0, b = 0;  // how far a step along it moves in each argument
  bool summed = true;
};

std::expected<std::map<int64_t, Label>, std::string> read_labels(const KernelCall& c) {
  std::map<int64_t, Label> labels;
  for (size_t side = 0; side < 2; ++side) {
    const Ints& names = c.attrs.ints(side == 0 ? AttrKey::lhs : AttrKey::rhs);
    const Strides strides = row_major(c.args[side].shape);
    for (size_t i = 0; i < names.size(); ++i) {
      const int64_t size = c.args[side].shape[i];
      auto [it, inserted] = labels.try_emplace(names[i], Label{size, 0, 0, true});
      if (!inserted && it->second.size != size)
        return std::unexpected(fmt::format("axes of sizes {} and {} go together in a product", it->second.size, size));
      (side == 0 ? it->second.a : it->second.b) += strides[i];
    }
  }
  for (int64_t l : c.attrs.ints(AttrKey::out)) labels[l].summed = false;
  return labels;
}

struct Walk {
  std::vector<int64_t> shape;
  Strides a, b;
  void push(const Label& l) { shape.push_back(l.size), a.push_back(l.a), b.push_back(l.b); }
};

template <class T>
void products(const KernelCall& c, const Walk& outer, const Label& inner, const Walk& summed) {
  using A = Accumulate<T>;
  const T *x = c.args[0].as<T>(), *y = c.args[1].as<T>();
  T* r = c.out.as<T>();
  std::vector<A> sums(static_cast<size_t>(inner.size));
  for_each_offset<2>(outer.shape, {outer.a, outer.b}, {0, 0}, [&](const auto& row) {
    std::fill(sums.begin(), sums.end(), A(0));
    for_each_offset<2>(summed.shape, {summed.a, summed.b}, row, [&](const auto& at) {
      const T *p = x + at[0], *q = y + at[1];
      A* to = sums.data();
      if (inner.a == 0 && inner.b == 1) {
        const A left = static_cast<A>(*p);
        for (int64_t j = 0; j < inner.size; ++j) to[j] += left * static_cast<A>(q[j]);
      } else {
        for (int64_t j = 0; j < inner.size; ++j) to[j] += static_cast<A>(p[j * inner.a]) * static_cast<A>(q[j * inner.b]);
      }
    });
    for (A s : sums) *r++ = narrow<T>(s);
  });
}
}  // namespace

template <>
KernelResult run_kernel<ir::Contract>(const KernelCall& c) {
  auto labels = read_labels(c);
  if (!labels) return std::unexpected(labels.error());
  Walk outer, summed;
  const Ints& out = c.attrs.ints(AttrKey::out);
  for (size_t i = 0; i + 1 < out.size(); ++i) outer.push((*labels)[out[i]]);
  for (const auto& [name, label] : *labels)
    if (label.summed) summed.push(label);
  const Label inner = out.empty() ? Label{} : (*labels)[out.back()];
  if (c.out.size() == 0) return {};
  with_element(c.out.dtype, [&]<class T>() { products<T>(c, outer, inner, summed); });
  return {};
}

}  // namespace glia::interp
