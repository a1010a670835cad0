// One folding function per elementwise op and element type, made from the op's `eval`.
#include "ir/fold.h"

#include <bit>
#include <cmath>
#include <limits>

#include "ir/ops/all.h"

namespace glia::ir {

double as_double(const Number& n) {
  return std::visit([](auto v) { return static_cast<double>(v); }, n);
}

bool is_number(const Number& n, double value) { return as_double(n) == value; }

bool same_bits(const Number& a, const Number& b) {
  if (a.index() != b.index()) return false;
  if (auto* i = std::get_if<int64_t>(&a)) return *i == std::get<int64_t>(b);
  return std::bit_cast<uint64_t>(std::get<double>(a)) == std::bit_cast<uint64_t>(std::get<double>(b));
}

std::optional<Number> number_of(const Node& node) {
  if (node.op != op<Const>) return std::nullopt;
  const AttrValue* v = node.attrs.find(AttrKey::value);
  if (auto* i = std::get_if<int64_t>(v)) return *i;
  if (auto* d = std::get_if<double>(v)) return *d;
  return std::nullopt;
}

namespace {
// Float to int truncates toward zero and saturates; NaN gives 0; int to int wraps.
template <class T>
T element(const Number& n) {
  if (auto* i = std::get_if<int64_t>(&n)) return static_cast<T>(*i);
  double d = std::get<double>(n);
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(d);
  } else if constexpr (std::is_same_v<T, bool>) {
    return d != 0;
  } else {
    if (d != d) return 0;
    if (d <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (d >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(d);
  }
}

template <class T>
Number number(T v) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<double>(v);
  else return static_cast<int64_t>(v);
}

constexpr bool takes(Takes t, DType d) {
  switch (t) {
    case Takes::floats: return is_float(d);
    case Takes::nums: return is_num(d);
    case Takes::ints: return is_int(d);
    case Takes::bools: return d == DType::boolean;
    case Takes::any: return true;
  }
  return false;
}

template <class Op, class T>
Number fold_one(std::span<const Number> x) {
  if constexpr (Op::arity == 1) return number(Op::eval(element<T>(x[0])));
  else return number(Op::eval(element<T>(x[0]), element<T>(x[1])));
}

using FoldFn = Number (*)(std::span<const Number>);

template <class Op>
FoldFn fold_at(DType d) {
  auto pick = [&]<class T>(DType at) -> FoldFn { return d == at ? &fold_one<Op, T> : nullptr; };
  if constexpr (Op::takes == Takes::floats || Op::takes == Takes::nums || Op::takes == Takes::any) {
    if (auto f = pick.template operator()<float>(DType::f32)) return f;
    if (auto f = pick.template operator()<double>(DType::f64)) return f;
  }
  if constexpr (Op::takes == Takes::ints || Op::takes == Takes::nums || Op::takes == Takes::any) {
    if (auto f = pick.template operator()<int64_t>(DType::i64)) return f;
    if (auto f = pick.template operator()<int32_t>(DType::i32)) return f;
    if (auto f = pick.template operator()<int8_t>(DType::i8)) return f;
    if (auto f = pick.template operator()<uint8_t>(DType::u8)) return f;
  }
  if constexpr (Op::takes == Takes::bools || Op::takes == Takes::any) return pick.template operator()<bool>(DType::boolean);
  return nullptr;
}

template <class... Ops>
FoldFn fold_of(OpId id, DType d, OpList<Ops...>) {
  FoldFn found = nullptr;
  ((id == op<Ops> && takes(Ops::takes, d) ? (found = fold_at<Ops>(d), true) : false) || ...);
  return found;
}

// Integer operations that a program may not do: left for the run to report.
bool is_fault(OpId id, DType d, std::span<const Number> x) {
  if (!is_int(d)) return false;
  int64_t y = x.size() > 1 ? element<int64_t>(x[1]) : 0;
  return ((id == op<FloorDiv> || id == op<Mod>) && y == 0) || (id == op<Pow> && y < 0);
}
}  // namespace

std::optional<Number> convert(const Number& n, DType to) {
  switch (to) {
    case DType::f32: return number(element<float>(n));
    case DType::f64: return number(element<double>(n));
    case DType::i64: return number(element<int64_t>(n));
    case DType::i32: return number(element<int32_t>(n));
    case DType::i8: return number(element<int8_t>(n));
    case DType::u8: return number(element<uint8_t>(n));
    case DType::boolean: return number(element<bool>(n));
    case DType::bf16: case DType::f16: case DType::any_float: case DType::any_int: case DType::any_num: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Number> fold(OpId id, DType type, std::span<const Number> x) {
  if (id == op<Neg> && std::holds_alternative<double>(x[0])) return -std::get<double>(x[0]);  // exact in every float type
  FoldFn f = fold_of(id, type, ElementwiseOps{});
  if (!f || is_fault(id, type, x)) return std::nullopt;
  return f(x);
}

}  // namespace glia::ir
