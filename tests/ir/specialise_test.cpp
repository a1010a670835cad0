// Specialisation: sizes become numbers everywhere, and what does not fit then is the user's to hear about.
#include <gtest/gtest.h>

#include "ir/ops/all.h"
#include "ir/passes/specialise.h"
#include "ir/text/print.h"
#include "ir/value.h"
#include "ir/verify.h"

namespace glia::ir {
namespace {

struct SpecialiseTest : testing::Test {
  Module m;
  Dims& d = m.types.dims;
  DimId n = d.var("n");
  Builder b{m, "f"};
  Value x = b.param(m.types.tensor(DType::f32, {n}), "x");
  Dims::Bindings with(int64_t size) { return {{d.as_atom(n)->v, d.constant(size)}}; }
};

TEST_F(SpecialiseTest, SizesBecomeNumbers) {
  b.result((sum(x) / dim_value(b, n, DType::f32)).id);
  auto f = specialise(m, b.func(), with(4));
  ASSERT_TRUE(f);
  EXPECT_TRUE(verify(m, *f).empty());
  EXPECT_EQ(m.types.print((*f)[f->params[0]].type), "f32[4]");
  EXPECT_EQ((*f)[f->params[0]].attrs.text(AttrKey::name), "x");
  for (const Node& node : f->nodes) EXPECT_NE(node.op, op<DimValue>);
}

TEST_F(SpecialiseTest, CallsAreInlinedAndNestedFunctionsFollow) {
  Builder leaf(m, "leaf");
  leaf.result(exp(leaf.param(m.types.tensor(DType::f32, {n}))).id);
  FuncId called = leaf.finish_into_module();
  Builder body(m, "body");
  body.param(m.types.tensor(DType::i32));
  Value a = body.param(x.type());
  body.result(body.emit(op<CallOp>, {a.id}, {{AttrKey::func, called}}, a.type()).id);
  FuncId step = body.finish_into_module();
  Value called_here = b.emit(op<CallOp>, {x.id}, {{AttrKey::func, called}}, x.type());
  b.result(b.emit(op<Loop>, {called_here.id}, {{AttrKey::func, step}, {AttrKey::count, n}, {AttrKey::wrt, Ints{1}}}, x.type()).id);
  auto f = specialise(m, b.func(), with(4));
  ASSERT_TRUE(f);
  EXPECT_TRUE(verify(m, *f).empty()) << print(m, *f);
  EXPECT_EQ(print(m, *f).find("call"), std::string::npos) << print(m, *f);
  EXPECT_EQ(print(m, *f).find("[n]"), std::string::npos) << print(m, *f);
  EXPECT_EQ(d.known(f->nodes.back().attrs.get<DimId>(AttrKey::count)), 4);
}

TEST_F(SpecialiseTest, WhatDoesNotFitIsADiagnostic) {
  b.set_src(m.add(Src{{FileId(0), 7, 9}, {}}));
  b.result(slice(x, {d.constant(0)}, {d.constant(5)}, {1}).id);
  EXPECT_TRUE(specialise(m, b.func(), with(5)));
  auto f = specialise(m, b.func(), with(4));
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, "E0731");
  EXPECT_EQ(f.error().span.begin, 7u);
}

TEST_F(SpecialiseTest, NegativeSizesToo) {
  b.result(iota(b, d.sub(n, d.constant(5))).id);
  EXPECT_FALSE(specialise(m, b.func(), with(4)));
}

}  // namespace
}  // namespace glia::ir
