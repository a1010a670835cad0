// Places tensors that live at different times in the same bytes: a plan's memory is laid out once.
#pragma once
#include <cstddef>
#include <vector>

namespace glia::interp::exec {

// A tensor is written by step `first` and read last by step `last`.
struct Lifetime {
  size_t bytes;
  size_t first, last;
};

struct Layout {
  std::vector<size_t> offsets;
  size_t bytes = 0;
};

inline constexpr size_t arena_alignment = 64;

// Largest first, each into the tightest gap that fits among those alive at the same time.
Layout lay_out(const std::vector<Lifetime>& tensors);

// Whether no two tensors that are alive at one time share a byte, all inside the arena and aligned.
bool is_sound(const std::vector<Lifetime>& tensors, const Layout& layout);

}  // namespace glia::interp::exec
