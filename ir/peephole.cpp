// The laws, by op. Each takes the arguments and attributes of a node about to be made and gives a simpler value, or none.
#include "ir/peephole.h"

#include <algorithm>
#include <cmath>

#include "ir/fold.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::ir {

namespace {
using Values = std::span<const Value>;

const Node& node(Value v) { return v.b->func()[v.id]; }
std::optional<Number> number(Value v) { return number_of(node(v)); }
Value arg(Value v, size_t k) { return v.b->value(node(v).args[k]); }

bool is(Value v, double value) {
  auto n = number(v);
  return n && is_number(*n, value);
}

// -0 + x is x for every x, 0 + x is not for x = -0; integers have one zero.
bool is_additive_identity(Value v) {
  auto n = number(v);
  if (!n || !is_number(*n, 0)) return false;
  return std::holds_alternative<int64_t>(*n) || std::signbit(std::get<double>(*n));
}

bool is_subtractive_identity(Value v) {
  auto n = number(v);
  if (!n || !is_number(*n, 0)) return false;
  return std::holds_alternative<int64_t>(*n) || !std::signbit(std::get<double>(*n));
}

Value filled(Value like, const Number& n, DType dtype) {
  Attrs attrs{{AttrKey::dtype, dtype}, {AttrKey::shape, like.shape()}};
  std::visit([&](auto v) { attrs.set(AttrKey::value, v); }, n);
  return like.b->emit(op<Const>, {}, std::move(attrs));
}

Value fold_elementwise(OpId id, Values x) {
  std::vector<Number> numbers;
  for (Value v : x) {
    auto n = number(v);
    if (!n || v.shape() != x[0].shape() || v.dtype() != x[0].dtype()) return {};
    numbers.push_back(*n);
  }
  auto folded = fold(id, x[0].dtype(), numbers);
  bool predicate = id == op<Eq> || id == op<Ne> || id == op<Lt> || id == op<Le>;
  return folded ? filled(x[0], *folded, predicate ? DType::boolean : x[0].dtype()) : Value{};
}

Value arithmetic(OpId id, Values x) {
  if (id == op<Add>) return is_additive_identity(x[1]) ? x[0] : is_additive_identity(x[0]) ? x[1] : Value{};
  if (id == op<Sub>) return is_subtractive_identity(x[1]) ? x[0] : Value{};
  if (id == op<Mul>) return is(x[1], 1) ? x[0] : is(x[0], 1) ? x[1] : Value{};
  if (id == op<Div> || id == op<Pow>) return is(x[1], 1) ? x[0] : Value{};
  if (id == op<Neg> || id == op<Not>) return node(x[0]).op == id ? arg(x[0], 0) : Value{};
  if (id == op<And>) return is(x[1], 1) ? x[0] : is(x[0], 1) ? x[1] : Value{};
  if (id == op<Or>) return is(x[1], 0) ? x[0] : is(x[0], 0) ? x[1] : Value{};
  return {};
}

Value on_select(Values x) {
  if (x[1].id == x[2].id && x[1].type() == x[2].type() && (x[0].rank() == 0 || x[0].shape() == x[1].shape())) return x[1];
  auto c = number(x[0]);
  if (!c) return {};
  return is_number(*c, 0) ? x[2] : x[1];
}

Value on_cast(Values x, const Attrs& attrs) {
  DType to = attrs.get<DType>(AttrKey::dtype);
  if (to == x[0].dtype()) return x[0];
  auto n = number(x[0]);
  if (!n) return {};
  auto held = convert(*n, x[0].dtype());
  auto converted = held ? convert(*held, to) : std::nullopt;
  return converted ? filled(x[0], *converted, to) : Value{};
}

Value on_reshape(Values x, const Attrs& attrs) {
  const Shape& to = attrs.dims(AttrKey::shape);
  if (to == x[0].shape()) return x[0];
  if (node(x[0]).op == op<Reshape>) return reshape(arg(x[0], 0), to);
  auto n = number(x[0]);
  if (!n) return {};
  Attrs same = node(x[0]).attrs;
  same.set(AttrKey::shape, to);
  return x[0].b->emit(op<Const>, {}, std::move(same));
}

bool is_identity(const Ints& perm) { return perm == iota_ints(perm.size()); }

Value on_transpose(Values x, const Attrs& attrs) {
  Ints perm = attrs.ints(AttrKey::perm);
  if (is_identity(perm)) return x[0];
  if (node(x[0]).op == op<Transpose>) {
    const Ints inner = node(x[0]).attrs.ints(AttrKey::perm);
    for (int64_t& p : perm) p = inner[static_cast<size_t>(p)];
    return transpose(arg(x[0], 0), perm);
  }
  auto n = number(x[0]);
  if (!n) return {};
  Shape shape;
  for (int64_t p : perm) shape.push_back(x[0].shape()[static_cast<size_t>(p)]);
  Attrs same = node(x[0]).attrs;
  same.set(AttrKey::shape, shape);
  return x[0].b->emit(op<Const>, {}, std::move(same));
}

Value on_broadcast(Values x, const Attrs& attrs) {
  const Shape& to = attrs.dims(AttrKey::shape);
  Ints axes = attrs.ints(AttrKey::axes);
  if (to == x[0].shape() && is_identity(axes)) return x[0];
  if (node(x[0]).op == op<Broadcast>) {
    Ints inner = node(x[0]).attrs.ints(AttrKey::axes);
    for (int64_t& a : inner) a = axes[static_cast<size_t>(a)];
    return broadcast(arg(x[0], 0), to, inner);
  }
  if (!number(x[0])) return {};
  Attrs same = node(x[0]).attrs;
  same.set(AttrKey::shape, to);
  return x[0].b->emit(op<Const>, {}, std::move(same));
}

Value on_slice(Values x, const Attrs& attrs) {
  Dims& dims = x[0].b->dims();
  const Ints& steps = attrs.ints(AttrKey::steps);
  for (size_t i = 0; i < x[0].rank(); ++i) {
    bool whole = dims.known(attrs.dims(AttrKey::starts)[i]) == 0 && attrs.dims(AttrKey::stops)[i] == x[0].shape()[i] && steps[i] == 1;
    if (!whole) return {};
  }
  return x[0];
}

Value on_pad(Values x, const Attrs& attrs) {
  Dims& dims = x[0].b->dims();
  auto zeros = [&](AttrKey key) { return std::ranges::all_of(attrs.dims(key), [&](DimId d) { return dims.known(d) == 0; }); };
  bool dense = !attrs.has(AttrKey::steps) || std::ranges::all_of(attrs.ints(AttrKey::steps), [](int64_t s) { return s == 1; });
  return zeros(AttrKey::low) && zeros(AttrKey::high) && dense ? x[0] : Value{};
}

Value on_get(Values x, const Attrs& attrs) {
  if (node(x[0]).op != op<TupleOp>) return {};
  return arg(x[0], static_cast<size_t>(attrs.integer(AttrKey::index)));
}

Value on_dim(Builder& b, const Attrs& attrs) {
  auto n = b.dims().known(attrs.get<DimId>(AttrKey::dim));
  return n ? constant_int(b, *n, attrs.get<DType>(AttrKey::dtype)) : Value{};
}

Value simpler(Builder& b, OpId id, Values x, const Attrs& attrs) {
  if (info(id).family == Family::elementwise) {
    Value v = fold_elementwise(id, x);
    return v.valid() ? v : arithmetic(id, x);
  }
  switch (id.v) {
    case op<Select>.v: return on_select(x);
    case op<Cast>.v: return on_cast(x, attrs);
    case op<Reshape>.v: return on_reshape(x, attrs);
    case op<Transpose>.v: return on_transpose(x, attrs);
    case op<Broadcast>.v: return on_broadcast(x, attrs);
    case op<Slice>.v: return on_slice(x, attrs);
    case op<Pad>.v: return on_pad(x, attrs);
    case op<Get>.v: return on_get(x, attrs);
    case op<DimValue>.v: return on_dim(b, attrs);
    case op<Concat>.v: return x.size() == 1 ? x[0] : Value{};
    case op<Sum>.v: case op<Prod>.v: case op<ReduceMax>.v: case op<ReduceMin>.v: case op<All>.v: case op<Any>.v: case op<Flip>.v:
      return attrs.ints(AttrKey::axes).empty() ? x[0] : Value{};
    default: return {};
  }
}
}  // namespace

Value make(Builder& b, OpId id, std::span<const Value> x, Attrs attrs, TypeId type) {
  if (Value v = simpler(b, id, x, attrs); v.valid()) return v;
  std::vector<ValueId> args;
  for (Value v : x) args.push_back(v.id);
  return b.emit(id, std::move(args), std::move(attrs), type);
}

}  // namespace glia::ir
