// The codes of diagnostics: each stands for one fault, declared in one place.
#include <map>
#include <regex>

#include <gtest/gtest.h>

#include "tests/meta/tree.h"

namespace glia::meta {
namespace {

struct Declared {
  std::string code, name, severity;
};

std::vector<Declared> declared_kinds(const std::string& text) {
  static const std::regex kind(R"re(DiagKind\s+(\w+)\s*(?:=\s*)?\{\s*"([^"]*)"\s*,\s*(?:glia::)?Severity::(\w+))re");
  std::vector<Declared> kinds;
  for (std::sregex_iterator it(text.begin(), text.end(), kind), end; it != end; ++it) kinds.push_back({(*it)[2], (*it)[1], (*it)[3]});
  return kinds;
}

TEST(Codes, EachIsUniqueAndWellFormed) {
  static const std::regex form("[EW][0-9]{4}");
  std::map<std::string, std::string> places;
  for (const std::string& file : files(rooms, {".h", ".cpp"}))
    for (const auto& [code, name, severity] : declared_kinds(read(root / file))) {
      const auto [at, is_new] = places.emplace(code, file + " (" + name + ")");
      EXPECT_TRUE(is_new) << code << " is declared in " << at->second << " and in " << file << " (" << name << ")";
      EXPECT_TRUE(std::regex_match(code, form)) << code << " in " << file;
      EXPECT_EQ(code[0], severity == "error" ? 'E' : 'W') << code << " in " << file;
    }
  EXPECT_GT(places.size(), 10u) << "the codes were not found";
}

TEST(Codes, DeclarationsAreSeen) {
  const auto kinds = declared_kinds("constexpr DiagKind a{\"E0001\", Severity::error, \"x\"};\nconstexpr DiagKind b = {\n  \"W0002\", Severity::warning, \"y\"};");
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[1].code, "W0002");
}

}  // namespace
}  // namespace glia::meta
