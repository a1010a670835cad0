// One instruction of a plan: a function over a range of chunks of its work. How the work is cut never depends on
// the number of threads, so neither do the bits of the result.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace glia::interp {
struct Fault;
}

namespace glia::interp::exec {

using SlotId = Id<struct SlotTag>;  // a tensor of the plan

// Where a tensor lies while the plan runs: base 0 is the arena, 1 the constants, then parameters, then results.
struct Ref {
  uint32_t base = 0;
  size_t offset = 0;
};

inline constexpr uint32_t arena_base = 0, constant_base = 1, first_param_base = 2;

struct Call {
  std::byte* const* bases;
  std::byte* scratch;  // of this worker
  size_t worker;
  size_t begin, end;   // chunks
  Fault* fault;        // written by a step that fails; such steps have one chunk

  template <class T>
  T* at(Ref r) const { return reinterpret_cast<T*>(bases[r.base] + r.offset); }
};

struct Step {
  bool (*run)(void* data, const Call& call) = nullptr;  // false: it has written a fault
  std::unique_ptr<void, void (*)(void*)> data{nullptr, [](void*) {}};
  size_t chunks = 1;
  bool parallel = false;  // worth waking the other threads
  size_t scratch = 0;     // bytes a worker needs
};

// A step of a T, which has bool run(const Call&).
template <class T>
Step make_step(T data, size_t chunks = 1, bool parallel = false, size_t scratch = 0) {
  Step s;
  s.run = [](void* p, const Call& call) { return static_cast<T*>(p)->run(call); };
  s.data = {new T(std::move(data)), [](void* p) { delete static_cast<T*>(p); }};
  s.chunks = chunks;
  s.parallel = parallel && chunks > 1;
  s.scratch = scratch;
  return s;
}

struct Places {
  std::vector<Ref> refs;
  Ref operator[](SlotId s) const { return refs[s.index()]; }
};

// A step before memory is placed.
struct Unit {
  std::vector<SlotId> reads, writes;
  std::function<Step(const Places&)> finish;
};

}  // namespace glia::interp::exec
