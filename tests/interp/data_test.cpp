// Data functions: readers into rows, splits, standardising, columns. Each is called as the evaluator calls it.
#include "interp/data.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interp/format.h"
#include "tests/io/scratch.h"

namespace glia::interp {
namespace {

using io::Scratch;
using Options = std::vector<std::string>;

struct Caller {
  ir::Module module;
  std::vector<std::string> notes;
  HostFunctions functions = data_functions([this](const std::string& n) { notes.push_back(n); });

  std::expected<Value, Fault> operator()(const std::string& name, Value arg, Options options = {}, ir::TypeId result = {}) {
    const ir::Attrs attrs{{ir::AttrKey::text, name}, {ir::AttrKey::options, std::move(options)}};
    return functions.at(name)(std::span<const Value>(&arg, 1), attrs, result, module);
  }
  Value good(const std::string& name, Value arg, Options options = {}, ir::TypeId result = {}) {
    auto v = (*this)(name, std::move(arg), std::move(options), result);
    EXPECT_TRUE(v) << (v ? "" : v.error().message);
    return v ? *v : Value();
  }
  std::string fault(const std::string& name, Value arg, Options options = {}, ir::TypeId result = {}) {
    const auto v = (*this)(name, std::move(arg), std::move(options), result);
    return v ? "(no fault)" : v.error().message;
  }
  ir::TypeId tensor(DType dtype, std::vector<int64_t> sizes) {
    ir::Shape shape;
    for (int64_t n : sizes) shape.push_back(module.types.dims.constant(n));
    return module.types.tensor(dtype, shape);
  }
};

std::string column(const std::string& name, const std::string& kind, const std::string& form, const std::vector<std::string>& from) {
  std::string text = "column=" + name + "\x1f" + kind + "\x1f" + form;
  for (const std::string& c : from) text += "\x1f" + c;
  return text;
}

Value numbered(int64_t n) {
  Tensor x = Tensor::zeros(DType::f32, {n, 2}), y = Tensor::zeros(DType::i32, {n});
  List names;
  for (int64_t i = 0; i < n; ++i) {
    x.as<float>()[static_cast<size_t>(2 * i)] = static_cast<float>(i);
    y.as<int32_t>()[static_cast<size_t>(i)] = static_cast<int32_t>(i);
    names.elems.emplace_back(fmt::format("row {}", i));
  }
  return Rows{n, {"x", "y", "name"}, {x, y, names}};
}

std::string idx(const std::vector<int>& sizes, int count) {
  std::string bytes = io::bytes_of({0, 0, 8, static_cast<int>(sizes.size())});
  for (int n : sizes) bytes += io::bytes_of({0, 0, 0, n});
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(i % 10);
  return bytes;
}

void put_mnist(const Scratch& s) {
  s.put("train-images-idx3-ubyte", idx({3, 2, 2}, 12)), s.put("train-labels-idx1-ubyte", idx({3}, 3));
  s.put("t10k-images-idx3-ubyte", idx({1, 2, 2}, 4)), s.put("t10k-labels-idx1-ubyte", idx({1}, 1));
}

ir::TypeId mnist_type(Caller& c, int64_t side) {
  auto& t = c.module.types;
  const ir::TypeId rows = t.list(t.record({"image", "label"}, {c.tensor(DType::u8, {side, side}), c.tensor(DType::i32, {})}));
  return t.record({"train", "test"}, {rows, rows});
}

TEST(Data, MnistGivesRowsOfImageAndLabel) {
  const Scratch s;
  put_mnist(s);
  Caller call;
  const Value v = call.good("data.mnist", s.dir.string(), {}, mnist_type(call, 2));
  ASSERT_TRUE(v.is_tuple());
  const Rows& train = v.tuple().elems[0].rows();
  EXPECT_EQ(train.count, 3);
  EXPECT_EQ(train.fields, (Options{"image", "label"}));
  EXPECT_EQ(train.columns[0].tensor().shape, (std::vector<int64_t>{3, 2, 2}));
  EXPECT_EQ(train.columns[0].tensor().as<uint8_t>()[11], 1);
  EXPECT_EQ(train.columns[1].tensor().as<int32_t>()[2], 2);
  EXPECT_EQ(v.tuple().elems[1].rows().count, 1);
}

TEST(Data, MnistOfAnotherSizeIsRefusedNamingBoth) {
  const Scratch s;
  put_mnist(s);
  Caller call;
  const std::string message = call.fault("data.mnist", s.dir.string(), {}, mnist_type(call, 28));
  EXPECT_HAS(message, "u8[2, 2]");
  EXPECT_HAS(message, "u8[28, 28]");
  EXPECT_HAS(call.fault("data.mnist", s.path("nowhere")), "nowhere");
}

TEST(Data, CsvReadsTypedColumns) {
  const Scratch s;
  const std::string path = s.put("a.csv", "a,b,n,k\n1,2,ann,red\n3,4,bob,blue\n");
  Caller call;
  const Value v = call.good("data.csv", path,
                            {column("x", "number", "list", {"a", "b"}), column("y", "integer", "one", {"b"}), column("n", "text", "one", {"n"}),
                             column("k", "classes", "one", {"k"})});
  EXPECT_EQ(v.rows().fields, (Options{"x", "y", "n", "k"}));
  EXPECT_TRUE(same_bits(v.rows().columns[0].tensor(), Tensor::of<float>({2, 2}, {1, 2, 3, 4})));
  EXPECT_TRUE(same_bits(v.rows().columns[1].tensor(), Tensor::of<int32_t>({2}, {2, 4})));
  EXPECT_EQ(v.rows().columns[2].list().elems[1].text(), "bob");
  EXPECT_TRUE(same_bits(v.rows().columns[3].tensor(), Tensor::of<int32_t>({2}, {1, 0})));
  EXPECT_TRUE(call.notes.empty());
}

TEST(Data, CsvWithoutHeaderAndWithAnotherSeparator) {
  const Scratch s;
  const std::string path = s.put("a.csv", "1; x\n2; y\n");
  Caller call;
  const Options options = {"header=false", "separator=;", "trim=true", column("a", "number", "one", {"c0"}), column("t", "text", "list", {"c1", "c1"})};
  const Value v = call.good("data.csv", path, options);
  EXPECT_TRUE(same_bits(v.rows().columns[0].tensor(), Tensor::of<float>({2}, {1, 2})));
  EXPECT_EQ(v.rows().columns[1].list().elems[1].list().elems[1].text(), "y");
}

TEST(Data, CsvDropsRowsAndSaysSo) {
  const Scratch s;
  const std::string path = s.put("a.csv", "a,b,c\n1,2,\n3,?,5\n6,7,8\n9,NA,1\n");
  Caller call;
  const Value v = call.good("data.csv", path, {"missing=drop", column("x", "number", "list", {"a", "b"})});
  EXPECT_EQ(v.rows().count, 2);
  ASSERT_EQ(call.notes.size(), 1u);
  EXPECT_EQ(call.notes[0], fmt::format("`{}`: 2 rows dropped for missing values (b)", path));
}

TEST(Data, CsvMissingValuesOtherwise) {
  const Scratch s;
  const std::string path = s.put("a.csv", "a\n1\n?\n"), bad = s.put("b.csv", "a\n?\n"), none = s.put("c.csv", "a\n");
  const std::string x = column("x", "number", "one", {"a"});
  Caller call;
  EXPECT_HAS(call.fault("data.csv", path, {x}), "row 2");
  EXPECT_TRUE(std::isnan(call.good("data.csv", path, {"missing=nan", x}).rows().columns[0].tensor().as<float>()[1]));
  EXPECT_HAS(call.fault("data.csv", bad, {"missing=drop", x}), "every one of the 1 rows");
  EXPECT_HAS(call.fault("data.csv", none, {x}), "has no rows");
  EXPECT_HAS(call.fault("data.csv", path, {"missing=maybe", x}), "maybe");
  EXPECT_HAS(call.fault("data.csv", path, {"header=1", x}), "`header`");
  EXPECT_HAS(call.fault("data.csv", path, {"separator=::", x}), "one character");
  EXPECT_HAS(call.fault("data.csv", s.path("gone.csv"), {x}), "gone.csv");
}

TEST(Data, CsvIsHeldAgainstItsType) {
  const Scratch s;
  const std::string path = s.put("a.csv", "a,b\n1,2\n");
  Caller call;
  auto& t = call.module.types;
  const Options options = {column("x", "number", "list", {"a", "b"})};
  const ir::TypeId three = t.list(t.record({"x"}, {call.tensor(DType::f32, {3})}));
  EXPECT_HAS(call.fault("data.csv", path, options, three), "f32[3]");
  const ir::TypeId open = t.list(t.record({"x"}, {t.tensor(DType::f32, {t.dims.fresh("n")})}));
  call.good("data.csv", path, options, open);
  EXPECT_HAS(call.fault("data.csv", path, options, t.list(t.record({}, {}))), "fields");
}

TEST(Data, SplitKeepsEveryRowOnceAndWhole) {
  Caller call;
  const Value v = call.good("split", numbered(101), {"part=train\x1f" "0.8", "part=test\x1f" "0.2", "seed=3"});
  const Rows &train = v.tuple().elems[0].rows(), &test = v.tuple().elems[1].rows();
  EXPECT_EQ(train.count, 81);
  EXPECT_EQ(test.count, 20);
  std::set<int32_t> seen;
  for (const Rows* part : {&train, &test})
    for (int64_t i = 0; i < part->count; ++i) {
      const auto at = static_cast<size_t>(i);
      const int32_t y = part->columns[1].tensor().as<int32_t>()[at];
      seen.insert(y);
      EXPECT_EQ(part->columns[0].tensor().as<float>()[2 * at], static_cast<float>(y));
      EXPECT_EQ(part->columns[2].list().elems[at].text(), fmt::format("row {}", y));
    }
  EXPECT_EQ(seen.size(), 101u);
}

TEST(Data, SplitDependsOnTheSeedAlone) {
  Caller call;
  const auto order = [&](const std::string& seed) {
    const Value v = call.good("split", numbered(50), {"part=all\x1f" "1", "seed=" + seed});
    const auto y = v.tuple().elems[0].rows().columns[1].tensor().as<int32_t>();
    return std::vector<int32_t>(y.begin(), y.end());
  };
  EXPECT_EQ(order("0"), order("0"));
  EXPECT_NE(order("0"), order("1"));
  std::vector<int32_t> sorted = order("0");
  EXPECT_FALSE(std::is_sorted(sorted.begin(), sorted.end()));
}

// Of the 24 orders of four rows each comes up about as often (chi-square, 23 degrees of freedom; 58 is beyond 1 in 10^4).
TEST(Data, SplitIsFair) {
  Caller call;
  std::map<std::vector<int32_t>, int> seen;
  const int runs = 4800;
  for (int seed = 0; seed < runs; ++seed) {
    const Value v = call.good("split", numbered(4), {"part=all\x1f" "1", fmt::format("seed={}", seed)});
    const auto y = v.tuple().elems[0].rows().columns[1].tensor().as<int32_t>();
    ++seen[{y.begin(), y.end()}];
  }
  double chi = 0;
  for (const auto& [order, count] : seen) chi += std::pow(count - runs / 24.0, 2) / (runs / 24.0);
  EXPECT_EQ(seen.size(), 24u);
  EXPECT_LT(chi, 58);
}

TEST(Data, SplitRefusesWrongFractions) {
  Caller call;
  EXPECT_HAS(call.fault("split", numbered(10), {"part=a\x1f" "0.8", "part=b\x1f" "0.3"}), "1.1");
  EXPECT_HAS(call.fault("split", numbered(10), {"part=a\x1f" "-0.1"}), "`a`");
  EXPECT_HAS(call.fault("split", numbered(10), {"part=a\x1f" "nan"}), "`a`");
  EXPECT_HAS(call.fault("split", numbered(10), {"part=a\x1f" "0.99", "part=b\x1f" "0.01"}), "`b` has no rows");
  EXPECT_HAS(call.fault("split", numbered(10)), "needs parts");
  EXPECT_HAS(call.fault("split", numbered(10), {"part=a\x1f" "1", "seed=x"}), "`seed`");
}

TEST(Data, SplitTakesPlainLists) {
  Caller call;
  const Value list = List{{Value(std::string("a")), Value(std::string("b"))}};
  EXPECT_EQ(call.good("split", list, {"part=a\x1f" "0.5", "part=b\x1f" "0.5"}).tuple().elems[1].list().elems.size(), 1u);
}

TEST(Data, StandardizeFitsOnePartAndAppliesToAll) {
  Caller call;
  const auto rows = [](std::vector<float> x) { return Value(Rows{static_cast<int64_t>(x.size()) / 2, {"x"}, {Tensor::of<float>({static_cast<int64_t>(x.size()) / 2, 2}, x)}}); };
  const Value data = Tuple{{rows({1, 7, 3, 7}), rows({2, 8, 5, 7})}};
  const Value v = call.good("standardize", data, {"column=x"});
  EXPECT_TRUE(same_bits(v.tuple().elems[0].rows().columns[0].tensor(), Tensor::of<float>({2, 2}, {-1, 0, 1, 0})));
  EXPECT_TRUE(same_bits(v.tuple().elems[1].rows().columns[0].tensor(), Tensor::of<float>({2, 2}, {0, 1, 3, 0})));
  const Value second = call.good("standardize", data, {"column=x", "fit=1"});
  EXPECT_TRUE(same_bits(second.tuple().elems[1].rows().columns[0].tensor(), Tensor::of<float>({2, 2}, {-1, 1, 1, -1})));
  EXPECT_TRUE(call.good("standardize", rows({1, 7, 3, 7}), {"column=x"}).is_rows());
}

TEST(Data, StandardizeIsExactForLargeMeansAndLeavesMissingValuesOut) {
  Caller call;
  const Value v = call.good("standardize", Rows{3, {"x"}, {Tensor::of<float>({3}, {16777214, NAN, 16777216})}}, {"column=x"});
  const auto x = v.rows().columns[0].tensor().as<float>();
  EXPECT_EQ(x[0], -1);
  EXPECT_TRUE(std::isnan(x[1]));
  EXPECT_EQ(x[2], 1);
  const Value tenth = call.good("standardize", Rows{3, {"x"}, {Tensor::of<float>({3}, {0.1f, 0.1f, 0.1f})}}, {"column=x"});
  for (float t : tenth.rows().columns[0].tensor().as<float>()) EXPECT_EQ(t, 0);
}

TEST(Data, StandardizeRefusesOtherColumns) {
  Caller call;
  EXPECT_HAS(call.fault("standardize", numbered(3), {"column=y"}), "not f32");
  EXPECT_HAS(call.fault("standardize", numbered(3), {"column=z"}), "no field `z`");
  EXPECT_HAS(call.fault("standardize", numbered(3), {"column=x", "fit=1"}), "part 1");
}

TEST(Data, AColumnIsSharedAndReadsAsAList) {
  Caller call;
  const Value rows = numbered(3);
  const Value x = call.good("column", rows, {"name=x"});
  EXPECT_EQ(list_size(x), 3);
  EXPECT_TRUE(same_bits(list_item(x, 2).tensor(), Tensor::of<float>({2}, {2, 0})));
  EXPECT_EQ(leaves(x)[0]->data, rows.rows().columns[0].tensor().data);
  EXPECT_EQ(format_value(x), "[[0, 0], [1, 0], [2, 0]]");
  auto& t = call.module.types;
  const Value y = call.good("column", rows, {"name=y"}, t.tensor(DType::i32, {t.dims.fresh("n")}));
  EXPECT_EQ(y.tensor().data, rows.rows().columns[1].tensor().data);
  EXPECT_TRUE(call.good("column", rows, {"name=name"}).is_list());
  EXPECT_HAS(call.fault("column", rows, {"name=q"}), "no field `q`");
}

TEST(Data, AutoMpgDropsSixRows) {
  const std::string path = io::shared_data("tabular/auto-mpg.csv");
  if (path.empty()) GTEST_SKIP() << "no shared data";
  Caller call;
  const Value v = call.good("data.csv", path, {"missing=drop", column("x", "number", "list", {"horsepower", "weight"}), column("y", "number", "one", {"mpg"})});
  EXPECT_EQ(v.rows().count, 392);
  ASSERT_EQ(call.notes.size(), 1u);
  EXPECT_HAS(call.notes[0], "6 rows dropped for missing values (horsepower)");
}

}  // namespace
}  // namespace glia::interp
