// The templates behind tiles.h; each element type is compiled in a file of its own.
#pragma once
#include <array>
#include <type_traits>

#include "interp/exec/clones.h"
#include "interp/exec/tiles.h"
#include "ir/ops/all.h"

namespace glia::interp::exec {

template <class Op, class T>
struct Unary {
  using Out = decltype(Op::eval(T{}));
  GLIA_CLONES static void run(void* dst, const void* const* src, size_t n);
};

template <class Op, class T>
void Unary<Op, T>::run(void* dst, const void* const* src, size_t n) {
  Out* __restrict out = static_cast<Out*>(dst);
  const T* x = static_cast<const T*>(src[0]);
  for (size_t i = 0; i < n; ++i) out[i] = Op::eval(x[i]);
}

template <class Op, class T, unsigned scalars>
struct Binary {
  using Out = decltype(Op::eval(T{}, T{}));
  GLIA_CLONES static void run(void* dst, const void* const* src, size_t n);
};

template <class Op, class T, unsigned scalars>
void Binary<Op, T, scalars>::run(void* dst, const void* const* src, size_t n) {
  Out* __restrict out = static_cast<Out*>(dst);
  const T* x = static_cast<const T*>(src[0]);
  const T* y = static_cast<const T*>(src[1]);
  if constexpr (scalars == 1) {
    const T a = *x;
    for (size_t i = 0; i < n; ++i) out[i] = Op::eval(a, y[i]);
  } else if constexpr (scalars == 2) {
    const T b = *y;
    for (size_t i = 0; i < n; ++i) out[i] = Op::eval(x[i], b);
  } else {
    for (size_t i = 0; i < n; ++i) out[i] = Op::eval(x[i], y[i]);
  }
}

template <class T, bool is_bool>
constexpr bool takes(ir::Takes t) {
  switch (t) {
    case ir::Takes::floats: return std::is_floating_point_v<T>;
    case ir::Takes::nums: return !is_bool;
    case ir::Takes::ints: return std::is_integral_v<T> && !is_bool;
    case ir::Takes::bools: return is_bool;
    case ir::Takes::any: return true;
  }
  return false;
}

template <class Op, class T, bool is_bool>
constexpr std::array<TileFn, 3> loops_of() {
  if constexpr (!takes<T, is_bool>(Op::takes)) return {};
  else if constexpr (Op::arity == 1) return {&Unary<Op, T>::run, nullptr, nullptr};
  else return {&Binary<Op, T, 0>::run, &Binary<Op, T, 1>::run, &Binary<Op, T, 2>::run};
}

// Elementwise ops come first in the list of all ops, so that their ids index this table.
template <class T, bool is_bool, class... Ops>
TileFn find_loop(ir::OpList<Ops...>, ir::OpId op, unsigned scalars) {
  static constexpr std::array<std::array<TileFn, 3>, sizeof...(Ops)> table{loops_of<Ops, T, is_bool>()...};
  return op.index() < table.size() && scalars < 3 ? table[op.index()][scalars] : nullptr;
}

}  // namespace glia::interp::exec
