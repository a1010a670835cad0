// The random generator: known answers of Salmon et al. (2011), ranges and moments.
#include "interp/philox.h"

#include <gtest/gtest.h>

#include <set>

#include "kernel_case.h"

namespace glia::interp {

TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, UniformIsBelowOneInEveryWidth) {
  const PhiloxCounter top{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
  EXPECT_LT(static_cast<float>(uniform(top, 24)), 1.0f);
  EXPECT_LT(uniform(top, 53), 1.0);
  EXPECT_LT(static_cast<float>(Float16(uniform(top, 11))), 1.0f);
  EXPECT_LT(static_cast<float>(BFloat16(uniform(top, 8))), 1.0f);
  EXPECT_EQ(uniform({0, 0, 0, 0}, 53), 0.0);
  EXPECT_TRUE(std::isfinite(normal(top)));
  EXPECT_TRUE(std::isfinite(normal({0, 0, 0, 0})));
}

TEST(Philox, StreamsDiffer) {
  std::set<int64_t> seen;
  for (int64_t s = 0; s < 50; ++s)
    for (int64_t k = 0; k < 50; ++k) seen.insert(stream_mix(s, k));
  EXPECT_EQ(seen.size(), 2500u);
  EXPECT_NE(stream_mix(stream_mix(1, 2), 3), stream_mix(stream_mix(1, 3), 2));
}

struct RandomTest : testing::Test, KernelCase {
  std::expected<Tensor, std::string> make(ir::OpId op, std::vector<int64_t> streams, int64_t site, int64_t n, DType dtype = DType::f32) {
    std::vector<int64_t> shape{n};
    const Tensor stream =
        streams.size() == 1 ? Tensor::scalar<int64_t>(streams[0]) : Tensor::of<int64_t>({static_cast<int64_t>(streams.size())}, streams);
    if (streams.size() != 1) shape.insert(shape.begin(), static_cast<int64_t>(streams.size()));
    return run(op, {stream}, {{ir::AttrKey::site, site}, {ir::AttrKey::dtype, dtype}, {ir::AttrKey::shape, dims({n})}}, dtype, shape);
  }
};

TEST_F(RandomTest, ABatchOfStreamsDrawsWhatEachAloneDraws) {
  const auto all = make(ir::op<ir::RandomNormal>, {7, 8, 9}, 4, 17);
  ASSERT_TRUE(all);
  for (int64_t s = 0; s < 3; ++s) EXPECT_TRUE(same_bits(row(*all, s), *make(ir::op<ir::RandomNormal>, {7 + s}, 4, 17)));
  EXPECT_FALSE(same_bits(*make(ir::op<ir::RandomNormal>, {7}, 5, 17), row(*all, 0)));  // another site
}

TEST_F(RandomTest, MomentsAreThoseOfTheDistribution) {
  const int64_t n = 100000;
  double sum = 0, squares = 0, fourth = 0;
  for (double x : reals<float>(make(ir::op<ir::RandomNormal>, {1}, 2, n))) sum += x, squares += x * x, fourth += x * x * x * x;
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(squares / n, 1, 0.02);
  EXPECT_NEAR(fourth / n, 3, 0.1);
  sum = squares = 0;
  for (double x : reals<double>(make(ir::op<ir::RandomUniform>, {1}, 2, n, DType::f64))) sum += x, squares += x * x;
  EXPECT_NEAR(sum / n, 0.5, 0.005);
  EXPECT_NEAR(squares / n, 1.0 / 3, 0.005);
}

TEST_F(RandomTest, EmptyDrawsAreEmpty) { EXPECT_EQ(make(ir::op<ir::RandomUniform>, {1}, 2, 0)->size(), 0); }

}  // namespace glia::interp
