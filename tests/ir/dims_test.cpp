// Sizes: normal form, equality, solving, printing.
#include <gtest/gtest.h>

#include "ir/dims.h"

namespace glia::ir {
namespace {

struct DimsTest : testing::Test {
  Dims d;
  DimId n = d.var("n"), m = d.var("m");
  DimId c(int64_t v) { return d.constant(v); }
};

TEST_F(DimsTest, EqualSizesHaveOneId) {
  EXPECT_EQ(d.add(n, m), d.add(m, n));
  EXPECT_EQ(d.add(n, n), d.mul(c(2), n));
  EXPECT_EQ(d.sub(d.add(n, c(3)), c(3)), n);
  EXPECT_EQ(d.mul(d.add(n, c(1)), d.sub(n, c(1))), d.sub(d.mul(n, n), c(1)));
  EXPECT_NE(n, d.fresh("n"));
}

TEST_F(DimsTest, FloorDivision) {
  EXPECT_EQ(d.floordiv(c(-7), c(2)), c(-4));
  EXPECT_EQ(d.floordiv(d.mul(c(6), n), c(3)), d.mul(c(2), n));
  EXPECT_EQ(d.mod(c(7), c(4)), c(3));
  EXPECT_FALSE(d.floordiv(n, c(0)).valid());
  DimId half = d.floordiv(n, c(2));
  EXPECT_EQ(d.known(d.substitute(half, {{d.as_atom(n)->v, c(9)}})), 4);
}

TEST_F(DimsTest, Compare) {
  EXPECT_EQ(d.compare(n, d.add(n, c(1))), Compare::different);
  EXPECT_EQ(d.compare(n, m), Compare::unknown);
  EXPECT_EQ(d.compare(d.add(n, m), d.add(m, n)), Compare::equal);
}

TEST_F(DimsTest, Solve) {
  DimId pattern = d.add(d.mul(c(2), n), c(1));
  EXPECT_EQ(d.solve(pattern, c(7), *d.as_atom(n)), c(3));
  EXPECT_FALSE(d.solve(pattern, c(8), *d.as_atom(n)));
  EXPECT_FALSE(d.solve(d.mul(n, n), c(9), *d.as_atom(n)));
}

TEST_F(DimsTest, OverflowGivesNoSize) {
  DimId big = c(int64_t{1} << 61);
  EXPECT_FALSE(d.mul(big, c(8)).valid());
  EXPECT_FALSE(d.add(d.mul(big, c(8)), n).valid());
}

TEST_F(DimsTest, PrintsWithoutAmbiguity) {
  EXPECT_EQ(d.print(d.add(d.mul(c(2), n), c(1))), "2*n + 1");
  EXPECT_EQ(d.print(d.floordiv(n, c(2))), "n // 2");
  EXPECT_EQ(d.print(d.mul(c(3), d.floordiv(n, c(2)))), "3*(n // 2)");
  EXPECT_EQ(d.print(d.mul(c(-1), d.floordiv(n, c(2)))), "-(n // 2)");
  EXPECT_EQ(d.print(d.floordiv(d.add(n, c(1)), m)), "(n + 1) // m");
  EXPECT_EQ(d.print(d.floordiv(n, d.floordiv(m, c(2)))), "n // (m // 2)");
}

TEST_F(DimsTest, ReferencesStayValid) {
  const Polynomial& p = d.polynomial(n);
  for (int i = 0; i < 1000; ++i) d.constant(1000 + i);
  EXPECT_EQ(p.size(), 1u);
}

}  // namespace
}  // namespace glia::ir
