// Tagged sentences: cutting at the last separator, faults by place.
#include "io/tagged.h"

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

using Words = std::vector<std::string>;

TEST(Tagged, CutsAtTheLastSeparator) {
  const auto s = parse_tagged("The|O  a|b|X\n\n \n|||Y\r\n", "p", '|');
  ASSERT_TRUE(s) << fault(s);
  ASSERT_EQ(s->size(), 2u);
  EXPECT_EQ((*s)[0].forms, (Words{"The", "a|b"}));
  EXPECT_EQ((*s)[0].tags, (Words{"O", "X"}));
  EXPECT_EQ((*s)[1].forms, (Words{"||"}));
  EXPECT_EQ((*s)[1].tags, (Words{"Y"}));
  EXPECT_EQ(parse_tagged("a/N", "p", '/')->front().tags, (Words{"N"}));
}

TEST(Tagged, SaysWhatIsWrongAndWhere) {
  EXPECT_HAS(fault(parse_tagged("a|O\nb|O cd", "t", '|')), "`t`, line 2, column 5: `cd` has no `|` before a tag");
  EXPECT_HAS(fault(parse_tagged("|O", "t", '|')), "column 1: `|O` has no word before the `|`");
  EXPECT_HAS(fault(parse_tagged("a|", "t", '|')), "has no tag after the `|`");
}

TEST(Tagged, DamageIsFoundOrStillPairs) {
  for_damaged("The|O cat|B-X sat|O\nIt|O is|O\n", 3000, [](const std::string& bad) {
    const auto s = parse_tagged(bad, "p", '|');
    for (const TaggedSentence& sentence : s ? *s : std::vector<TaggedSentence>{}) {
      ASSERT_FALSE(sentence.forms.empty());
      ASSERT_EQ(sentence.forms.size(), sentence.tags.size());
    }
  });
}

TEST(Tagged, TheRealSentences) {
  const std::string dir = shared_data("wikiner");
  if (dir.empty()) GTEST_SKIP() << "no data";
  size_t tokens = 0;
  const auto train = read_tagged(dir + "/train.txt.gz", '|'), dev = read_tagged(dir + "/dev.txt.gz", '|');
  ASSERT_TRUE(train && dev);
  for (const TaggedSentence& s : *train) tokens += s.forms.size();
  EXPECT_EQ(train->size(), 10000u);
  EXPECT_EQ(tokens, 248038u);
  EXPECT_EQ(dev->size(), 1696u);
}

}  // namespace
}  // namespace glia::io
