// The command line: what is whose fault, and the status that says so.

#include "tests/cli/glia_run.h"

namespace glia::cli {
namespace {

struct CommandLineTest : Command {
  void SetUp() override { Command::SetUp(), put_line(); }
};

TEST_F(CommandLineTest, AProgramRunsWithAndWithoutTheVerb) {
  put("p.ml", "let x = [1.0, 2.0]\nprint(sum(x * x))\n");
  for (const char* args : {"p.ml", "run p.ml"}) {
    const Said s = glia(args);
    EXPECT_EQ(s.status, 0) << s.err;
    EXPECT_EQ(s.out, "5\n");
    EXPECT_EQ(s.err, "");
  }
}

TEST_F(CommandLineTest, AWrongCommandLineIsTwo) {
  for (const char* args :
       {"", "trian line.ml", "train", "check", "train line.ml other", "train line.ml --thread 2", "train line.ml --threads 0",
        "train line.ml --threads", "train line.ml --log loud", "check line.ml --what", "eval line.ml", "ir line.ml --after nothing"}) {
    const Said s = glia(args);
    EXPECT_EQ(s.status, 2) << args << "\n" << s.err;
    EXPECT_NE(s.err, "") << args;
    EXPECT_EQ(s.out, "") << args;
  }
  EXPECT_TRUE(holds(glia("trian line.ml").err, "did you mean `train`?"));
  EXPECT_TRUE(holds(glia("train line.ml --thread 2").err, "did you mean `--threads`?"));
}

TEST_F(CommandLineTest, AWrongOptionOfTheProgramIsOne) {
  for (const char* args : {"train line.ml --wid 3", "train --wid 3 line.ml", "train line.ml --wid=3", "line.ml --wid 3"}) {
    const Said s = glia(args);
    EXPECT_EQ(s.status, 1) << args << "\n" << s.err;
    EXPECT_TRUE(holds(s.err, "did you mean `--wide`?")) << args << "\n" << s.err;
  }
  for (const char* args :
       {"--lr abc", "--lr 1e999", "--lr ''", "--wide 1.5", "--wide -1", "--wide 99999999999999999999", "--option.log maybe"}) {
    const Said s = glia(std::string("train line.ml ") + args);
    EXPECT_EQ(s.status, 1) << args << "\n" << s.err;
    EXPECT_TRUE(holds(s.err, "takes")) << args << "\n" << s.err;
  }
}

TEST_F(CommandLineTest, HelpShowsTheOptionsOfTheProgram) {
  const Said s = glia("train line.ml --help");
  EXPECT_EQ(s.status, 0);
  for (const char* part : {"--lr f32=0.1", "step size", "--wide dim=1", "--option.log bool=false", "--threads", "--train.KEY"})
    EXPECT_TRUE(holds(s.out, part)) << part << "\n" << s.out;
  for (const char* args : {"--help", "run --help", "train --help", "check --help", "ir --help", "eval --help", "summary --help"})
    EXPECT_EQ(glia(args).status, 0) << args;
}

TEST_F(CommandLineTest, CheckNamesEveryFile) {
  put("bad.ml", "let x = [1.0, 2.0] + [1.0, 2.0, 3.0]\n");
  put("empty.ml", "");
  const Said s = glia("check line.ml bad.ml empty.ml");
  EXPECT_EQ(s.status, 1);
  EXPECT_EQ(s.out, "line.ml: no errors\n");
  EXPECT_TRUE(holds(s.err, "bad.ml:1:9")) << s.err;
  EXPECT_TRUE(holds(s.err, "empty.ml:1:1")) << s.err;
  EXPECT_FALSE(holds(s.err, "\x1b[")) << "no colours in a file";
}

TEST_F(CommandLineTest, FilesThatAreNoProgramsAreErrorsWithAPlace) {
  put("binary.ml", std::string("\xff\xfe\0\x01let", 7));
  std::filesystem::create_directory(dir / "folder.ml");
  for (const char* file : {"binary.ml", "folder.ml", "missing.ml"})
    for (const char* verb : {"run", "train", "check", "ir", "summary"})
      EXPECT_EQ(glia(std::string(verb) + " " + file).status, 1) << verb << " " << file;
}

TEST_F(CommandLineTest, RunTimeErrorsHaveAPlace) {
  put("p.ml", "fn f(x: f32[n], i: i32) -> f32 = x[i]\nprint(1)\nprint(f([1.0, 2.0], 8))\n");
  const Said s = glia("p.ml");
  EXPECT_EQ(s.status, 1);
  EXPECT_EQ(s.out, "1\n");
  EXPECT_TRUE(holds(s.err, "p.ml:")) << s.err;
}

TEST_F(CommandLineTest, AnInterruptIs130) {
  put("slow.ml", line_program);
  const std::string line = "cd '" + dir.string() +
                           "' && timeout -s INT --preserve-status 0.5 '" GLIA_BINARY
                           "' train slow.ml --train.epochs 100000000 --log json >out.txt 2>err.txt";
  const int status = std::system(line.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

}  // namespace
}  // namespace glia::cli
