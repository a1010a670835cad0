// One step against arithmetic done by hand, and what its IR looks like.
#include "train/step.h"

#include <gtest/gtest.h>

#include "tests/train/linear_program.h"

namespace glia::train {
namespace {

using interp::Tensor;
using interp::Value;

TEST(TrainingStep, IsTheMeanGradientAndTheRidgeOnce) {
  LinearProgram p({{1, 2}, {3, -1}, {0, 4}}, {1, 2, 3});
  p.l2 = 0.3;
  p.build();
  const auto step = training_step(p.module, p.program, 3);
  ASSERT_TRUE(step.has_value());
  const auto results =
      interp::evaluate(p.module, p.module[*step],
                       std::vector<Value>{Tensor::scalar<int32_t>(1), Tensor::scalar(0.0f), Tensor::zeros(DType::i64, {3}),
                                          Tensor::of<float>({2}, {0.5, 0.5}), Tensor::scalar(0.25f),
                                          Tensor::of<float>({3, 2}, {1, 2, 3, -1, 0, 4}), Tensor::of<float>({3}, {1, 2, 3})});
  ASSERT_TRUE(results.has_value());
  // residuals: 0.75, -0.75, -0.75
  const double r[] = {0.75, -0.75, -0.75}, x0[] = {1, 3, 0}, x1[] = {2, -1, 4};
  double g0 = 2 * 0.3 * 0.5, g1 = g0, gb = 0, square = 0;
  for (int i = 0; i < 3; ++i) g0 += 2 * r[i] * x0[i] / 3, g1 += 2 * r[i] * x1[i] / 3, gb += 2 * r[i] / 3, square += r[i] * r[i];
  const auto w = (*results)[0].tensor();
  EXPECT_NEAR(w.as<float>()[0], 0.5 - 0.1 * g0, 1e-6);
  EXPECT_NEAR(w.as<float>()[1], 0.5 - 0.1 * g1, 1e-6);
  EXPECT_NEAR((*results)[1].tensor().as<float>()[0], 0.25 - 0.1 * gb, 1e-6);
  EXPECT_NEAR((*results)[2].tensor().as<float>()[0], square / 3 + 0.3 * 0.5, 1e-6);
  EXPECT_NEAR((*results)[3].tensor().as<float>()[0], square, 1e-6);
}

TEST(TrainingStep, AWeightHasOneGradientAndNotOneAnExample) {
  LinearProgram p = scattered(8, 5);
  p.build();
  const auto step = training_step(p.module, p.program, 8);
  ASSERT_TRUE(step.has_value());
  const ir::Func& f = p.module[*step];
  int64_t gradients = 0;
  for (const ir::Node& n : f.nodes) {
    if (n.op != ir::op<ir::Contract>) continue;
    EXPECT_LT(p.module.types.shape(n.type).size(), 2u) << "a product for each example";
    gradients += n.type == p.vec();
  }
  EXPECT_EQ(gradients, 1);
}

TEST(TrainingStep, StagesAreSeenInOrder) {
  LinearProgram p = scattered(4, 2);
  p.build();
  std::vector<std::string> names;
  ASSERT_TRUE(training_step(p.module, p.program, 4, [&](std::string_view name, const ir::Func&) { names.emplace_back(name); }).has_value());
  ASSERT_GE(names.size(), 3u);
  EXPECT_EQ(names.front(), "elaborate");
}

TEST(EvaluationStep, LeavesParametersAlone) {
  LinearProgram p({{1, 2}}, {1});
  p.build();
  const auto step = evaluation_step(p.module, p.program, 1);
  ASSERT_TRUE(step.has_value());
  EXPECT_EQ(p.module[*step].results.size(), 2u);
  EXPECT_EQ(p.module[*step].params.size(), 5u);
}

}  // namespace
}  // namespace glia::train
