// Programs with random edits: whatever they become, the front end ends with diagnostics or without, never by a signal.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <unistd.h>

#include <gtest/gtest.h>

#include "parser/program.h"

namespace glia {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> out;
  for (size_t i = 0; i < text.size();) {
    size_t n = 1;
    auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (word(text[i]))
      while (i + n < text.size() && word(text[i + n])) ++n;
    out.push_back(text.substr(i, n));
    i += n;
  }
  return out;
}

std::vector<std::string> originals() {
  std::vector<std::string> out;
  for (const char* folder : {"tests/lang/values", "examples"})
    for (const auto& e : fs::directory_iterator(fs::path(GLIA_SOURCE_DIR) / folder))
      if (e.path().extension() == ".ml") {
        std::ifstream in(e.path());
        out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
      }
  std::sort(out.begin(), out.end());
  return out;
}

void edit(std::vector<std::string>& t, std::mt19937& random) {
  static const char* const inserts[] = {"0", "-1", "inf", "x", "f32", "[]", "()", "_", "\"s\"", "true", "grad", "sum", "for i =>", "if", "{", "}", "9999999999", "dim"};
  size_t i = random() % t.size(), j = random() % t.size();
  switch (random() % 4) {
    case 0: t.erase(t.begin() + static_cast<std::ptrdiff_t>(i)); break;
    case 1: std::swap(t[i], t[j]); break;
    case 2: t[i] = t[j]; break;
    default: t[i] = inserts[random() % std::size(inserts)];
  }
}

TEST(Mutations, NeverCrashTheFrontEnd) {
  const std::vector<std::string> programs = originals();
  const fs::path file = fs::temp_directory_path() / ("glia_mutation_" + std::to_string(::getpid()) + ".ml");
  std::mt19937 random(7);
  int refused = 0, accepted = 0;
  for (int n = 0; n < 1000; ++n) {
    std::vector<std::string> t = tokens_of(programs[random() % programs.size()]);
    for (size_t k = 1 + random() % 3; k > 0; --k) edit(t, random);
    std::ofstream out(file);
    for (const std::string& s : t) out << s;
    out.close();
    Sources sources;
    ir::Module module;
    Diagnostics diags;
    ProgramRequest request;
    request.path = file.string();
    elaborate(request, sources, module, diags);
    ++(diags.has_errors() ? refused : accepted);
    for (const Diagnostic& d : diags.all()) EXPECT_FALSE(render(d, sources).empty());
  }
  fs::remove(file);
  EXPECT_GT(refused, 100);
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace glia
