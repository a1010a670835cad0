// Data sets from values, the order of rows, and what each row draws from.
#include "train/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace glia::train {
namespace {

using interp::List;
using interp::Rows;
using interp::Tensor;
using interp::Tuple;
using interp::Value;

struct DataSets : testing::Test {
  ir::Types types;
  ir::TypeId pair = types.tensor(DType::f32, {types.dims.constant(2)}), number = types.tensor(DType::i32);
  std::vector<ir::TypeId> columns{pair, number};
  std::vector<std::string> names{"x", "y"};

  std::expected<DataSet, std::string> make(const Value& v) { return make_data_set(v, types, columns, names); }
};

TEST_F(DataSets, ColumnsAreTakenAsTheyAre) {
  const Tensor x = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}), y = Tensor::of<int32_t>({3}, {7, 8, 9});
  const auto set = make(Rows{3, names, {x, y}});
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(set->count, 3);
  EXPECT_EQ(set->columns[0].data, x.data);
}

TEST_F(DataSets, RowsOneByOneBecomeColumns) {
  List list;
  for (int i = 0; i < 3; ++i) list.elems.push_back(Tuple{{Tensor::of<float>({2}, {float(i), 1}), Tensor::scalar<int32_t>(i)}});
  const auto set = make(list);
  ASSERT_TRUE(set.has_value());
  EXPECT_TRUE(interp::same_bits(set->columns[0], Tensor::of<float>({3, 2}, {0, 1, 1, 1, 2, 1})));
  EXPECT_TRUE(interp::same_bits(set->columns[1], Tensor::of<int32_t>({3}, {0, 1, 2})));
}

TEST_F(DataSets, WhatDoesNotFitIsNamed) {
  const Tensor x = Tensor::zeros(DType::f32, {3, 5}), y = Tensor::zeros(DType::i32, {3});
  EXPECT_EQ(make(Rows{3, names, {x, y}}).error(), "a row's `x` is f32[5] in the data, but the program takes f32[2]");
  const Tensor good = Tensor::zeros(DType::f32, {3, 2});
  EXPECT_EQ(make(Rows{3, names, {good, Tensor::zeros(DType::f32, {3})}}).error(),
            "a row's `y` is f32 in the data, but the program takes i32");
  EXPECT_EQ(make(Rows{3, names, {good, Tensor::zeros(DType::i32, {2})}}).error(), "`y` has 2 rows, but `x` has 3");
  EXPECT_EQ(make(Tensor::scalar(1.0f)).error(), "a row of the data has 1 columns, but the program takes 2");
  List uneven{{Tuple{{Tensor::zeros(DType::f32, {2}), Tensor::scalar<int32_t>(0)}},
               Tuple{{Tensor::zeros(DType::f32, {4}), Tensor::scalar<int32_t>(0)}}}};
  EXPECT_EQ(make(uneven).error(), "`x` of row 1 is f32[4], but the program takes f32[2] in every row");
  EXPECT_EQ(make(std::string("text")).error(), "the data is not a list of rows");
}

TEST_F(DataSets, GatheredRowsAreTheRowsAskedFor) {
  const Tensor x = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}), y = Tensor::of<int32_t>({3}, {7, 8, 9});
  const auto set = make(Rows{3, names, {x, y}});
  auto room = make_batch_buffers(*set, 2);
  ASSERT_TRUE(room.has_value());
  gather_rows(*set, std::vector<int64_t>{2, 0}, *room);
  EXPECT_TRUE(interp::same_bits(room->columns[0], Tensor::of<float>({2, 2}, {5, 6, 1, 2})));
  EXPECT_TRUE(interp::same_bits(room->columns[1], Tensor::of<int32_t>({2}, {9, 7})));
}

TEST_F(DataSets, ARowDrawsTheSameWhereverItStandsInTheBatch) {
  const auto set = make(Rows{3, names, {Tensor::zeros(DType::f32, {3, 2}), Tensor::zeros(DType::i32, {3})}});
  auto a = make_batch_buffers(*set, 2), b = make_batch_buffers(*set, 3);
  fill_streams(step_root(7, 4), std::vector<int64_t>{2, 0}, *a);
  fill_streams(step_root(7, 4), std::vector<int64_t>{0, 1, 2}, *b);
  EXPECT_EQ(a->streams.as<int64_t>()[0], b->streams.as<int64_t>()[2]);
  EXPECT_EQ(a->streams.as<int64_t>()[1], b->streams.as<int64_t>()[0]);
  fill_streams(step_root(7, 5), std::vector<int64_t>{2, 0}, *a);
  EXPECT_NE(a->streams.as<int64_t>()[0], b->streams.as<int64_t>()[2]);
}

TEST(Shuffle, EachEpochHasItsOwnOrderAndKeepsIt) {
  std::vector<int64_t> first, second, again, other_seed;
  shuffled(first, 10, 7, 0), shuffled(second, 10, 7, 1), shuffled(again, 10, 7, 0), shuffled(other_seed, 10, 8, 0);
  EXPECT_NE(first, second);
  EXPECT_NE(first, other_seed);
  EXPECT_EQ(first, again);
  for (const auto* order : {&first, &second}) EXPECT_EQ(std::set<int64_t>(order->begin(), order->end()).size(), 10u);
  EXPECT_EQ(*std::max_element(first.begin(), first.end()), 9);
}

TEST(Shuffle, AllOrdersAreAboutAsLikely) {
  std::map<std::vector<int64_t>, int> seen;
  std::vector<int64_t> order;
  for (int64_t epoch = 0; epoch < 6000; ++epoch) shuffled(order, 3, 1, epoch), ++seen[order];
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [o, n] : seen) EXPECT_NEAR(n, 1000, 150);  // five standard deviations
}

TEST(Shuffle, NothingAndOneAreLeftAlone) {
  std::vector<int64_t> order{5};
  shuffled(order, 0, 1, 1);
  EXPECT_TRUE(order.empty());
  shuffled(order, 1, 1, 1);
  EXPECT_EQ(order, std::vector<int64_t>{0});
}

}  // namespace
}  // namespace glia::train
