// Sessions: each repl/NAME.in is given to `glia repl --script`, and shows what repl/NAME.shown says. GLIA_BLESS=1 writes the
// latter anew.
#include <poll.h>
#include <pty.h>
#include <termios.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "cli/repl.h"
#include "tests/cli/glia_run.h"

namespace glia::cli {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(GLIA_SOURCE_DIR) / "tests/cli/repl";

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> scripts() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".in") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

class Sessions : public testing::TestWithParam<fs::path> {};

TEST_P(Sessions, ShowWhatTheyShould) {
  const fs::path shown = fs::temp_directory_path() / ("glia_repl_" + std::to_string(::getpid()) + "_" + GetParam().stem().string());
  const std::string line = "cd '" + folder.string() + "' && '" GLIA_BINARY "' repl --script '" + GetParam().filename().string() + "' >'" +
                           shown.string() + "' 2>&1 </dev/null";
  EXPECT_EQ(std::system(line.c_str()), 0);
  fs::path golden = GetParam();
  golden.replace_extension(".shown");
  if (std::getenv("GLIA_BLESS")) fs::copy_file(shown, golden, fs::copy_options::overwrite_existing);
  EXPECT_EQ(text_of(shown), text_of(golden));
  fs::remove(shown);
}

INSTANTIATE_TEST_SUITE_P(Repl, Sessions, testing::ValuesIn(scripts()), [](const auto& info) { return info.param.stem().string(); });

struct ReplTest : Command {};

TEST_F(ReplTest, AnswersAsACompiledFile) {
  const std::string program = "let x = [1.0, 2.0, 3.0]\nfn f(v: f32[n]) -> f32 = dot(v, v)\nprint(f(x), uniform([2]))\nprint(normal([2]))\n";
  put("p.ml", program);
  const Said file = glia("run p.ml --seed 3"), session = glia("repl --seed 3 < p.ml");
  EXPECT_EQ(session.out, file.out);
  EXPECT_EQ(glia("repl p.ml --seed 3").out, file.out);
}

TEST_F(ReplTest, CtrlCStopsAComputationOnly) {
  put("s.in", "let x = 1\nloop n = 0 while n >= 0 { (n + 1) % 7 }\nx + 1\n");
  const std::string command = "cd '" + dir.string() + "' && exec '" GLIA_BINARY "' repl --script s.in >out.txt 2>&1 </dev/null";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr), ::_exit(127);
  for (int i = 0; i < 100 && !holds(text_of(dir / "out.txt"), "while"); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  const std::string out = text_of(dir / "out.txt");
  EXPECT_TRUE(holds(out, "interrupted")) << out;
  EXPECT_TRUE(holds(out, "2 : i32")) << out;
}

TEST_F(ReplTest, CompletesNamesAndFields) {
  put("p.ml", "import nn\nlet alpha_one = 1\nlet point = { first: 1.0, second: [2.0] }\nlet layer_one = nn.Dense(2, 1)\n");
  const CommandLine line;
  ::testing::internal::CaptureStdout();
  Repl repl(line);
  repl.load((dir / "p.ml").string());
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  using Words = std::vector<std::string>;
  EXPECT_EQ(repl.completions("alph"), Words{"alpha_one"});
  EXPECT_EQ(repl.completions("point."), (Words{"point.first", "point.second"}));
  EXPECT_EQ(repl.completions("nn.Ident"), Words{"nn.Identity"});
  EXPECT_EQ(repl.completions("layer_one.c"), Words{"layer_one.call"});
  EXPECT_EQ(repl.completions("nothing.x"), Words{});
  EXPECT_EQ(repl.completions(".x"), Words{});
}

// On a terminal of its own: what was typed is kept for the next session, Ctrl-C drops a line, Ctrl-D ends.
TEST_F(ReplTest, SpeaksToATerminal) {
  ::setenv("XDG_STATE_HOME", dir.c_str(), 1);
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) ::execl(GLIA_BINARY, "glia", "repl", nullptr), ::_exit(127);
  std::string seen;
  // What follows the part stays: a result and the next prompt may come in one read.
  const auto until = [&](const std::string& part) {
    char bytes[512];
    for (pollfd ready{terminal, POLLIN, 0}; !holds(seen, part);) {
      if (::poll(&ready, 1, 30'000) <= 0) return false;
      const ssize_t n = ::read(terminal, bytes, sizeof bytes);
      if (n <= 0) return false;
      seen.append(bytes, static_cast<size_t>(n));
    }
    seen.erase(0, seen.find(part) + part.size());
    return true;
  };
  // The prompt is shown before the line editor takes the terminal over; keys typed in between meet one that edits by itself.
  const auto prompted = [&] {
    if (!until("glia> ")) return false;
    termios now{};
    for (int i = 0; i < 3000 && ::tcgetattr(terminal, &now) == 0; ++i) {
      if (!(now.c_lflag & ICANON)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  };
  const auto type = [&](const std::string& keys) { ASSERT_EQ(::write(terminal, keys.data(), keys.size()), static_cast<ssize_t>(keys.size())); };
  ASSERT_TRUE(prompted());
  type("let alpha_one = 41\n");
  ASSERT_TRUE(prompted());
  type("alph\t + 1\n");
  EXPECT_TRUE(until("42 : i32"));
  ASSERT_TRUE(prompted());
  type("lost words\x03");
  ASSERT_TRUE(prompted());
  type("alpha_one - 1\n");
  EXPECT_TRUE(until("40 : i32"));
  ASSERT_TRUE(prompted());
  type("\x04");
  int status = -1;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  EXPECT_EQ(status, 0);
  // libedit writes spaces as octal escapes.
  EXPECT_TRUE(holds(text_of(dir / "glia" / "history"), "alpha_one\\040-\\0401")) << text_of(dir / "glia" / "history");
}

}  // namespace
}  // namespace glia::cli
