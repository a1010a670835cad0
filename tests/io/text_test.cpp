// Text files: lines, marks, bytes that are no UTF-8.
#include "io/text.h"

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

using Lines = std::vector<std::string_view>;

TEST(Text, LinesEndInEitherWay) {
  EXPECT_EQ(split_lines("a\nb\r\n\nc"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(split_lines("a\n"), (Lines{"a"}));
  EXPECT_EQ(split_lines("\n"), (Lines{""}));
  EXPECT_EQ(split_lines(""), Lines{});
  EXPECT_EQ(split_lines("a\rb"), (Lines{"a\rb"}));
  EXPECT_EQ(split_lines("a\r"), (Lines{"a\r"}));
}

TEST(Text, IsReadAsItStandsButForTheMark) {
  const Scratch s;
  EXPECT_EQ(*read_text(s.put("a.txt", "\xef\xbb\xbfh\xc3\xa9\r\n\x1a")), "h\xc3\xa9\r\n\x1a");
  EXPECT_EQ(*read_text(s.put("b.txt.gz", packed("two\n"))), "two\n");
  EXPECT_HAS(fault(read_text(s.path("none"))), "No such file");
}

TEST(Text, WrongBytesAreNamedByLineAndColumn) {
  EXPECT_HAS(fault(check_text("one\nh\xc3\xa9\xff", "t.txt")), "`t.txt`, line 2, column 3: the byte ff is not UTF-8");
  EXPECT_HAS(fault(check_text("\xc3", "t.txt")), "line 1, column 1");
  for_damaged("h\xc3\xa9\n\xe2\x82\xac", 2000, [](const std::string& bad) {
    if (const auto t = check_text(bad, "t"); t) {
      EXPECT_EQ(split_lines(*t).empty(), t->empty());
    }
  });
}

TEST(Text, TheRealNames) {
  const std::string path = shared_data("text/names/names.txt");
  if (path.empty()) GTEST_SKIP() << "no data";
  const auto text = read_text(path);
  ASSERT_TRUE(text) << fault(text);
  EXPECT_EQ(split_lines(*text).size(), 32033u);
}

}  // namespace
}  // namespace glia::io
