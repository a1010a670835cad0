// Statements keep their values for later ones; what goes wrong in them has a place.
#include "train/session.h"

#include <gtest/gtest.h>

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::train {
namespace {

struct Statements : testing::Test {
  ir::Module m;
  Diagnostics diags;
  Session session{m, diags, {42, nullptr, nullptr}};
  ir::TypeId i32 = m.types.tensor(DType::i32);
};

TEST_F(Statements, ValuesAreKept) {
  ir::Builder one(m, "one");
  one.result(ir::constant_int(one, 20, DType::i32).id);
  ASSERT_TRUE(session.run({one.finish_into_module(), {}, {GlobalId(1)}}));
  ir::Builder twice(m, "twice");
  ir::Value x = twice.param(i32);
  twice.result((x + x).id);
  ASSERT_TRUE(session.run({twice.finish_into_module(), {GlobalId(1)}, {GlobalId(2)}}));
  EXPECT_EQ(session.integer(GlobalId(2)), 40);
  EXPECT_EQ(session.integer(GlobalId(7)), std::nullopt);
}

TEST_F(Statements, TheSeedCanChange) {
  EXPECT_EQ(session.seed(), 42);
  session.host().seed(7);
  EXPECT_EQ(session.seed(), 7);
}

TEST_F(Statements, AFaultNamesThePlaceAndTheCall) {
  Sources sources;
  const FileId file = sources.add("p.ml", "fn f(x) = x // 0\nf(3)\n");
  const ir::SrcId call = m.add(ir::Src{Span{file, 17, 21}, {}});
  const ir::SrcId inside = m.add(ir::Src{Span{file, 10, 16}, call});
  ir::Builder b(m, "statement");
  ir::Value x = b.param(i32), y = b.param(i32);
  b.set_src(inside);
  b.result(b.emit(*ir::op_from_name("floordiv"), {x.id, y.id}).id);
  const ir::FuncId f = b.finish_into_module();
  ir::Builder zero(m, "zero");
  zero.result(ir::constant_int(zero, 0, DType::i32).id);
  ASSERT_TRUE(session.run({zero.finish_into_module(), {}, {GlobalId(1)}}));
  EXPECT_FALSE(session.run({f, {GlobalId(1), GlobalId(1)}, {GlobalId(2)}}));
  ASSERT_EQ(diags.all().size(), 1u);
  const Diagnostic& d = diags.all()[0];
  EXPECT_EQ(d.code, "E0601");
  EXPECT_EQ(sources.text(d.span), "x // 0");
  ASSERT_EQ(d.labels.size(), 1u);
  EXPECT_EQ(sources.text(d.labels[0].span), "f(3)");
  // What needs the value says nothing more.
  EXPECT_FALSE(session.run({f, {GlobalId(2), GlobalId(2)}, {GlobalId(3)}}));
  EXPECT_EQ(diags.all().size(), 1u);
}

}  // namespace
}  // namespace glia::train
