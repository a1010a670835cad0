// Typed columns: missing values by each rule, numbers read whole or refused, and the real tables.
#include "io/columns.h"

#include <cmath>

#include "io/numbers.h"
#include "tests/io/scratch.h"

namespace glia::io {
namespace {

CsvTable table(const std::string& text, const CsvOptions& options = {}) {
  auto t = parse_csv(text, "d/x.csv", options);
  EXPECT_TRUE(t) << fault(t);
  return t ? std::move(*t) : CsvTable{};
}

ColumnSpec one(const std::string& name, ColumnKind kind = ColumnKind::number) { return {name, {name}, kind, false, {}}; }

Result<Columns> pick(const CsvTable& t, std::vector<ColumnSpec> specs, Missing policy = Missing::error) {
  return select_columns(t, specs, {.policy = policy});
}

std::vector<float> floats(const Column& c) {
  const auto view = c.array.as<float>();
  return {view.begin(), view.end()};
}

TEST(Numbers, ReadWholeOrRefused) {
  EXPECT_EQ(*parse_f32(" 1.5 "), 1.5f);
  EXPECT_EQ(*parse_f32("+.5e1"), 5.0f);
  EXPECT_EQ(*parse_f32("-0.1"), -0.1f);
  EXPECT_TRUE(std::signbit(*parse_f32("-0")));
  EXPECT_EQ(*parse_f32("3.4028235e38"), 3.4028235e38f);
  EXPECT_EQ(*parse_f32("1e-45"), 1e-45f);
  EXPECT_EQ(*parse_f32("1e-60"), 0.0f);
  EXPECT_EQ(*parse_f32("16777217"), 16777216.0f);
  for (const char* bad : {"", "x", "12,5x", "1_0", "inf", "-inf", "nan", "infinity", "0x10",
                          "1 2", "1.2.3", "--1", "+-1", "+", "-", ".", "1e", "1.5f", "１"})
    EXPECT_FALSE(parse_f32(bad)) << bad;
  EXPECT_HAS(fault(parse_f32("1e999")), "`1e999` is out of the range of f32");
  EXPECT_HAS(fault(parse_f32("-3.5e38")), "out of the range of f32");
  EXPECT_HAS(fault(parse_f32("12,5")), "a decimal point is written `.`, not `,`: `12.5`");
  EXPECT_HAS(fault(parse_f32("1_0")), "digits are not grouped");
}

TEST(Numbers, Integers) {
  EXPECT_EQ(*parse_i32("-2147483648"), -2147483648);
  EXPECT_EQ(*parse_i32(" +7 "), 7);
  EXPECT_HAS(fault(parse_i32("2147483648")), "`2147483648` is out of the range of i32");
  EXPECT_HAS(fault(parse_i32("1.5")), "`1.5` is not an integer\nread the column as numbers");
  EXPECT_HAS(fault(parse_i32("one")), "`one` is not an integer");
  EXPECT_FALSE(parse_i32("12 3"));
}

TEST(Columns, OneValueAndLists) {
  const auto t = table("a,b,c\n1,2,x\n3,4,y\n");
  const auto r = pick(t, {{"x", {"b", "a"}, ColumnKind::number, true, {}}, one("a"),
                         {"l", {"b"}, ColumnKind::integer, true, {}}, one("c", ColumnKind::text)});
  ASSERT_TRUE(r) << fault(r);
  EXPECT_EQ(r->columns[0].array.shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(floats(r->columns[0]), (std::vector<float>{2, 1, 4, 3}));
  EXPECT_EQ(r->columns[1].array.shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(r->columns[2].array.shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(r->columns[2].array.as<int32_t>()[1], 4);
  EXPECT_EQ(r->columns[3].text, (std::vector<std::string>{"x", "y"}));
}

TEST(Columns, MissingByEachRule) {
  const auto t = table("a,b,c\n1, ? ,\n2,5,\n,6,\n4,NA,\n");
  EXPECT_HAS(fault(pick(t, {one("b")})), "`d/x.csv`, row 1, column `b`: the value is missing (`?`); 2 of 4 rows have a missing value");
  EXPECT_HAS(fault(pick(t, {one("a")})), "row 3, column `a`: the value is missing (an empty cell)\n");
  const auto dropped = pick(t, {one("a"), one("b")}, Missing::drop);
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->rows_dropped, 3);  // column c, all empty, is not used
  EXPECT_EQ(dropped->rows, (std::vector<int64_t>{1}));
  EXPECT_EQ(floats(dropped->columns[1]), (std::vector<float>{5}));
  const auto kept = pick(t, {one("a"), one("b")}, Missing::nan);
  ASSERT_TRUE(kept);
  EXPECT_TRUE(std::isnan(floats(kept->columns[1])[0]));
  EXPECT_TRUE(std::isnan(floats(kept->columns[0])[2]));
  EXPECT_EQ(floats(kept->columns[1])[1], 5);
  EXPECT_EQ(kept->rows_dropped, 0);
  EXPECT_HAS(fault(pick(t, {one("b", ColumnKind::integer)}, Missing::nan)), "integers and classes have no NaN");
}

TEST(Columns, QuotedNewlineCaseOfMissing) {
  const auto t = table("\xef\xbb\xbf\"a,x\",b\r\n1,\"p\nq\"\r\n2,\r\n");
  EXPECT_HAS(fault(pick(t, {one("b", ColumnKind::text)})), "row 2, column `b`: the value is missing");
  EXPECT_EQ(pick(t, {one("b", ColumnKind::text)}, Missing::nan)->columns[0].text, (std::vector<std::string>{"p\nq", ""}));
  const auto number = table("a,b\n1,\n");
  EXPECT_TRUE(std::isnan(floats(pick(number, {one("b")}, Missing::nan)->columns[0])[0]));
}

TEST(Columns, MarkersAreTheCallers) {
  const auto t = table("a\n-\n7\n");
  const std::vector<ColumnSpec> specs = {one("a")};
  EXPECT_HAS(fault(select_columns(t, specs, {.policy = Missing::drop})), "`-` is not a number");
  EXPECT_EQ(select_columns(t, specs, {.policy = Missing::drop, .markers = {"-"}})->rows_dropped, 1);
  EXPECT_HAS(fault(select_columns(table("a,b\n,1\n"), specs, {.policy = Missing::nan, .markers = {}})), "`` is not a number");
}

TEST(Columns, BadCellsNameThePlace) {
  const auto t = table("mpg,horsepower\n1,2\n3,\"12,5x\"\n");
  EXPECT_HAS(fault(pick(t, {one("horsepower")})), "`d/x.csv`, row 2, column `horsepower`: `12,5x` is not a number (line 3)");
  EXPECT_HAS(fault(pick(table("a\n1e999\n"), {one("a")})), "row 1, column `a`: `1e999` is out of the range of f32");
  EXPECT_HAS(fault(pick(table("a\n" + std::string(500, 'x') + "\n"), {one("a")})), "xxx...`");
}

TEST(Columns, UnknownColumnSuggestsTheNearest) {
  const auto t = table("mpg,horsepower\n1,2\n");
  EXPECT_HAS(fault(pick(t, {one("horespower")})), "`d/x.csv` has no column `horespower`; its columns are mpg, horsepower\n"
             "did you mean `horsepower`?");
  EXPECT_HAS(fault(pick(table("1,2\n3,4\n"), {one("x")})), "header = false");
  EXPECT_HAS(fault(pick(table("a;b\n3;4\n"), {one("b")})), "separated by another character");
  EXPECT_HAS(fault(pick(t, {{"x", {}, ColumnKind::number, true, {}}})), "no columns are named for `x`");
}

TEST(Columns, ClassesAreSortedOrGiven) {
  const auto t = table("s\nb\na\nb\n\nc\n");
  const auto r = pick(t, {one("s", ColumnKind::classes)}, Missing::drop);
  ASSERT_TRUE(r) << fault(r);
  EXPECT_EQ(r->columns[0].classes, (std::vector<std::string>{"a", "b", "c"}));
  const auto ids = r->columns[0].array.as<int32_t>();
  EXPECT_EQ((std::vector<int32_t>(ids.begin(), ids.end())), (std::vector<int32_t>{1, 0, 1, 2}));
  EXPECT_EQ(r->rows, (std::vector<int64_t>{0, 1, 2, 4}));
  const ColumnSpec given{"s", {"s"}, ColumnKind::classes, false, {"b", "a"}};
  EXPECT_HAS(fault(pick(t, {given}, Missing::drop)), "row 5, column `s`: `c` is not one of the 2 classes (line 6)\nthe classes are b, a");
  EXPECT_HAS(fault(pick(t, {{"s", {"s"}, ColumnKind::classes, false, {"b", "b"}}}, Missing::drop)), "listed twice");
}

TEST(Columns, NoRowsGiveEmptyArrays) {
  const auto r = pick(table("a,b\n"), {{"x", {"a", "b"}, ColumnKind::number, true, {}}});
  ASSERT_TRUE(r);
  EXPECT_EQ(r->columns[0].array.shape, (std::vector<int64_t>{0, 2}));
}

TEST(Columns, AutoMpg) {
  const std::string path = shared_data("tabular/auto-mpg.csv");
  if (path.empty()) GTEST_SKIP() << "no data";
  const auto t = read_csv(path);
  ASSERT_TRUE(t) << fault(t);
  EXPECT_EQ(t->rows(), 398);
  const ColumnSpec x{"x", {"cylinders", "displacement", "horsepower", "weight", "acceleration"}, ColumnKind::number, true, {}};
  const auto r = pick(*t, {x, one("mpg")}, Missing::drop);
  ASSERT_TRUE(r) << fault(r);
  EXPECT_EQ(r->rows_dropped, 6);
  EXPECT_EQ(r->columns[0].array.shape, (std::vector<int64_t>{392, 5}));
  EXPECT_EQ(r->rows[32], 33);  // row 32 is the first without horsepower
  EXPECT_HAS(fault(pick(*t, {x})), "row 33, column `horsepower`: the value is missing (`?`); 6 of 398 rows");
}

TEST(Columns, Titanic) {
  const std::string path = shared_data("tabular/titanic.csv");
  if (path.empty()) GTEST_SKIP() << "no data";
  const auto t = read_csv(path);
  ASSERT_TRUE(t) << fault(t);
  EXPECT_EQ(t->rows(), 1309);
  EXPECT_EQ(t->cell(0, 2), "Allen, Miss. Elisabeth Walton");
  const auto age = pick(*t, {one("age"), one("sex", ColumnKind::classes), one("survived", ColumnKind::integer)}, Missing::drop);
  ASSERT_TRUE(age) << fault(age);
  EXPECT_EQ(age->rows_dropped, 263);
  EXPECT_EQ(age->columns[1].classes, (std::vector<std::string>{"female", "male"}));
  const auto all = pick(*t, {one("survived", ColumnKind::integer)});
  const auto survived = all->columns[0].array.as<int32_t>();
  EXPECT_EQ(std::count(survived.begin(), survived.end(), 1), 500);
}

TEST(Columns, DigitsHousingPenguinsAndAdult) {
  const std::string digits = shared_data("tabular/digits.csv.gz");
  if (digits.empty()) GTEST_SKIP() << "no data";
  const auto d = read_csv(digits, {.header = false});
  ASSERT_TRUE(d) << fault(d);
  EXPECT_EQ(d->rows(), 1797);
  EXPECT_EQ(d->columns(), 65);
  EXPECT_HAS(fault(read_csv(digits)), "header = false");
  const auto housing = read_csv(shared_data("tabular/california_housing.csv.gz"));
  ASSERT_TRUE(housing) << fault(housing);
  const auto beds = pick(*housing, {one("total_bedrooms"), one("ocean_proximity", ColumnKind::classes)}, Missing::drop);
  EXPECT_EQ(beds->rows_dropped, 207);
  EXPECT_EQ(beds->rows.size(), 20640u - 207);
  EXPECT_EQ(beds->columns[1].classes.size(), 5u);
  const auto penguins = read_csv(shared_data("tabular/penguins_raw.csv"));
  ASSERT_TRUE(penguins) << fault(penguins);
  EXPECT_EQ(penguins->cell(0, 5), "Adult, 1 Egg Stage");
  EXPECT_EQ(pick(*penguins, {one("Body Mass (g)")}, Missing::drop)->rows_dropped, 2);
  const auto adult = read_csv(shared_data("tabular/adult.test.gz"), {.header = false, .trim = true, .skip_lines = 1});
  ASSERT_TRUE(adult) << fault(adult);
  EXPECT_EQ(adult->rows(), 16281);
  std::vector<ColumnSpec> all;
  for (const std::string& name : adult->header) all.push_back(one(name, ColumnKind::text));
  EXPECT_EQ(select_columns(*adult, all, {.policy = Missing::drop})->rows_dropped, 1221);
}

}  // namespace
}  // namespace glia::io
