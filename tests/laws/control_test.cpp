// The laws of control: branches, maps and loops, their derivatives (also of second order) and batches.
#include <gtest/gtest.h>

#include "ir/passes/batch.h"
#include "ir/passes/differentiate.h"
#include "tests/laws/laws.h"

namespace glia::laws {
namespace {

using namespace ir;

struct Control : testing::Test {
  Module m;
  TypeId f64 = m.types.tensor(DType::f64), i32 = m.types.tensor(DType::i32);

  TypeId vec(int64_t n) { return m.types.tensor(DType::f64, {m.types.dims.constant(n)}); }
  TypeId mat(int64_t n, int64_t k) { return m.types.tensor(DType::f64, {m.types.dims.constant(n), m.types.dims.constant(k)}); }
  DimId dim(int64_t n) { return m.types.dims.constant(n); }

  FuncId func(const std::vector<TypeId>& params, const std::function<std::vector<Value>(Builder&, std::vector<Value>)>& body) {
    Builder b(m, "f");
    std::vector<Value> p;
    for (TypeId t : params) p.push_back(b.param(t));
    for (const Value& v : body(b, p)) b.result(v.id);
    return b.finish_into_module();
  }
  static Value emit(OpId op, const std::vector<Value>& args, const Attrs& attrs, TypeId type) {
    std::vector<ValueId> ids;
    for (const Value& v : args) ids.push_back(v.id);
    return args[0].b->emit(op, ids, attrs, type);
  }
  static interp::Value data(const std::vector<int64_t>& shape, int seed) {
    Tensor t = Tensor::zeros(DType::f64, shape);
    std::mt19937 random(static_cast<uint32_t>(seed));
    for (double& x : t.as<double>()) x = std::uniform_real_distribution<double>(-1, 1)(random);
    return t;
  }

  // First and second derivatives, after expanding maps too, and batches over each choice of parameters.
  void check(FuncId f, const std::function<std::vector<interp::Value>(int)>& make, const std::string& what) {
    std::vector<interp::Value> args = make(1);
    check_derivative(m, {f, args, {}}, what);
    std::vector<size_t> wrt = float_params(m, f);
    auto derived = value_and_grad(m, f, wrt);
    ASSERT_TRUE(derived.has_value()) << derived.error().message;
    FuncId straight = m.add(expand_maps(m, m[*derived]));
    auto a = run(m, *derived, args), b = run(m, straight, args);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i)
      for (int64_t e = 0; e < a[i].tensor().size(); ++e)
        EXPECT_NEAR(interp::element_real(a[i].tensor(), e), interp::element_real(b[i].tensor(), e), 1e-12) << what << " expanded";
    check_derivative(m, {norm_of(*derived), args, {}}, "second derivative of " + what, 1e-5);
    check_derivative(m, {norm_of(straight), args, {}}, "second derivative of expanded " + what, 1e-5);
    for (size_t k = 0; k <= args.size(); ++k) {
      std::vector<bool> flags(args.size(), k == args.size());
      if (k < args.size()) flags[k] = true;
      RowData rows_data;
      for (int r = 0; r < rows; ++r) {
        auto row = make(10 + r);
        for (size_t i = 0; i < row.size(); ++i)
          if (!flags[i]) row[i] = args[i];
        rows_data.push_back(row);
      }
      check_batched(m, f, rows_data, flags, what);
      check_batched(m, *derived, rows_data, flags, "derivative of " + what);
    }
  }
  FuncId norm_of(FuncId derived) {
    std::vector<TypeId> types;
    for (ValueId p : m[derived].params) types.push_back(m[derived][p].type);
    return func(types, [&](Builder& b, std::vector<Value> p) {
      std::vector<ValueId> ids;
      for (const Value& v : p) ids.push_back(v.id);
      std::vector<Value> all = inline_func(b, m[derived], ids);
      Value total = constant(b, 0, DType::f64);
      for (size_t i = 1; i < all.size(); ++i) total = total + sum(all[i] * all[i]);
      return std::vector<Value>{total};
    });
  }
};

TEST_F(Control, BranchOnData) {
  FuncId yes = func({vec(3), f64}, [](Builder&, auto p) { return std::vector<Value>{p[0] * p[1], sum(sin(p[0]))}; });
  FuncId no = func({vec(3), f64}, [](Builder&, auto p) { return std::vector<Value>{exp(p[0]), p[1] * p[1]}; });
  TypeId both = m.types.tuple({vec(3), f64});
  FuncId f = func({vec(3), f64}, [&](Builder&, auto p) {
    Value r = emit(op<If>, {p[1] > 0.0, p[0], p[1]}, {{AttrKey::func, yes}, {AttrKey::other, no}}, both);
    return std::vector<Value>{sum(get(r, 0) * p[0]) * get(r, 1)};
  });
  check(f, [](int seed) { return std::vector<interp::Value>{data({3}, seed), data({}, seed)}; }, "if");
}

TEST_F(Control, MapOverRowsWithSharedWeights) {
  FuncId body = func({i32, mat(4, 3), vec(3)}, [](Builder& b, auto p) {
    Value x = gather(p[1], p[0]);
    return std::vector<Value>{sin(x) * p[2], sum(x * p[2]) * cast(p[0], DType::f64) + constant(b, 1, DType::f64)};
  });
  TypeId both = m.types.tuple({mat(4, 3), vec(4)});
  FuncId f = func({mat(4, 3), vec(3)}, [&](Builder&, auto p) {
    Value r = emit(op<Map>, {p[0], p[1]}, {{AttrKey::func, body}, {AttrKey::count, dim(4)}}, both);
    return std::vector<Value>{sum(square(get(r, 0))) + sum(sin(get(r, 1)))};
  });
  check(f, [](int seed) { return std::vector<interp::Value>{data({4, 3}, seed), data({3}, seed + 1)}; }, "map");
}

// A recurrent cell: x[t] row by row, weights shared by all steps.
FuncId cell(Control& c, int64_t steps) {
  return c.func({c.i32, c.vec(2), c.mat(steps, 3), c.mat(2, 2), c.mat(2, 3)}, [](Builder& b, std::vector<Value> p) {
    Value x = gather(p[2], p[0]);
    return std::vector<Value>{b.emit(op<Tanh>, {(contract(p[3], p[1], {0, 1}, {1}, {0}) + contract(p[4], x, {0, 1}, {1}, {0})).id})};
  });
}

std::vector<interp::Value> cell_data(int64_t steps, int seed) {
  return {Control::data({2}, seed), Control::data({steps, 3}, seed + 1), Control::data({2, 2}, seed + 2), Control::data({2, 3}, seed + 3)};
}

TEST_F(Control, LoopGivesTheLastState) {
  for (int64_t steps : {0, 1, 4}) {
    FuncId body = cell(*this, steps);
    FuncId f = func({vec(2), mat(steps, 3), mat(2, 2), mat(2, 3)}, [&](Builder&, auto p) {
      Value h = emit(op<Loop>, p, {{AttrKey::func, body}, {AttrKey::count, dim(steps)}, {AttrKey::wrt, Ints{1}}}, vec(2));
      return std::vector<Value>{sum(h * h)};
    });
    check(f, [=](int seed) { return cell_data(steps, seed); }, fmt::format("loop of {} steps", steps));
  }
}

TEST_F(Control, ScanGivesEveryState) {
  for (int64_t steps : {0, 1, 4}) {
    FuncId body = cell(*this, steps);
    FuncId f = func({vec(2), mat(steps, 3), mat(2, 2), mat(2, 3)}, [&](Builder&, auto p) {
      Value h = emit(op<Scan>, p, {{AttrKey::func, body}, {AttrKey::count, dim(steps)}, {AttrKey::wrt, Ints{1}}}, mat(steps, 2));
      return std::vector<Value>{sum(sin(h) * h)};
    });
    check(f, [=](int seed) { return cell_data(steps, seed); }, fmt::format("scan of {} steps", steps));
  }
}

// Two states, one of which starts without a derivative and gets one from the other; and an integer beside them.
TEST_F(Control, LoopStatesThatComeToDepend) {
  FuncId body = func({i32, f64, f64, i32, f64}, [](Builder&, auto p) {
    return std::vector<Value>{sin(p[1]) * p[4], p[2] + p[1] * cast(p[3], DType::f64), p[3] + p[0]};
  });
  TypeId states = m.types.tuple({f64, f64, i32});
  FuncId f = func({f64, f64}, [&](Builder& b, auto p) {
    Value r = emit(op<Loop>, {p[0], constant(b, 0.5, DType::f64), constant_int(b, 1, DType::i32), p[1]},
                   {{AttrKey::func, body}, {AttrKey::count, dim(5)}, {AttrKey::wrt, Ints{3}}}, states);
    return std::vector<Value>{get(r, 1) * get(r, 0) + get(r, 1)};
  });
  check(f, [](int seed) { return std::vector<interp::Value>{data({}, seed), data({}, seed + 1)}; }, "loop of three states");
}

// while c < a: c = c + b * c; rows stop on their own.
TEST_F(Control, WhileStopsForEachRow) {
  FuncId body = func({f64, f64, f64}, [](Builder&, auto p) { return std::vector<Value>{p[0] + p[2] * p[2] * p[0] + square(p[2])}; });
  FuncId condition = func({f64, f64, f64}, [](Builder&, auto p) { return std::vector<Value>{p[0] < p[1]}; });
  FuncId f = func({f64, f64, f64}, [&](Builder&, auto p) {
    return std::vector<Value>{emit(op<While>, p, {{AttrKey::func, body}, {AttrKey::other, condition}, {AttrKey::wrt, Ints{1}}}, f64)};
  });
  auto make = [](int seed) {
    return std::vector<interp::Value>{Tensor::scalar<double>(0.1 + 0.01 * seed),
                                      Tensor::scalar<double>(seed == 11 ? 0.05 : 2.0 + 0.1 * seed), Tensor::scalar<double>(0.6)};
  };
  check(f, make, "while");
}

// A rule by hand is used, and batched as what it is: what the rows share gets the sum.
TEST_F(Control, RuleByHand) {
  FuncId forward = func({f64, f64}, [](Builder&, auto p) { return std::vector<Value>{p[0] * p[1]}; });
  FuncId rule = func({f64, f64, f64, f64}, [](Builder&, auto p) { return std::vector<Value>{3.0 * p[3], 5.0 * p[3] * p[0]}; });
  FuncId f = func({f64, f64}, [&](Builder&, auto p) {
    return std::vector<Value>{emit(op<CallOp>, p, {{AttrKey::func, forward}, {AttrKey::other, rule}}, f64)};
  });
  auto d = value_and_grad(m, f, std::vector<size_t>{0, 1});
  ASSERT_TRUE(d.has_value());
  auto r = run(m, *d, {Tensor::scalar<double>(2), Tensor::scalar<double>(7)});
  EXPECT_EQ(interp::element_real(r[1].tensor(), 0), 3);
  EXPECT_EQ(interp::element_real(r[2].tensor(), 0), 10);

  auto over = batch(m, f, {false, true}, dim(3));
  ASSERT_TRUE(over.has_value());
  FuncId total = func({f64, vec(3)}, [&](Builder& b, auto p) {
    return std::vector<Value>{sum(inline_func(b, m[over->func], std::vector<ValueId>{p[0].id, p[1].id})[0])};
  });
  auto shared = value_and_grad(m, total, std::vector<size_t>{0, 1});
  ASSERT_TRUE(shared.has_value());
  auto s = run(m, *shared, {Tensor::scalar<double>(2), Tensor::of<double>({3}, {1, 2, 3})});
  EXPECT_EQ(interp::element_real(s[1].tensor(), 0), 9);
  EXPECT_EQ(interp::element_real(s[2].tensor(), 2), 10);
}

// The mean over the batch is its own transpose: the total is over the examples.
TEST_F(Control, BatchMeanOverTheBatch) {
  FuncId f =
      func({f64, f64}, [](Builder& b, auto p) { return std::vector<Value>{square(p[0] - b.emit(op<BatchMean>, {p[0].id})) * p[1]}; });
  auto one = value_and_grad(m, f, std::vector<size_t>{0});
  ASSERT_TRUE(one.has_value());
  auto over = batch(m, *one, {true, true}, dim(3));
  ASSERT_TRUE(over.has_value());
  std::vector<interp::Value> at{Tensor::of<double>({3}, {0.3, -0.8, 1.7}), Tensor::of<double>({3}, {1, 2, 0.5})};
  auto r = run(m, over->func, at);
  auto plain = batch(m, f, {true, true}, dim(3));
  ASSERT_TRUE(plain.has_value());
  FuncId total = func({vec(3), vec(3)}, [&](Builder& b, auto p) {
    return std::vector<Value>{sum(inline_func(b, m[plain->func], std::vector<ValueId>{p[0].id, p[1].id})[0])};
  });
  auto whole = value_and_grad(m, total, std::vector<size_t>{0});
  ASSERT_TRUE(whole.has_value());
  auto w = run(m, *whole, at);
  for (int64_t i = 0; i < 3; ++i) EXPECT_NEAR(interp::element_real(r[1].tensor(), i), interp::element_real(w[1].tensor(), i), 1e-12);
}

}  // namespace
}  // namespace glia::laws
