// Values as text.
#include "interp/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace glia::interp {

TEST(Format, NumbersAsAPersonWritesThem) {
  const std::pair<float, const char*> cases[] = {
      {7, "7"},          {2.5f, "2.5"},        {1.9726f, "1.9726"}, {0.1f, "0.1"},        {1.0f / 3, "0.333333"},
      {-0.25f, "-0.25"}, {1000000, "1000000"}, {1e-5f, "1e-05"},    {3.4e38f, "3.4e+38"}, {0, "0"}};
  for (const auto& [x, text] : cases) EXPECT_EQ(format_value(Tensor::scalar(x)), text);
  EXPECT_EQ(format_value(Tensor::scalar(std::numeric_limits<float>::infinity())), "inf");
  EXPECT_EQ(format_value(Tensor::scalar(-std::nanf(""))), "nan");
  EXPECT_EQ(format_value(Tensor::scalar(0.1)), "0.1");
  EXPECT_EQ(format_value(Tensor::scalar(1.0 / 3)), "0.333333333333");
  EXPECT_EQ(format_value(Tensor::scalar(BFloat16(0.1f))), "0.1");
  EXPECT_EQ(format_value(Tensor::scalar(Float16(0.1f))), "0.1");
  EXPECT_EQ(format_value(Tensor::scalar<int8_t>(-8)), "-8");
  EXPECT_EQ(format_value(Tensor::scalar<uint8_t>(65)), "65");
  EXPECT_EQ(format_value(Tensor::scalar(true)), "true");
}

TEST(Format, TensorsNestAndAreAbridged) {
  EXPECT_EQ(format_value(Tensor::of<float>({2, 2}, {1, 2, 3, 4.5})), "[[1, 2], [3, 4.5]]");
  EXPECT_EQ(format_value(Tensor::zeros(DType::f32, {0})), "[]");
  EXPECT_EQ(format_value(Tensor::zeros(DType::f32, {2, 0})), "[[], []]");
  EXPECT_EQ(format_value(Tensor::zeros(DType::i32, {2000})), "[0, 0, 0, ..., 0, 0, 0]");
  EXPECT_EQ(format_value(Tensor::zeros(DType::i32, {7, 200})).substr(0, 30), "[[0, 0, 0, ..., 0, 0, 0], [0, ");
}

TEST(Format, Structures) {
  const Value pair(Tuple{{Tensor::scalar(1), std::string("two")}});
  EXPECT_EQ(format_value(pair), "(1, two)");
  EXPECT_EQ(format_value(Value()), "()");
  ir::Types types;
  const ir::TypeId record = types.record({"a", "b"}, {types.tensor(DType::i32), types.str()});
  EXPECT_EQ(format_value(pair, &types, record), "{ a: 1, b: two }");
  EXPECT_EQ(format_value(List{{pair, pair}}, &types, types.list(record)), "[{ a: 1, b: two }, { a: 1, b: two }]");
  EXPECT_EQ(format_value(Rows{2, {"x"}, {Tensor::of<float>({2}, {1, 2})}}), "[{ x: 1 }, { x: 2 }]");
}

TEST(Format, Specs) {
  const Value pi(Tensor::scalar(3.14159265f)), n(Tensor::scalar(42)), v(Tensor::of<float>({2}, {0.5f, 2}));
  EXPECT_EQ(format_with(pi, ".4f"), "3.1416");
  EXPECT_EQ(format_with(pi, "e"), "3.141593e+00");
  EXPECT_EQ(format_with(pi, "8.2f"), "    3.14");
  EXPECT_EQ(format_with(n, "d"), "42");
  EXPECT_EQ(format_with(n, "5"), "   42");
  EXPECT_EQ(format_with(n, ".1f"), "42.0");
  EXPECT_EQ(format_with(pi, "10"), "   3.14159");
  EXPECT_EQ(format_with(Tensor::scalar(3.0f), "d"), "3");
  EXPECT_EQ(format_with(v, ".2f"), "[0.50, 2.00]");
  EXPECT_EQ(format_with(std::string("ab"), ">4"), "  ab");
}

TEST(Format, BadSpecsAreErrors) {
  const Value pi(Tensor::scalar(3.14f)), n(Tensor::scalar(42));
  for (const char* spec : {"{}", "99999999999", "q", ".f", "1}{0", "d"}) EXPECT_FALSE(format_with(pi, spec)) << spec;
  EXPECT_FALSE(format_with(n, "s"));
  EXPECT_FALSE(format_with(std::string("x"), ".2f"));
}

}  // namespace glia::interp
