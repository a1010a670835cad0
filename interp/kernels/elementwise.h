// Loops of the elementwise ops, made from their `eval`: one loop for each op and element type, plain enough for the
// compiler to vectorise. An argument of one element serves for all (rank 0 beside a tensor).
#pragma once
#include <fmt/format.h>

#include "interp/kernels/families.h"

namespace glia::interp {

template <ir::Takes takes, class T>
inline constexpr bool accepts = takes == ir::Takes::any || (takes == ir::Takes::floats && is_real<T>) ||
                                (takes == ir::Takes::nums && !std::is_same_v<T, bool>) ||
                                (takes == ir::Takes::ints && !is_real<T> && !std::is_same_v<T, bool>) ||
                                (takes == ir::Takes::bools && std::is_same_v<T, bool>);

template <class T, class R>
R store(auto x) {
  if constexpr (is_half<R>) return R(static_cast<float>(x));
  else return static_cast<R>(x);
}

template <class Op, class T, class R>
void apply_one(const T* x, R* r, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) r[i] = store<T, R>(Op::template eval<Compute<T>>(static_cast<Compute<T>>(x[i])));
}

template <class Op, class T, class R>
void apply_two(const T* x, bool one_x, const T* y, bool one_y, R* r, int64_t n) {
  using C = Compute<T>;
  auto eval = [](C a, C b) { return store<T, R>(Op::template eval<C>(a, b)); };
  if (one_x && n > 0) {
    const C a = static_cast<C>(x[0]);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) r[i] = eval(a, static_cast<C>(y[one_y ? 0 : i]));
  } else if (one_y && n > 0) {
    const C b = static_cast<C>(y[0]);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) r[i] = eval(static_cast<C>(x[i]), b);
  } else {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) r[i] = eval(static_cast<C>(x[i]), static_cast<C>(y[i]));
  }
}

// What `eval` leaves to its caller: arguments for which there is no integer.
template <class Op, class T>
KernelResult check_integers(const KernelCall& c) {
  constexpr bool divides = std::is_same_v<Op, ir::FloorDiv> || std::is_same_v<Op, ir::Mod>;
  constexpr bool raises = std::is_same_v<Op, ir::Pow> && std::is_signed_v<T>;
  if constexpr (!is_real<T> && (divides || raises)) {
    const int64_t n = c.out.size(), nx = c.args[0].size(), ny = c.args[1].size();
    for (int64_t i = 0; i < n; ++i) {
      const T x = c.args[0].as<T>()[nx == 1 ? 0 : i], y = c.args[1].as<T>()[ny == 1 ? 0 : i];
      const auto place = [&] { return c.out.rank() == 0 ? "" : " at " + position(i, c.out.shape); };
      if (divides && y == 0)
        return std::unexpected(fmt::format("integer division by zero{}: {} {} 0", place(), x, std::is_same_v<Op, ir::Mod> ? "%" : "//"));
      if (std::is_same_v<Op, ir::FloorDiv> && std::is_signed_v<T> && y == static_cast<T>(-1) && x == std::numeric_limits<T>::min())
        return std::unexpected(fmt::format("{} // -1{} does not fit {}", x, place(), dtype_name(c.out.dtype)));
      if (raises && y < 0) return std::unexpected(fmt::format("negative exponent of an integer{}: {} ^ {}", place(), x, y));
    }
  }
  return {};
}

template <class Op, class T>
KernelResult run_elements(const KernelCall& c) {
  using R = std::conditional_t<Op::predicate, bool, T>;
  if (auto checked = check_integers<Op, T>(c); !checked) return checked;
  const int64_t n = c.out.size();
  if constexpr (Op::arity == 1) {
    apply_one<Op, T, R>(c.args[0].as<T>(), c.out.as<R>(), n);
  } else {
    static_assert(Op::arity == 2);
    const bool one_x = c.args[0].size() == 1 && n != 1, one_y = c.args[1].size() == 1 && n != 1;
    apply_two<Op, T, R>(c.args[0].as<T>(), one_x, c.args[1].as<T>(), one_y, c.out.as<R>(), n);
  }
  return {};
}

template <class Op>
KernelResult run_elementwise(const KernelCall& c) {
  return with_element(c.args[0].dtype, [&]<class T>() -> KernelResult {
    if constexpr (accepts<Op::takes, T>) return run_elements<Op, T>(c);
    else return std::unexpected(fmt::format("{} of {}", Op::name, dtype_name(c.args[0].dtype)));
  });
}

// The kernel of `op` if it is an elementwise op that `wanted` chooses.
template <class Wanted, class... Ops>
Kernel find_elementwise(ir::OpId op, Wanted, ir::OpList<Ops...>) {
  Kernel found = nullptr;
  auto look = [&]<class Op>() {
    if constexpr (Wanted::template holds<Op>)
      if (ir::op<Op> == op) found = &run_elementwise<Op>;
  };
  (look.template operator()<Ops>(), ...);
  return found;
}

}  // namespace glia::interp
