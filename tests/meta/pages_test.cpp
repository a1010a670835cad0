// Every diagnostic has its page, and every page keeps its word: the first block of a page is refused with the code, the
// second is not.
//   ```ml          given to `glia check`
//   ```ml run      given to `glia run`
//   ```ml train    given to `glia train`
#include <cstdlib>
#include <regex>
#include <set>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/meta/tree.h"

namespace glia::meta {
namespace {

std::set<std::string> declared_codes() {
  static const std::regex kind(R"re(DiagKind\s+\w+\s*(?:=\s*)?\{\s*"([EW][0-9]{4})")re");
  std::set<std::string> codes;
  for (const std::string& file : files(rooms, {".h", ".cpp"})) {
    const std::string text = read(root / file);
    for (std::sregex_iterator it(text.begin(), text.end(), kind), end; it != end; ++it) codes.insert((*it)[1]);
  }
  return codes;
}

struct Example {
  std::string verb, code;
};

struct Page {
  std::string name, text;
  std::vector<Example> examples;
};

std::vector<Example> examples_of(const std::string& text) {
  static const std::regex block("```ml *(\\w*)\n([^`]*)```\n");
  std::vector<Example> found;
  for (std::sregex_iterator it(text.begin(), text.end(), block), end; it != end; ++it)
    found.push_back({(*it)[1].length() > 0 ? (*it)[1].str() : "check", (*it)[2]});
  return found;
}

std::vector<Page> pages() {
  std::vector<Page> found;
  for (const std::string& file : files({"docs/diagnostics"}, {".md"})) {
    const std::string text = read(root / file);
    found.push_back({fs::path(file).stem().string(), text, examples_of(text)});
  }
  return found;
}

class Pages : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(GLIA_BINARY)) GTEST_SKIP() << "the binary is not built: " GLIA_BINARY;
    std::string pattern = (fs::temp_directory_path() / "glia_pages_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    scratch = pattern;
    std::ofstream(scratch / "points.csv") << "a,b,c\n1,2,3\n2,1,4\n0,1,1\n";
  }
  void TearDown() override {
    std::error_code ignored;
    if (!scratch.empty()) fs::remove_all(scratch, ignored);
  }
  // The codes that the binary reports for an example.
  std::set<std::string> reported(const Example& example) {
    std::ofstream(scratch / "page.ml") << example.code;
    const std::string command = "cd '" + scratch.string() + "' && '" GLIA_BINARY "' " + example.verb +
                                " page.ml --diagnostics json </dev/null >out 2>err";
    status = std::system(command.c_str());
    err = read(scratch / "err");
    static const std::regex code(R"re("code":"(\w+)")re");
    std::set<std::string> codes;
    for (std::sregex_iterator it(err.begin(), err.end(), code), end; it != end; ++it) codes.insert((*it)[1]);
    return codes;
  }
  fs::path scratch;
  std::string err;
  int status = 0;
};

TEST_F(Pages, AreThoseOfTheCodes) {
  std::set<std::string> names;
  for (const Page& page : pages()) names.insert(page.name);
  EXPECT_EQ(names, declared_codes());
}

TEST_F(Pages, BeginWithTheirCode) {
  for (const Page& page : pages()) EXPECT_TRUE(page.text.starts_with("# " + page.name + ": ")) << page.name;
}

TEST_F(Pages, TheFirstExampleIsRefusedAndTheSecondIsNot) {
  size_t with_examples = 0;
  for (const Page& page : pages()) {
    if (page.examples.empty()) continue;
    ++with_examples;
    ASSERT_EQ(page.examples.size(), 2u) << page.name;
    EXPECT_TRUE(reported(page.examples[0]).contains(page.name)) << page.name << "\n" << err;
    EXPECT_FALSE(reported(page.examples[1]).contains(page.name)) << page.name << "\n" << err;
    if (page.name[0] == 'E') { EXPECT_EQ(status, 0) << page.name << ": the second example works\n" << err; }
  }
  EXPECT_GT(with_examples, 60u);
}

}  // namespace
}  // namespace glia::meta
