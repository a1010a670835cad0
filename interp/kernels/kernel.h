// The reference kernels: one plain function per op over raw memory, for whoever runs the IR. They define what an op
// gives; a backend may be faster, not different.
#pragma once
#include <expected>
#include <span>
#include <string>

#include "interp/sizes.h"
#include "interp/tensor.h"
#include "ir/func.h"

namespace glia::interp {

// Elements in row-major order without gaps, owned by someone else. `shape` is concrete.
struct View {
  DType dtype = DType::f32;
  std::span<const int64_t> shape;
  void* data = nullptr;

  int64_t size() const { return element_count(shape); }
  size_t rank() const { return shape.size(); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

View view(const Tensor& t);

// One use of an op. The result's memory is there already and is written whole; it overlaps no argument, except that an
// elementwise op may write over an argument of its own element type and size.
struct KernelCall {
  ir::OpId op;
  const ir::Attrs& attrs;
  std::span<const View> args;
  View out;
  const Sizes& sizes;  // what size names in the attributes stand for

  int64_t size(ir::DimId d) const;  // of a size that is known by now
  std::vector<int64_t> dims(ir::AttrKey key) const;
};

using KernelResult = std::expected<void, std::string>;  // the error: what the user's program did wrong, with the values
using Kernel = KernelResult (*)(const KernelCall&);

// Null for ops that are not functions of tensors alone: control and host.
Kernel kernel_for(ir::OpId op);

// "[1, 4]": the place of an element in a tensor.
std::string position(int64_t index, std::span<const int64_t> shape);

}  // namespace glia::interp
