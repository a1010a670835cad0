// Ops that work on each element by itself. A struct here is all there is to write for a new one: its type rule,
// batching, interpreter loop, fusion, derivatives in both modes and law tests follow.
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

// How many arguments, what they may be, and whether the result is a bool.
template <int N, Takes T, bool Predicate = false>
struct Elementwise {
  static constexpr Family family = Family::elementwise;
  static constexpr int arity = N;
  static constexpr Takes takes = T;
  static constexpr bool predicate = Predicate;
  static constexpr bool commutes = false;
  static constexpr Range sample{-2, 2};
};

TypeRule elementwise_type(const TypeContext& c, Takes takes, bool predicate);
Batched elementwise_batch(const Use& u, std::span<const Batched> args, DimId rows);

// Integer arithmetic wraps: done on the unsigned type of the same width.
template <class T, class F>
constexpr T wrapping(T x, T y, F f) {
  if constexpr (std::is_floating_point_v<T>) return f(x, y);
  else return static_cast<T>(f(static_cast<uint64_t>(x), static_cast<uint64_t>(y)));
}

// ---- arithmetic ---------------------------------------------------------------------------------

struct Add : Elementwise<2, Takes::nums> {
  static constexpr auto name = "add"sv, doc = "x + y"sv, scalar = "x + y"sv;
  static constexpr bool bounded = true;
  static constexpr bool commutes = true;
  template <class T> static T eval(T x, T y) { return wrapping(x, y, [](auto a, auto b) { return a + b; }); }
  static Value derivative(const Use&, size_t, Value g) { return g; }
};

struct Sub : Elementwise<2, Takes::nums> {
  static constexpr auto name = "sub"sv, doc = "x - y"sv, scalar = "x - y"sv;
  static constexpr bool bounded = true;
  template <class T> static T eval(T x, T y) { return wrapping(x, y, [](auto a, auto b) { return a - b; }); }
  static Value derivative(const Use&, size_t k, Value g) { return k == 0 ? g : -g; }
};

struct Mul : Elementwise<2, Takes::nums> {
  static constexpr auto name = "mul"sv, doc = "x * y"sv, scalar = "x * y"sv;
  static constexpr bool commutes = true;
  template <class T> static T eval(T x, T y) { return wrapping(x, y, [](auto a, auto b) { return a * b; }); }
  static Value derivative(const Use& u, size_t k, Value g) { return g * u.x[1 - k]; }
};

struct Div : Elementwise<2, Takes::floats> {
  static constexpr auto name = "div"sv, doc = "x / y of floats"sv, scalar = "x / y"sv;
  static constexpr Range sample{0.4, 2.5};
  template <class T> static T eval(T x, T y) { return x / y; }
  static Value derivative(const Use& u, size_t k, Value g) { return k == 0 ? g / u.x[1] : -(g * u.y / u.x[1]); }
};

// Rounds toward minus infinity. An integer divided by zero is an error that the caller has checked for.
struct FloorDiv : Elementwise<2, Takes::nums> {
  static constexpr auto name = "floordiv"sv, doc = "x // y, rounded toward minus infinity"sv, scalar = "floor(x / y)"sv;
  static bool differentiable(size_t) { return false; }
  template <class T> static T eval(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::floor(x / y);
    } else {
      if (y == 0) return 0;
      if (std::is_signed_v<T> && y == static_cast<T>(-1)) return wrapping(T(0), x, [](auto a, auto b) { return a - b; });
      T q = static_cast<T>(x / y);
      return (x % y != 0 && ((x < 0) != (y < 0))) ? static_cast<T>(q - 1) : q;
    }
  }
};

struct Mod : Elementwise<2, Takes::nums> {
  static constexpr auto name = "mod"sv, doc = "x % y with the sign of y"sv, scalar = "x - y * floor(x / y)"sv;
  static constexpr Range sample{0.5, 3};
  template <class T> static T eval(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      T r = std::fmod(x, y);
      return (r != 0 && ((r < 0) != (y < 0))) ? r + y : r;
    } else {
      if (y == 0 || (std::is_signed_v<T> && y == static_cast<T>(-1))) return 0;
      T r = static_cast<T>(x % y);
      return (r != 0 && ((r < 0) != (y < 0))) ? static_cast<T>(r + y) : r;
    }
  }
  static Value derivative(const Use& u, size_t k, Value g);  // x - y * floor(x / y)
};

// x ^ y. A base of any sign is right for an integer exponent; the derivative in y takes 0 * log 0 as its limit 0.
struct Pow : Elementwise<2, Takes::nums> {
  static constexpr auto name = "pow"sv, doc = "x to the power y"sv, scalar = "pow(x, y)"sv;
  static constexpr Range sample{0.3, 2};
  template <class T> static T eval(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return y == T(2) ? x * x : std::pow(x, y);
    } else {
      T r = 1;  // a negative exponent is an error that the caller has checked for
      for (T n = y, p = x; n > 0; n = static_cast<T>(n >> 1), p = Mul::eval(p, p))
        if (n & 1) r = Mul::eval(r, p);
      return r;
    }
  }
  static Value derivative(const Use& u, size_t k, Value g);
};

struct Neg : Elementwise<1, Takes::nums> {
  static constexpr auto name = "neg"sv, doc = "-x"sv, scalar = "-x"sv;
  static constexpr bool bounded = true;
  template <class T> static T eval(T x) {
    if constexpr (std::is_floating_point_v<T>) return -x;
    else return Sub::eval(T(0), x);
  }
  static Value derivative(const Use&, size_t, Value g) { return -g; }
};

// The NaN of either side wins; equal sides share the derivative equally. A NaN passes no derivative on.
struct Max : Elementwise<2, Takes::nums> {
  static constexpr auto name = "max"sv, doc = "the larger; NaN if either is"sv, scalar = "x > y || x != x ? x : y"sv;
  static constexpr bool bounded = true;
  static constexpr bool commutes = true;
  template <class T> static T eval(T x, T y) { return x > y || x != x ? x : y; }
  static Value derivative(const Use& u, size_t k, Value g);
};

struct Min : Elementwise<2, Takes::nums> {
  static constexpr auto name = "min"sv, doc = "the smaller; NaN if either is"sv, scalar = "x < y || x != x ? x : y"sv;
  static constexpr bool bounded = true;
  static constexpr bool commutes = true;
  template <class T> static T eval(T x, T y) { return x < y || x != x ? x : y; }
  static Value derivative(const Use& u, size_t k, Value g);
};

struct Abs : Elementwise<1, Takes::nums> {
  static constexpr auto name = "abs"sv, doc = "|x|; its derivative at 0 is 0"sv, scalar = "fabs(x)"sv;
  template <class T> static T eval(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
    else return x < 0 ? Neg::eval(x) : x;
  }
  static Value derivative(const Use& u, size_t, Value g);
};

struct Sign : Elementwise<1, Takes::nums> {
  static constexpr auto name = "sign"sv, doc = "-1, 0 or 1; NaN for NaN"sv, scalar = "x > 0 ? 1 : x < 0 ? -1 : x"sv;
  static bool differentiable(size_t) { return false; }
  template <class T> static T eval(T x) { return x > 0 ? T(1) : x < 0 ? T(-1) : x; }
};

struct Relu : Elementwise<1, Takes::nums> {
  static constexpr auto name = "relu"sv, doc = "max(x, 0); NaN for NaN; its derivative at 0 is 0"sv, scalar = "x < 0 ? 0 : x"sv;
  static constexpr bool bounded = true;
  template <class T> static T eval(T x) { return x < 0 ? T(0) : x; }
  static Value derivative(const Use& u, size_t, Value g) { return select(u.y > 0.0, g, 0.0); }
};

// A product y with a factor x: where x is zero the product is, even if the other factor is infinite or NaN. Reverse mode
// wraps in it what comes through a `where`, so that the side not taken contributes exactly zero. Its derivative is that
// of the product.
struct Unless : Elementwise<2, Takes::floats> {
  static constexpr auto name = "unless_zero"sv, doc = "y, a product with the factor x, which is 0 wherever x is 0"sv,
                        scalar = "x == 0 ? 0 : y"sv;
  static constexpr bool bounded = true;
  static bool differentiable(size_t k) { return k == 1; }
  template <class T> static T eval(T x, T y) { return x == 0 ? T(0) : y; }
  static Value derivative(const Use&, size_t k, Value g) { return k == 1 ? g : Value{}; }
};

// ---- functions of floats ------------------------------------------------------------------------

struct Exp : Elementwise<1, Takes::floats> {
  static constexpr auto name = "exp"sv, doc = "e to the power x"sv, scalar = "exp(x)"sv;
  template <class T> static T eval(T x) { return std::exp(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g * u.y; }
};

struct Expm1 : Elementwise<1, Takes::floats> {
  static constexpr auto name = "expm1"sv, doc = "exp(x) - 1, exact near 0"sv, scalar = "expm1(x)"sv;
  template <class T> static T eval(T x) { return std::expm1(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g * (u.y + 1.0); }
};

struct Log : Elementwise<1, Takes::floats> {
  static constexpr auto name = "log"sv, doc = "natural logarithm"sv, scalar = "log(x)"sv;
  static constexpr Range sample{0.2, 4};
  template <class T> static T eval(T x) { return std::log(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g / u.x[0]; }
};

struct Log1p : Elementwise<1, Takes::floats> {
  static constexpr auto name = "log1p"sv, doc = "log(1 + x), exact near 0"sv, scalar = "log1p(x)"sv;
  static constexpr Range sample{-0.5, 3};
  template <class T> static T eval(T x) { return std::log1p(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g / (u.x[0] + 1.0); }
};

struct Log2 : Elementwise<1, Takes::floats> {
  static constexpr auto name = "log2"sv, doc = "logarithm to base 2"sv, scalar = "log2(x)"sv;
  static constexpr Range sample{0.2, 4};
  template <class T> static T eval(T x) { return std::log2(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g / (0.6931471805599453 * u.x[0]); }
};

struct Log10 : Elementwise<1, Takes::floats> {
  static constexpr auto name = "log10"sv, doc = "logarithm to base 10"sv, scalar = "log10(x)"sv;
  static constexpr Range sample{0.2, 4};
  template <class T> static T eval(T x) { return std::log10(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g / (2.302585092994046 * u.x[0]); }
};

struct Exp2 : Elementwise<1, Takes::floats> {
  static constexpr auto name = "exp2"sv, doc = "2 to the power x"sv, scalar = "exp2(x)"sv;
  template <class T> static T eval(T x) { return std::exp2(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g * (0.6931471805599453 * u.y); }
};

struct Cbrt : Elementwise<1, Takes::floats> {
  static constexpr auto name = "cbrt"sv, doc = "cube root, also of negative numbers; its derivative at 0 is inf"sv, scalar = "cbrt(x)"sv;
  static constexpr Range sample{0.3, 3};
  template <class T> static T eval(T x) { return std::cbrt(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g / (3.0 * square(u.y)); }
};

struct Sqrt : Elementwise<1, Takes::floats> {
  static constexpr auto name = "sqrt"sv, doc = "square root; its derivative at 0 is inf"sv, scalar = "sqrt(x)"sv;
  static constexpr Range sample{0.2, 4};
  template <class T> static T eval(T x) { return std::sqrt(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g * (0.5 / u.y); }
};

struct Sin : Elementwise<1, Takes::floats> {
  static constexpr auto name = "sin"sv, doc = "sine of x radians"sv, scalar = "sin(x)"sv;
  template <class T> static T eval(T x) { return std::sin(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g * cos(u.x[0]); }
};

struct Cos : Elementwise<1, Takes::floats> {
  static constexpr auto name = "cos"sv, doc = "cosine of x radians"sv, scalar = "cos(x)"sv;
  template <class T> static T eval(T x) { return std::cos(x); }
  static Value derivative(const Use& u, size_t, Value g) { return -(g * sin(u.x[0])); }
};

struct Tan : Elementwise<1, Takes::floats> {
  static constexpr auto name = "tan"sv, doc = "tangent of x radians"sv, scalar = "tan(x)"sv;
  static constexpr Range sample{-1, 1};
  template <class T> static T eval(T x) { return std::tan(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g * (square(u.y) + 1.0); }
};

struct Asin : Elementwise<1, Takes::floats> {
  static constexpr auto name = "asin"sv, doc = "inverse sine, in radians"sv, scalar = "asin(x)"sv;
  static constexpr Range sample{-0.9, 0.9};
  template <class T> static T eval(T x) { return std::asin(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g / sqrt(1.0 - square(u.x[0])); }
};

struct Acos : Elementwise<1, Takes::floats> {
  static constexpr auto name = "acos"sv, doc = "inverse cosine, in radians"sv, scalar = "acos(x)"sv;
  static constexpr Range sample{-0.9, 0.9};
  template <class T> static T eval(T x) { return std::acos(x); }
  static Value derivative(const Use& u, size_t, Value g) { return -(g / sqrt(1.0 - square(u.x[0]))); }
};

struct Atan : Elementwise<1, Takes::floats> {
  static constexpr auto name = "atan"sv, doc = "inverse tangent, in radians"sv, scalar = "atan(x)"sv;
  template <class T> static T eval(T x) { return std::atan(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g / (square(u.x[0]) + 1.0); }
};

struct Sinh : Elementwise<1, Takes::floats> {
  static constexpr auto name = "sinh"sv, doc = "hyperbolic sine"sv, scalar = "sinh(x)"sv;
  template <class T> static T eval(T x) { return std::sinh(x); }
  static Value derivative(const Use& u, size_t, Value g);
};

struct Cosh : Elementwise<1, Takes::floats> {
  static constexpr auto name = "cosh"sv, doc = "hyperbolic cosine"sv, scalar = "cosh(x)"sv;
  template <class T> static T eval(T x) { return std::cosh(x); }
  static Value derivative(const Use& u, size_t, Value g);
};

struct Tanh : Elementwise<1, Takes::floats> {
  static constexpr auto name = "tanh"sv, doc = "hyperbolic tangent"sv, scalar = "tanh(x)"sv;
  template <class T> static T eval(T x) { return std::tanh(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g * (1.0 - square(u.y)); }
};

// 1 / (1 + exp(-x)), written so that neither tail overflows.
struct Sigmoid : Elementwise<1, Takes::floats> {
  static constexpr auto name = "sigmoid"sv, doc = "1 / (1 + exp(-x))"sv, scalar = "1 / (1 + exp(-x))"sv;
  template <class T> static T eval(T x) {
    T e = std::exp(-std::fabs(x));
    return x >= 0 || x != x ? 1 / (1 + e) : e / (1 + e);
  }
  static Value derivative(const Use& u, size_t, Value g) { return g * (u.y * (1.0 - u.y)); }
};

struct Erf : Elementwise<1, Takes::floats> {
  static constexpr auto name = "erf"sv, doc = "Gauss error function"sv, scalar = "erf(x)"sv;
  template <class T> static T eval(T x) { return std::erf(x); }
  static Value derivative(const Use& u, size_t, Value g) { return g * (1.1283791670955126 * exp(-square(u.x[0]))); }  // 2 / sqrt(pi)
};

struct Atan2 : Elementwise<2, Takes::floats> {
  static constexpr auto name = "atan2"sv, doc = "angle of the point (y, x) in radians: atan2(y, x)"sv, scalar = "atan2(x, y)"sv;
  static constexpr Range sample{0.3, 2};
  template <class T> static T eval(T y, T x) { return std::atan2(y, x); }
  static Value derivative(const Use& u, size_t k, Value g);
};

struct Floor : Elementwise<1, Takes::floats> {
  static constexpr auto name = "floor"sv, doc = "largest whole number not above x"sv, scalar = "floor(x)"sv;
  static bool differentiable(size_t) { return false; }
  template <class T> static T eval(T x) { return std::floor(x); }
};

struct Ceil : Elementwise<1, Takes::floats> {
  static constexpr auto name = "ceil"sv, doc = "smallest whole number not below x"sv, scalar = "ceil(x)"sv;
  static bool differentiable(size_t) { return false; }
  template <class T> static T eval(T x) { return std::ceil(x); }
};

struct Round : Elementwise<1, Takes::floats> {
  static constexpr auto name = "round"sv, doc = "nearest whole number, halves to even (IEEE 754)"sv, scalar = "rint(x)"sv;
  static bool differentiable(size_t) { return false; }
  template <class T> static T eval(T x) { return std::nearbyint(x); }
};

struct Trunc : Elementwise<1, Takes::floats> {
  static constexpr auto name = "trunc"sv, doc = "whole part of x, toward zero"sv, scalar = "trunc(x)"sv;
  static bool differentiable(size_t) { return false; }
  template <class T> static T eval(T x) { return std::trunc(x); }
};

// ---- comparison and logic -----------------------------------------------------------------------

struct Eq : Elementwise<2, Takes::any, true> {
  static constexpr auto name = "eq"sv, doc = "x == y"sv, scalar = "x == y"sv;
  static constexpr bool commutes = true;
  template <class T> static bool eval(T x, T y) { return x == y; }
};

struct Ne : Elementwise<2, Takes::any, true> {
  static constexpr auto name = "ne"sv, doc = "x != y"sv, scalar = "x != y"sv;
  static constexpr bool commutes = true;
  template <class T> static bool eval(T x, T y) { return x != y; }
};

struct Lt : Elementwise<2, Takes::nums, true> {
  static constexpr auto name = "lt"sv, doc = "x < y"sv, scalar = "x < y"sv;
  template <class T> static bool eval(T x, T y) { return x < y; }
};

struct Le : Elementwise<2, Takes::nums, true> {
  static constexpr auto name = "le"sv, doc = "x <= y"sv, scalar = "x <= y"sv;
  template <class T> static bool eval(T x, T y) { return x <= y; }
};

struct And : Elementwise<2, Takes::bools> {
  static constexpr auto name = "and"sv, doc = "both"sv, scalar = "x && y"sv;
  static constexpr bool commutes = true;
  template <class T> static T eval(T x, T y) { return x && y; }
};

struct Or : Elementwise<2, Takes::bools> {
  static constexpr auto name = "or"sv, doc = "either"sv, scalar = "x || y"sv;
  static constexpr bool commutes = true;
  template <class T> static T eval(T x, T y) { return x || y; }
};

struct Not : Elementwise<1, Takes::bools> {
  static constexpr auto name = "not"sv, doc = "the opposite"sv, scalar = "!x"sv;
  template <class T> static T eval(T x) { return !x; }
};

// `select` and `cast` differ from these in their types: linear.h.
using ElementwiseOps =
    OpList<Add, Sub, Mul, Div, FloorDiv, Mod, Pow, Neg, Max, Min, Abs, Sign, Relu, Unless, Exp, Expm1, Log, Log1p, Sqrt, Sin, Cos, Tan,
           Asin, Acos, Atan, Sinh, Cosh, Tanh, Sigmoid, Erf, Atan2, Floor, Ceil, Round, Trunc, Log2, Log10, Exp2, Cbrt,
           Eq, Ne, Lt, Le, And, Or, Not>;

}  // namespace glia::ir
