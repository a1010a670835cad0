// Whole runs: they find what they should, weigh examples alike, repeat to the bit, and stop where numbers go wrong.
#include "train/loop.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/train/allocations.h"
#include "tests/train/linear_program.h"

namespace glia::train {
namespace {

const EpochDone* epoch(const std::vector<Event>& seen, int64_t n) {
  for (const Event& e : seen)
    if (const auto* d = std::get_if<EpochDone>(&e); d && d->epoch == n) return d;
  return nullptr;
}

TEST(Run, FindsLeastSquares) {
  LinearProgram p({{0}, {1}, {2}, {3}}, {1, 3, 5.5, 6.5});
  p.program.settings.batch = 0;
  p.program.settings.epochs = 2000;
  p.build();
  const auto result = p.train();
  ASSERT_TRUE(result.has_value()) << p.messages();
  // slope and intercept by the normal equations
  EXPECT_NEAR(result->params[0].as<float>()[0], 1.9, 1e-3);
  EXPECT_NEAR(result->params[1].as<float>()[0], 1.15, 1e-3);
  EXPECT_EQ(result->steps, 2000);
}

// Losses 1, 2, 3, 4 and 10 in batches of two: 4, and not 5 as the mean of means.
TEST(Run, ThePartialBatchWeighsWhatItHolds) {
  const float loss[] = {1, 2, 3, 4, 10};
  std::vector<std::vector<float>> xs(5, {0.0f});
  std::vector<float> ys;
  for (float l : loss) ys.push_back(0.25f - std::sqrt(l));
  LinearProgram p(xs, ys);
  p.lr = 0;
  p.program.settings.batch = 2;
  p.program.settings.epochs = 2;
  p.build();
  p.program.validate = p.program.data;
  std::vector<Event> seen;
  const auto result = p.train({}, &seen);
  ASSERT_TRUE(result.has_value()) << p.messages();
  ASSERT_NE(epoch(seen, 2), nullptr);
  EXPECT_NEAR(epoch(seen, 2)->train.loss, 4.0, 1e-5);
  EXPECT_NEAR(epoch(seen, 2)->train.metrics[0], 2.0, 1e-5);  // the root of the mean, not the mean of roots
  EXPECT_NEAR(result->validate->loss, 4.0, 1e-5);
  EXPECT_EQ(epoch(seen, 2)->step, 6);
}

LinearProgram noisy() {
  LinearProgram p = scattered(37, 6);
  p.lr = 0.02;
  p.program.settings.batch = 8;
  p.program.settings.epochs = 5;
  return p;
}

std::vector<interp::Tensor> trained_params(RunOptions options, int64_t seed) {
  LinearProgram p = noisy();
  p.build();
  p.program.settings.seed = seed;
  p.program.settings.shuffle = true;
  const auto result = p.train(options);
  EXPECT_TRUE(result.has_value()) << p.messages();
  return result ? result->params : std::vector<interp::Tensor>{};
}

TEST(Run, SameSeedSameBitsForAnyNumberOfThreads) {
  const auto one = trained_params({Backend::plan, 1, {}}, 3), two = trained_params({Backend::plan, 2, {}}, 3),
             four = trained_params({Backend::plan, 4, {}}, 3);
  const auto other = trained_params({Backend::plan, 1, {}}, 4);
  ASSERT_EQ(one.size(), 2u);
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(interp::same_bits(one[i], two[i]));
    EXPECT_TRUE(interp::same_bits(one[i], four[i]));
  }
  EXPECT_FALSE(interp::same_bits(one[0], other[0]));  // another order
}

TEST(Run, ThePlanAgreesWithTheReference) {
  const auto plan = trained_params({Backend::plan, 1, {}}, 3), oracle = trained_params({Backend::interp, 1, {}}, 3);
  ASSERT_EQ(plan.size(), oracle.size());
  for (size_t i = 0; i < plan.size(); ++i)
    for (int64_t k = 0; k < plan[i].size(); ++k) EXPECT_NEAR(interp::element_real(plan[i], k), interp::element_real(oracle[i], k), 1e-5);
}

TEST(Run, StopsAfterTheStepsAskedFor) {
  LinearProgram p = noisy();
  p.program.settings.epochs = -1;
  p.program.settings.steps = 7;  // an epoch has five
  p.program.settings.validate_every = 3;
  p.build();
  p.program.validate = p.program.data;
  std::vector<Event> seen;
  const auto result = p.train({}, &seen);
  ASSERT_TRUE(result.has_value()) << p.messages();
  EXPECT_EQ(result->steps, 7);
  std::vector<int64_t> validated;
  for (const Event& e : seen)
    if (const auto* s = std::get_if<StepDone>(&e); s && s->validate) validated.push_back(s->step);
  EXPECT_EQ(validated, (std::vector<int64_t>{0, 3, 6}));
  EXPECT_TRUE(epoch(seen, 2)->validate.has_value());  // the end is measured too
}

TEST(Run, StopsAtTheFirstBadNumberAndNamesItsExpression) {
  // The first step raises nothing; then the bias is pushed down until w x + b is negative.
  LinearProgram p({{0}, {0}}, {0, 0});
  p.take_log = true;
  p.lr = 0.05;
  p.program.settings.batch = 0;
  p.program.settings.epochs = 100;
  p.build();
  EXPECT_FALSE(p.train().has_value());
  ASSERT_EQ(p.diags.all().size(), 1u) << p.messages();
  const Diagnostic& d = p.diags.all()[0];
  // b: 0.25, then b - 0.05/b: 0.05, -0.95: the third loss is the first that is NaN.
  EXPECT_EQ(d.message, "training stopped at step 3: a number became NaN");
  EXPECT_EQ(p.sources.text(d.span), "log(w x + b)");
}

TEST(Run, BlamesDataThatCameInBad) {
  LinearProgram p({{1}, {std::nanf("")}}, {0, 0});
  p.program.settings.batch = 1;
  p.build();
  EXPECT_FALSE(p.train().has_value());
  ASSERT_EQ(p.diags.all().size(), 1u) << p.messages();
  EXPECT_EQ(p.diags.all()[0].message, "training stopped at step 2: `x` came in with NaN");
}

TEST(Run, NoRowsAreRefused) {
  LinearProgram p({{1}}, {0});
  p.build();
  p.host["rows"] = [](auto, auto&, auto, auto&) -> std::expected<interp::Value, interp::Fault> {
    return interp::Rows{0, {"x", "y"}, {interp::Tensor::zeros(DType::f32, {0, 1}), interp::Tensor::zeros(DType::f32, {0})}};
  };
  ir::Builder b(p.module, "data");
  b.result(b.emit(ir::op<ir::HostCall>, {}, {{ir::AttrKey::text, std::string("rows")}},
                  p.module.types.list(p.module.types.record({"x", "y"}, {p.vec(), p.f32()})))
               .id);
  ASSERT_TRUE(p.session->run(Step{b.finish_into_module(), {}, {GlobalId(1)}}));
  EXPECT_FALSE(p.train().has_value());
  EXPECT_EQ(p.diags.all()[0].message, "the data has no rows");
}

TEST(Run, StepsAllocateNothing) {
  LinearProgram p = noisy();
  p.build();
  RunSetup setup{*p.session, p.program, {}, {Backend::plan, 1, {}}};
  const auto set = make_data_set(p.rows(), p.module.types, p.program.columns, p.program.column_names);
  TrainingSteps steps(setup, *set, {*initial_params(*p.session, p.program, 0), {}});
  std::vector<int64_t> rows{3, 1, 4, 5, 9, 2, 6, 8};
  ASSERT_TRUE(steps.run(rows, 1, 0.0f, step_root(0, 1)));
  ASSERT_TRUE(steps.run(rows, 2, 0.1f, step_root(0, 2)));
  const size_t before = allocations();
  for (int64_t s = 3; s < 50; ++s) ASSERT_TRUE(steps.run(rows, s, 0.2f, step_root(0, s)));
  EXPECT_EQ(allocations(), before);
}

TEST(Finite, EveryPlaceIsLookedAt) {
  for (int64_t n : {1, 63, 64, 65, 200})
    for (int64_t at : {int64_t{0}, n / 2, n - 1})
      for (float bad : {INFINITY, -INFINITY, NAN}) {
        std::vector<interp::Tensor> t{interp::Tensor::zeros(DType::f32, {n})};
        t[0].as<float>()[0] = 3e38f;
        EXPECT_TRUE(all_finite(t));
        t[0].as<float>()[static_cast<size_t>(at)] = bad;
        EXPECT_FALSE(all_finite(t)) << n << " " << at;
      }
}

}  // namespace
}  // namespace glia::train
