// Weights come back to the bit, and files of other models are refused by name.
#include "train/weights.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "io/safetensors.h"
#include "tests/train/linear_program.h"

namespace glia::train {
namespace {

struct Saved : testing::Test {
  LinearProgram p = scattered(9, 3);
  std::string path = testing::TempDir() + "glia_weights_" + std::to_string(::getpid()) + ".safetensors";
  Diagnostics diags;

  void SetUp() override { p.build(); }
  void TearDown() override { std::filesystem::remove(path); }
  auto load() { return load_weights(path, p.module.types, p.program, diags); }
};

TEST_F(Saved, ComesBackAndScoresTheSame) {
  p.program.validate = p.program.data;
  const auto result = p.train({}, nullptr, path);
  ASSERT_TRUE(result.has_value()) << p.messages();
  const auto params = load();
  ASSERT_TRUE(params.has_value());
  for (size_t i = 0; i < params->size(); ++i) EXPECT_TRUE(interp::same_bits((*params)[i], result->params[i]));
  const auto scores = run_evaluation(*p.session, p.program, *params, {});
  ASSERT_TRUE(scores.has_value());
  EXPECT_EQ(scores->loss, result->validate->loss);
  EXPECT_EQ(io::read_safetensors(path)->metadata.at("format"), "glia");
}

TEST_F(Saved, OtherNamesAndShapesAreRefusedAllAtOnce) {
  const std::vector<io::NamedArray> arrays{{"w", interp::Tensor::zeros(DType::f32, {4}).to_array()},
                                           {"bb", interp::Tensor::zeros(DType::f32, {}).to_array()}};
  ASSERT_TRUE(io::write_safetensors(path, arrays).has_value());
  EXPECT_FALSE(load().has_value());
  ASSERT_EQ(diags.all().size(), 3u);
  EXPECT_EQ(diags.all()[0].message, "parameter `w` is f32[4] in `" + path + "`, but f32[3] in the model");
  EXPECT_EQ(diags.all()[1].message, "`" + path + "` has no parameter `b`, which the model needs");
  EXPECT_EQ(diags.all()[2].message, "`" + path + "` has a parameter `bb`, which the model does not have");
}

TEST_F(Saved, OtherElementTypesAreRefused) {
  const std::vector<io::NamedArray> arrays{{"w", interp::Tensor::zeros(DType::f64, {3}).to_array()},
                                           {"b", interp::Tensor::zeros(DType::f32, {}).to_array()}};
  ASSERT_TRUE(io::write_safetensors(path, arrays).has_value());
  EXPECT_FALSE(load().has_value());
  EXPECT_EQ(diags.all()[0].message, "parameter `w` is f64[3] in `" + path + "`, but f32[3] in the model");
}

TEST_F(Saved, AMissingFileIsAnError) {
  EXPECT_FALSE(load().has_value());
  EXPECT_EQ(diags.error_count(), 1u);
}

}  // namespace
}  // namespace glia::train
