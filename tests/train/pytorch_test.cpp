// Two steps of the example programs against PyTorch in f64, from the same weights on the same rows (pytorch/two_steps.py).
// Skipped where there is no PyTorch, or no folder with the programs and their data.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace glia::train {
namespace {

namespace fs = std::filesystem;

constexpr int no_pytorch = 77;

int two_steps(const std::string& python, const std::string& shared, const std::string& program) {
  const std::string line = "cd '" GLIA_SOURCE_DIR "/tests/train/pytorch' && PYTHONDONTWRITEBYTECODE=1 " + python + " two_steps.py '" GLIA_BINARY "' '" +
                           shared + "' " + program;
  const int status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class PyTorch : public testing::TestWithParam<const char*> {};

TEST_P(PyTorch, AgreesOnTheFirstTwoSteps) {
  const char* named = std::getenv("GLIA_SHARED");
  const fs::path shared = fs::absolute(named ? fs::path(named) : fs::path(GLIA_SOURCE_DIR) / "../shared");
  if (!fs::exists(shared / "programs") || !fs::exists(GLIA_BINARY)) GTEST_SKIP() << "the example programs or the binary are not there";
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const int status = two_steps(python, shared.string(), GetParam());
    if (status == no_pytorch || status == 127) continue;
    EXPECT_EQ(status, 0);
    return;
  }
  GTEST_SKIP() << "there is no PyTorch";
}

INSTANTIATE_TEST_SUITE_P(Train, PyTorch, testing::Values("03_mnist_mlp", "04_mnist_lenet", "06_char_lstm", "07_treelstm", "08_gpt", "09_vae"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace glia::train
