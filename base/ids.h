// Strong ids: 4-byte handles into append-only vectors. Ids of different kinds do not mix.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>

namespace glia {

template <class Tag>
struct Id {
  static constexpr uint32_t none = 0xffffffffu;
  uint32_t v = none;

  constexpr Id() = default;
  constexpr explicit Id(size_t index) : v(static_cast<uint32_t>(index)) {}

  constexpr bool valid() const { return v != none; }
  constexpr size_t index() const { return v; }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace glia

template <class Tag>
struct std::hash<glia::Id<Tag>> {
  size_t operator()(glia::Id<Tag> id) const noexcept { return std::hash<uint32_t>{}(id.v); }
};
