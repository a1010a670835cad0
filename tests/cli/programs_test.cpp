// The example programs of the specification on real data, held against what they must reach. Skipped where the data are
// not there: GLIA_SHARED names their folder.
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "tests/cli/glia_run.h"

namespace glia::cli {
namespace {

struct Programs : Command {
  std::string shared;

  void SetUp() override {
    Command::SetUp();
    const char* named = std::getenv("GLIA_SHARED");
    shared = std::filesystem::absolute(named ? named : GLIA_SOURCE_DIR "/../shared").lexically_normal().string();
    if (!std::filesystem::exists(shared + "/programs")) GTEST_SKIP() << "no " << shared;
  }
  std::string mlp(const std::string& more) const {
    return "train " + shared + "/programs/03_mnist_mlp.ml --dir " + shared + "/data/mnist " + more;
  }
};

std::vector<nlohmann::json> events(const std::string& text, const std::string& kind) {
  std::vector<nlohmann::json> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    auto e = nlohmann::json::parse(text.substr(at, end - at));
    if (e["event"] == kind) out.push_back(e);
    at = end + 1;
  }
  return out;
}

TEST_F(Programs, MnistReachesItsBandsEpochByEpoch) {
  for (int seed : {0, 1, 2}) {
    Said said = glia(mlp("--log json --seed " + std::to_string(seed)));
    ASSERT_EQ(said.status, 0) << said.err;
    auto epochs = events(said.out, "epoch");
    ASSERT_EQ(epochs.size(), 5u);
    EXPECT_GE(epochs[0]["validate"]["accuracy"].get<double>(), 0.930) << "seed " << seed;
    EXPECT_GE(epochs[4]["validate"]["accuracy"].get<double>(), 0.968) << "seed " << seed;
    EXPECT_GE(epochs[0]["loss"].get<double>(), 0.27);
    EXPECT_LE(epochs[0]["loss"].get<double>(), 0.38);
    EXPECT_LE(epochs[4]["loss"].get<double>(), 0.080);
  }
}

TEST_F(Programs, TheSameSeedGivesTheSameBitsForAnyThreadCount) {
  ASSERT_EQ(glia(mlp("--train.epochs 1 --threads 1 --out a.safetensors")).status, 0);
  ASSERT_EQ(glia(mlp("--train.epochs 1 --threads 1 --out b.safetensors")).status, 0);
  ASSERT_EQ(glia(mlp("--train.epochs 1 --threads 2 --out c.safetensors")).status, 0);
  EXPECT_EQ(text_of("a.safetensors"), text_of("b.safetensors"));
  EXPECT_EQ(text_of("a.safetensors"), text_of("c.safetensors"));
}

TEST_F(Programs, RegressionComesCloseToLeastSquares) {
  const std::string line = "train " + shared + "/programs/02_regression.ml --path " + shared + "/data/tabular/auto-mpg.csv --log json";
  Said said = glia(line), limit = glia(line + " --train.epochs 30000");
  ASSERT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(holds(said.err, "6 rows dropped for missing values")) << said.err;
  auto got = events(said.out, "end").at(0), best = events(limit.out, "end").at(0);
  EXPECT_LE(got["metrics"]["rmse"].get<double>(), best["metrics"]["rmse"].get<double>() + 0.0025);
  EXPECT_NEAR(got["validate"]["rmse"].get<double>(), best["validate"]["rmse"].get<double>(), 0.05);
}

// Everything of the language parses; what is not supported yet is refused as such, without a crash.
TEST_F(Programs, AllAreCheckedWithoutACrash) {
  for (const auto& e : std::filesystem::directory_iterator(shared + "/programs")) {
    Said said = glia("check " + e.path().string());
    EXPECT_LE(said.status, 1) << e.path();
    EXPECT_FALSE(holds(said.err, "error[E01")) << said.err;  // syntax
  }
}

}  // namespace
}  // namespace glia::cli
