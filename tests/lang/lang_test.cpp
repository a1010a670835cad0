// Annotated programs. `#: text` on a line expects that the program prints the text (in order); `#~ E0203` expects an
// error of that code on the line. A program in messages/ has its whole
// diagnostics beside it as .txt; GLIA_BLESS=1 writes them anew.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "interp/data.h"
#include "train/session.h"

namespace glia {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  std::vector<std::string> lines;                       // printed
  std::vector<std::pair<uint32_t, std::string>> errors;  // line of the file, code
  std::string rendered;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string read(const fs::path& p) {
  std::ifstream in(p);
  return {std::istreambuf_iterator<char>(in), {}};
}

// With `execute` the statements run as `glia run` runs them, else the file is only checked.
Outcome run(const fs::path& path, bool execute) {
  Sources sources;
  ir::Module module;
  Diagnostics diags;
  std::ostringstream printed;
  auto host = interp::data_functions([](const std::string&) {});
  train::Session session(module, diags, {.seed = 0, .host = &host, .out = &printed});
  ProgramRequest request;
  request.path = path.filename().string();  // as a person in that folder would name it
  fs::path before = fs::current_path();
  fs::current_path(path.parent_path());
  if (execute) request.host = session.host();
  elaborate(request, sources, module, diags);
  fs::current_path(before);
  Outcome out;
  out.lines = lines_of(printed.str());
  for (const Diagnostic& d : diags.all())
    out.errors.push_back({d.span.valid() ? sources.file(d.span.file).place(d.span.begin).line : 0, std::string(d.code)});
  out.rendered = render_all(diags, sources);
  return out;
}

std::string trimmed(std::string s) {
  s.erase(0, s.find_first_not_of(" \t"));
  s.erase(s.find_last_not_of(" \t\r") + 1);
  return s;
}

std::vector<fs::path> programs(const char* folder) {
  std::vector<fs::path> out;
  for (const auto& e : fs::directory_iterator(fs::path(GLIA_SOURCE_DIR) / "tests/lang" / folder))
    if (e.path().extension() == ".ml") out.push_back(e.path());
  std::sort(out.begin(), out.end());
  return out;
}

class Values : public testing::TestWithParam<fs::path> {};
class Errors : public testing::TestWithParam<fs::path> {};
class Messages : public testing::TestWithParam<fs::path> {};

std::string name_of(const testing::TestParamInfo<fs::path>& info) { return info.param.stem().string(); }

TEST_P(Values, PrintsWhatItsLinesSay) {
  std::vector<std::string> want;
  for (const std::string& line : lines_of(read(GetParam())))
    if (auto at = line.find("#:"); at != std::string::npos) want.push_back(trimmed(line.substr(at + 2)));
  ASSERT_FALSE(want.empty());
  Outcome got = run(GetParam(), true);
  EXPECT_TRUE(got.errors.empty()) << got.rendered;
  EXPECT_EQ(got.lines, want);
}

TEST_P(Errors, AreReportedOnTheirLinesAndNowhereElse) {
  std::vector<std::pair<uint32_t, std::string>> want;
  uint32_t number = 0;
  for (const std::string& line : lines_of(read(GetParam()))) {
    ++number;
    if (auto at = line.find("#~"); at != std::string::npos) want.push_back({number, trimmed(line.substr(at + 2)).substr(0, 5)});
  }
  ASSERT_FALSE(want.empty());
  Outcome got = run(GetParam(), false);
  std::sort(got.errors.begin(), got.errors.end());
  EXPECT_EQ(got.errors, want) << got.rendered;
}

TEST_P(Messages, ReadAsWritten) {
  fs::path golden = GetParam();
  golden.replace_extension(".txt");
  Outcome got = run(GetParam(), false);
  EXPECT_FALSE(got.errors.empty());
  if (std::getenv("GLIA_BLESS")) std::ofstream(golden) << got.rendered;
  EXPECT_EQ(got.rendered, read(golden));
}

INSTANTIATE_TEST_SUITE_P(Lang, Values, testing::ValuesIn(programs("values")), name_of);
INSTANTIATE_TEST_SUITE_P(Lang, Errors, testing::ValuesIn(programs("errors")), name_of);
INSTANTIATE_TEST_SUITE_P(Lang, Messages, testing::ValuesIn(programs("messages")), name_of);

}  // namespace
}  // namespace glia
