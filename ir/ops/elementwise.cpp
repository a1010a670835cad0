// The type and batch rule that all elementwise ops share, and the derivatives that take more than a line.
#include <fmt/format.h>

#include "ir/ops/all.h"

namespace glia::ir {

namespace {
bool accepts(Takes takes, DType t) {
  switch (takes) {
    case Takes::floats: return is_float(t);
    case Takes::nums: return is_num(t);
    case Takes::ints: return is_int(t);
    case Takes::bools: return t == DType::boolean;
    case Takes::any: return true;
  }
  return false;
}

std::string_view wanted(Takes takes) {
  switch (takes) {
    case Takes::floats: return "floats";
    case Takes::nums: return "numbers";
    case Takes::ints: return "integers";
    case Takes::bools: return "bools";
    case Takes::any: return "tensors";
  }
  return "tensors";
}
}  // namespace

TypeRule elementwise_type(const TypeContext& c, Takes takes, bool predicate) {
  for (TypeId t : c.args) {
    if (!c.types.is_tensor(t)) return std::unexpected(fmt::format("takes {}, found {}", wanted(takes), c.types.print(t)));
    if (!accepts(takes, c.types.dtype(t))) return std::unexpected(fmt::format("takes {}, found {}", wanted(takes), c.types.print(t)));
    if (c.types.dtype(t) != c.dtype(0))
      return std::unexpected(fmt::format("element types differ: {} and {}", c.types.print(c.args[0]), c.types.print(t)));
    if (c.types.shape(t) != c.shape(0))
      return std::unexpected(fmt::format("shapes differ: {} and {}", c.types.print(c.args[0]), c.types.print(t)));
  }
  return predicate ? c.types.with_dtype(c.args[0], DType::boolean) : c.args[0];
}

Batched elementwise_batch(const Use& u, std::span<const Batched> args, DimId rows) {
  std::vector<ValueId> ids;
  for (const Batched& a : args) ids.push_back(with_rows(a, rows).id);
  return {u.b.emit(u.node.op, std::move(ids), u.node.attrs), true};
}

Value with_rows(Value shared, DimId rows) {
  Shape shape = shared.shape();
  shape.insert(shape.begin(), rows);
  return broadcast(shared, shape, iota_ints(shared.rank(), 1));
}

Value with_rows(const Batched& x, DimId rows) { return x.batched ? x.value : with_rows(x.value, rows); }

Value move_axis(Value x, size_t from, size_t to) {
  if (from == to) return x;
  Ints perm = iota_ints(x.rank());
  perm.erase(perm.begin() + static_cast<ptrdiff_t>(from));
  perm.insert(perm.begin() + static_cast<ptrdiff_t>(to), static_cast<int64_t>(from));
  return transpose(x, perm);
}

// x - y * floor(x / y): the quotient is constant between its jumps.
Value Mod::derivative(const Use& u, size_t k, Value g) {
  return k == 0 ? g : -(g * u.b.emit(op<FloorDiv>, {u.x[0].id, u.x[1].id}));
}

namespace {
// y x^(y-1), which is 0 at y = 0 whatever x is; a known exponent is folded, so that x^2 gives 2 x.
Value pow_base(Value x, Value y, Value g) {
  if (auto c = constant_value(y)) {
    if (*c == 0) return {};
    if (*c == 1) return g;
    if (*c == 2) return g * (2.0 * x);
    return g * (*c * pow(x, constant_like(y, *c - 1)));
  }
  Value safe = select(y == 0.0, ones_like(y), y);
  return g * (y * pow(x, safe - 1.0));
}

// x^y log x, with its limit 0 at x = 0 for y > 0: no logarithm of 0 is formed there, so later derivatives are finite too.
Value pow_exponent(Value x, Value y, Value result, Value g) {
  Value safe = select(x == 0.0 && y > 0.0, ones_like(x), x);
  return g * (result * log(safe));
}

// The larger (or smaller) side takes g, equal sides take half each.
Value share(Value mine, Value other, bool largest, Value g) {
  Value wins = largest ? mine > other : mine < other;
  return select(wins, g, select(mine == other, 0.5 * g, 0.0));
}
}  // namespace

Value Pow::derivative(const Use& u, size_t k, Value g) {
  return k == 0 ? pow_base(u.x[0], u.x[1], g) : pow_exponent(u.x[0], u.x[1], u.y, g);
}

Value Max::derivative(const Use& u, size_t k, Value g) { return share(u.x[k], u.x[1 - k], true, g); }
Value Min::derivative(const Use& u, size_t k, Value g) { return share(u.x[k], u.x[1 - k], false, g); }

Value Abs::derivative(const Use& u, size_t, Value g) { return g * u.b.emit(op<Sign>, {u.x[0].id}); }
Value Sinh::derivative(const Use& u, size_t, Value g) { return g * u.b.emit(op<Cosh>, {u.x[0].id}); }
Value Cosh::derivative(const Use& u, size_t, Value g) { return g * u.b.emit(op<Sinh>, {u.x[0].id}); }

Value Atan2::derivative(const Use& u, size_t k, Value g) {
  Value part = g * u.x[1 - k] / (square(u.x[0]) + square(u.x[1]));
  return k == 0 ? part : -part;
}

}  // namespace glia::ir
