// Type rules: what is accepted, and the sentence where it is not.
#include <gtest/gtest.h>

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::ir {
namespace {

struct Rules : testing::Test {
  Types types;
  DimId m = types.dims.var("m"), n = types.dims.var("n"), k = types.dims.var("k");

  DimId c(int64_t v) { return types.dims.constant(v); }
  TypeId f32(Shape shape = {}) { return types.tensor(DType::f32, std::move(shape)); }
  TypeId i32(Shape shape = {}) { return types.tensor(DType::i32, std::move(shape)); }
  TypeRule rule(OpId op, std::vector<TypeId> args, Attrs attrs = {}) { return info(op).type(TypeContext{types, args, attrs}); }

  std::string good(const TypeRule& r) { return r ? types.print(*r) : "error: " + r.error(); }
  std::string bad(const TypeRule& r) { return r ? "accepted as " + types.print(*r) : r.error(); }
};

TEST_F(Rules, ElementwiseTakesEqualTypesOfItsClass) {
  EXPECT_EQ(good(rule(op<Add>, {f32({m, n}), f32({m, n})})), "f32[m, n]");
  EXPECT_EQ(good(rule(op<Lt>, {f32({m}), f32({m})})), "bool[m]");
  EXPECT_EQ(bad(rule(op<Add>, {f32({m}), f32({n})})), "shapes differ: f32[m] and f32[n]");
  EXPECT_EQ(bad(rule(op<Add>, {f32({m}), i32({m})})), "element types differ: f32[m] and i32[m]");
  EXPECT_EQ(bad(rule(op<Exp>, {i32({m})})), "takes floats, found i32[m]");
  EXPECT_EQ(bad(rule(op<Not>, {f32()})), "takes bools, found f32");
  EXPECT_EQ(bad(rule(op<Add>, {types.str(), types.str()})), "takes numbers, found str");
}

TEST_F(Rules, GenericElementTypesBelongToTheirClass) {
  EXPECT_EQ(good(rule(op<Exp>, {types.tensor(DType::any_float)})), "float");
  EXPECT_EQ(good(rule(op<Add>, {types.tensor(DType::any_num), types.tensor(DType::any_num)})), "num");
  EXPECT_FALSE(rule(op<Exp>, {types.tensor(DType::any_num)}));
}

TEST_F(Rules, ReshapeCountsElements) {
  EXPECT_EQ(good(rule(op<Reshape>, {f32({m, c(6)})}, {{AttrKey::shape, DimList{c(3), m, c(2)}}})), "f32[3, m, 2]");
  EXPECT_EQ(bad(rule(op<Reshape>, {f32({c(2), c(3)})}, {{AttrKey::shape, DimList{c(5)}}})),
            "f32[2, 3] does not have as many elements as [5]");
  EXPECT_TRUE(rule(op<Reshape>, {f32({m})}, {{AttrKey::shape, DimList{n}}}));  // known once the sizes are
}

TEST_F(Rules, SliceAndPadAreEachOthersTranspose) {
  Attrs slice{{AttrKey::starts, DimList{c(1)}}, {AttrKey::stops, DimList{n}}, {AttrKey::steps, Ints{1}}};
  EXPECT_EQ(good(rule(op<Slice>, {f32({n})}, slice)), "f32[n - 1]");
  Attrs steps{{AttrKey::starts, DimList{c(0)}}, {AttrKey::stops, DimList{c(7)}}, {AttrKey::steps, Ints{3}}};
  EXPECT_EQ(good(rule(op<Slice>, {f32({c(7)})}, steps)), "f32[3]");
  Attrs pad{{AttrKey::low, DimList{c(0)}}, {AttrKey::high, DimList{c(0)}}, {AttrKey::steps, Ints{3}}};
  EXPECT_EQ(good(rule(op<Pad>, {f32({c(3)})}, pad)), "f32[7]");
  Attrs outside{{AttrKey::starts, DimList{c(0)}}, {AttrKey::stops, DimList{c(8)}}, {AttrKey::steps, Ints{1}}};
  EXPECT_EQ(bad(rule(op<Slice>, {f32({c(7)})}, outside)), "0 to 8 is outside axis 0 of f32[7]");
  Attrs none{{AttrKey::starts, DimList{c(0)}}, {AttrKey::stops, DimList{c(7)}}, {AttrKey::steps, Ints{0}}};
  EXPECT_FALSE(rule(op<Slice>, {f32({c(7)})}, none));
}

TEST_F(Rules, BroadcastNeverStretches) {
  EXPECT_EQ(good(rule(op<Broadcast>, {f32({n})}, {{AttrKey::shape, DimList{m, n}}, {AttrKey::axes, Ints{1}}})), "f32[m, n]");
  EXPECT_FALSE(rule(op<Broadcast>, {f32({c(1)})}, {{AttrKey::shape, DimList{m, n}}, {AttrKey::axes, Ints{1}}}));
  EXPECT_FALSE(rule(op<Broadcast>, {f32({n})}, {{AttrKey::shape, DimList{m, n}}, {AttrKey::axes, Ints{2}}}));
}

TEST_F(Rules, GatherPutsTheIndexInPlaceOfTheAxis) {
  EXPECT_EQ(good(rule(op<Gather>, {f32({m, n}), i32({k})}, {{AttrKey::axis, 0}, {AttrKey::batch, 0}})), "f32[k, n]");
  EXPECT_EQ(good(rule(op<Gather>, {f32({m, n, k}), i32({m})}, {{AttrKey::axis, 1}, {AttrKey::batch, 1}})), "f32[m, k]");
  EXPECT_FALSE(rule(op<Gather>, {f32({m}), f32({k})}, {{AttrKey::axis, 0}, {AttrKey::batch, 0}}));
  EXPECT_FALSE(rule(op<Gather>, {f32({m, n}), i32({n})}, {{AttrKey::axis, 1}, {AttrKey::batch, 1}}));
}

TEST_F(Rules, ContractSumsWhatIsNotInTheResult) {
  Attrs product{{AttrKey::lhs, Ints{0, 1}}, {AttrKey::rhs, Ints{1, 2}}, {AttrKey::out, Ints{0, 2}}};
  EXPECT_EQ(good(rule(op<Contract>, {f32({m, k}), f32({k, n})}, product)), "f32[m, n]");
  EXPECT_EQ(bad(rule(op<Contract>, {f32({m, k}), f32({m, n})}, product)), "sizes k and m differ: f32[m, k] and f32[m, n]");
}

// The largest of nothing: refused where it is known; over an axis that is not the empty one it is nothing.
TEST_F(Rules, ExtremesOfNothing) {
  EXPECT_EQ(good(rule(op<ReduceMax>, {f32({c(2), c(0)})}, {{AttrKey::axes, Ints{0}}})), "f32[0]");
  EXPECT_EQ(bad(rule(op<ReduceMax>, {f32({c(0), c(4)})}, {{AttrKey::axes, Ints{0}}})), "axis 0 of f32[0, 4] is empty");
  EXPECT_EQ(good(rule(op<Sum>, {f32({c(0), c(4)})}, {{AttrKey::axes, Ints{0}}})), "f32[4]");
  EXPECT_FALSE(rule(op<ArgMax>, {f32({c(0)})}, {{AttrKey::axis, 0}}));
}

// Attributes that are missing or of another type are refused by every rule that has any, not read.
TEST_F(Rules, MissingAttributesAreRefused) {
  for (size_t i = 0; i < op_table().size(); ++i) {
    const OpInfo& o = op_table()[i];
    if (!o.type || o.family == Family::elementwise || o.family == Family::control || o.family == Family::host) continue;
    if (o.name == "select" || o.name == "batch_mean" || o.name == "batch_sum" || o.name == "stop_gradient" || o.name == "stream_mix")
      continue;
    std::vector<TypeId> args(static_cast<size_t>(o.arity < 0 ? 1 : o.arity), f32({m}));
    EXPECT_FALSE(rule(OpId(i), args)) << o.name;
    Attrs wrong;
    for (int key = 0; key <= static_cast<int>(AttrKey::name); ++key) wrong.set(static_cast<AttrKey>(key), FuncId(size_t(0)));
    EXPECT_FALSE(rule(OpId(i), args, wrong)) << o.name;
  }
}

TEST_F(Rules, NamesAreUnique) {
  for (size_t i = 0; i < op_table().size(); ++i) EXPECT_EQ(op_from_name(op_table()[i].name), OpId(i));
}

}  // namespace
}  // namespace glia::ir
