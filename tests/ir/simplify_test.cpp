// The rules: each fires on its own sample and gives a sound function; what people write becomes what libraries run.
// That both sides of each law are equal is tested where there is an evaluator.
#include <gtest/gtest.h>

#include <map>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/dead.h"
#include "ir/passes/pipeline.h"
#include "ir/passes/simplify.h"
#include "ir/passes/widen.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "ir/verify.h"
#include "samples.h"

namespace glia::ir {
namespace {

TEST(Laws, EachFiresAndIsSound) {
  Module m;
  for (const RuleCase& c : simplify_laws(m)) {
    EXPECT_FALSE(same_func(c.lhs, c.rhs)) << c.name << "\n" << print(m, c.lhs);
    for (const Func* f : {&c.lhs, &c.rhs})
      for (const std::string& problem : verify(m, *f)) ADD_FAILURE() << c.name << ": " << problem;
    ASSERT_EQ(c.lhs.results.size(), c.rhs.results.size());
    EXPECT_EQ(c.lhs[c.lhs.results[0]].type, c.rhs[c.rhs.results[0]].type) << c.name;
    EXPECT_EQ(c.lhs.params.size(), c.rhs.params.size()) << c.name;
  }
}

TEST(Laws, NamesAreUniqueAndEveryRuleHasASample) {
  std::map<std::string_view, int> samples;
  for (std::span<const Rule> table : {algebra_rules(), shape_rules(), contraction_rules()})
    for (const Rule& r : table) samples[r.name] += r.sample ? 1 : 0;
  for (const auto& [name, count] : samples) EXPECT_EQ(count, 1) << name;
}

struct SimplifyTest : testing::Test {
  Module m;
  Builder b{m, "f"};
  Dims& d = m.types.dims;
  Value input(Shape shape, DType t = DType::f32) { return b.param(m.types.tensor(t, std::move(shape))); }
  DimId k(int64_t n) { return d.constant(n); }

  Func after(Func (*pass)(Module&, const Func&), Value v) {
    b.result(v.id);
    Func f = pass(m, b.func());
    for (const std::string& problem : verify(m, f)) ADD_FAILURE() << problem << "\n" << print(m, f);
    return f;
  }
  // The ops of the result that are no parameters, by name.
  std::string ops(const Func& f) {
    std::string text;
    for (const Node& n : f.nodes)
      if (n.op != op<Param>) text += (text.empty() ? "" : " ") + std::string(info(n.op).name);
    return text;
  }
};

TEST_F(SimplifyTest, NestedNegations) {
  Value x = input({k(3)}), y = input({k(3)});
  EXPECT_EQ(ops(after(simplify, x + -(y * -x))), "mul add");
}

TEST_F(SimplifyTest, ScalesCollect) {
  Value x = input({k(3)});
  Func f = after(simplify, 2.0 * ((0.25 * x) / 8.0));
  ASSERT_EQ(ops(f), "const mul");
  EXPECT_EQ(std::get<double>(*f.nodes[1].attrs.find(AttrKey::value)), 0.0625);
}

TEST_F(SimplifyTest, ScalesThatWouldUnderflowStay) {
  Value x = input({k(3)});
  EXPECT_EQ(ops(after(simplify, 1e-30 * (1e-30 * x))), "const mul mul");
}

TEST_F(SimplifyTest, MeanOfRepeatedIsTheValue) {
  Value s = input({});
  Value mean = sum(broadcast(s, {k(8)}, {})) / 8.0;
  EXPECT_EQ(after(simplify, mean).results[0], ValueId(0));
}

TEST_F(SimplifyTest, SumsOfProductsBecomeContractions) {
  DimId n = d.var("n");
  Value x = input({n, k(3)}), w = input({k(4), k(3)});
  Shape all{n, k(4), k(3)};
  Func f = after(recognise, sum(broadcast(x, all, {0, 2}) * broadcast(w, all, {1, 2}), {2}));
  EXPECT_EQ(ops(f), "contract");
}

// The gradient of a matrix averaged over a batch: outer products, summed and scaled, are one product of matrices.
TEST_F(SimplifyTest, MeanOfOuterProductsIsOneContraction) {
  Value x = input({k(32), k(3)}), g = input({k(32), k(4)});
  Value outer = contract(g, x, {0, 1}, {0, 2}, {0, 1, 2});
  Func f = after(recognise, sum((1.0 / 32) * outer, {0}));
  EXPECT_EQ(ops(f), "contract const mul");
  EXPECT_EQ(f.nodes[2].attrs.ints(AttrKey::out).size(), 2u);
}

TEST_F(SimplifyTest, SharedContractionsAreNotDoneTwice) {
  Value x = input({k(5), k(3)}), y = input({k(5), k(4)});
  Value c = contract(x, y, {0, 1}, {0, 2}, {0, 1, 2});
  b.result(c.id);
  EXPECT_EQ(ops(after(recognise, sum(c, {0}))), "contract sum");
}

TEST_F(SimplifyTest, FullProductsStayFused) {
  Value x = input({k(5), k(3)}), y = input({k(5), k(3)});
  EXPECT_EQ(ops(after(recognise, sum(x * y, {1}))), "mul sum");
}

TEST_F(SimplifyTest, ScalarWorkIsDoneOnce) {
  Value s = input({}), x = input({k(100)});
  Value wide = broadcast(s, {k(100)}, {});
  Func f = after(simplify, x * exp(-(wide * wide)));
  EXPECT_EQ(ops(f), "mul neg exp broadcast mul");
  EXPECT_TRUE(m.types.is_scalar(f.nodes[2].type));
}

TEST_F(SimplifyTest, ExactnessIsKept) {
  Value x = input({k(3)});
  EXPECT_EQ(ops(after(simplify, 0.0 * (x + 0.0))), "const add mul");
}

TEST_F(SimplifyTest, DeadCodeGoesAndEffectsStay) {
  Value x = input({k(3)});
  exp(x);
  b.emit(op<Print>, {x.id});
  Func f = remove_dead(m, b.func());
  EXPECT_EQ(ops(f), "print");
  EXPECT_EQ(f.params.size(), 1u);
}

TEST_F(SimplifyTest, NestedFunctionsToo) {
  Builder nb(m, "body");
  nb.param(m.types.tensor(DType::i32));
  Value s = nb.param(m.types.tensor(DType::f32));
  nb.result((s + -nb.emit(op<Neg>, {s.id})).id);
  FuncId body = nb.finish_into_module();
  Value s0 = input({});
  Func f = after(simplify, b.emit(op<Map>, {s0.id}, {{AttrKey::func, body}, {AttrKey::count, k(3)}}, m.types.tensor(DType::f32, {k(3)})));
  EXPECT_EQ(ops(m[f.nodes[1].attrs.func(AttrKey::func)]), "add");
}

TEST_F(SimplifyTest, EveryOpComesThroughThePasses) {
  FuncId f = every_op(m);
  for (auto pass : {simplify, recognise, widen}) {
    Func made = pass(m, m[f]);
    for (const std::string& problem : verify(m, made)) ADD_FAILURE() << problem;
    EXPECT_EQ(made.params.size(), m[f].params.size());
    EXPECT_EQ(made.results.size(), m[f].results.size());
  }
}

TEST_F(SimplifyTest, SimplifyingTwiceChangesNothing) {
  Func once = simplify(m, m[every_op(m)]);
  EXPECT_TRUE(same_func(simplify(m, once), once));
}

TEST_F(SimplifyTest, WidenLeavesNoF32) {
  Value x = input({k(3)});
  Func f = widen(m, b.func());
  EXPECT_EQ(m.types.dtype(f.nodes[0].type), DType::f64);
  Func g = after(widen, cast(0.1 * x, DType::f32));
  for (const Node& n : g.nodes) EXPECT_EQ(m.types.dtype(n.type), DType::f64);
}

TEST_F(SimplifyTest, PipelineRunsAndVerifies) {
  Value w = input({k(2), k(3)}), x = input({k(3)});
  b.result(sum(exp(contract(w, x, {0, 1}, {1}, {0}))).id);
  FuncId loss = m.add(b.finish());
  Builder outer(m, "train");
  Value p = outer.param(m.types.tensor(DType::f32, {k(2), k(3)})), q = outer.param(m.types.tensor(DType::f32, {k(3)}));
  outer.result(outer.emit(op<Grad>, {p.id, q.id}, {{AttrKey::func, loss}, {AttrKey::wrt, Ints{0}}}, p.type()).id);
  auto made = run_pipeline(m, outer.func(), {}, Verify::each);
  ASSERT_TRUE(made) << made.error().message;
  for (const Node& n : made->nodes) EXPECT_NE(n.op, op<Grad>);
  EXPECT_EQ((*made)[made->results[0]].type, p.type());
  auto partly = run_pipeline(m, outer.func(), "simplify");
  ASSERT_TRUE(partly);
  EXPECT_EQ(partly->nodes.back().op, op<Grad>);
}

}  // namespace
}  // namespace glia::ir
