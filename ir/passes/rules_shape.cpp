// Laws of sums over repeated values, and of gathers whose index is known.
#include <algorithm>

#include "ir/fold.h"
#include "ir/ops/all.h"
#include "ir/passes/simplify.h"
#include "ir/peephole.h"

namespace glia::ir {

namespace {
const Node& node(Value v) { return v.b->func()[v.id]; }
Value arg(Value v, size_t k) { return v.b->value(node(v).args[k]); }
bool has(const Ints& list, int64_t v) { return std::ranges::find(list, v) != list.end(); }
int64_t place_of(const Ints& list, int64_t v) { return std::ranges::find(list, v) - list.begin(); }
DimId fixed(Builder& b, int64_t n) { return b.dims().constant(n); }
Value input(Builder& b, std::vector<int64_t> sizes, DType dtype = DType::f32) {
  Shape shape;
  for (int64_t n : sizes) shape.push_back(fixed(b, n));
  return b.param(b.types().tensor(dtype, shape));
}

// A size as a factor, in the types that hold every size.
bool holds_sizes(Value x) { return dtype_size(x.dtype()) >= 4; }
Value times_size(Value x, DimId n) { return x * dim_value(*x.b, n, x.dtype()); }

// ---- sums -------------------------------------------------------------------------------------------

// The sum of n equal numbers.
Value sum_of_number(const Site& s) {
  auto number = number_of(node(s.x[0]));
  if (!number || !holds_sizes(s.y)) return {};
  Shape gone;
  for (int64_t a : s.attrs().ints(AttrKey::axes)) gone.push_back(s.x[0].shape()[static_cast<size_t>(a)]);
  Attrs attrs = node(s.x[0]).attrs;
  attrs.set(AttrKey::shape, Shape(s.y.shape()));
  return times_size(s.y.b->emit(op<Const>, {}, std::move(attrs)), s.y.b->dims().product(gone));
}

// Along the axes of a repetition the sum is a multiple; along the others it goes to what is repeated.
Value sum_of_repeated(const Site& s) {
  if (node(s.x[0]).op != op<Broadcast> || !holds_sizes(s.y)) return {};
  Value inner = arg(s.x[0], 0);
  const Ints axes = node(s.x[0]).attrs.ints(AttrKey::axes), summed = s.attrs().ints(AttrKey::axes);
  Ints within;
  Shape multiples;
  for (int64_t a : summed) {
    if (has(axes, a)) within.push_back(place_of(axes, a));
    else multiples.push_back(s.x[0].shape()[static_cast<size_t>(a)]);
  }
  if (multiples.empty()) return {};
  std::ranges::sort(within);
  Ints placed;  // of the axes of x that are left, among the axes of the result that are
  for (size_t i = 0; i < axes.size(); ++i)
    if (!has(summed, axes[i])) placed.push_back(axes[i] - std::ranges::count_if(summed, [&](int64_t a) { return a < axes[i]; }));
  Shape shape = s.y.shape();
  return broadcast(times_size(sum(inner, within), s.y.b->dims().product(multiples)), shape, placed);
}

Value sum_of_sum(const Site& s) {
  if (node(s.x[0]).op != op<Sum> || !s.used_once(s.x[0])) return {};
  Value inner = arg(s.x[0], 0);
  Ints all = node(s.x[0]).attrs.ints(AttrKey::axes), left;
  for (int64_t a : iota_ints(inner.rank()))
    if (!has(all, a)) left.push_back(a);
  for (int64_t a : s.attrs().ints(AttrKey::axes)) all.push_back(left[static_cast<size_t>(a)]);
  std::ranges::sort(all);
  return sum(inner, all);
}

// Of everything, in whatever shape or order.
Value sum_of_all(const Site& s) {
  bool moved = node(s.x[0]).op == op<Reshape> || node(s.x[0]).op == op<Transpose>;
  return moved && s.y.rank() == 0 ? sum(arg(s.x[0], 0)) : Value{};
}

// Exact but for the sign of a zero.
Value sum_of_neg(const Site& s) {
  if (node(s.x[0]).op != op<Neg>) return {};
  const Ints axes = s.attrs().ints(AttrKey::axes);
  return -sum(arg(s.x[0], 0), axes);
}

// A factor that is the same along all axes that are summed comes out of the sum.
Value sum_of_scaled(const Site& s) {
  if (node(s.x[0]).op != op<Mul>) return {};
  const Ints summed = s.attrs().ints(AttrKey::axes);
  for (size_t k : {size_t(0), size_t(1)}) {
    Value factor = arg(s.x[0], k), other = arg(s.x[0], 1 - k);
    Shape shape = s.y.shape();
    if (auto number = number_of(node(factor))) {
      Attrs attrs = node(factor).attrs;
      attrs.set(AttrKey::shape, shape);
      return s.y.b->emit(op<Const>, {}, std::move(attrs)) * sum(other, summed);
    }
    if (node(factor).op != op<Broadcast>) continue;
    const Ints axes = node(factor).attrs.ints(AttrKey::axes);
    if (std::ranges::any_of(axes, [&](int64_t a) { return has(summed, a); })) continue;
    Ints placed = axes;
    for (int64_t& a : placed) a -= std::ranges::count_if(summed, [&](int64_t gone) { return gone < a; });
    return broadcast(arg(factor, 0), shape, placed) * sum(other, summed);
  }
  return {};
}

// ---- gathers ----------------------------------------------------------------------------------------

// Every element in its place.
Value gather_of_iota(const Site& s) {
  auto axis = static_cast<size_t>(s.attrs().integer(AttrKey::axis));
  bool whole = s.attrs().integer(AttrKey::batch) == 0 && node(s.x[1]).op == op<Iota> && node(s.x[1]).attrs.get<DimId>(AttrKey::dim) == s.x[0].shape()[axis];
  return whole ? s.x[0] : Value{};
}

// One row that is known to be there.
Value gather_of_number(const Site& s) {
  auto number = number_of(node(s.x[1]));
  if (!number || s.x[1].rank() != 0 || s.attrs().integer(AttrKey::batch) != 0) return {};
  auto axis = static_cast<size_t>(s.attrs().integer(AttrKey::axis));
  Dims& dims = s.y.b->dims();
  auto n = dims.known(s.x[0].shape()[axis]);
  int64_t row = std::get<int64_t>(*number);
  if (!n || row < 0 || row >= *n) return {};
  Shape shape = s.y.shape();
  DimList starts(s.x[0].rank(), dims.constant(0)), stops = s.x[0].shape();
  starts[axis] = dims.constant(row), stops[axis] = dims.constant(row + 1);
  return reshape(slice(s.x[0], starts, stops, Ints(starts.size(), 1)), shape);
}

std::vector<Rule> make_rules() {
  return {
      {"sum-of-number", false, op<Sum>, sum_of_number, [](Builder& b) { return sum(constant(b, 0.3, DType::f32, {fixed(b, 3), fixed(b, 4)}), {1}); }},
      {"sum-of-repeated", false, op<Sum>, sum_of_repeated,
       [](Builder& b) { return sum(broadcast(input(b, {3, 4}), {fixed(b, 4), fixed(b, 2), fixed(b, 3)}, {2, 0}), {0, 1}); }},
      {"sum-of-sum", false, op<Sum>, sum_of_sum, [](Builder& b) { return sum(sum(input(b, {2, 3, 4}), {1}), {1}); }},
      {"sum-of-all", false, op<Sum>, sum_of_all, [](Builder& b) { return sum(transpose(input(b, {3, 4}), {1, 0})); }},
      {"sum-of-neg", false, op<Sum>, sum_of_neg, [](Builder& b) { return sum(-input(b, {3, 4}), {0}); }},
      {"sum-of-scaled", false, op<Sum>, sum_of_scaled,
       [](Builder& b) { Value x = input(b, {3, 4}), f = input(b, {3}); return sum(x * broadcast(f, {fixed(b, 3), fixed(b, 4)}, {0}), {1}); }},
      {"gather-of-iota", true, op<Gather>, gather_of_iota, [](Builder& b) { return gather(input(b, {3, 4}), iota(b, fixed(b, 4)), 1); }},
      {"gather-of-number", true, op<Gather>, gather_of_number,
       [](Builder& b) { return gather(input(b, {3, 4}), constant_int(b, 2, DType::i32), 1); }},
  };
}
}  // namespace

std::span<const Rule> shape_rules() {
  static const std::vector<Rule> rules = make_rules();
  return rules;
}

}  // namespace glia::ir
