// Files stay small enough to read, and say what they are for.
#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

#include "tests/meta/tree.h"

namespace glia::meta {
namespace {

std::vector<std::string> sources() {
  std::vector<std::string> folders = rooms;
  folders.insert(folders.end(), {"grammar", "stdlib", "examples", "tests", "bench"});
  return files(folders, {".h", ".cpp", ".ml", ".g4", ".py"});
}

int64_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(Size, NoFileIsOver500Lines) {
  const auto all = sources();
  EXPECT_GT(all.size(), 100u) << "the files were not found";
  for (const std::string& file : all) EXPECT_LE(lines(read(root / file)), 500) << file << ": split it by idea";
}

TEST(Size, ArchitectureFitsAReading) {
  const std::string text = read(root / "ARCHITECTURE.md");
  EXPECT_GT(lines(text), 20);
  EXPECT_LT(lines(text), 120);
}

TEST(Size, EveryFileSaysWhatItIsFor) {
  for (const std::string& file : files(rooms, {".h", ".cpp"})) EXPECT_TRUE(read(root / file).starts_with("//")) << file;
}

// Work that is left is known elsewhere, not in comments.
TEST(Size, NothingIsLeftForLater) {
  static const std::regex marks(std::string("\\b(TO") + "DO|FIX" + "ME|HA" + "CK)\\b");
  for (const std::string& file : sources()) EXPECT_FALSE(std::regex_search(read(root / file), marks)) << file;
}

}  // namespace
}  // namespace glia::meta
