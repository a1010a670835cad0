// The rewrite engine. A rule is data: a name, whether it is exact, and either two patterns that read like algebra, or a
// function from the node that is about to be to a simpler value. Each comes with a sample of its left side, so that
// tests can check the law.
#pragma once
#include <functional>
#include <string_view>

#include "ir/value.h"

namespace glia::ir {

// A node just made, seen with its arguments.
struct Site {
  Value y;
  std::span<const Value> x;
  std::span<const int> use_count;  // by value: how many nodes of the function before the pass use it

  const Node& node() const { return y.b->func()[y.id]; }
  const Attrs& attrs() const { return node().attrs; }
  bool used_once(Value v) const { return v.id.index() < use_count.size() && use_count[v.id.index()] <= 1; }
};

struct Rule {
  std::string_view name;
  bool exact = true;                         // bit for bit in IEEE arithmetic; else within rounding
  OpId root;
  std::function<Value(const Site&)> apply;   // an invalid value where it does not apply
  std::function<Value(Builder&)> sample;     // a left side over parameters that it makes
};

// ---- patterns -------------------------------------------------------------------------------------

// x, y, z stand for any value, c and d for numbers known now, a number for itself.
struct Term {
  enum Kind : uint8_t { any, known, number, apply } kind = any;
  size_t index = 0;   // which variable
  double value = 0;
  OpId op;
  std::vector<Term> args;

  Term(double v) : kind(number), value(v) {}  // NOLINT: numbers read as terms
  Term(Kind k, size_t i) : kind(k), index(i) {}
  Term(OpId o, std::vector<Term> a) : kind(apply), op(o), args(std::move(a)) {}
};

Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
Term operator-(Term a);
Term operator!(Term a);
Term pow(Term a, Term b);
Term select(Term c, Term a, Term b);
Term unless_zero(Term x, Term y);

// Matched modulo commutativity.
Rule law(std::string_view name, const Term& left, const Term& right, bool exact = true);

// ---- running --------------------------------------------------------------------------------------

using Rules = std::span<const Rule>;

// Applies the rules to every node until none applies or the bound on rounds is met; nested functions too. Dead code is
// removed.
Func rewrite(Module& m, const Func& f, Rules rules);

bool same_func(const Func& a, const Func& b);  // equal but for name and sources

}  // namespace glia::ir
