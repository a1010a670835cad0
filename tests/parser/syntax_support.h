// Parsing of texts in the tests of the syntax.
#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parser/parse.h"
#include "parser/print_ast.h"

namespace glia::tests {

struct Parsed {
  Sources sources;
  Diagnostics diags;
  ast::Tree tree;

  explicit Parsed(std::string text) {
    const FileId file = sources.add("t.ml", std::move(text));
    tree = parse(sources, file, diags);
  }
  std::string printed() const { return ast::print(tree); }
  std::string messages() const { return render_all(diags, sources); }
  std::string codes() const {
    std::string out;
    for (const Diagnostic& d : diags.all()) out += (out.empty() ? "" : " ") + std::string(d.code);
    return out;
  }
};

// The tree of a text without errors, one item a line.
inline std::string tree_of(const std::string& text) {
  Parsed p(text);
  EXPECT_EQ(p.messages(), "") << text;
  std::string out = p.printed();
  if (!out.empty()) out.pop_back();
  return out;
}

inline std::filesystem::path shared_folder() {
  const char* set = std::getenv("GLIA_SHARED");
  return set ? set : GLIA_SOURCE_DIR "/../shared";
}

inline std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> out;
  const auto folder = shared_folder() / "programs";
  if (!std::filesystem::is_directory(folder)) return out;
  for (const auto& f : std::filesystem::directory_iterator(folder))
    if (f.path().extension() == ".ml") out.push_back(f.path());
  std::sort(out.begin(), out.end());
  return out;
}

inline std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

}  // namespace glia::tests
