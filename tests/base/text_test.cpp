// UTF-8, widths, nearest names.
#include <gtest/gtest.h>

#include "base/text.h"

namespace glia {

TEST(Text, FirstInvalidUtf8) {
  EXPECT_FALSE(first_invalid_utf8(""));
  EXPECT_FALSE(first_invalid_utf8("θ μ 変 😀 plain"));
  EXPECT_EQ(first_invalid_utf8("ab\xff"), 2u);
  EXPECT_EQ(first_invalid_utf8("ab\xc0\xaf"), 2u);          // overlong
  EXPECT_EQ(first_invalid_utf8("\xe0\x80\xaf"), 0u);        // overlong
  EXPECT_EQ(first_invalid_utf8("\xed\xa0\x80"), 0u);        // a surrogate
  EXPECT_EQ(first_invalid_utf8("\xf4\x90\x80\x80"), 0u);    // above U+10FFFF
  EXPECT_EQ(first_invalid_utf8("a\xe2\x82"), 1u);           // cut short
  EXPECT_EQ(first_invalid_utf8("a\x80"), 1u);               // a continuation alone
}

TEST(Text, DisplayWidth) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("\t"), 4u);
  EXPECT_EQ(display_width("θμ"), 2u);
  EXPECT_EQ(display_width("変数"), 4u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
  EXPECT_EQ(display_width("\xff"), 1u);
}

TEST(Text, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("modle", "model"), 1u);  // neighbours swapped
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);       // optimal string alignment, not the full Damerau distance
  EXPECT_EQ(edit_distance("θ", "μ"), 1u);          // letters, not bytes
}

TEST(Text, Nearest) {
  const std::vector<std::string> names = {"relu", "gelu", "softmax", "x", "θ"};
  EXPECT_EQ(nearest("rleu", names), "relu");
  EXPECT_EQ(nearest("sofmax", names), "softmax");
  EXPECT_EQ(nearest("softmaxxx", names), "softmax");
  EXPECT_FALSE(nearest("conv", names));
  EXPECT_FALSE(nearest("relu", std::vector<std::string>{"relu"}));  // the same name is no suggestion
  EXPECT_FALSE(nearest("y", names));                                 // one letter for another is another name
  EXPECT_FALSE(nearest("anything", {}));
}

TEST(Text, JoinWords) {
  const std::vector<std::string> words = {"a", "b", "c"};
  EXPECT_EQ(join_words(words), "a, b or c");
  EXPECT_EQ(join_words(std::span(words).first(2), "and"), "a and b");
  EXPECT_EQ(join_words(std::span(words).first(1)), "a");
  EXPECT_EQ(join_words({}), "");
}

}  // namespace glia
