// Linear algebra of one matrix; a batch is done row by row. Computed in f64 whatever the element type.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

// a: [n, n], b: [n, m]. A singular a is an error.
struct Solve {
  static constexpr Family family = Family::contract;
  static constexpr int arity = 2;
  static constexpr auto name = "solve"sv, doc = "x with a @ x = b"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
};

// Of the symmetric matrix whose lower triangle is that of a; the upper is not looked at.
struct Cholesky {
  static constexpr Family family = Family::contract;
  static constexpr int arity = 1;
  static constexpr auto name = "cholesky"sv, doc = "the lower triangular l with l @ l.T = a"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
};

struct Det {
  static constexpr Family family = Family::contract;
  static constexpr int arity = 1;
  static constexpr auto name = "det"sv, doc = "determinant"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
};

// a: [m, n], m at least n. The result [m + n, n] is q ([m, n], orthonormal columns) above r ([n, n], upper triangular);
// signs as in LAPACK.
struct Qr {
  static constexpr Family family = Family::contract;
  static constexpr int arity = 1;
  static constexpr auto name = "qr"sv, doc = "q above r, with q @ r = a"sv;
  static TypeRule type(const TypeContext& c);
  static Value derivative(const Use& u, size_t k, Value g);
};

Value solve(Value a, Value b);
Value identity(Builder& b, DimId n, DType dtype);
Value triangle(Value x, bool lower, int64_t diagonal);  // zero above (lower) or below the diagonal so far from the main one

using LinalgOps = OpList<Solve, Cholesky, Det, Qr>;

}  // namespace glia::ir
