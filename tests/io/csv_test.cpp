// The CSV reader: what RFC 4180 says, what files really look like, and where each fault is reported.
#include "io/csv.h"

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const CsvTable& t) {
  Rows out;
  for (int64_t r = 0; r < t.rows(); ++r) {
    out.emplace_back();
    for (int64_t c = 0; c < t.columns(); ++c) out.back().emplace_back(t.cell(r, c));
  }
  return out;
}

Rows parsed(const std::string& text, const CsvOptions& options = {}) {
  const auto t = parse_csv(text, "p.csv", options);
  if (!t) return {{fault(t)}};
  return rows_of(*t);
}

std::string refused(const std::string& text, const CsvOptions& options = {}) { return fault(parse_csv(text, "p.csv", options)); }

TEST(Csv, BomQuotedHeaderCrlfAndQuotedNewline) {
  const auto t = parse_csv("\xef\xbb\xbf\"a,x\",b\r\n1,\"p\nq\"\r\n2,\r\n", "p.csv");
  ASSERT_TRUE(t) << fault(t);
  EXPECT_EQ(t->header, (std::vector<std::string>{"a,x", "b"}));
  EXPECT_EQ(rows_of(*t), (Rows{{"1", "p\nq"}, {"2", ""}}));
  EXPECT_EQ(t->lines, (std::vector<uint32_t>{2, 4}));
}

TEST(Csv, QuotesAndLineEnds) {
  EXPECT_EQ(parsed("a,b\n\"x \"\"y\"\"\",\"\"\n"), (Rows{{"x \"y\"", ""}}));
  EXPECT_EQ(parsed("a,b\n\"\"\"\",\"p\r\nq\""), (Rows{{"\"", "p\r\nq"}}));
  EXPECT_EQ(parsed("a,b\n1,2"), (Rows{{"1", "2"}}));
  EXPECT_EQ(parsed("a,b\r\n1,\"2\"\r\n"), (Rows{{"1", "2"}}));
  EXPECT_EQ(parsed("a,b\n\n1,2\n\r\n\n3,4\n\n\n"), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(parsed("a\n1\n\n3\n\n"), (Rows{{"1"}, {""}, {"3"}}));
  EXPECT_EQ(parsed("a\n\"\"\n"), (Rows{{""}}));
  EXPECT_EQ(parsed("a,b\n,\n"), (Rows{{"", ""}}));
  EXPECT_EQ(parsed("a,b\n\"\n\",1"), (Rows{{"\n", "1"}}));
}

TEST(Csv, Options) {
  EXPECT_EQ(parsed("1;2\n3;4\n", {.header = false, .separator = ';'}), (Rows{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(parse_csv("1,2\n", "p", {.header = false})->header, (std::vector<std::string>{"c0", "c1"}));
  EXPECT_EQ(parsed("a, b\n 1 , x y \n2, \"q, \" \n", {.trim = true}), (Rows{{"1", "x y"}, {"2", "q, "}}));
  EXPECT_EQ(parsed("a, b\n 1 , x y \n"), (Rows{{" 1 ", " x y "}}));
  EXPECT_EQ(parsed("|note\n1,2\n", {.header = false, .skip_lines = 1}), (Rows{{"1", "2"}}));
  EXPECT_HAS(refused("a", {.separator = '"'}), "a separator");
  EXPECT_EQ(parse_csv("a, b ,\n1,2,3\n", "p")->header, (std::vector<std::string>{"a", "b", "c2"}));
}

TEST(Csv, EmptyFilesAndHeaderOnly) {
  EXPECT_HAS(refused(""), "`p.csv` is empty");
  EXPECT_HAS(refused("\n\r\n\n"), "`p.csv` is empty");
  EXPECT_HAS(refused("\xef\xbb\xbf"), "`p.csv` is empty");
  const auto t = parse_csv("a,b\n", "p");
  ASSERT_TRUE(t);
  EXPECT_EQ(t->rows(), 0);
  EXPECT_EQ(t->columns(), 2);
}

TEST(Csv, FaultsSayWhere) {
  EXPECT_HAS(refused("a,b\n1,2\n\n3\n"), "`p.csv`, row 2: 1 cell where the header has 2 (line 4)");
  EXPECT_HAS(refused("1,2\n1,2,3\n", {.header = false}), "`p.csv`, row 2: 3 cells where the first row has 2 (line 2)");
  EXPECT_HAS(refused("a,b\n1,\"p\nq"), "`p.csv`, row 1, column `b`: the quote opened on line 2 is never closed");
  EXPECT_HAS(refused("\"a"), "`p.csv`, line 1, column 1: the quote opened on line 1 is never closed");
  EXPECT_HAS(refused("a,b\n1,\"x\"y\n"), "text after the closing quote (line 2)");
  EXPECT_HAS(refused("a,b\n1,5\" pipe\n"), "row 1, column `b`: a quote inside an unquoted cell (line 2)");
  EXPECT_HAS(refused("a,b\r1,2\r"), "a carriage return without a line feed");
  EXPECT_HAS(refused("a,b,a\n1,2,3\n"), "the header names two columns `a` (columns 1 and 3)");
  EXPECT_HAS(refused("0,1,0\n1,2,3\n"), "read the table with header = false");
}

TEST(Csv, OnlyUtf8Text) {
  EXPECT_HAS(refused("a\nol\xe9\n"), "`p.csv`, line 2: not valid UTF-8 (byte e9)");
  EXPECT_HAS(refused(std::string("\xff\xfe" "a\0", 4)), "it begins like UTF-16");
  EXPECT_HAS(refused(std::string("a\0\n", 3)), "byte 2 is zero");
  EXPECT_EQ(parsed("a\nolé\n"), (Rows{{"olé"}}));
}

TEST(Csv, DamageNeverBreaksTheTable) {
  const std::string good = "\xef\xbb\xbf\"a,x\",b,c\r\n1,\"p\nq\",\"\"\"\"\r\n2,,é\r\n\r\n3,4,5\n";
  const auto check = [](const std::string& bad) {
    for (const bool header : {true, false}) {
      const auto t = parse_csv(bad, "p", {.header = header, .trim = !header});
      if (!t) {
        EXPECT_FALSE(t.error().message.empty());
        continue;
      }
      ASSERT_EQ(t->ends.size(), static_cast<size_t>(t->rows() * t->columns()));
      const auto all = rows_of(*t);
      EXPECT_EQ(all.size(), static_cast<size_t>(t->rows()));
    }
  };
  for_damaged(good, 5000, check);
  std::mt19937 random(3);
  const std::string alphabet = "\",\n\r a1";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned n = random() % 16; n > 0; --n) text += alphabet[random() % alphabet.size()];
    check(text);
  }
}

// Any cells, written with every cell quoted, come back as they were.
TEST(Csv, QuotedCellsRoundTrip) {
  std::mt19937 random(5);
  const std::string alphabet = "\",\n\r; xé";
  for (int i = 0; i < 3000; ++i) {
    Rows cells(random() % 4, std::vector<std::string>(1 + random() % 3));
    for (auto& row : cells) row.resize(cells[0].size());
    std::string text;
    for (auto& row : cells)
      for (size_t c = 0; c < row.size(); ++c) {
        for (unsigned n = random() % 5; n > 0; --n) row[c] += alphabet[random() % 7];
        text += '"';
        for (char ch : row[c]) text += ch == '"' ? "\"\"" : std::string(1, ch);
        text += c + 1 < row.size() ? "\"," : "\"\r\n";
      }
    if (!cells.empty()) {
      EXPECT_EQ(parsed(text, {.header = false}), cells) << text;
    }
  }
}

TEST(Csv, ManyBlankLinesAndManyColumnsEndInTime) {
  EXPECT_EQ(parsed("a\n1" + std::string(2'000'000, '\n') + "2").size(), 2'000'001u);
  EXPECT_HAS(refused(std::string(3'000'000, ',')), "more than 1048576 columns");
}

}  // namespace
}  // namespace glia::io
