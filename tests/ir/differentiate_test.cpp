// The shape of derivatives: only what matters is differentiated, zeros are not made, sources survive, depth is no limit.
#include "ir/passes/differentiate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ir/ops/all.h"

namespace glia::ir {
namespace {

struct Derivatives : testing::Test {
  Module m;
  TypeId scalar = m.types.tensor(DType::f32);

  size_t count(const Func& f, OpId op) {
    return static_cast<size_t>(std::count_if(f.nodes.begin(), f.nodes.end(), [&](const Node& n) { return n.op == op; }));
  }
  Func derive(FuncId f, std::vector<size_t> wrt) {
    auto d = value_and_grad(m, f, wrt);
    EXPECT_TRUE(d.has_value()) << d.error().message;
    return m[*d];
  }
};

TEST_F(Derivatives, SquareGivesTwiceTheBase) {
  Builder b(m, "f");
  Value x = b.param(scalar, "x");
  b.result(pow(x, constant_like(x, 2)).id);
  Func d = derive(b.finish_into_module(), {0});
  EXPECT_EQ(count(d, op<Log>), 0u);
  EXPECT_EQ(count(d, op<Pow>), 1u);
  ASSERT_EQ(d.results.size(), 2u);
  EXPECT_EQ(d[d.results[1]].op, op<Mul>);  // 2 * x
}

// A layer's weights are asked for, its input is not: no derivative of the input is formed.
TEST_F(Derivatives, InputsThatAreNotAskedForAreNotDifferentiated) {
  DimId n = m.types.dims.var("n"), k = m.types.dims.var("k");
  Builder b(m, "f");
  Value w = b.param(m.types.tensor(DType::f32, {n, k})), x = b.param(m.types.tensor(DType::f32, {k}));
  b.result(sum(contract(w, exp(x), {0, 1}, {1}, {0})).id);
  Func d = derive(b.finish_into_module(), {0});
  EXPECT_EQ(count(d, op<Contract>), 2u);  // the value, and the outer product
  EXPECT_EQ(count(d, op<Exp>), 1u);
}

TEST_F(Derivatives, WhatTheResultDoesNotDependOnGetsZeros) {
  Builder b(m, "f");
  Value x = b.param(scalar);
  b.param(m.types.tensor(DType::f32, {m.types.dims.var("n")}));
  b.result(exp(x).id);
  Func d = derive(b.finish_into_module(), {1});
  const Node& zero = d[d.results[1]];
  EXPECT_EQ(zero.op, op<Const>);
  EXPECT_EQ(zero.type, d[d.params[1]].type);
}

TEST_F(Derivatives, StopGradientStops) {
  Builder b(m, "f");
  Value x = b.param(scalar);
  b.result((x * b.emit(op<StopGradient>, {exp(x).id})).id);
  Func d = derive(b.finish_into_module(), {0});
  EXPECT_EQ(d[d.results[1]].op, op<StopGradient>);
}

TEST_F(Derivatives, NodesKeepTheSourceOfTheForwardNode) {
  SrcId here = m.add(Src{Span{FileId(size_t(0)), 3, 9}, {}});
  Builder b(m, "f");
  Value x = b.param(scalar);
  b.set_src(here);
  Value y = sin(x);
  b.set_src({});
  b.result(y.id);
  Func d = derive(b.finish_into_module(), {0});
  auto cosine = std::find_if(d.nodes.begin(), d.nodes.end(), [](const Node& n) { return n.op == op<Cos>; });
  ASSERT_NE(cosine, d.nodes.end());
  EXPECT_EQ(cosine->src, here);
}

TEST_F(Derivatives, DeepChainsNeedNoStack) {
  Builder b(m, "f");
  Value x = b.param(scalar), y = x;
  for (int i = 0; i < 100000; ++i) y = i % 2 ? sin(y) : 1.5 * y;
  b.result(y.id);
  Func d = derive(b.finish_into_module(), {0});
  EXPECT_GT(d.nodes.size(), 200000u);
}

TEST_F(Derivatives, OfAVectorIsRefused) {
  Builder b(m, "f");
  Value x = b.param(m.types.tensor(DType::f32, {m.types.dims.var("n")}));
  b.result(exp(x).id);
  auto d = value_and_grad(m, b.finish_into_module(), std::vector<size_t>{0});
  ASSERT_FALSE(d.has_value());
  EXPECT_EQ(d.error().message, "'grad' takes a function to one float, found f32[n]");
}

TEST_F(Derivatives, GradNodesGoInnermostFirst) {
  Builder f(m, "f");
  Value x = f.param(scalar);
  f.result((x * x * x).id);
  FuncId cube = f.finish_into_module();
  Builder g(m, "g");
  Value y = g.param(scalar);
  g.result(g.emit(op<Grad>, {y.id}, {{AttrKey::func, cube}, {AttrKey::wrt, Ints{0}}}, scalar).id);
  FuncId slope = g.finish_into_module();
  Builder h(m, "h");
  Value z = h.param(scalar);
  h.result(h.emit(op<Grad>, {z.id}, {{AttrKey::func, slope}, {AttrKey::wrt, Ints{0}}}, scalar).id);
  auto expanded = expand_grads(m, h.finish());
  ASSERT_TRUE(expanded.has_value());
  EXPECT_EQ(count(*expanded, op<Grad>), 0u);
}

}  // namespace
}  // namespace glia::ir
