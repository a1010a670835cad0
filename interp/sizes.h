// The numbers that size names stand for while a function runs. They come from the tensors it is given.
#pragma once
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "interp/value.h"
#include "ir/types.h"

namespace glia::interp {

class Sizes {
 public:
  // Names that are not bound here are looked up in `outer`, which outlives this.
  explicit Sizes(const ir::Types& types, const Sizes* outer = nullptr) : types_(&types), outer_(outer) {}

  std::optional<int64_t> operator()(ir::DimId d) const;                              // nothing: a name in it is not bound
  std::optional<std::vector<int64_t>> shape(std::span<const ir::DimId> dims) const;  // packs spread out

  // Binds the names of `type` so that it describes `value`. What does not fit is the error.
  std::expected<void, std::string> bind(ir::TypeId type, const Value& value);
  std::expected<void, std::string> bind(std::span<const ir::DimId> pattern, std::span<const int64_t> actual);

 private:
  std::optional<int64_t> atom(ir::AtomId a) const;
  std::optional<int64_t> own(ir::DimId d, ir::AtomId unknown, int64_t guess) const;
  bool any_size(ir::DimId pattern) const;  // has `?` in it
  bool solve(ir::DimId pattern, int64_t actual);
  std::expected<void, std::string> bind_pack(ir::DimId pack, std::span<const int64_t> actual);
  std::expected<void, std::string> bind_list(ir::TypeId elem, const Value& value);
  std::string mismatch(std::span<const ir::DimId> pattern, std::span<const int64_t> actual) const;

  const ir::Types* types_;
  const Sizes* outer_;
  std::unordered_map<uint32_t, int64_t> numbers_;
  std::unordered_map<std::string, std::vector<int64_t>> packs_;
};

}  // namespace glia::interp
