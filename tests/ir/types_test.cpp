// Types: interning, printing, substitution of sizes.
#include <gtest/gtest.h>

#include "ir/types.h"

namespace glia::ir {
namespace {

TEST(Types, EqualTypesHaveOneId) {
  Types t;
  DimId n = t.dims.var("n");
  EXPECT_EQ(t.tensor(DType::f32, {n}), t.tensor(DType::f32, {n}));
  EXPECT_NE(t.tensor(DType::f32, {n}), t.tensor(DType::f64, {n}));
  EXPECT_NE(t.tuple({t.str()}), t.str());
  EXPECT_NE(t.record({"x"}, {t.str()}, "A"), t.record({"x"}, {t.str()}, "B"));
}

TEST(Types, PrintAsWritten) {
  Types t;
  DimId n = t.dims.var("n");
  TypeId x = t.tensor(DType::f32, {t.dims.mul(t.dims.constant(2), n), t.dims.constant(3)});
  EXPECT_EQ(t.print(x), "f32[2*n, 3]");
  EXPECT_EQ(t.print(t.tuple({x, t.str()})), "(f32[2*n, 3], str)");
  EXPECT_EQ(t.print(t.record({"a"}, {x})), "{ a: f32[2*n, 3] }");
  EXPECT_EQ(t.print(t.fn({x}, t.tensor(DType::boolean))), "f32[2*n, 3] -> bool");
}

TEST(Types, SubstituteReachesInside) {
  Types t;
  DimId n = t.dims.var("n");
  TypeId pair = t.tuple({t.tensor(DType::f32, {n}), t.list(t.tensor(DType::i32, {n, n}))});
  TypeId made = t.substitute(pair, {{t.dims.as_atom(n)->v, t.dims.constant(4)}});
  EXPECT_EQ(t.print(made), "(f32[4], [i32[4, 4]])");
}

TEST(Types, ReferencesStayValid) {
  Types t;
  const Shape& shape = t.shape(t.tensor(DType::f32, {t.dims.var("n")}));
  for (int i = 0; i < 1000; ++i) t.tensor(DType::f32, {t.dims.constant(i)});
  EXPECT_EQ(shape, Shape{t.dims.var("n")});
}

}  // namespace
}  // namespace glia::ir
