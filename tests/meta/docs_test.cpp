// The documents and examples keep their word: every block of Glia is run or checked by the binary, and where its output
// is shown, it is that.
//   ```glia        the block is run; a ```text block right after it is what it prints
//   ```glia check  the block is only checked (it trains, or reads data that is not here)
#include <cstdio>
#include <cstdlib>
#include <regex>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/meta/tree.h"

namespace glia::meta {
namespace {

struct Block {
  std::string file;
  int line = 0;
  bool run = false;
  std::string code, output;
  bool shows_output = false;
};

std::vector<Block> blocks_of(const std::string& file, const std::string& text) {
  std::vector<Block> blocks;
  std::string* into = nullptr;
  bool just_after = false;  // only blank lines since a block of Glia
  std::string fence;
  int number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1, ++number;
    if (into != nullptr && line == "```") {
      into = nullptr, just_after = fence != "text";
    } else if (into != nullptr) {
      *into += line + "\n";
    } else if (line == "```glia" || line == "```glia check") {
      blocks.push_back({file, number, line == "```glia", {}, {}, false});
      into = &blocks.back().code, fence = "glia";
    } else if (line == "```text" && just_after) {
      blocks.back().shows_output = true;
      into = &blocks.back().output, fence = "text";
    } else if (!line.empty()) {
      just_after = false;
    }
  }
  return blocks;
}

std::vector<Block> all_blocks() {
  std::vector<std::string> names = files({"docs"}, {".md"});
  for (const char* name : {"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"}) names.push_back(name);
  std::vector<Block> blocks;
  for (const std::string& name : names)
    for (Block& b : blocks_of(name, read(root / name))) blocks.push_back(std::move(b));
  return blocks;
}

struct Outcome {
  int status = -1;
  std::string out, err;
};

// The binary with these arguments, run from the root of the project.
Outcome glia(const std::string& arguments, const fs::path& scratch) {
  const std::string command = "cd '" + root.string() + "' && '" GLIA_BINARY "' " + arguments + " </dev/null >'" + (scratch / "out").string() + "' 2>'" +
                              (scratch / "err").string() + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(scratch / "out"), read(scratch / "err")};
}

class Docs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(GLIA_BINARY)) GTEST_SKIP() << "the binary is not built: " GLIA_BINARY;
    std::string pattern = (fs::temp_directory_path() / "glia_docs_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    scratch = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    if (!scratch.empty()) fs::remove_all(scratch, ignored);
  }
  fs::path scratch;
};

TEST_F(Docs, EveryBlockOfGliaWorks) {
  const auto blocks = all_blocks();
  EXPECT_GT(blocks.size(), 8u) << "the blocks were not found";
  for (const Block& block : blocks) {
    const fs::path program = scratch / "block.ml";
    std::ofstream(program) << block.code;
    const Outcome o = glia((block.run ? "run '" : "check '") + program.string() + "'", scratch);
    EXPECT_EQ(o.status, 0) << block.file << ":" << block.line << "\n" << o.err;
    if (block.shows_output) { EXPECT_EQ(o.out, block.output) << block.file << ":" << block.line; }
  }
}

TEST_F(Docs, EveryExampleChecks) {
  const auto examples = files({"examples"}, {".ml"});
  EXPECT_GE(examples.size(), 2u);
  for (const std::string& file : examples) {
    const Outcome o = glia("check " + file, scratch);
    EXPECT_EQ(o.status, 0) << file << "\n" << o.err;
  }
}

TEST(DocsBlocks, AreFoundWithTheirOutput) {
  const auto blocks = blocks_of("a.md", "x\n```glia\nprint(1)\n```\n\n```text\n1\n```\n```sh\nls\n```\n```glia check\nlet a = 1\n```\nwords\n```text\nno\n```\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_TRUE(blocks[0].run && blocks[0].shows_output);
  EXPECT_EQ(blocks[0].output, "1\n");
  EXPECT_FALSE(blocks[1].run || blocks[1].shows_output);
}

// Links between the documents, and to files, lead somewhere.
TEST(DocsLinks, LeadSomewhere) {
  static const std::regex link(R"(\]\(([^)#: ]+)(#[^)]*)?\))");
  std::vector<std::string> names = files({"docs"}, {".md"});
  for (const char* name : {"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"}) names.push_back(name);
  int count = 0;
  for (const std::string& name : names) {
    const std::string text = read(root / name);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it, ++count)
      EXPECT_TRUE(fs::exists((root / name).parent_path() / (*it)[1].str())) << name << " links to " << (*it)[1];
  }
  EXPECT_GT(count, 5);
}

}  // namespace
}  // namespace glia::meta
