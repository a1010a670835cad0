// Lists, variants, folds and deep recursion in the reference evaluator.
#include "interp/format.h"
#include "tests/interp/dynamic_program.h"

namespace glia::interp {

TEST_F(DynamicTest, RecursionOverATree) {
  const FuncId f = walk();
  const Value t = node(leaf(0.5), node(leaf(1), leaf(2)));
  EXPECT_NEAR(real(run(f, {t, Tensor::scalar(2.0)})[0]), std::sin(1) + std::sin(2) + std::sin(4), 1e-12);
}

TEST_F(DynamicTest, RecursionGoesDeepAndAFaultEndsIt) {
  const FuncId f = walk();
  double sum = 0;
  for (int i = 0; i < 50000; ++i) sum += 1.0 / (1 + i % 7);
  EXPECT_NEAR(real(run(f, {chain(50000), Tensor::scalar(1.0)})[0]), sum, 1e-6);
  auto r = evaluate(m, m[f], std::vector<Value>{chain(150000), Tensor::scalar(1.0)});
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().message, "calls are nested more than 100000 deep in `walk`");
  EXPECT_EQ(r.error().help, "does the recursion end?");
  EvalOptions little;
  little.own_stack = size_t{16} << 20;
  EXPECT_FALSE(evaluate(m, m[f], std::vector<Value>{chain(99000), Tensor::scalar(1.0)}, little));
}

TEST_F(DynamicTest, DeepValuesEndWithoutRecursion) {
  Value v = chain(1'000'000);
  v = Tuple{};
  Value list;
  for (int i = 0; i < 1'000'000; ++i) list = List{{std::move(list)}};
  EXPECT_TRUE(list.is_list());
  EXPECT_FALSE(format_value(chain(100000)).empty());
}

TEST_F(DynamicTest, ListOps) {
  const FuncId f = m.add(make("f", {reals, f64}, [&](Builder& b, auto& p) {
    ir::Value more = emit(b, op<ir::Append>, {p[0], p[1]}), n = emit(b, op<ir::Length>, {more});
    ir::Value down = emit(b, op<ir::ListSlice>, {more, number(b, 1), n, number(b, -2)});
    ir::Value both = emit(b, op<ir::ListConcat>, {more, down, emit(b, op<ir::ListReverse>, {more})});
    ir::Value sum = emit(b, op<ir::ListAdd>, {more, number(b, 0), number(b, 2), number(b, 1), emit(b, op<ir::ListSlice>, {more, number(b, 0), number(b, 2), number(b, 1)})});
    return std::vector{n, both, emit(b, op<ir::Item>, {more, number(b, 2)}, {}, f64), sum};
  }));
  const auto r = run(f, {list({1, 2, 3}), Tensor::scalar(4.0)});
  EXPECT_EQ(format_value(r[0]), "4");
  EXPECT_EQ(format_value(r[1]), "[1, 2, 3, 4, 4, 2, 4, 3, 2, 1]");
  EXPECT_EQ(format_value(r[2]), "3");
  EXPECT_EQ(format_value(r[3]), "[2, 4, 3, 4]");
}

TEST_F(DynamicTest, FaultsOfLists) {
  const FuncId item = m.add(make("f", {reals, i32}, [&](Builder& b, auto& p) { return std::vector{emit(b, op<ir::Item>, {p[0], p[1]}, {}, f64)}; }));
  EXPECT_EQ(fault(item, {list({1, 2}), Tensor::scalar<int32_t>(2)}), "there is no item 2 in a list of 2");
  EXPECT_EQ(fault(item, {list({1, 2}), Tensor::scalar<int32_t>(-1)}), "there is no item -1 in a list of 2");
  const FuncId slice = m.add(make("f", {reals, i32, i32, i32}, [&](Builder& b, auto& p) { return std::vector{emit(b, op<ir::ListSlice>, p)}; }));
  auto i = [](int32_t n) { return Value(Tensor::scalar<int32_t>(n)); };
  EXPECT_EQ(fault(slice, {list({1, 2}), i(0), i(3), i(1)}), "there is no slice from 0 to 3 of a list of 2");
  EXPECT_EQ(fault(slice, {list({1, 2}), i(2), i(1), i(1)}), "there is no slice from 2 to 1 of a list of 2");
  EXPECT_EQ(fault(slice, {list({1, 2}), i(0), i(1), i(0)}), "a slice in steps of 0");
}

TEST_F(DynamicTest, StackBindsTheLeadingSize) {
  const ir::DimId n = m.types.dims.fresh("n"), k = m.types.dims.fresh("k");
  const TypeId rows = m.types.list(m.types.tensor(DType::f64, {m.types.dims.unknown()}));
  const FuncId f = m.add(make("f", {rows}, [&](Builder& b, auto& p) {
    ir::Value x = emit(b, op<ir::Stack>, {p[0]}, {}, m.types.tensor(DType::f64, {n, k}));
    return std::vector{sum(x), dim_value(b, n), dim_value(b, k), emit(b, op<ir::Unstack>, {x}, {}, rows)};
  }));
  auto v = [](std::vector<double> xs) { return Value(Tensor::of<double>({static_cast<int64_t>(xs.size())}, xs)); };
  const auto r = run(f, {List{{v({1, 2}), v({3, 4}), v({5, 6})}}});
  EXPECT_EQ(real(r[0]), 21);
  EXPECT_EQ(format_value(r[1]) + format_value(r[2]), "32");
  EXPECT_EQ(format_value(r[3]), "[[1, 2], [3, 4], [5, 6]]");
  EXPECT_EQ(fault(f, {List{{v({1, 2}), v({3})}}}), "item 1 has the shape [1], item 0 has [2]");
}

TEST_F(DynamicTest, VariantsPrintByTheirCases) {
  m.variants["Shape"] = {{"Dot", {}, {}}, {"Text", {"n", "s"}, {i32, m.types.str()}}};
  const TypeId shape = m.types.variant("Shape");
  const Value v = Variant{1, {Tensor::scalar<int32_t>(2), std::string("x")}};
  EXPECT_EQ(format_value(v, &m.types, shape, &m), "Text(2, \"x\")");
  EXPECT_EQ(format_value(Variant{0, {}}, &m.types, shape, &m), "Dot");
  const FuncId f = m.add(make("f", {tree}, [&](Builder& b, auto& p) { return std::vector{field(b, p[0], 0, 0)}; }));
  EXPECT_EQ(fault(f, {Variant{2, {}}}), "this is Nil, not Leaf");
}

// The list is moved from step to step: its items lie where they lay, but for the few times that a growing vector moves.
TEST_F(DynamicTest, GrowingAListIsNotQuadratic) {
  const FuncId step = m.add(make("step", {i32, reals, i32}, [&](Builder& b, auto& p) {
    ir::Value spot = emit(b, op<ir::HostCall>, {p[1]}, {{AttrKey::text, std::string("spot")}}, i32);
    return std::vector{p[0] + 1.0 + spot, emit(b, op<ir::Append>, {p[1], cast(p[0], DType::f64)})};
  }));
  const FuncId more = m.add(make("more", {i32, reals, i32}, [&](Builder&, auto& p) { return std::vector{p[0] < p[2]}; }));
  const FuncId f = m.add(make("f", {reals, i32}, [&](Builder& b, auto& p) {
    const Attrs attrs{{AttrKey::func, step}, {AttrKey::other, more}, {AttrKey::wrt, Ints{2}}};
    return std::vector{get(emit(b, op<ir::While>, {number(b, 0), p[0], p[1]}, attrs, m.types.tuple({i32, reals})), 1)};
  }));
  const Value* spot = nullptr;
  int moves = 0;
  HostFunctions host;
  host["spot"] = [&](std::span<const Value> args, const Attrs&, TypeId, const ir::Module&) -> std::expected<Value, Fault> {
    const Value* now = args[0].list().elems.data();
    moves += now != spot;
    spot = now;
    return Value(Tensor::scalar<int32_t>(0));
  };
  EvalOptions options;
  options.host = &host;
  const auto r = evaluate(m, m[f], std::vector<Value>{list({}), Tensor::scalar<int32_t>(5000)}, options);
  ASSERT_TRUE(r);
  EXPECT_EQ(list_size((*r)[0]), 5000);
  EXPECT_LT(moves, 40);
}

TEST_F(DynamicTest, FoldGivesStatesAndOuts) {
  const FuncId step = m.add(make("step", {i32, f64, f64, f64}, [&](Builder&, auto& p) {
    ir::Value s = p[1] * p[3] + p[2];
    return std::vector{s, s * s};
  }));
  const FuncId f = m.add(make("f", {i32, f64, reals, f64}, [&](Builder& b, auto& p) {
    ir::Value all = emit(b, op<ir::Fold>, p, {{AttrKey::func, step}, {AttrKey::wrt, Ints{1, 1}}}, m.types.tuple({f64, reals}));
    return std::vector{get(all, 0), get(all, 1)};
  }));
  const auto r = run(f, {Tensor::scalar<int32_t>(3), Tensor::scalar(1.0), list({1, 2, 3, 4}), Tensor::scalar(2.0)});
  EXPECT_EQ(real(r[0]), 19);
  EXPECT_EQ(format_value(r[1]), "[9, 64, 361]");
  EXPECT_EQ(fault(f, {Tensor::scalar<int32_t>(5), Tensor::scalar(1.0), list({1}), Tensor::scalar(2.0)}), "a list of 1 items where 5 are read");
}

TEST_F(DynamicTest, VectorOps) {
  const TypeId pair = m.types.tuple({tree, i32, reals});
  const FuncId f = m.add(make("f", {pair, f64}, [&](Builder& b, auto& p) {
    ir::Value twice = emit(b, op<ir::VecAdd>, {p[0], p[0]});
    return std::vector{emit(b, op<ir::VecDot>, {twice, p[0]}, {}, f64), emit(b, op<ir::VecScale>, {twice, p[1]}), emit(b, op<ir::VecZeros>, {p[0]})};
  }));
  const Value v = Tuple{{node(leaf(1), leaf(2)), Tensor::scalar<int32_t>(7), list({3})}};
  const auto r = run(f, {v, Tensor::scalar(0.5)});
  EXPECT_EQ(real(r[0]), 28);
  EXPECT_EQ(format_value(r[1], &m.types, pair, &m), "(Node(Leaf(1), Leaf(2)), 7, [3])");
  EXPECT_EQ(format_value(r[2], &m.types, pair, &m), "(Node(Leaf(0), Leaf(0)), 7, [0])");
  const FuncId add = m.add(make("f", {tree, tree}, [&](Builder& b, auto& p) { return std::vector{emit(b, op<ir::VecAdd>, p)}; }));
  EXPECT_EQ(fault(add, {leaf(1), Variant{2, {}}}), "values of different structure: case 0 and case 2");
  EXPECT_EQ(format_value(run(add, {chain(60000), chain(60000)})[0]).substr(0, 6), "case 3");
}

}  // namespace glia::interp
