// Recognises sums of products, and brings contractions into the form that libraries run fast: no transposed or repeated
// operands, nothing summed that only one operand has, no sum left around one.
#include <algorithm>

#include "ir/fold.h"
#include "ir/ops/all.h"
#include "ir/passes/simplify.h"

namespace glia::ir {

namespace {
const Node& node(Value v) { return v.b->func()[v.id]; }
Value arg(Value v, size_t k) { return v.b->value(node(v).args[k]); }
bool has(const Ints& list, int64_t v) { return std::ranges::find(list, v) != list.end(); }
Ints without(Ints list, const Ints& gone) {
  std::erase_if(list, [&](int64_t v) { return has(gone, v); });
  return list;
}

struct Labels {
  Ints lhs, rhs, out;
  Ints& side(size_t k) { return k == 0 ? lhs : rhs; }
};

Labels labels_of(const Node& n) { return {n.attrs.ints(AttrKey::lhs), n.attrs.ints(AttrKey::rhs), n.attrs.ints(AttrKey::out)}; }
Value contract(Value a, Value b, const Labels& l) { return contract(a, b, l.lhs, l.rhs, l.out); }

// ---- from sums of products --------------------------------------------------------------------------

// A factor with its axes labelled by the axes of the product.
struct Factor {
  Value value;
  Ints labels;
};

Factor factor_of(Value v) {
  if (node(v).op == op<Broadcast>) return {arg(v, 0), node(v).attrs.ints(AttrKey::axes)};
  return {v, iota_ints(v.rank())};
}

// sum over axes of broadcast(x) * broadcast(y). A product of two full operands stays: it is fused into the sum.
Value sum_of_products(const Site& s) {
  if (node(s.x[0]).op != op<Mul> || !is_float(s.y.dtype())) return {};
  Factor a = factor_of(arg(s.x[0], 0)), b = factor_of(arg(s.x[0], 1));
  size_t rank = s.x[0].rank();
  if (a.labels.size() == rank && b.labels.size() == rank) return {};
  const Ints summed = s.attrs().ints(AttrKey::axes);
  for (int64_t l : iota_ints(rank))
    if (!has(a.labels, l) && !has(b.labels, l)) return {};
  bool shared = std::ranges::any_of(summed, [&](int64_t l) { return has(a.labels, l) && has(b.labels, l); });
  return shared ? contract(a.value, b.value, {a.labels, b.labels, without(iota_ints(rank), summed)}) : Value{};
}

// ---- around contractions ----------------------------------------------------------------------------

// Summing a contraction sums its labels: the mean over a batch of outer products is one matrix product.
Value sum_of_contract(const Site& s) {
  if (node(s.x[0]).op != op<Contract> || !s.used_once(s.x[0])) return {};
  Labels l = labels_of(node(s.x[0]));
  Ints gone;
  for (int64_t a : s.attrs().ints(AttrKey::axes)) gone.push_back(l.out[static_cast<size_t>(a)]);
  l.out = without(l.out, gone);
  return contract(arg(s.x[0], 0), arg(s.x[0], 1), l);
}

Value transpose_of_contract(const Site& s) {
  if (node(s.x[0]).op != op<Contract> || !s.used_once(s.x[0])) return {};
  Labels l = labels_of(node(s.x[0]));
  const Ints out = l.out, perm = s.attrs().ints(AttrKey::perm);
  for (size_t i = 0; i < perm.size(); ++i) l.out[i] = out[static_cast<size_t>(perm[i])];
  return contract(arg(s.x[0], 0), arg(s.x[0], 1), l);
}

// ---- operands ---------------------------------------------------------------------------------------

Value with_operand(const Site& s, size_t k, Value operand, Ints labels) {
  Labels l = labels_of(s.node());
  l.side(k) = std::move(labels);
  return k == 0 ? contract(operand, s.x[1], l) : contract(s.x[0], operand, l);
}

Value transposed_operand(const Site& s) {
  Labels l = labels_of(s.node());
  for (size_t k : {size_t(0), size_t(1)}) {
    if (node(s.x[k]).op != op<Transpose>) continue;
    const Ints perm = node(s.x[k]).attrs.ints(AttrKey::perm);
    Ints inner(perm.size());
    for (size_t i = 0; i < perm.size(); ++i) inner[static_cast<size_t>(perm[i])] = l.side(k)[i];
    return with_operand(s, k, arg(s.x[k], 0), inner);
  }
  return {};
}

// A label along which an operand only repeats is left to the other operand, where that has it.
Value repeated_operand(const Site& s) {
  Labels l = labels_of(s.node());
  for (size_t k : {size_t(0), size_t(1)}) {
    if (node(s.x[k]).op != op<Broadcast>) continue;
    const Ints axes = node(s.x[k]).attrs.ints(AttrKey::axes);
    Ints kept;
    for (int64_t a : axes) kept.push_back(l.side(k)[static_cast<size_t>(a)]);
    bool covered = std::ranges::all_of(l.side(k), [&](int64_t v) { return has(kept, v) || has(l.side(1 - k), v); });
    if (covered) return with_operand(s, k, arg(s.x[k], 0), kept);
  }
  return {};
}

// An operand filled with one number is a factor.
Value number_operand(const Site& s) {
  Labels l = labels_of(s.node());
  for (size_t k : {size_t(0), size_t(1)}) {
    auto number = number_of(node(s.x[k]));
    const Ints& mine = l.side(k), &other = l.side(1 - k);
    if (!number || !std::ranges::all_of(mine, [&](int64_t v) { return has(other, v); })) continue;
    Ints gone, left = other, perm;
    for (size_t i = 0; i < other.size(); ++i)
      if (!has(l.out, other[i])) gone.push_back(static_cast<int64_t>(i));
    std::erase_if(left, [&](int64_t v) { return !has(l.out, v); });
    for (int64_t v : l.out) perm.push_back(std::ranges::find(left, v) - left.begin());
    return as_double(*number) * transpose(sum(s.x[1 - k], gone), perm);
  }
  return {};
}

// A label that is summed and that only one operand has is summed there first.
Value own_sum(const Site& s) {
  Labels l = labels_of(s.node());
  for (size_t k : {size_t(0), size_t(1)}) {
    Ints axes, gone;
    for (size_t i = 0; i < l.side(k).size(); ++i)
      if (int64_t v = l.side(k)[i]; !has(l.out, v) && !has(l.side(1 - k), v)) axes.push_back(static_cast<int64_t>(i)), gone.push_back(v);
    if (!axes.empty()) return with_operand(s, k, sum(s.x[k], axes), without(l.side(k), gone));
  }
  return {};
}

// A scale on an operand goes to the result, where the other rules see it.
Value scaled_operand(const Site& s) {
  for (size_t k : {size_t(0), size_t(1)}) {
    if (node(s.x[k]).op != op<Mul>) continue;
    for (size_t j : {size_t(0), size_t(1)}) {
      auto number = number_of(node(arg(s.x[k], j)));
      if (!number || std::holds_alternative<int64_t>(*number)) continue;
      return std::get<double>(*number) * with_operand(s, k, arg(s.x[k], 1 - j), labels_of(s.node()).side(k));
    }
  }
  return {};
}

// Nothing summed and nothing that only one side has: an elementwise product, which is fused with its neighbours. Exact but
// for the sign of a zero.
Value elementwise_product(const Site& s) {
  Labels l = labels_of(s.node());
  for (size_t k : {size_t(0), size_t(1)}) {
    const Ints &full = l.side(k), &part = l.side(1 - k);
    bool same = full.size() == l.out.size() && std::ranges::all_of(full, [&](int64_t v) { return has(l.out, v); });
    if (!same || !std::ranges::all_of(part, [&](int64_t v) { return has(full, v); })) continue;
    Ints perm, axes;
    for (int64_t v : l.out) perm.push_back(std::ranges::find(full, v) - full.begin());
    for (int64_t v : part) axes.push_back(std::ranges::find(l.out, v) - l.out.begin());
    Shape shape = s.y.shape();
    return transpose(s.x[k], perm) * broadcast(s.x[1 - k], shape, axes);
  }
  return {};
}

// ---- samples ----------------------------------------------------------------------------------------

Shape fixed(Builder& b, std::initializer_list<int64_t> sizes) {
  Shape shape;
  for (int64_t n : sizes) shape.push_back(b.dims().constant(n));
  return shape;
}
Value input(Builder& b, std::initializer_list<int64_t> sizes) { return b.param(b.types().tensor(DType::f32, fixed(b, sizes))); }

Value sample_product(Builder& b) {
  Value x = input(b, {2, 3}), y = input(b, {3, 4});
  Shape all = fixed(b, {2, 3, 4});
  return sum(broadcast(x, all, {0, 1}) * broadcast(y, all, {1, 2}), {1});
}

Value sample_outer(Builder& b) {
  Value x = input(b, {5, 3}), y = input(b, {5, 4});
  return contract(x, y, {0, 1}, {0, 2}, {0, 1, 2});
}

std::vector<Rule> make_rules() {
  return {
      {"sum-of-products", false, op<Sum>, sum_of_products, sample_product},
      {"sum-of-contract", false, op<Sum>, sum_of_contract, [](Builder& b) { return sum(sample_outer(b), {0}); }},
      {"transpose-of-contract", false, op<Transpose>, transpose_of_contract, [](Builder& b) { return transpose(sample_outer(b), {2, 0, 1}); }},
      {"transposed-operand", false, op<Contract>, transposed_operand,
       [](Builder& b) { Value x = input(b, {2, 3, 4}), y = input(b, {3, 5}); return contract(transpose(x, {2, 0, 1}), y, {0, 1, 2}, {2, 3}, {0, 3, 1}); }},
      {"repeated-operand", false, op<Contract>, repeated_operand,
       [](Builder& b) { Value x = input(b, {3}), y = input(b, {2, 3}); return contract(broadcast(x, fixed(b, {3, 2}), {0}), y, {0, 1}, {1, 0}, {1}); }},
      {"number-operand", false, op<Contract>, number_operand,
       [](Builder& b) { Value y = input(b, {2, 3, 4}); return contract(constant(b, 0.7, DType::f32, fixed(b, {3})), y, {1}, {0, 1, 2}, {2, 0}); }},
      {"elementwise-product", false, op<Contract>, elementwise_product,
       [](Builder& b) { Value x = input(b, {2, 3}), y = input(b, {3}); return contract(x, y, {0, 1}, {1}, {1, 0}); }},
      {"own-sum", false, op<Contract>, own_sum,
       [](Builder& b) { Value x = input(b, {2, 3}), y = input(b, {3, 4}); return contract(x, y, {0, 1}, {1, 2}, {2}); }},
      {"scaled-operand", false, op<Contract>, scaled_operand,
       [](Builder& b) { Value x = input(b, {2, 3}), y = input(b, {3, 4}); return contract(0.3 * x, y, {0, 1}, {1, 2}, {0, 2}); }},
  };
}
}  // namespace

std::span<const Rule> contraction_rules() {
  static const std::vector<Rule> rules = make_rules();
  return rules;
}

}  // namespace glia::ir
