// The verifier: each broken function is named for what is broken.
#include <gtest/gtest.h>

#include "ir/ops/all.h"
#include "ir/value.h"
#include "ir/verify.h"
#include "samples.h"

namespace glia::ir {
namespace {

struct VerifyTest : testing::Test {
  Module m;
  TypeId s = m.types.tensor(DType::f32), i = m.types.tensor(DType::i32), c = m.types.tensor(DType::boolean);

  Func simple() {
    Builder b(m, "f");
    Value x = b.param(s);
    b.result(exp(x).id);
    return b.finish();
  }
  FuncId nested(std::vector<TypeId> params, TypeId result) {
    Builder b(m, "g");
    Value found;
    for (TypeId t : params) {
      Value p = b.param(t);
      if (t == result) found = p;
    }
    b.result(found.id);
    return b.finish_into_module();
  }
  std::string first(const Func& f, Stage stage = Stage::any) {
    auto problems = verify(m, f, stage);
    return problems.empty() ? "" : problems[0];
  }
  bool says(const Func& f, std::string_view what) { return first(f).find(what) != std::string::npos; }
  // One node with nested functions over parameters of the types.
  Func with(OpId op, std::vector<TypeId> args, Attrs attrs, TypeId type) {
    Func f;
    f.name = "outer";
    std::vector<ValueId> ids;
    for (TypeId t : args) {
      ids.push_back(ValueId(f.nodes.size()));
      f.nodes.push_back({ir::op<Param>, t, {}, {}, {}});
    }
    f.params = ids;
    f.nodes.push_back({op, type, ids, std::move(attrs), {}});
    return f;
  }
};

TEST_F(VerifyTest, SoundFunctions) {
  EXPECT_EQ(first(simple()), "");
  EXPECT_EQ(first(m[every_op(m)]), "");
}

TEST_F(VerifyTest, Structure) {
  Func f = simple();
  f.nodes[1].args[0] = ValueId(1);
  EXPECT_TRUE(says(f, "does not come before it"));
  f = simple(), f.nodes[1].args.clear();
  EXPECT_TRUE(says(f, "takes 1 arguments, has 0"));
  f = simple(), f.nodes[1].type = {};
  EXPECT_TRUE(says(f, "has no type"));
  f = simple(), f.nodes[1].type = i;
  EXPECT_TRUE(says(f, "has type i32, its arguments give f32"));
  f = simple(), f.results[0] = ValueId(9);
  EXPECT_TRUE(says(f, "result %9 does not exist"));
  f = simple(), f.params.clear();
  EXPECT_TRUE(says(f, "is not listed once as a parameter"));
  f = simple(), f.params.push_back(ValueId(1));
  EXPECT_TRUE(says(f, "is listed as a parameter"));
  f = simple(), f.nodes[1].op = OpId(5000);
  EXPECT_TRUE(says(f, "no op"));
}

TEST_F(VerifyTest, Concrete) {
  Builder b(m, "f");
  b.param(m.types.tensor(DType::any_float));
  b.param(m.types.tensor(DType::f32, {m.types.dims.pack("s")}));
  Func f = b.finish();
  EXPECT_EQ(first(f), "");
  EXPECT_EQ(verify(m, f, Stage::concrete).size(), 2u);
}

TEST_F(VerifyTest, NestedFunctions) {
  DimId n = m.types.dims.var("n");
  FuncId takes_s = nested({s}, s), step = nested({i, s}, s);
  TypeId stack = m.types.tensor(DType::f32, {n});
  EXPECT_EQ(first(with(op<CallOp>, {s}, {{AttrKey::func, takes_s}}, s)), "");
  EXPECT_TRUE(says(with(op<CallOp>, {i}, {{AttrKey::func, takes_s}}, s), "takes (f32), is given (i32)"));
  EXPECT_TRUE(says(with(op<CallOp>, {s}, {{AttrKey::func, takes_s}}, i), "its functions give f32"));
  EXPECT_TRUE(says(with(op<CallOp>, {s}, {{AttrKey::func, FuncId(77)}}, s), "does not exist"));
  EXPECT_TRUE(says(with(op<CallOp>, {s}, {}, s), "lacks its attribute func"));
  EXPECT_EQ(first(with(op<If>, {c, s}, {{AttrKey::func, takes_s}, {AttrKey::other, takes_s}}, s)), "");
  EXPECT_TRUE(says(with(op<If>, {s, s}, {{AttrKey::func, takes_s}, {AttrKey::other, takes_s}}, s), "no bool"));
  EXPECT_EQ(first(with(op<Map>, {s}, {{AttrKey::func, step}, {AttrKey::count, n}}, stack)), "");
  EXPECT_TRUE(says(with(op<Map>, {s}, {{AttrKey::func, step}, {AttrKey::count, n}}, s), "give f32[n]"));
  EXPECT_EQ(first(with(op<Loop>, {s}, {{AttrKey::func, step}, {AttrKey::count, n}, {AttrKey::wrt, Ints{1}}}, s)), "");
  EXPECT_TRUE(says(with(op<Loop>, {s}, {{AttrKey::func, step}, {AttrKey::count, n}, {AttrKey::wrt, Ints{2}}}, s), "number of states"));
  EXPECT_TRUE(says(with(op<Scan>, {s}, {{AttrKey::func, step}, {AttrKey::count, n}, {AttrKey::wrt, Ints{1}}}, s), "give f32[n]"));
  EXPECT_TRUE(says(with(op<While>, {s}, {{AttrKey::func, takes_s}, {AttrKey::other, takes_s}, {AttrKey::wrt, Ints{1}}}, s), "no bool"));
  EXPECT_TRUE(says(with(op<Grad>, {s}, {{AttrKey::func, takes_s}, {AttrKey::wrt, Ints{3}}}, s), "no argument 3"));
}

TEST_F(VerifyTest, InsideNestedFunctions) {
  Func broken = simple();
  broken.nodes[1].type = i;
  FuncId id = m.add(std::move(broken));
  EXPECT_TRUE(says(with(op<CallOp>, {s}, {{AttrKey::func, id}}, i), "has type i32"));
}

}  // namespace
}  // namespace glia::ir
