// Attributes of a node: what is fixed when the program is made (axes, sizes, constants, nested functions).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/dtype.h"
#include "base/ids.h"
#include "ir/dims.h"

namespace glia::ir {

using FuncId = Id<struct FuncTag>;
using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;
using DimList = std::vector<DimId>;

enum class AttrKey : uint8_t {
  value,   // const: the number (int64_t or double)
  values,  // literal: the numbers
  shape,   // result sizes
  dtype,   // result element type
  axis, axes,
  perm,    // transpose
  starts, stops, steps,  // slice, by axis (DimList, DimList, Ints)
  low, high,             // pad, by axis (DimList)
  lhs, rhs, out,         // contract: one label per axis
  batch,   // gather and scatter_add: how many leading axes go together
  index,   // get: which element
  fields,  // tuple: names
  func,    // nested function: for if, the `then` branch
  other,   // if: the `else` branch; while: the condition
  wrt,     // grad: which parameters of func
  site,    // random: identity of the call site
  order,   // effects: the place in order
  dim,     // dim: the size as a value
  count,   // map, loop: how many iterations
  text,    // str: the text; format: the format spec; host: the function's name
  options, // host: literal arguments that fix the type, "name=value" lines
  name,
};

std::string_view attr_name(AttrKey key);

using AttrValue = std::variant<int64_t, double, std::string, Ints, Reals, DimId, DimList, DType, FuncId, std::vector<std::string>>;

struct AttrEntry {
  AttrKey key;
  AttrValue value;
};

// Few entries, sorted by key.
class Attrs {
 public:
  Attrs() = default;
  Attrs(std::initializer_list<AttrEntry> entries) {
    for (const AttrEntry& e : entries) set(e.key, e.value);
  }
  void set(AttrKey key, AttrValue value);
  const AttrValue* find(AttrKey key) const;
  bool has(AttrKey key) const { return find(key) != nullptr; }
  template <class T>
  const T& get(AttrKey key) const { return std::get<T>(*find(key)); }

  int64_t integer(AttrKey key) const { return get<int64_t>(key); }
  const Ints& ints(AttrKey key) const { return get<Ints>(key); }
  const DimList& dims(AttrKey key) const { return get<DimList>(key); }
  const std::string& text(AttrKey key) const { return get<std::string>(key); }
  FuncId func(AttrKey key) const { return get<FuncId>(key); }

  const std::vector<AttrEntry>& entries() const { return entries_; }
  size_t hash() const;
  friend bool operator==(const Attrs& a, const Attrs& b);  // doubles by bits: -0 is not 0, NaN is itself

 private:
  std::vector<AttrEntry> entries_;
};

}  // namespace glia::ir
