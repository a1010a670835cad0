// Making functions: common subexpressions, order of effects, laws at construction, inlining.
#include <gtest/gtest.h>

#include <cmath>

#include "ir/ops/all.h"
#include "ir/value.h"

namespace glia::ir {
namespace {

struct BuilderTest : testing::Test {
  Module m;
  Builder b{m, "f"};
  DimId n = m.types.dims.var("n");
  Value x = b.param(m.types.tensor(DType::f32, {n})), y = b.param(m.types.tensor(DType::f32, {n}));
  OpId op_of(Value v) { return b.func()[v.id].op; }
};

TEST_F(BuilderTest, OneNodeForOneValue) {
  EXPECT_EQ((x + y).id, (y + x).id);
  EXPECT_NE((x - y).id, (y - x).id);
  EXPECT_EQ(exp(x * y).id, exp(y * x).id);
  EXPECT_NE(x.id, y.id);
}

TEST_F(BuilderTest, FirstSourceWins) {
  SrcId first = m.add(Src{{FileId(0), 1, 2}, {}}), second = m.add(Src{{FileId(0), 3, 4}, {}});
  EXPECT_EQ(m.add(Src{{FileId(0), 1, 2}, {}}), first);
  b.set_src(first);
  Value v = exp(x);
  b.set_src(second);
  EXPECT_EQ(b.func()[exp(x).id].src, first);
  EXPECT_EQ(v.id, exp(x).id);
}

TEST_F(BuilderTest, EffectsAreOrderedAndNeverMerged) {
  Value p = b.emit(op<Print>, {x.id}), q = b.emit(op<Print>, {x.id});
  EXPECT_NE(p.id, q.id);
  EXPECT_EQ(b.func()[p.id].attrs.integer(AttrKey::order), 0);
  EXPECT_EQ(b.func()[q.id].attrs.integer(AttrKey::order), 1);
}

TEST_F(BuilderTest, EffectsInsideBranchesCount) {
  Builder inner(m, "says");
  Value a = inner.param(m.types.tensor(DType::f32, {n}));
  inner.emit(op<Print>, {a.id});
  inner.result(a.id);
  FuncId says = inner.finish_into_module();
  Attrs attrs{{AttrKey::func, says}};
  EXPECT_NE(b.emit(op<CallOp>, {x.id}, attrs, x.type()).id, b.emit(op<CallOp>, {x.id}, attrs, x.type()).id);
}

TEST_F(BuilderTest, LawsThatAreExact) {
  EXPECT_EQ((1.0 * x).id, x.id);
  EXPECT_EQ((x / 1.0).id, x.id);
  EXPECT_EQ((x - 0.0).id, x.id);
  EXPECT_EQ((x + -0.0).id, x.id);
  EXPECT_EQ((-(-x)).id, x.id);
  EXPECT_EQ(cast(x, DType::f32).id, x.id);
  EXPECT_EQ(sum(x, {}).id, x.id);
  EXPECT_EQ(get(tuple(b, {{x, y}}), 1).id, y.id);
  EXPECT_EQ(transpose(x, {0}).id, x.id);
  EXPECT_EQ(broadcast(x, {n}, {0}).id, x.id);
  EXPECT_EQ(slice(x, {m.types.dims.constant(0)}, {n}, {1}).id, x.id);
  EXPECT_EQ(select(constant(b, 1, DType::boolean), x, y).id, x.id);
}

TEST_F(BuilderTest, LawsThatAreNot) {
  EXPECT_EQ(op_of(x + 0.0), op<Add>);    // -0 + 0 is 0
  EXPECT_EQ(op_of(x - -0.0), op<Sub>);   // -0 - -0 is 0
  EXPECT_EQ(op_of(0.0 * x), op<Mul>);    // 0 * inf is NaN
  EXPECT_EQ(op_of(x - x), op<Sub>);      // inf - inf is NaN
}

TEST_F(BuilderTest, ShapesCompose) {
  Dims& d = m.types.dims;
  DimId two = d.constant(2), three = d.constant(3);
  Value z = b.param(m.types.tensor(DType::f32, {two, three}));
  EXPECT_EQ(transpose(transpose(z, {1, 0}), {1, 0}).id, z.id);
  EXPECT_EQ(reshape(reshape(z, {d.constant(6)}), {two, three}).id, z.id);
  Value wide = broadcast(broadcast(z, {three, n, two}, {2, 0}), {n, three, two}, {1, 0, 2});
  EXPECT_EQ(wide.id, broadcast(z, {n, three, two}, {2, 1}).id);
}

TEST_F(BuilderTest, NumbersFold) {
  EXPECT_EQ(constant_value(exp(constant(b, 0, DType::f32, {n})) + 2.0), 3.0);
  EXPECT_EQ(constant_value(cast(constant(b, -2.7, DType::f64), DType::i8)), -2.0);
  EXPECT_EQ(constant_value(cast(constant(b, 1e9, DType::f64), DType::i8)), 127.0);
  EXPECT_EQ(constant_value(cast(constant(b, std::nan(""), DType::f64), DType::i32)), 0.0);
  EXPECT_EQ(constant_value(constant(b, 0.1, DType::f32) + 0.2), double(0.1f + 0.2f));
  EXPECT_EQ(constant_value(constant(b, 2, DType::f32) < constant(b, 3, DType::f32)), 1.0);
  Value zero = constant_int(b, 0, DType::i32), seven = constant_int(b, 7, DType::i32);
  Value fault = b.emit(op<FloorDiv>, {seven.id, zero.id});
  EXPECT_FALSE(constant_value(fault));
  EXPECT_EQ(constant_value(dim_value(b, m.types.dims.constant(5), DType::f32)), 5.0);
}

TEST_F(BuilderTest, ScalarsSpread) {
  Value s = b.param(m.types.tensor(DType::f32));
  EXPECT_EQ((s * x).shape(), Shape{n});
  EXPECT_EQ((x * s).id, (s * x).id);
  Value c = b.param(m.types.tensor(DType::boolean));
  EXPECT_EQ(select(c, x, 0.0).shape(), Shape{n});
}

TEST_F(BuilderTest, InliningKeepsTheChainOfCallers) {
  Builder inner(m, "g");
  inner.set_src(m.add(Src{{FileId(0), 10, 20}, {}}));
  Value a = inner.param(x.type());
  inner.result(exp(a).id);
  Func g = inner.finish();
  SrcId call = m.add(Src{{FileId(0), 50, 60}, {}});
  b.set_src(call);
  std::vector<ValueId> args{(x + y).id};
  std::vector<Value> made = inline_func(b, g, args);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].id, exp(x + y).id);
  const Src& src = m.src(b.func()[made[0].id].src);
  EXPECT_EQ(src.span.begin, 10u);
  EXPECT_EQ(src.caller, call);
  EXPECT_EQ(b.src(), call);
}

using BuilderDeathTest = BuilderTest;

TEST_F(BuilderDeathTest, WrongNodesStopTheProgram) {
  Value i = b.param(m.types.tensor(DType::i32, {n}));
  EXPECT_DEATH(b.emit(op<Exp>, {i.id}), "exp");
  EXPECT_DEATH(b.emit(op<Add>, {x.id}), "takes 2 arguments");
  EXPECT_DEATH(b.emit(op<Neg>, {ValueId(99)}), "not a value");
}

}  // namespace
}  // namespace glia::ir
