// Derivatives where they are easily wrong: singular points, ties, zeros, and what `where` masks.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ir/passes/differentiate.h"
#include "tests/laws/laws.h"

namespace glia::laws {
namespace {

using namespace ir;
constexpr double inf = std::numeric_limits<double>::infinity();
using Numbers = std::vector<double>;

// The derivative at x of a function of a vector of f64.
Numbers slope(const Numbers& at, const std::function<Value(Value)>& f) {
  Module m;
  Builder b(m, "f");
  Value x = b.param(m.types.tensor(DType::f64, {m.types.dims.constant(static_cast<int64_t>(at.size()))}));
  b.result(f(x).id);
  FuncId id = b.finish_into_module();
  auto d = value_and_grad(m, id, std::vector<size_t>{0});
  EXPECT_TRUE(d.has_value());
  auto r = run(m, *d, {Tensor::of<double>({static_cast<int64_t>(at.size())}, at)});
  auto g = r[1].tensor().as<double>();
  return {g.begin(), g.end()};
}

Value at(Value x, int64_t i) { return gather(x, constant_int(*x.b, i, DType::i32)); }

TEST(Singular, TheSideThatWhereDoesNotTakeGivesZero) {
  EXPECT_EQ(slope({1}, [](Value x) { return sum(select(x > 0.0, zeros_like(x), x * constant_like(x, inf))); }), Numbers{0});
  EXPECT_EQ(slope({0, 4}, [](Value x) { return sum(select(x > 0.5, sqrt(x), ones_like(x))); }), (Numbers{0, 0.25}));
  EXPECT_EQ(slope({0, 4}, [](Value x) { return sum(select(x > 0.5, 1.0 / x, zeros_like(x))); }), (Numbers{0, -0.0625}));
  EXPECT_EQ(slope({0, 1}, [](Value x) { return sum(select(x > 0.5, log(exp(log(x))), x)); }), (Numbers{1, 1}));
}

TEST(Singular, MaskedRowsOfNorms) {
  Numbers g = slope({1, 2, 3, 4, 0, 0}, [](Value x) {
    Builder& b = *x.b;
    Value r = reshape(x, {b.dims().constant(3), b.dims().constant(2)});
    Value n = sqrt(sum(r * r, {1}));
    return sum(select(n > 0.5, n, ones_like(n)));
  });
  Numbers expected{1 / std::sqrt(5.0), 2 / std::sqrt(5.0), 0.6, 0.8, 0, 0};
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(g[i], expected[i], 1e-12);
  EXPECT_EQ(g[4], 0);
  EXPECT_EQ(g[5], 0);
}

// sum over i, j of where(i != j, 1 / |x_i - x_j|, 0)
TEST(Singular, MaskedDiagonal) {
  EXPECT_EQ(slope({0, 1}, [](Value x) {
              Builder& b = *x.b;
              Shape square{b.dims().constant(2), b.dims().constant(2)};
              Value i = iota(b, square[0]);
              Value gap = broadcast(x, square, {0}) - broadcast(x, square, {1});
              Value distance = b.emit(op<Abs>, {gap.id});
              return sum(select(broadcast(i, square, {0}) != broadcast(i, square, {1}), 1.0 / distance, 0.0));
            }),
            (Numbers{2, -2}));
}

// A guard must not hide the second derivative where the first is zero: f = where(x > -1, sin(x)^2, 0), f''(0) = 2.
TEST(Singular, SecondDerivativeThroughWhere) {
  Module m;
  TypeId f64 = m.types.tensor(DType::f64);
  Builder f(m, "f"), g(m, "g");
  Value x = f.param(f64);
  f.result(select(x > -1.0, square(sin(x)), 0.0).id);
  FuncId inner = f.finish_into_module();
  Value y = g.param(f64);
  g.result(g.emit(op<Grad>, {y.id}, {{AttrKey::func, inner}, {AttrKey::wrt, Ints{0}}}, f64).id);
  auto d = value_and_grad(m, g.finish_into_module(), std::vector<size_t>{0});
  ASSERT_TRUE(d.has_value());
  EXPECT_EQ(interp::element_real(run(m, *d, {Tensor::scalar<double>(0)})[1].tensor(), 0), 2);
}

TEST(Singular, Powers) {
  EXPECT_EQ(slope({-2, 0}, [](Value x) { return sum(pow(x, constant_like(x, 2))); }), (Numbers{-4, 0}));
  EXPECT_EQ(slope({-2, 0}, [](Value x) { return sum(pow(x, constant_like(x, 3))); }), (Numbers{12, 0}));
  EXPECT_EQ(slope({0}, [](Value x) { return sum(pow(x, constant_like(x, 0))); }), Numbers{0});
  Numbers g =
      slope({1, 1}, [](Value y) { return sum(pow(select(iota(*y.b, y.shape()[0]) == 0.0, zeros_like(y), 2.0 * ones_like(y)), y)); });
  EXPECT_EQ(g[0], 0);
  EXPECT_NEAR(g[1], 2 * std::log(2.0), 1e-12);
}

TEST(Singular, TiesShare) {
  EXPECT_EQ(slope({1, 1}, [](Value x) { return x.b->emit(op<Max>, {at(x, 0).id, at(x, 1).id}); }), (Numbers{0.5, 0.5}));
  EXPECT_EQ(slope({1, 1}, [](Value x) { return x.b->emit(op<Min>, {at(x, 0).id, at(x, 1).id}); }), (Numbers{0.5, 0.5}));
  Numbers g = slope({2, 2, 2}, [](Value x) { return 3.0 * reduce_max(x, {0}); });
  EXPECT_NEAR(g[0] + g[1] + g[2], 3, 1e-15);
  EXPECT_EQ(g[0], g[2]);
}

TEST(Singular, KinksFollowTheirRule) {
  EXPECT_EQ(slope({0, -1, 1}, [](Value x) { return sum(x.b->emit(op<Relu>, {x.id})); }), (Numbers{0, 0, 1}));
  EXPECT_EQ(slope({0, -1, 1}, [](Value x) { return sum(x.b->emit(op<Abs>, {x.id})); }), (Numbers{0, -1, 1}));
  EXPECT_EQ(slope({0}, [](Value x) { return sum(sqrt(x)); }), Numbers{inf});
  EXPECT_NEAR(slope({0}, [](Value x) { return sum(x.b->emit(op<Erf>, {x.id})); })[0], 2 / std::sqrt(M_PI), 1e-15);
}

TEST(Singular, ProductsWithZeros) {
  auto prod = [](Value x) { return x.b->emit(op<Prod>, {x.id}, {{AttrKey::axes, Ints{0}}}); };
  EXPECT_EQ(slope({2, 0, 3}, prod), (Numbers{0, 6, 0}));
  EXPECT_EQ(slope({0, 0, 3}, prod), (Numbers{0, 0, 0}));
  EXPECT_EQ(slope({2, 3}, prod), (Numbers{3, 2}));
  EXPECT_EQ(slope({}, prod), Numbers{});
}

TEST(Singular, RepeatedIndicesAdd) {
  Numbers g = slope({0.1}, [](Value x) {
    Builder& b = *x.b;
    Value index = constant_int(b, 0, DType::i32, {b.dims().constant(2)});
    Value weights =
        b.emit(op<Literal>, {},
               {{AttrKey::values, Reals{0.2, 0.3}}, {AttrKey::dtype, DType::f64}, {AttrKey::shape, DimList{b.dims().constant(2)}}});
    return sum(gather(x, index) * weights);
  });
  EXPECT_EQ(g, Numbers{0.5});
}

TEST(Singular, CastsFromWholeNumbersHaveNone) {
  EXPECT_EQ(slope({1.5}, [](Value x) { return sum(cast(cast(x, DType::i32), DType::f64) * x); }), Numbers{1});
}

// A chain of 100,000 products, in run and derivative: no stack is used up.
TEST(Singular, DeepChains) {
  Numbers g = slope({1}, [](Value x) {
    Value y = x, step = constant_like(x, 1 + 1e-6);
    for (int i = 0; i < 100000; ++i) y = y * step;
    return sum(y);
  });
  EXPECT_NEAR(g[0], 1.1051709, 1e-6);
}

}  // namespace
}  // namespace glia::laws
