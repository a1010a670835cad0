// Patterns: building, matching modulo commutativity, and making the right side.
#include <array>
#include <cmath>

#include "ir/fold.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/rewrite.h"
#include "ir/peephole.h"

namespace glia::ir {

Term operator+(Term a, Term b) { return Term(op<Add>, {std::move(a), std::move(b)}); }
Term operator-(Term a, Term b) { return Term(op<Sub>, {std::move(a), std::move(b)}); }
Term operator*(Term a, Term b) { return Term(op<Mul>, {std::move(a), std::move(b)}); }
Term operator/(Term a, Term b) { return Term(op<Div>, {std::move(a), std::move(b)}); }
Term operator-(Term a) { return Term(op<Neg>, {std::move(a)}); }
Term operator!(Term a) { return Term(op<Not>, {std::move(a)}); }
Term pow(Term a, Term b) { return Term(op<Pow>, {std::move(a), std::move(b)}); }
Term select(Term c, Term a, Term b) { return Term(op<Select>, {std::move(c), std::move(a), std::move(b)}); }
Term unless_zero(Term x, Term y) { return Term(op<Unless>, {std::move(x), std::move(y)}); }

namespace {
using Bound = std::array<Value, 6>;

bool match(const Term& t, Value v, Bound& bound);

bool match_args(const Term& t, Value v, Bound& bound, bool swapped) {
  const Node& n = v.b->func()[v.id];
  Bound tried = bound;
  for (size_t i = 0; i < t.args.size(); ++i)
    if (!match(t.args[i], v.b->value(n.args[swapped ? t.args.size() - 1 - i : i]), tried)) return false;
  bound = tried;
  return true;
}

bool match(const Term& t, Value v, Bound& bound) {
  const Node& n = v.b->func()[v.id];
  auto number = number_of(n);
  switch (t.kind) {
    case Term::number: return number && as_double(*number) == t.value && std::signbit(as_double(*number)) == std::signbit(t.value);
    case Term::known:
      if (!number) return false;
      [[fallthrough]];
    case Term::any: {
      Value& slot = bound[t.index];
      if (slot.valid()) return slot.id == v.id;
      slot = v;
      return true;
    }
    case Term::apply:
      if (n.op != t.op) return false;
      return match_args(t, v, bound, false) || (info(n.op).commutes && match_args(t, v, bound, true));
  }
  return false;
}

// Numbers that were put together into one which is zero, infinite or near either would lose what x still has.
bool is_safe(Value v) {
  auto number = number_of(v.b->func()[v.id]);
  return !number || std::holds_alternative<int64_t>(*number) || std::isnormal(static_cast<float>(std::get<double>(*number)));
}

// Elementwise: everything has the shape of `like`, and its element type except under a choice.
Value build(const Term& t, const Bound& bound, Value like) {
  switch (t.kind) {
    case Term::number: return constant_like(like, t.value);
    case Term::known: case Term::any: return bound[t.index];
    case Term::apply: break;
  }
  std::vector<Value> args;
  for (const Term& a : t.args) {
    args.push_back(build(a, bound, like));
    if (!args.back().valid()) return {};
  }
  Value made = make(*like.b, t.op, args);
  return is_safe(made) ? made : Value{};
}

// The left side over parameters, by plain emission, so that no law meets it on the way.
Value emit_sample(Builder& b, const Term& t, std::array<Value, 6>& made, DType dtype) {
  Shape shape{b.dims().constant(3), b.dims().constant(4)};
  if (t.kind == Term::number) return constant(b, t.value, dtype, shape);
  if (t.kind == Term::apply) {
    std::vector<ValueId> args;
    bool logical = t.op == op<Not>;
    for (size_t i = 0; i < t.args.size(); ++i)
      args.push_back(emit_sample(b, t.args[i], made, logical || (t.op == op<Select> && i == 0) ? DType::boolean : dtype).id);
    return b.emit(t.op, std::move(args));
  }
  Value& v = made[t.index];
  if (!v.valid()) v = t.kind == Term::known ? constant(b, 0.7 + static_cast<double>(t.index), dtype, shape) : b.param(b.types().tensor(dtype, shape));
  return v;
}
}  // namespace

Rule law(std::string_view name, const Term& left, const Term& right, bool exact) {
  auto apply = [left, right](const Site& s) {
    Bound bound{};
    return match(left, s.y, bound) ? build(right, bound, s.y) : Value{};
  };
  auto sample = [left](Builder& b) {
    std::array<Value, 6> made{};
    return emit_sample(b, left, made, DType::f32);
  };
  return {name, exact, left.op, apply, sample};
}

}  // namespace glia::ir
