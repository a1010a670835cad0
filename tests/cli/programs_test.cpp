// The example programs of the specification on real data, held against what they must reach. Skipped where the data are
// not there: GLIA_SHARED names their folder.
#include <cmath>
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

// Here, in an empty folder, none of their data can be found: nothing is read.
TEST_F(Programs, AllAreCheckedWithoutTheirData) {
  size_t count = 0;
  for (const auto& e : std::filesystem::directory_iterator(shared + "/programs")) {
    Said said = glia("check " + e.path().string());
    EXPECT_EQ(said.status, 0) << e.path() << said.err;
    EXPECT_FALSE(holds(said.err, "error")) << said.err;
    ++count;
  }
  EXPECT_EQ(count, 15u);
}

TEST_F(Programs, TheTourPrintsWhatIsWrittenBesideItsLines) {
  const Said said = glia("run " + shared + "/programs/01_tour.ml");
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(said.out,
            "[7, 2.5]\n"
            "[2, 3, 4]\n"
            "[[2, 2, 5], [1.5, 3, 3]]\n"
            "[-1, -4, -9]\n"
            "3 -4 1\n"
            "[8, 3.5]\n"
            "5\n"
            "[[1, 2, 3], [2, 4, 6], [3, 6, 9]]\n"
            "[0, 1, 4, 9]\n"
            "14\n"
            "7\n"
            "120 1.41422 [1, 3, 6]\n"
            "1.9726\n"
            "-5.14777\n"
            "([1, 2, 3], [1, 2, 3], [1, 1, 1])\n"
            "(3.63719, 1.9726)\n"
            "[[3, 2], [4, 0]]\n"
            "[[6, 4], [4, 0]]\n"
            "7\n");
}

TEST_F(Programs, AssertionsHold) {
  for (const char* name : {"10_custom_layer", "11_pendulum"}) {
    const Said said = glia("run " + shared + "/programs/" + name + ".ml");
    EXPECT_EQ(said.status, 0) << said.err;
  }
}

TEST_F(Programs, LlamaTellsTheReferenceStory) {
  const std::string weights = shared + "/data/weights/stories260K/";
  const Said said = glia("run " + shared + "/programs/15_llama.ml --model " + weights + "stories260K.bin --tokenizer " + weights + "tok512.bin");
  EXPECT_EQ(said.status, 0) << said.err;
  std::ifstream in(weights + "expected_greedy_200_steps.txt", std::ios::binary);
  EXPECT_EQ(said.out, std::string(std::istreambuf_iterator<char>(in), {}));
}

TEST_F(Programs, TestsOfTheTourAndTheLibraryPass) {
  std::vector<std::string> files = {shared + "/programs/01_tour.ml"};
  for (const auto& e : std::filesystem::directory_iterator(GLIA_SOURCE_DIR "/stdlib")) files.push_back(e.path().string());
  for (const std::string& file : files) {
    const Said said = glia("test " + file);
    EXPECT_EQ(said.status, 0) << file << "\n" << said.out << said.err;
  }
}

// Two steps of two examples, without the rest of the train block that would take long.
TEST_F(Programs, AllThatTrainTakeTwoSteps) {
  for (const char* name : {"04_mnist_lenet", "05_resnet", "06_char_lstm", "07_treelstm", "09_vae", "12_tagger", "13_keywords", "14_placement"}) {
    std::ifstream in(shared + "/programs/" + name + ".ml");
    std::string text;
    for (std::string line; std::getline(in, line);)
      if (!line.starts_with("  validate") && !line.starts_with("  on_epoch")) text += line + "\n";
    put("program.ml", text);
    std::filesystem::create_directory_symlink(shared + "/data", dir / "data");
    const Said said = glia("train program.ml --log json --train.steps 2 --train.batch 2");
    std::filesystem::remove(dir / "data");
    EXPECT_EQ(said.status, 0) << name << "\n" << said.err;
    const auto end = said.status == 0 ? events(said.out, "end") : std::vector<nlohmann::json>();
    ASSERT_EQ(end.size(), 1u) << name;
    EXPECT_TRUE(std::isfinite(end[0]["loss"].get<double>())) << name;
  }
}

}  // namespace
}  // namespace glia::cli
