// Lines, places, spans, files from disk.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/source.h"

namespace glia {

TEST(Source, LinesAndPlaces) {
  const SourceFile f("a.ml", "ab\r\nθc\n\n\tx");
  EXPECT_EQ(f.line_count(), 4u);
  EXPECT_EQ(f.line(1), "ab");
  EXPECT_EQ(f.line(2), "θc");
  EXPECT_EQ(f.line(3), "");
  EXPECT_EQ(f.line(4), "\tx");
  EXPECT_EQ(f.line(0), "");
  EXPECT_EQ(f.line(5), "");
  EXPECT_EQ(f.line_start(2), 4u);
  const Place c = f.place(6);  // after the two bytes of θ
  EXPECT_EQ(c.line, 2u);
  EXPECT_EQ(c.column, 2u);
  EXPECT_EQ(f.place(10).column, 5u);  // after a tab
  EXPECT_EQ(f.place(1000).line, 4u);  // beyond the end: the end
}

TEST(Source, EmptyFile) {
  const SourceFile f("a.ml", "");
  EXPECT_EQ(f.line_count(), 1u);
  EXPECT_EQ(f.place(0).line, 1u);
  EXPECT_EQ(f.place(0).column, 1u);
}

TEST(Source, Spans) {
  Sources s;
  const FileId a = s.add("a.ml", "let x = 1"), b = s.add("b.ml", "y");
  EXPECT_EQ(s.text({a, 4, 5}), "x");
  EXPECT_EQ(s.where({a, 4, 5}), "a.ml:1:5");
  EXPECT_EQ(join({a, 4, 5}, {a, 8, 9}), (Span{a, 4, 9}));
  EXPECT_EQ(join({a, 4, 5}, Span{}), (Span{a, 4, 5}));
  EXPECT_EQ(join(Span{}, {a, 4, 5}), (Span{a, 4, 5}));
  EXPECT_EQ(join({a, 4, 5}, {b, 0, 1}), (Span{a, 4, 5}));  // files do not mix
  EXPECT_FALSE(Span{}.valid());
}

TEST(Source, Load) {
  const auto path = std::filesystem::temp_directory_path() / "glia_source_test.ml";
  std::ofstream(path, std::ios::binary) << "let x = 1\n";
  Sources s;
  const auto file = s.load(path.string());
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(s.file(*file).text(), "let x = 1\n");
  std::ofstream(path, std::ios::binary | std::ios::trunc);
  const auto empty = s.load(path.string());
  ASSERT_TRUE(empty.has_value());
  EXPECT_EQ(s.file(*empty).text(), "");
  std::filesystem::remove(path);
  const auto gone = s.load(path.string());
  ASSERT_FALSE(gone.has_value());
  EXPECT_NE(gone.error().message.find("glia_source_test.ml"), std::string::npos);
  EXPECT_FALSE(s.load(std::filesystem::temp_directory_path().string()).has_value());
}

}  // namespace glia
