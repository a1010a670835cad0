// The derivative law for values made at run time: lists, variants, folds, recursion, tapes. First and second derivatives
// against finite differences, on random cases.
#include <random>

#include "ir/passes/batch.h"
#include "tests/interp/dynamic_program.h"

namespace glia::interp {
namespace {

struct DynamicLaws : DynamicTest {
  std::mt19937 random{7};

  double draw() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  int64_t below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); }
  Value scalar() { return Tensor::scalar(draw()); }
  static Value integer(int64_t n) { return Tensor::scalar(static_cast<int32_t>(n)); }
  Value some_list(int64_t n) {
    List l;
    for (int64_t i = 0; i < n; ++i) l.elems.push_back(scalar());
    return l;
  }
  Value vector(int64_t n) {
    std::vector<double> xs;
    for (int64_t i = 0; i < n; ++i) xs.push_back(draw());
    return Tensor::of<double>({n}, xs);
  }
  Value some_tree(int64_t size) {
    if (size <= 1) return leaf(draw());
    if (below(4) == 0) return Variant{3, {scalar(), some_tree(size - 1)}};
    const int64_t left = 1 + below(size - 1);
    return node(some_tree(left), some_tree(size - left));
  }

  // With tensors of its own, as the differences move elements where they lie.
  static Value copied(const Value& v) {
    if (v.is_tensor()) {
      Tensor t = Tensor::zeros(v.tensor().dtype, v.tensor().shape);
      std::copy_n(v.tensor().data->data(), static_cast<size_t>(t.size()) * dtype_size(t.dtype), t.data->data());
      return t;
    }
    std::vector<Value> elems;
    for (const Value& e : *v.elems()) elems.push_back(copied(e));
    if (v.is_variant()) return Variant{v.variant().tag, std::move(elems)};
    if (v.is_list()) return List{std::move(elems)};
    return Tuple{std::move(elems)};
  }

  // The derivative of f in argument k along a direction, which comes as one more argument.
  FuncId along(FuncId f, size_t k) {
    const FuncId g = gradient(f, {k});
    std::vector<TypeId> takes;
    for (ir::ValueId p : m[f].params) takes.push_back(m[f][p].type);
    takes.push_back(takes[k]);
    return m.add(make("along", takes, [&](Builder& b, auto& p) {
      std::vector<ir::ValueId> args;
      for (size_t i = 0; i + 1 < p.size(); ++i) args.push_back(p[i].id);
      return std::vector{emit(b, op<ir::VecDot>, {inline_func(b, m[g], args).back(), p.back()}, {}, f64)};
    }));
  }

  // In every argument that varies, and of each of these derivatives along a direction like the argument.
  void check(FuncId f, const std::vector<Value>& args) {
    for (size_t k = 0; k < args.size(); ++k) {
      if (!ir::carries_float(m.types, m[f][m[f].params[k]].type)) continue;
      expect_gradient(f, args, k);
      std::vector<Value> more = args;
      more.push_back(copied(args[k]));
      const FuncId second = along(f, k);
      for (size_t j = 0; j < args.size(); ++j)
        if (ir::carries_float(m.types, m[f][m[f].params[j]].type)) expect_gradient(second, more, j);
    }
  }

  // What the tests end in: one number in which every item has another part.
  ir::Value weighed(Builder& b, ir::Value xs) {
    const FuncId step = m.add(make("weigh", {i32, f64, f64}, [&](Builder&, auto& p) {
      return std::vector{p[1] + sin(p[2] * (0.3 * cast(p[0], DType::f64) + 1.0))};
    }));
    return emit(b, op<ir::Fold>, {emit(b, op<ir::Length>, {xs}), ir::constant(b, 0, DType::f64), xs}, {{AttrKey::func, step}, {AttrKey::wrt, Ints{1, 1}}}, f64);
  }
};

TEST_F(DynamicLaws, RecursionOverTrees) {
  const FuncId f = walk();
  for (int64_t size : {1, 2, 5, 9}) check(f, {some_tree(size), scalar()});
}

// product(t, w) = x at a leaf; at a node left * right + w * left, so that what a call gives is used twice.
TEST_F(DynamicLaws, ResultsOfCallsUsedTwice) {
  const FuncId self = m.reserve("product", {f64, f64});
  const std::vector<TypeId> takes{tree, f64};
  const TypeId both = m.types.tuple({f64, f64});
  auto at_leaf = m.add(make("leaf", takes, [&](Builder& b, auto& p) { return std::vector{field(b, p[0], 0, 0), p[1]}; }));
  auto at_node = m.add(make("node", takes, [&](Builder& b, auto& p) {
    ir::Value l = call(b, self, {field(b, p[0], 1, 0), p[1]}, both), r = call(b, self, {field(b, p[0], 1, 1), sin(p[1])}, both);
    return std::vector{get(l, 0) * get(r, 0) + p[1] * get(l, 1), get(r, 1) * get(l, 0)};
  }));
  m.define(self, make("product", takes, [&](Builder& b, auto& p) {
    ir::Value is = emit(b, op<ir::TagOf>, {p[0]}) == number(b, 0);
    ir::Value r = emit(b, op<ir::If>, {is, p[0], p[1]}, {{AttrKey::func, at_leaf}, {AttrKey::other, at_node}}, both);
    return std::vector{get(r, 0), get(r, 1)};
  }));
  const FuncId f = m.add(make("f", takes, [&](Builder& b, auto& p) { return std::vector{get(call(b, self, {p[0], p[1]}, both), 0)}; }));
  check(f, {leaf(0.4), scalar()});
  check(f, {node(leaf(0.5), node(leaf(-0.7), leaf(1.2))), scalar()});
  check(f, {node(node(leaf(0.5), leaf(0.1)), node(leaf(-0.7), leaf(1.2))), scalar()});
}

// A result that the derivative does not come through gets zeros, and zeros win over an infinite factor.
TEST_F(DynamicLaws, ResultsThatAreNotUsedContributeNothing) {
  const FuncId self = m.reserve("f", {f64, f64});
  const TypeId both = m.types.tuple({f64, f64});
  auto stop = m.add(make("stop", {i32, f64}, [&](Builder&, auto& p) { return std::vector{p[1], sqrt(p[1] - p[1])}; }));
  auto go = m.add(make("go", {i32, f64}, [&](Builder& b, auto& p) {
    ir::Value r = call(b, self, {p[0] - 1.0, p[1]}, both);
    return std::vector{get(r, 0) * p[1], get(r, 1)};
  }));
  m.define(self, make("f", {i32, f64}, [&](Builder& b, auto& p) {
    ir::Value r = emit(b, op<ir::If>, {p[0] == number(b, 0), p[0], p[1]}, {{AttrKey::func, stop}, {AttrKey::other, go}}, both);
    return std::vector{get(r, 0), get(r, 1)};
  }));
  const FuncId f = m.add(make("first", {i32, f64}, [&](Builder& b, auto& p) { return std::vector{get(call(b, self, {p[0], p[1]}, both), 0)}; }));
  EXPECT_DOUBLE_EQ(real(run(gradient(f, {1}), {integer(2), Tensor::scalar(0.5)})[1]), 0.75);
}

TEST_F(DynamicLaws, DeepRecursionNeedsNoStackOfTheCaller) {
  const FuncId f = walk();
  const auto r = run(gradient(f, {0, 1}), {chain(50000), Tensor::scalar(0.5)});
  double sum = 0;
  for (int i = 0; i < 50000; ++i) sum += 1.0 / (1 + i % 7);
  EXPECT_NEAR(real(r[2]), sum, 1e-6);  // of w * w * x at w = 1/2
  EXPECT_EQ(leaves(r[1]).size(), 50000u);
}

// ---- lists ------------------------------------------------------------------------------------------

TEST_F(DynamicLaws, ItemsAppendsAndSlices) {
  for (int64_t n : {1, 2, 5}) {
    const int64_t at = below(n), start = below(n), stop = start + below(n - start + 1);
    for (int64_t step : {1, 2, -1, -3}) {
      const FuncId f = m.add(make("f", {reals, f64}, [&](Builder& b, auto& p) {
        ir::Value item = emit(b, op<ir::Item>, {p[0], number(b, at)}, {}, f64);
        ir::Value more = emit(b, op<ir::Append>, {p[0], item * p[1]});
        ir::Value part = emit(b, op<ir::ListSlice>, {more, number(b, start), number(b, stop), number(b, step)});
        ir::Value again = emit(b, op<ir::ListAdd>, {p[0], number(b, start), number(b, stop), number(b, step), part});
        ir::Value all = emit(b, op<ir::ListConcat>, {part, emit(b, op<ir::ListReverse>, {again}), more});
        return std::vector{weighed(b, all) * item};
      }));
      check(f, {some_list(n), scalar()});
    }
  }
}

TEST_F(DynamicLaws, ListsOfListsAndOfTensors) {
  const ir::DimId n = m.types.dims.fresh("n"), k = m.types.dims.fresh("k"), any = m.types.dims.unknown();
  const TypeId rows = m.types.list(m.types.tensor(DType::f64, {any})), table = m.types.tensor(DType::f64, {n, k});
  const FuncId f = m.add(make("f", {rows, reals}, [&](Builder& b, auto& p) {
    ir::Value t = emit(b, op<ir::Stack>, {p[0]}, {}, table);
    ir::Value back = emit(b, op<ir::Unstack>, {t * t}, {}, rows);
    ir::Value row = emit(b, op<ir::Item>, {back, number(b, 1)}, {}, m.types.tensor(DType::f64, {k}));
    ir::Value nested = emit(b, op<ir::MakeList>, {p[1], emit(b, op<ir::ListReverse>, {p[1]})}, {}, m.types.list(reals));
    ir::Value inner = emit(b, op<ir::Item>, {nested, number(b, 1)}, {}, reals);
    return std::vector{sum(sin(t)) + sum(exp(row)) * weighed(b, inner) + weighed(b, p[1])};
  }));
  check(f, {List{{vector(3), vector(3)}}, some_list(4)});
  check(f, {List{{vector(1), vector(1), vector(1)}}, some_list(0)});
}

TEST_F(DynamicLaws, ValuesAsVectors) {
  const TypeId pair = m.types.tuple({tree, i32, reals});
  const FuncId f = m.add(make("f", {pair, f64}, [&](Builder& b, auto& p) {
    ir::Value twice = emit(b, op<ir::VecScale>, {emit(b, op<ir::VecAdd>, {p[0], p[0]}), sin(p[1])});
    return std::vector{emit(b, op<ir::VecDot>, {twice, p[0]}, {}, f64) + weighed(b, get(twice, 2)) * emit(b, op<ir::VecDot>, {emit(b, op<ir::VecZeros>, {p[0]}), twice}, {}, f64)};
  }));
  check(f, {Tuple{{some_tree(4), integer(7), some_list(2)}}, scalar()});
}

// ---- folds ------------------------------------------------------------------------------------------

// Two states of which one starts without a derivative, an integer beside them, two lists of which one is longer than the
// count, an out, and a shared list that is read at places.
TEST_F(DynamicLaws, FoldsOfEveryPart) {
  const FuncId step = m.add(make("step", {i32, f64, f64, i32, f64, f64, f64, reals}, [&](Builder& b, auto& p) {
    ir::Value read = emit(b, op<ir::Item>, {p[7], p[0]}, {}, f64);
    ir::Value s = sin(p[1] * p[6] + p[4]) + read * p[2];
    return std::vector{s, p[2] + p[1] * cast(p[3], DType::f64), p[3] + 1.0, s * p[5]};
  }));
  const FuncId f = m.add(make("f", {i32, f64, reals, reals, f64, reals}, [&](Builder& b, auto& p) {
    const Attrs attrs{{AttrKey::func, step}, {AttrKey::wrt, Ints{3, 2}}};
    ir::Value all = emit(b, op<ir::Fold>, {p[0], p[1], ir::constant(b, 0.5, DType::f64), number(b, 1), p[2], p[3], p[4], p[5]}, attrs,
                         m.types.tuple({f64, f64, i32, reals}));
    return std::vector{get(all, 0) * get(all, 1) + weighed(b, get(all, 3))};
  }));
  for (int64_t n : {0, 1, 4}) check(f, {integer(n), scalar(), some_list(n), some_list(n + 2), scalar(), some_list(n)});
}

// A state that grows: appended to where the item is large enough.
TEST_F(DynamicLaws, FiltersAndGrowingStates) {
  const FuncId keep = m.add(make("keep", {reals, f64, f64}, [&](Builder& b, auto& p) { return std::vector{emit(b, op<ir::Append>, {p[0], p[1] * p[2]})}; }));
  const FuncId skip = m.add(make("skip", {reals, f64, f64}, [&](Builder&, auto& p) { return std::vector{p[0]}; }));
  const FuncId step = m.add(make("step", {i32, reals, f64, f64}, [&](Builder& b, auto& p) {
    return std::vector{emit(b, op<ir::If>, {p[2] > 0.0, p[1], p[2], p[3]}, {{AttrKey::func, keep}, {AttrKey::other, skip}}, reals)};
  }));
  const FuncId f = m.add(make("f", {reals, f64}, [&](Builder& b, auto& p) {
    ir::Value none = emit(b, op<ir::MakeList>, {}, {}, reals), count = emit(b, op<ir::Length>, {p[0]});
    return std::vector{weighed(b, emit(b, op<ir::Fold>, {count, none, p[0], p[1]}, {{AttrKey::func, step}, {AttrKey::wrt, Ints{1, 1}}}, reals))};
  }));
  for (int64_t n : {0, 1, 7}) check(f, {some_list(n), scalar()});
}

TEST_F(DynamicLaws, WhileWithAList) {
  const FuncId step = m.add(make("step", {i32, reals, f64}, [&](Builder& b, auto& p) {
    return std::vector{p[0] + 1.0, emit(b, op<ir::Append>, {p[1], sin(emit(b, op<ir::Item>, {p[1], p[0]}, {}, f64)) * p[2]})};
  }));
  const FuncId more = m.add(make("more", {i32, reals, f64}, [&](Builder& b, auto& p) { return std::vector{p[0] < number(b, 4)}; }));
  const FuncId f = m.add(make("f", {reals, f64}, [&](Builder& b, auto& p) {
    const Attrs attrs{{AttrKey::func, step}, {AttrKey::other, more}, {AttrKey::wrt, Ints{2}}};
    return std::vector{weighed(b, get(emit(b, op<ir::While>, {number(b, 0), p[0], p[1]}, attrs, m.types.tuple({i32, reals})), 1))};
  }));
  check(f, {some_list(1), scalar()});
  check(f, {some_list(3), scalar()});
}

// Maps and loops over lists, with a call of a recursive function in each step.
TEST_F(DynamicLaws, MapsLoopsAndScansOverLists) {
  const FuncId deep = walk();
  const ir::DimId four = m.types.dims.constant(4);
  const TypeId vec = m.types.tensor(DType::f64, {four});
  const FuncId each = m.add(make("each", {i32, reals, tree, f64}, [&](Builder& b, auto& p) {
    return std::vector{emit(b, op<ir::Item>, {p[1], p[0]}, {}, f64) * call(b, deep, {p[2], p[3]}, f64)};
  }));
  const FuncId step = m.add(make("step", {i32, f64, reals, tree, f64}, [&](Builder& b, auto& p) {
    return std::vector{sin(p[1]) + emit(b, op<ir::Item>, {p[2], p[0]}, {}, f64) * call(b, deep, {p[3], p[4] * p[1]}, f64)};
  }));
  const Attrs map{{AttrKey::func, each}, {AttrKey::count, four}}, loop{{AttrKey::func, step}, {AttrKey::count, four}, {AttrKey::wrt, Ints{1}}};
  const FuncId f = m.add(make("f", {reals, tree, f64}, [&](Builder& b, auto& p) {
    ir::Value rows = emit(b, op<ir::Map>, {p[0], p[1], p[2]}, map, vec), states = emit(b, op<ir::Scan>, {p[2], p[0], p[1], p[2]}, loop, vec);
    return std::vector{sum(rows * states) + emit(b, op<ir::Loop>, {p[2], p[0], p[1], p[2]}, loop, f64)};
  }));
  check(f, {some_list(4), some_tree(3), scalar()});
}

// ---- what runs again, and what has no derivative ----------------------------------------------------

TEST_F(DynamicLaws, RecomputeKeepsNothing) {
  const FuncId deep = walk();
  const FuncId body = m.add(make("again", {tree, f64}, [&](Builder& b, auto& p) { return std::vector{sin(call(b, deep, {p[0], p[1]}, f64)) * p[1]}; }));
  const FuncId f = m.add(make("f", {tree, f64}, [&](Builder& b, auto& p) {
    ir::Value y = emit(b, op<ir::Recompute>, {p[0], p[1]}, {{AttrKey::func, body}}, f64);
    return std::vector{y * y};
  }));
  check(f, {some_tree(3), scalar()});
  const ir::Func& d = m[gradient(f, {0, 1})];
  EXPECT_EQ(std::count_if(d.nodes.begin(), d.nodes.end(), [](const ir::Node& n) { return n.op == op<ir::Recompute>; }), 2);
  EXPECT_TRUE(std::none_of(d.nodes.begin(), d.nodes.end(), [](const ir::Node& n) { return n.op == op<ir::CallOp> || n.op == op<ir::Pack>; }));
}

TEST_F(DynamicLaws, BatchesAreRefusedAndDoNotCrash) {
  const FuncId f = walk(), d = gradient(f, {0, 1});
  for (FuncId id : {f, d})
    for (std::vector<bool> flags : {std::vector{true, false}, {false, true}, {true, true}}) {
      auto made = ir::batch(m, id, flags, m.types.dims.constant(3));
      if (!made) EXPECT_EQ(made.error().code, "E0711");
      else EXPECT_TRUE(ir::verify(m, m[made->func]).empty());
    }
}

}  // namespace
}  // namespace glia::interp
