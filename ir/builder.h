// Makes functions. Every node goes through `emit`, which checks it by the op's type rule, finds an equal
// node made before, and stamps the current source.
#pragma once
#include <expected>

#include "ir/func.h"

namespace glia::ir {

struct Value;

class Builder {
 public:
  Builder(Module& module, std::string name);

  Module& module() { return module_; }
  Types& types() { return module_.types; }
  Dims& dims() { return module_.types.dims; }
  const Func& func() const { return func_; }

  Value param(TypeId type, std::string name = {});
  // `type` is given only for ops whose type does not follow from arguments and attributes.
  Value emit(OpId op, std::vector<ValueId> args, Attrs attrs = {}, TypeId type = {});
  // The type that the op gives these arguments by its rule, or why it does not take them.
  std::expected<TypeId, std::string> ruled(OpId op, const std::vector<ValueId>& args, const Attrs& attrs = {}) const;
  Value value(ValueId id);
  void result(ValueId id) { func_.results.push_back(id); }
  Func finish() { return std::move(func_); }
  FuncId finish_into_module() { return module_.add(std::move(func_)); }

  // Later nodes come from here; returns what was before.
  SrcId set_src(SrcId src) { return std::exchange(src_, src); }
  SrcId src() const { return src_; }

  TypeId type(ValueId id) const { return func_[id].type; }
  const Shape& shape(ValueId id) const { return module_.types.shape(type(id)); }

 private:
  Module& module_;
  Func func_;
  SrcId src_;
  std::unordered_multimap<size_t, ValueId> index_;
  int64_t effects_ = 0;  // how many so far: the place in order of the next
};

// Copies the nodes of `f` into `b` with its parameters replaced by `args`; returns the results.
std::vector<Value> inline_func(Builder& b, const Func& f, std::span<const ValueId> args);

}  // namespace glia::ir
