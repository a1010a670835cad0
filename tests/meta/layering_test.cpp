// The rooms may only look down: every #include is held against the arrows.
#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "tests/meta/tree.h"

namespace glia::meta {
namespace {

const std::map<std::string, std::set<std::string>> below = {
    {"base", {}},
    {"io", {"base"}},
    {"ir", {"base"}},
    {"parser", {"ir", "base"}},
    {"interp", {"ir", "io", "base"}},
    {"train", {"parser", "interp", "io", "ir", "base"}},
    {"cli", {"train", "parser", "interp", "io", "ir", "base"}},
};

std::vector<std::string> includes(const std::string& text) {
  static const std::regex line(R"(^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"])", std::regex::multiline);
  std::vector<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) names.push_back((*it)[1]);
  return names;
}

// What `file` includes that its room may not know.
std::vector<std::string> wrong_arrows(const std::string& file, const std::string& text) {
  const std::string room = file.substr(0, file.find('/'));
  std::vector<std::string> wrong;
  for (const std::string& name : includes(text)) {
    const std::string from = name.substr(0, name.find('/'));
    if (from != room && below.contains(from) && name.find('/') != std::string::npos && !below.at(room).contains(from)) wrong.push_back(name);
    if (from == "tests") wrong.push_back(name);
  }
  return wrong;
}

bool is_syntax_header(const std::string& name) { return name.starts_with("antlr4") || name.starts_with("GliaParser") || name.starts_with("GliaLexer"); }

TEST(Layering, EveryIncludeLooksDown) {
  const auto all = files(rooms, {".h", ".cpp"});
  EXPECT_GT(all.size(), 100u) << "the files were not found";
  for (const std::string& file : all)
    for (const std::string& name : wrong_arrows(file, read(root / file))) ADD_FAILURE() << file << " includes " << name;
}

TEST(Layering, AWrongArrowIsSeen) {
  EXPECT_EQ(wrong_arrows("ir/a.cpp", "#include \"base/diag.h\"\n#include \"interp/tensor.h\"\n").size(), 1u);
  EXPECT_EQ(wrong_arrows("parser/a.cpp", "  #  include \"io/csv.h\"\n").size(), 1u);
  EXPECT_TRUE(wrong_arrows("train/a.cpp", "#include \"io/csv.h\"\n#include <vector>\n").empty());
}

// Everything of ANTLR stays behind parser/parse.h: no header of ours and no room but the parser sees it.
TEST(Layering, AntlrStaysInTheSyntaxFiles) {
  std::set<std::string> users;
  for (const std::string& file : files(rooms, {".h", ".cpp"}))
    for (const std::string& name : includes(read(root / file)))
      if (is_syntax_header(name)) users.insert(file);
  EXPECT_FALSE(users.empty()) << "nothing reads the parse tree";
  static const std::regex syntax_file(R"(parser/(build|newline_|lexemes|nesting|syntax|parse)[^/]*\.(cpp|h))");
  for (const std::string& file : users) EXPECT_TRUE(std::regex_match(file, syntax_file)) << file << " includes ANTLR";
  for (const char* file : {"parser/parse.h", "parser/ast.h", "parser/elaborator.h"}) EXPECT_FALSE(users.contains(file)) << file;
}

}  // namespace
}  // namespace glia::meta
