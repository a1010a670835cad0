// Tensors, the 16-bit floats, and structured values.
#include "interp/tensor.h"

#include <gtest/gtest.h>

#include <limits>

#include "interp/value.h"

namespace glia::interp {

TEST(Half, EveryF16ComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float x = f16_value(static_cast<uint16_t>(bits));
    if (x != x) EXPECT_NE(f16_value(f16_bits(x)), x);
    else ASSERT_EQ(f16_bits(x), bits);
  }
}

TEST(Half, EveryBf16ComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float x = bf16_value(static_cast<uint16_t>(bits));
    if (x != x) EXPECT_NE(bf16_value(bf16_bits(x)), x);
    else ASSERT_EQ(bf16_bits(x), bits);
  }
}

// The nearest of two neighbours, ties to the even one; against exact arithmetic in f64.
TEST(Half, RoundsToNearestEven) {
  for (uint32_t bits = 0; bits + 1 < 0x7c00; ++bits) {
    const double low = f16_value(static_cast<uint16_t>(bits)), high = f16_value(static_cast<uint16_t>(bits + 1)), middle = (low + high) / 2;
    ASSERT_EQ(Float16(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(Float16(std::nextafter(middle, 0.0)).bits, bits);  // one rounding, not two
    ASSERT_EQ(Float16(std::nextafter(middle, 1e9)).bits, bits + 1);
    ASSERT_EQ(Float16(-std::nextafter(middle, 1e9)).bits, (bits + 1) | 0x8000u);
  }
  EXPECT_EQ(static_cast<float>(Float16(65519.0f)), 65504.0f);
  EXPECT_EQ(static_cast<float>(Float16(65520.0f)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(static_cast<float>(BFloat16(257.0f)), 256.0f);
  EXPECT_EQ(static_cast<float>(BFloat16(259.0f)), 260.0f);
  EXPECT_EQ(static_cast<float>(BFloat16(std::numeric_limits<float>::max())), std::numeric_limits<float>::infinity());
}

TEST(Tensor, MemoryIsAlignedAndShared) {
  for (int64_t n : {0, 1, 2, 3, 17}) {
    Tensor t = Tensor::zeros(DType::f32, {n});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(t.data->data()) % 64, 0u);
    EXPECT_EQ(t.as<float>().size(), static_cast<size_t>(n));
    const Tensor copy = t;
    EXPECT_EQ(copy.data, t.data);
  }
}

TEST(Tensor, ImpossibleSizesAreErrors) {
  EXPECT_FALSE(Tensor::allocate(DType::f32, {int64_t{1} << 40, int64_t{1} << 40}));
  EXPECT_FALSE(Tensor::allocate(DType::f64, {-1}));
  EXPECT_FALSE(Tensor::allocate(DType::u8, {int64_t{1} << 56}));
  EXPECT_TRUE(Tensor::allocate(DType::f32, {int64_t{1} << 40, 0}));
}

TEST(Tensor, ArraysGoThereAndBack) {
  io::Array a = io::make_array(DType::i32, {2, 2});
  a.as<int32_t>()[3] = -7;
  const Tensor t = Tensor::from(a);
  EXPECT_EQ(t.as<int32_t>()[3], -7);
  EXPECT_EQ(t.to_array().bytes, a.bytes);
  io::Array b = io::make_array(DType::boolean, {2});
  b.bytes = {std::byte(9), std::byte(0)};  // a bool of a file may be any byte
  EXPECT_EQ(Tensor::from(b).to_array().bytes[0], std::byte(1));
}

TEST(Tensor, RowsStack) {
  const Tensor t = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor a = row(t, 0), b = row(t, 1);
  const Tensor* rows[] = {&a, &b};
  EXPECT_TRUE(same_bits(*stack(rows, DType::f32, a.shape), t));
  const Tensor* mixed[] = {&a, &t};
  EXPECT_FALSE(stack(mixed, DType::f32, a.shape));
  const int64_t three[] = {3};
  EXPECT_EQ(stack({}, DType::f32, three)->shape, (std::vector<int64_t>{0, 3}));
}

TEST(Values, RowsReadAsAList) {
  const Value rows(Rows{2, {"x", "name"}, {Tensor::of<int32_t>({2}, {5, 6}), List{{std::string("a"), std::string("b")}}}});
  EXPECT_EQ(list_size(rows), 2);
  const Value second = list_item(rows, 1);
  EXPECT_EQ(second.tuple().elems[0].tensor().as<int32_t>()[0], 6);
  EXPECT_EQ(second.tuple().elems[1].text(), "b");
  EXPECT_FALSE(list_size(Value()));
  EXPECT_EQ(leaves(rows).size(), 1u);
}

}  // namespace glia::interp
