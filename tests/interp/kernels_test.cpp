// The reference kernels: every element type, sizes 0, 1, 2, 3 and 17, ties, NaN, infinities, and their errors.
#include <cmath>
#include <limits>

#include "interp/kernels/kernel.h"
#include "ir/ops/table.h"
#include "kernel_case.h"

namespace glia::interp {

using ir::AttrKey;
using ir::Attrs;
using ir::Ints;
using ir::op;
using testing::Test;

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

struct KernelTest : Test, KernelCase {
  std::expected<Tensor, std::string> two(ir::OpId id, const Tensor& x, const Tensor& y) {
    return run(id, {x, y}, {}, x.dtype, x.size() == 1 && y.rank() > 0 ? y.shape : x.shape);
  }
  std::expected<Tensor, std::string> reduce(ir::OpId id, const Tensor& x, Ints axes) {
    std::vector<int64_t> shape;
    for (size_t i = 0; i < x.rank(); ++i)
      if (std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) == axes.end()) shape.push_back(x.shape[i]);
    return run(id, {x}, {{AttrKey::axes, axes}}, x.dtype, shape);
  }
  std::expected<Tensor, std::string> arg(ir::OpId id, const Tensor& x, int64_t axis) {
    std::vector<int64_t> shape = x.shape;
    shape.erase(shape.begin() + axis);
    return run(id, {x}, {{AttrKey::axis, axis}}, DType::i32, shape);
  }
  std::expected<Tensor, std::string> cast(const Tensor& x, DType to) { return run(op<ir::Cast>, {x}, {{AttrKey::dtype, to}}, to, x.shape); }
};

template <class T>
Tensor ramp(int64_t n) {
  Tensor t = Tensor::zeros(dtype_of<T>, {n});
  for (int64_t i = 0; i < n; ++i) t.as<T>()[static_cast<size_t>(i)] = static_cast<T>(static_cast<float>(i % 5 + 1));
  return t;
}

TEST(KernelTable, EveryTensorOpHasOne) {
  for (size_t i = 0; i < ir::op_table().size(); ++i) {
    const auto family = ir::op_table()[i].family;
    const bool tensors = family != ir::Family::control && family != ir::Family::host;
    EXPECT_EQ(kernel_for(ir::OpId(i)) != nullptr, tensors) << ir::op_table()[i].name;
  }
}

template <class T>
void check_arithmetic(KernelTest& t) {
  for (int64_t n : {0, 1, 2, 3, 17}) {
    const Tensor x = ramp<T>(n);
    const auto sum = t.two(op<ir::Add>, x, x), product = t.two(op<ir::Mul>, x, x),
               less = t.run(op<ir::Lt>, {x, x}, {}, DType::boolean, x.shape);
    for (int64_t i = 0; i < n; ++i) {
      EXPECT_EQ(element_real(*sum, i), 2.0 * static_cast<double>(i % 5 + 1));
      EXPECT_EQ(element_real(*product, i), static_cast<double>((i % 5 + 1) * (i % 5 + 1)));
      EXPECT_EQ(element_int(*less, i), 0);
    }
  }
}

TEST_F(KernelTest, ArithmeticInEveryType) {
  check_arithmetic<float>(*this), check_arithmetic<double>(*this), check_arithmetic<BFloat16>(*this), check_arithmetic<Float16>(*this);
  check_arithmetic<int64_t>(*this), check_arithmetic<int32_t>(*this), check_arithmetic<int8_t>(*this), check_arithmetic<uint8_t>(*this);
}

TEST_F(KernelTest, AScalarServesForAll) {
  const Tensor x = Tensor::of<float>({3}, {1, 2, 3}), s = Tensor::scalar(10.0f);
  EXPECT_EQ(reals<float>(two(op<ir::Sub>, x, s)), (std::vector<double>{-9, -8, -7}));
  EXPECT_EQ(reals<float>(two(op<ir::Sub>, s, x)), (std::vector<double>{9, 8, 7}));
}

TEST_F(KernelTest, IntegersWrap) {
  const Tensor x = Tensor::of<int8_t>({2}, {127, -128}), y = Tensor::of<int8_t>({2}, {1, -1});
  EXPECT_EQ(reals<int8_t>(two(op<ir::Add>, x, y)), (std::vector<double>{-128, 127}));
  EXPECT_EQ(reals<int8_t>(two(op<ir::Mul>, x, x)), (std::vector<double>{1, 0}));
}

TEST_F(KernelTest, FloorDivisionAndItsRemainder) {
  const Tensor x = Tensor::of<int32_t>({4}, {-7, 7, -1, 2147483647}), y = Tensor::of<int32_t>({4}, {2, -2, 3, -2});
  EXPECT_EQ(reals<int32_t>(two(op<ir::FloorDiv>, x, y)), (std::vector<double>{-4, -4, -1, -1073741824}));
  EXPECT_EQ(reals<int32_t>(two(op<ir::Mod>, x, y)), (std::vector<double>{1, -1, 2, -1}));
  EXPECT_EQ(reals<float>(two(op<ir::Mod>, Tensor::of<float>({2}, {-1, 7}), Tensor::of<float>({2}, {3, -2}))), (std::vector<double>{2, -1}));
}

TEST_F(KernelTest, ArithmeticWithoutAnIntegerResultIsAnError) {
  const Tensor x = Tensor::of<int32_t>({2, 2}, {1, 2, 3, 4}), zero = Tensor::of<int32_t>({2, 2}, {1, 1, 0, 1});
  EXPECT_EQ(two(op<ir::FloorDiv>, x, zero).error(), "integer division by zero at [1, 0]: 3 // 0");
  EXPECT_EQ(two(op<ir::Mod>, Tensor::scalar<uint8_t>(5), Tensor::scalar<uint8_t>(0)).error(), "integer division by zero: 5 % 0");
  const auto low = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(two(op<ir::FloorDiv>, Tensor::scalar(low), Tensor::scalar<int32_t>(-1)).error(), "-2147483648 // -1 does not fit i32");
  EXPECT_EQ(reals<int32_t>(two(op<ir::Mod>, Tensor::scalar(low), Tensor::scalar<int32_t>(-1))), (std::vector<double>{0}));
  EXPECT_EQ(two(op<ir::Pow>, x, Tensor::of<int32_t>({2, 2}, {0, -1, 2, 3})).error(), "negative exponent of an integer at [0, 1]: 2 ^ -1");
  EXPECT_EQ(reals<int32_t>(two(op<ir::Pow>, x, x)), (std::vector<double>{1, 4, 27, 256}));
  EXPECT_TRUE(two(op<ir::FloorDiv>, Tensor::zeros(DType::i32, {0}), Tensor::zeros(DType::i32, {0})));
}

TEST_F(KernelTest, NanGoesThroughMaxMinReluAndSign) {
  const Tensor x = Tensor::of<float>({3}, {float(nan), -20, 3}), y = Tensor::of<float>({3}, {1, float(nan), 3});
  for (ir::OpId id : {op<ir::Max>, op<ir::Min>}) {
    const auto r = reals<float>(two(id, x, y));
    EXPECT_TRUE(std::isnan(r[0]) && std::isnan(r[1]));
    EXPECT_EQ(r[2], 3);
  }
  EXPECT_TRUE(std::isnan(reals<float>(run(op<ir::Relu>, {x}, {}, DType::f32, {3}))[0]));
  EXPECT_TRUE(std::isnan(reals<float>(run(op<ir::Sign>, {x}, {}, DType::f32, {3}))[0]));
}

TEST_F(KernelTest, RoundsHalvesToEvenAndKeepsSubnormals) {
  const Tensor x = Tensor::of<float>({5}, {0.5f, 1.5f, 2.5f, -0.5f, -2.5f});
  EXPECT_EQ(reals<float>(run(op<ir::Round>, {x}, {}, DType::f32, {5})), (std::vector<double>{0, 2, 2, 0, -2}));
  EXPECT_FLOAT_EQ(element_real(*run(op<ir::Log>, {Tensor::scalar(0x1p-149f)}, {}, DType::f32, {}), 0), -103.27893f);
  EXPECT_EQ(element_real(*run(op<ir::Exp>, {Tensor::scalar(-103.0f)}, {}, DType::f32, {}), 0), 0x1p-149);
  EXPECT_NEAR(element_real(*two(op<ir::Mul>, Tensor::scalar(1e-10f), Tensor::scalar(1e-30f)), 0), 9.9999461e-41, 1e-46);
}

TEST_F(KernelTest, LogicOnBools) {
  const Tensor x = Tensor::of<bool>({4}, {false, false, true, true}), y = Tensor::of<bool>({4}, {false, true, false, true});
  EXPECT_EQ(reals<bool>(two(op<ir::And>, x, y)), (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(reals<bool>(two(op<ir::Or>, x, y)), (std::vector<double>{0, 1, 1, 1}));
  EXPECT_EQ(reals<bool>(two(op<ir::Eq>, x, y)), (std::vector<double>{1, 0, 0, 1}));
  EXPECT_FALSE(two(op<ir::Add>, x, y));
}

TEST_F(KernelTest, CastsSaturate) {
  const Tensor x = Tensor::of<float>({8}, {float(nan), float(inf), float(-inf), 3e9f, -3e9f, -1.0f, 255.9f, 256.0f});
  EXPECT_EQ(reals<int32_t>(cast(x, DType::i32)),
            (std::vector<double>{0, 2147483647, -2147483648.0, 2147483647, -2147483648.0, -1, 255, 256}));
  EXPECT_EQ(reals<uint8_t>(cast(x, DType::u8)), (std::vector<double>{0, 255, 0, 255, 0, 0, 255, 255}));
  EXPECT_EQ(reals<int8_t>(cast(x, DType::i8)), (std::vector<double>{0, 127, -128, 127, -128, -1, 127, 127}));
  EXPECT_EQ(cast(x, DType::i64)->as<int64_t>()[1], std::numeric_limits<int64_t>::max());
  EXPECT_EQ(cast(Tensor::scalar(-0x1p63), DType::i64)->as<int64_t>()[0], std::numeric_limits<int64_t>::min());
  EXPECT_EQ(cast(Tensor::scalar(-128.9f), DType::i8)->as<int8_t>()[0], -128);
  EXPECT_EQ(reals<uint8_t>(cast(Tensor::of<int32_t>({3}, {-5, 300, 7}), DType::u8)), (std::vector<double>{251, 44, 7}));  // whole numbers wrap
  EXPECT_EQ(reals<bool>(cast(x, DType::boolean)), (std::vector<double>(8, 1)));
  EXPECT_EQ(reals<float>(cast(Tensor::of<bool>({2}, {true, false}), DType::f32)), (std::vector<double>{1, 0}));
}

TEST_F(KernelTest, CastsRoundOnce) {
  // between f16 neighbours 1 and 1 + 2^-10: a hair above the middle, which f32 would lose
  EXPECT_EQ(element_real(*cast(Tensor::scalar(1.0 + 0x1p-11 + 0x1p-40), DType::f16), 0), 1.0 + 0x1p-10);
  EXPECT_EQ(element_real(*cast(Tensor::scalar(1.0 + 0x1p-8 + 0x1p-40), DType::bf16), 0), 1.0 + 0x1p-7);
  EXPECT_EQ(element_real(*cast(Tensor::scalar<int64_t>((int64_t{1} << 62) + (int64_t{1} << 54) + 1), DType::bf16), 0), 0x1p62 + 0x1p55);
}

// every pair of types: small whole numbers survive the way there and back
TEST_F(KernelTest, CastsBetweenAllTypes) {
  const DType all[] = {DType::f32, DType::f64, DType::bf16, DType::f16, DType::i64, DType::i32, DType::i8, DType::u8};
  for (DType from : all)
    for (DType to : all) {
      const auto x = cast(ramp<float>(17), from), y = cast(*x, to);
      for (int64_t i = 0; i < 17; ++i)
        EXPECT_EQ(element_real(*y, i), static_cast<double>(i % 5 + 1)) << dtype_name(from) << " to " << dtype_name(to);
    }
}

TEST_F(KernelTest, SumsOverAnyAxes) {
  const Tensor x = Tensor::of<float>({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  EXPECT_EQ(reals<float>(reduce(op<ir::Sum>, x, {0, 1, 2})), (std::vector<double>{78}));
  EXPECT_EQ(reals<float>(reduce(op<ir::Sum>, x, {1})), (std::vector<double>{9, 12, 27, 30}));
  EXPECT_EQ(reals<float>(reduce(op<ir::Sum>, x, {0, 2})), (std::vector<double>{18, 26, 34}));
  EXPECT_EQ(reals<float>(reduce(op<ir::Sum>, x, {})), reals<float>(x));
  EXPECT_EQ(reals<float>(reduce(op<ir::Sum>, Tensor::zeros(DType::f32, {0, 4}), {0})), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(reals<float>(reduce(op<ir::Prod>, Tensor::zeros(DType::f32, {0}), {0})), (std::vector<double>{1}));
  EXPECT_EQ(reals<float>(reduce(op<ir::Prod>, x, {2})), (std::vector<double>{2, 12, 30, 56, 90, 132}));
  EXPECT_EQ(reals<uint8_t>(reduce(op<ir::Sum>, Tensor::of<uint8_t>({2}, {200, 100}), {0})), (std::vector<double>{44}));
}

TEST_F(KernelTest, LongSumsOfNarrowFloats) {
  Tensor bf = Tensor::zeros(DType::bf16, {512}), half = Tensor::zeros(DType::f16, {4096}), wide = Tensor::zeros(DType::f32, {1 << 20});
  std::ranges::fill(bf.as<BFloat16>(), BFloat16(1.0f)), std::ranges::fill(half.as<Float16>(), Float16(1.0f)),
      std::ranges::fill(wide.as<float>(), 0.1f);
  EXPECT_EQ(reals<BFloat16>(reduce(op<ir::Sum>, bf, {0})), (std::vector<double>{512}));
  EXPECT_EQ(reals<Float16>(reduce(op<ir::Sum>, half, {0})), (std::vector<double>{4096}));
  EXPECT_EQ(reals<float>(reduce(op<ir::Sum>, wide, {0})), (std::vector<double>{static_cast<double>(0.1f * 1048576)}));
}

TEST_F(KernelTest, ARowAloneSumsAsAmongOthers) {
  for (int64_t n : {1, 2, 3, 17, 300}) {
    Tensor x = Tensor::zeros(DType::f64, {3, n, 5});
    for (size_t i = 0; i < x.as<double>().size(); ++i) x.as<double>()[i] = std::sin(static_cast<double>(i)) * 1e3;
    const auto all = reduce(op<ir::Sum>, x, {1, 2});
    for (int64_t r = 0; r < 3; ++r) EXPECT_TRUE(same_bits(row(*all, r), *reduce(op<ir::Sum>, row(x, r), {0, 1})));
  }
}

TEST_F(KernelTest, MaxOfNothingIsAnError) {
  EXPECT_EQ(reduce(op<ir::ReduceMax>, Tensor::zeros(DType::f32, {2, 0}), {0})->size(), 0);
  EXPECT_EQ(reduce(op<ir::ReduceMax>, Tensor::zeros(DType::f32, {0, 4}), {0}).error(), "no elements to reduce: axes [0] of shape [0, 4]");
  EXPECT_FALSE(arg(op<ir::ArgMin>, Tensor::zeros(DType::f32, {0, 4}), 0));
  EXPECT_EQ(arg(op<ir::ArgMin>, Tensor::zeros(DType::f32, {4, 0}), 0)->size(), 0);
}

TEST_F(KernelTest, TheFirstNanWins) {
  const Tensor x = Tensor::of<float>({4}, {3, float(nan), 1, 5});
  EXPECT_TRUE(std::isnan(reals<float>(reduce(op<ir::ReduceMax>, x, {0}))[0]));
  EXPECT_TRUE(std::isnan(reals<float>(reduce(op<ir::ReduceMin>, x, {0}))[0]));
  for (ir::OpId id : {op<ir::ArgMax>, op<ir::ArgMin>}) {
    EXPECT_EQ(reals<int32_t>(arg(id, x, 0)), (std::vector<double>{1}));
    EXPECT_EQ(reals<int32_t>(arg(id, Tensor::of<float>({3}, {1, 2, float(nan)}), 0)), (std::vector<double>{2}));
  }
  EXPECT_EQ(reals<int32_t>(arg(op<ir::ArgMax>, Tensor::of<float>({2, 3}, {3, 5, 5, 7, 7, 1}), 1)),
            (std::vector<double>{1, 0}));  // the first of ties
  EXPECT_EQ(reals<int32_t>(arg(op<ir::ArgMax>, Tensor::of<int8_t>({2, 2}, {3, 5, 4, 1}), 0)), (std::vector<double>{1, 0}));
  EXPECT_EQ(reals<int32_t>(arg(op<ir::ArgMax>, Tensor::of<float>({2}, {float(-inf), float(-inf)}), 0)), (std::vector<double>{0}));
}

TEST_F(KernelTest, AllAndAnyOfNothing) {
  const Tensor none = Tensor::zeros(DType::boolean, {2, 0}), some = Tensor::of<bool>({2, 2}, {true, false, true, true});
  EXPECT_EQ(reals<bool>(reduce(op<ir::All>, none, {1})), (std::vector<double>{1, 1}));
  EXPECT_EQ(reals<bool>(reduce(op<ir::Any>, none, {1})), (std::vector<double>{0, 0}));
  EXPECT_EQ(reals<bool>(reduce(op<ir::All>, some, {1})), (std::vector<double>{0, 1}));
}

TEST_F(KernelTest, RunningSums) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  auto run_sum = [&](int64_t axis, int64_t reverse) {
    return reals<float>(run(op<ir::CumSum>, {x}, {{AttrKey::axis, axis}, {AttrKey::index, reverse}}, DType::f32, {2, 3}));
  };
  EXPECT_EQ(run_sum(1, 0), (std::vector<double>{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(run_sum(1, 1), (std::vector<double>{6, 5, 3, 15, 11, 6}));
  EXPECT_EQ(run_sum(0, 0), (std::vector<double>{1, 2, 3, 5, 7, 9}));
}

// ---- products ---------------------------------------------------------------------------------

TEST_F(KernelTest, MatrixProductsOfAllSmallSizes) {
  for (int64_t m : {1, 2, 3, 17})
    for (int64_t k : {0, 1, 3, 17})
      for (int64_t n : {1, 2, 17}) {
        Tensor a = Tensor::zeros(DType::f32, {m, k}), b = Tensor::zeros(DType::f32, {k, n});
        for (size_t i = 0; i < a.as<float>().size(); ++i) a.as<float>()[i] = static_cast<float>(static_cast<int>(i * 7 % 11) - 5);
        for (size_t i = 0; i < b.as<float>().size(); ++i) b.as<float>()[i] = static_cast<float>(static_cast<int>(i * 5 % 13) - 6);
        const auto c = run(op<ir::Contract>, {a, b}, {{AttrKey::lhs, Ints{0, 1}}, {AttrKey::rhs, Ints{1, 2}}, {AttrKey::out, Ints{2, 0}}},
                           DType::f32, {n, m});
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j) {
            double want = 0;
            for (int64_t l = 0; l < k; ++l) want += element_real(a, i * k + l) * element_real(b, l * n + j);
            ASSERT_EQ(element_real(*c, j * m + i), want);
          }
      }
}

TEST_F(KernelTest, ProductsOverOtherLabels) {
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4}), v = Tensor::of<float>({2}, {10, 100});
  auto contract = [&](const Tensor& a, const Tensor& b, Ints l, Ints r, Ints o, std::vector<int64_t> shape) {
    return reals<float>(run(op<ir::Contract>, {a, b}, {{AttrKey::lhs, l}, {AttrKey::rhs, r}, {AttrKey::out, o}}, DType::f32, shape));
  };
  EXPECT_EQ(contract(v, v, {0}, {0}, {}, {}), (std::vector<double>{10100}));
  EXPECT_EQ(contract(v, v, {0}, {1}, {0, 1}, {2, 2}), (std::vector<double>{100, 1000, 1000, 10000}));
  EXPECT_EQ(contract(x, v, {0, 1}, {0}, {0, 1}, {2, 2}), (std::vector<double>{10, 20, 300, 400}));  // kept on both sides
  EXPECT_EQ(contract(x, v, {0, 1}, {1}, {1}, {2}), (std::vector<double>{40, 600}));                 // 0 is summed in x alone
  EXPECT_FALSE(run(op<ir::Contract>, {x, Tensor::zeros(DType::f32, {3})},
                   {{AttrKey::lhs, Ints{0, 1}}, {AttrKey::rhs, Ints{1}}, {AttrKey::out, Ints{0}}}, DType::f32, {2}));
}

// ---- moving -----------------------------------------------------------------------------------

TEST_F(KernelTest, MovesElementsInEveryWidth) {
  for (DType d : {DType::u8, DType::f16, DType::f32, DType::f64}) {
    const Tensor x = *cast(Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}), d);
    auto moved = [&](ir::OpId id, const Attrs& a, std::vector<int64_t> shape) {
      std::vector<double> r;
      const auto t = run(id, {x}, a, d, std::move(shape));
      EXPECT_TRUE(t) << t.error();
      for (int64_t i = 0; i < t->size(); ++i) r.push_back(element_real(*t, i));
      return r;
    };
    EXPECT_EQ(moved(op<ir::Transpose>, {{AttrKey::perm, Ints{1, 0}}}, {3, 2}), (std::vector<double>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(moved(op<ir::Flip>, {{AttrKey::axes, Ints{1}}}, {2, 3}), (std::vector<double>{3, 2, 1, 6, 5, 4}));
    EXPECT_EQ(moved(op<ir::Flip>, {{AttrKey::axes, Ints{0, 1}}}, {2, 3}), (std::vector<double>{6, 5, 4, 3, 2, 1}));
    EXPECT_EQ(moved(op<ir::Slice>, {{AttrKey::starts, dims({0, 0})}, {AttrKey::stops, dims({2, 3})}, {AttrKey::steps, Ints{1, 2}}}, {2, 2}),
              (std::vector<double>{1, 3, 4, 6}));
    EXPECT_EQ(moved(op<ir::Slice>, {{AttrKey::starts, dims({2, 1})}, {AttrKey::stops, dims({2, 3})}, {AttrKey::steps, Ints{1, 1}}}, {0, 2}),
              (std::vector<double>{}));
    EXPECT_EQ(moved(op<ir::Pad>, {{AttrKey::low, dims({0, 1})}, {AttrKey::high, dims({1, 0})}, {AttrKey::steps, Ints{1, 2}}}, {3, 6}),
              (std::vector<double>{0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(moved(op<ir::Broadcast>, {{AttrKey::axes, Ints{2, 0}}}, {3, 1, 2}), (std::vector<double>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(moved(op<ir::Reshape>, {}, {6}), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(moved(op<ir::StopGradient>, {}, {2, 3}), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }
  EXPECT_EQ(reals<float>(run(op<ir::Broadcast>, {Tensor::scalar(7.0f)}, {{AttrKey::axes, Ints{}}}, DType::f32, {3})),
            (std::vector<double>{7, 7, 7}));
}

TEST_F(KernelTest, SlicesOutsideAreErrors) {
  const Tensor x = Tensor::of<float>({3}, {1, 2, 3});
  const Attrs a{{AttrKey::starts, dims({1})}, {AttrKey::stops, dims({4})}, {AttrKey::steps, Ints{1}}};
  EXPECT_EQ(run(op<ir::Slice>, {x}, a, DType::f32, {3}).error(), "slice 1:4 is outside axis 0 of size 3");
}

TEST_F(KernelTest, ConcatenatesAlongAnyAxis) {
  const Tensor x = Tensor::of<float>({2, 1}, {1, 2}), y = Tensor::of<float>({2, 2}, {3, 4, 5, 6}), none = Tensor::zeros(DType::f32, {2, 0});
  EXPECT_EQ(reals<float>(run(op<ir::Concat>, {x, none, y}, {{AttrKey::axis, int64_t{1}}}, DType::f32, {2, 3})),
            (std::vector<double>{1, 3, 4, 2, 5, 6}));
}

TEST_F(KernelTest, SelectsElements) {
  const Tensor c = Tensor::of<bool>({3}, {true, false, true}), x = Tensor::of<float>({3}, {1, 2, float(nan)}),
               y = Tensor::of<float>({3}, {4, 5, 6});
  const auto r = reals<float>(run(op<ir::Select>, {c, x, y}, {}, DType::f32, {3}));
  EXPECT_EQ(r[0], 1);
  EXPECT_EQ(r[1], 5);
  EXPECT_TRUE(std::isnan(r[2]));
}

TEST_F(KernelTest, GathersSlices) {
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}), index = Tensor::of<int64_t>({2}, {2, 0});
  auto gather = [&](const Tensor& i, int64_t axis, int64_t batch, std::vector<int64_t> shape) {
    return run(op<ir::Gather>, {x, i}, {{AttrKey::axis, axis}, {AttrKey::batch, batch}}, DType::f32, shape);
  };
  EXPECT_EQ(reals<float>(gather(index, 1, 0, {2, 2})), (std::vector<double>{3, 1, 6, 4}));
  EXPECT_EQ(reals<float>(gather(Tensor::scalar<uint8_t>(1), 0, 0, {3})), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(reals<float>(gather(Tensor::of<int32_t>({2, 1}, {2, 1}), 1, 1, {2, 1})), (std::vector<double>{3, 5}));
  EXPECT_EQ(gather(Tensor::zeros(DType::i32, {0}), 0, 0, {0, 3})->size(), 0);
  EXPECT_EQ(gather(index, 0, 0, {2, 3}).error(), "index 2 at [0] of the indexes is outside 0..2: axis 0 has size 2");
  EXPECT_EQ(gather(Tensor::scalar<int32_t>(-1), 1, 0, {2}).error(), "index -1 is outside 0..3: axis 1 has size 3");
}

TEST_F(KernelTest, ScattersWithRepeats) {
  auto scatter = [&](const Tensor& u, const Tensor& i, int64_t axis, int64_t batch, std::vector<int64_t> shape) {
    return run(op<ir::ScatterAdd>, {u, i}, {{AttrKey::axis, axis}, {AttrKey::batch, batch}, {AttrKey::shape, dims(shape)}}, u.dtype, shape);
  };
  const Tensor twice = Tensor::of<int32_t>({2}, {0, 0});
  EXPECT_EQ(reals<double>(scatter(Tensor::of<double>({2}, {0.25, 0.5}), twice, 0, 0, {2})), (std::vector<double>{0.75, 0}));
  EXPECT_EQ(reals<float>(scatter(Tensor::of<float>({2, 2}, {1, 2, 3, 4}), twice, 1, 0, {2, 3})), (std::vector<double>{3, 0, 0, 7, 0, 0}));
  EXPECT_EQ(reals<float>(scatter(Tensor::of<float>({2, 1}, {1, 2}), Tensor::of<int32_t>({2, 1}, {1, 0}), 1, 1, {2, 2})),
            (std::vector<double>{0, 1, 2, 0}));
  EXPECT_EQ(reals<uint8_t>(scatter(Tensor::of<uint8_t>({2}, {200, 100}), twice, 0, 0, {1})), (std::vector<double>{44}));
  EXPECT_FALSE(scatter(Tensor::of<float>({2}, {1, 2}), Tensor::of<int32_t>({2}, {0, 2}), 0, 0, {2}));
  Tensor many = Tensor::zeros(DType::f16, {4096});
  std::ranges::fill(many.as<Float16>(), Float16(1.0f));
  EXPECT_EQ(reals<Float16>(scatter(many, Tensor::zeros(DType::i32, {4096}), 0, 0, {1})), (std::vector<double>{4096}));
}

// ---- from nothing -----------------------------------------------------------------------------

TEST_F(KernelTest, ConstantsRangesAndSizes) {
  EXPECT_EQ(reals<float>(run(op<ir::Const>, {}, {{AttrKey::value, 2.5}}, DType::f32, {2})), (std::vector<double>{2.5, 2.5}));
  EXPECT_EQ(reals<bool>(run(op<ir::Const>, {}, {{AttrKey::value, int64_t{1}}}, DType::boolean, {})), (std::vector<double>{1}));
  EXPECT_EQ(reals<Float16>(run(op<ir::Const>, {}, {{AttrKey::value, int64_t{3}}}, DType::f16, {})), (std::vector<double>{3}));
  EXPECT_EQ(reals<int8_t>(run(op<ir::Literal>, {}, {{AttrKey::values, Ints{1, -2}}}, DType::i8, {2})), (std::vector<double>{1, -2}));
  EXPECT_EQ(reals<BFloat16>(run(op<ir::Literal>, {}, {{AttrKey::values, ir::Reals{0.5, 257}}}, DType::bf16, {2})),
            (std::vector<double>{0.5, 256}));
  EXPECT_EQ(reals<float>(run(op<ir::Iota>, {}, {}, DType::f32, {3})), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(reals<int32_t>(run(op<ir::DimValue>, {}, {{AttrKey::dim, types.dims.constant(9)}}, DType::i32, {})), (std::vector<double>{9}));
  EXPECT_FALSE(run(op<ir::DimValue>, {}, {{AttrKey::dim, types.dims.constant(int64_t{1} << 40)}}, DType::i32, {}));
}

}  // namespace glia::interp
