// Runs the glia binary in a folder of its own and keeps what it said.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace glia::cli {

struct Said {
  int status;
  std::string out, err;
};

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Command : testing::Test {
  std::filesystem::path dir;

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "glia_cli_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    dir = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(dir, ignored);
  }
  void put(const std::string& name, const std::string& text) const { std::ofstream(dir / name, std::ios::binary) << text; }
  std::string text_of(const std::string& name) const {
    std::ifstream in(dir / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Ends a signal's death as 128 + its number, as a shell does.
  Said glia(const std::string& args) const {
    const std::string line = "cd '" + dir.string() + "' && '" GLIA_BINARY "' </dev/null " + args + " >out.txt 2>err.txt";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of("out.txt"), text_of("err.txt")};
  }
  // y = 2 x + 1 for training, and a model for it.
  void put_line() const {
    std::string csv = "x,y\n";
    for (int i = 0; i < 20; ++i) csv += std::to_string(i / 10.0) + "," + std::to_string(2 * (i / 10.0) + 1) + "\n";
    put("line.csv", csv);
    put("line.ml", line_program);
  }
  static constexpr const char* line_program = R"(import optim, data
option lr: f32 = 0.1        ## step size
option wide: dim = 1        ## inputs
option log: bool = false    ## has the name of a flag
let rows = data.csv("line.csv", x = ["x"], y = "y").split(train = 0.8, test = 0.2, seed = 0)
model Line(n: dim) {
  param w: f32[n] = 0
  param b: f32 = 0
  fn call(x: f32[n]) -> f32 = dot(w, x) + b
}
train {
  model:     Line(wide)
  data:      rows.train
  loss:      (m, x, y) => (m(x) - y) ^ 2
  optimizer: optim.sgd(lr)
  batch:     4
  epochs:    60
  metrics:   { error: (m, x, y) => abs(m(x) - y) }
  validate:  rows.test
}
)";
};

}  // namespace glia::cli
