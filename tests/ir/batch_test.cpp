// The shape of batched code: shared weights stay one matrix, what no row changes stays as it is, maps become code.
#include "ir/passes/batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ir/ops/all.h"

namespace glia::ir {
namespace {

struct Batches : testing::Test {
  Module m;
  DimId n = m.types.dims.var("n"), k = m.types.dims.var("k"), rows = m.types.dims.var("rows");

  size_t count(const Func& f, OpId op) {
    return static_cast<size_t>(std::count_if(f.nodes.begin(), f.nodes.end(), [&](const Node& node) { return node.op == op; }));
  }
  TypeId f32(Shape shape = {}) { return m.types.tensor(DType::f32, std::move(shape)); }
};

TEST_F(Batches, SharedWeightsGiveOneProduct) {
  Builder b(m, "layer");
  Value w = b.param(f32({n, k})), x = b.param(f32({k}));
  b.result(contract(w, x, {0, 1}, {1}, {0}).id);
  auto over = batch(m, b.finish_into_module(), {false, true}, rows);
  ASSERT_TRUE(over.has_value());
  const Func& f = m[over->func];
  EXPECT_EQ(f.nodes.size(), 3u);
  EXPECT_EQ(m.types.print(f[f.results[0]].type), "f32[rows, n]");
  EXPECT_EQ(f[f.params[0]].type, f32({n, k}));
}

TEST_F(Batches, WhatNoRowChangesStaysShared) {
  Builder b(m, "f");
  Value w = b.param(f32({n})), x = b.param(f32({n}));
  b.result(exp(w).id);
  b.result(exp(x).id);
  auto over = batch(m, b.finish_into_module(), {false, true}, rows);
  ASSERT_TRUE(over.has_value());
  EXPECT_EQ(over->batched, (std::vector<bool>{false, true}));
}

TEST_F(Batches, MeanOverTheBatchIsShared) {
  Builder b(m, "f");
  Value x = b.param(f32({n}));
  b.result(b.emit(op<BatchMean>, {x.id}).id);
  auto over = batch(m, b.finish_into_module(), {true}, rows);
  ASSERT_TRUE(over.has_value());
  EXPECT_EQ(over->batched, (std::vector<bool>{false}));
  EXPECT_EQ(m.types.print(m[over->func][m[over->func].results[0]].type), "f32[n]");
}

TEST_F(Batches, MapsBecomeCodeOverAnAxis) {
  Builder body(m, "body");
  Value i = body.param(m.types.tensor(DType::i32)), x = body.param(f32({n, k})), w = body.param(f32({k}));
  body.result(contract(gather(x, i), w, {0}, {0}, {}).id);
  FuncId id = body.finish_into_module();
  Builder b(m, "f");
  Value xs = b.param(f32({n, k})), ws = b.param(f32({k}));
  b.result(b.emit(op<Map>, {xs.id, ws.id}, {{AttrKey::func, id}, {AttrKey::count, n}}, f32({n})).id);
  Func f = expand_maps(m, b.finish());
  EXPECT_EQ(count(f, op<Map>), 0u);
  EXPECT_EQ(count(f, op<Contract>), 1u);
  EXPECT_EQ(m.types.print(f[f.results[0]].type), "f32[n]");
}

// A condition that differs from row to row cannot be straightened; doing it again changes nothing.
TEST_F(Batches, BranchesThatDifferStayAMap) {
  Builder yes(m, "yes"), no(m, "no");
  Value a = yes.param(f32()), c = no.param(f32());
  yes.result(exp(a).id), no.result(sin(c).id);
  FuncId then = yes.finish_into_module(), otherwise = no.finish_into_module();
  Builder b(m, "f");
  Value x = b.param(f32());
  b.result(b.emit(op<If>, {(x > 0.0).id, x.id}, {{AttrKey::func, then}, {AttrKey::other, otherwise}}, f32()).id);
  auto over = batch(m, b.finish_into_module(), {true}, rows);
  ASSERT_TRUE(over.has_value());
  const Func& f = m[over->func];
  EXPECT_EQ(count(f, op<Map>), 1u);
  EXPECT_EQ(count(f, op<Lt>), 1u);
  EXPECT_EQ(count(expand_maps(m, f), op<Map>), 1u);
}

TEST_F(Batches, OutputAndListsAreRefused) {
  Builder b(m, "f");
  Value x = b.param(f32());
  b.emit(op<Print>, {x.id});
  b.result(x.id);
  auto over = batch(m, b.finish_into_module(), {true}, rows);
  ASSERT_FALSE(over.has_value());
  EXPECT_EQ(over.error().code, "E0711");
}

}  // namespace
}  // namespace glia::ir
