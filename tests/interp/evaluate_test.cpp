// The reference evaluator: tensors, control, host ops, sizes that come with the arguments, and faults with a place.
#include "interp/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "interp/kernels/kernel.h"
#include "ir/builder.h"
#include "ir/ops/all.h"

namespace glia::interp {

using ir::AttrKey;
using ir::Attrs;
using ir::Builder;
using ir::FuncId;
using ir::Ints;
using ir::op;

struct EvaluateTest : testing::Test {
  ir::Module m;
  std::ostringstream printed;
  HostFunctions host;
  EvalOptions options;

  EvaluateTest() { options.out = &printed, options.host = &host; }
  ir::DimId dim(int64_t n) { return m.types.dims.constant(n); }
  ir::TypeId scalar(DType d = DType::f32) { return m.types.tensor(d); }
  ir::TypeId vec(ir::DimId n, DType d = DType::f32) { return m.types.tensor(d, {n}); }

  std::expected<std::vector<Value>, Fault> run(Builder& b, std::vector<Value> args) {
    const FuncId f = b.finish_into_module();
    return evaluate(m, m[f], args, options);
  }
  double number(Builder& b, std::vector<Value> args) {
    const auto r = run(b, std::move(args));
    EXPECT_TRUE(r) << r.error().message;
    return r ? element_real(r->at(0).tensor(), 0) : NAN;
  }
};

TEST_F(EvaluateTest, StraightLine) {
  Builder b(m, "f");
  ir::Value x = b.param(scalar());
  b.result((x * x + 1.0).id);
  EXPECT_EQ(number(b, {Tensor::scalar(3.0f)}), 10);
}

TEST_F(EvaluateTest, SizesComeWithTheArguments) {
  const ir::DimId n = m.types.dims.var("n");
  Builder b(m, "f");
  ir::Value x = b.param(vec(m.types.dims.add(m.types.dims.mul(n, dim(2)), dim(1))));
  b.param(vec(n));
  b.result((sum(x) + sum(broadcast_to(ir::constant(b, 10, DType::f32), {n}))).id);
  b.result(dim_value(b, n).id);
  const FuncId f = b.finish_into_module();
  for (int64_t k : {0, 1, 3, 17}) {
    const auto r = evaluate(m, m[f], std::vector<Value>{Tensor::zeros(DType::f32, {2 * k + 1}), Tensor::zeros(DType::f32, {k})});
    ASSERT_TRUE(r) << r.error().message;
    EXPECT_EQ(element_real((*r)[0].tensor(), 0), 10.0 * static_cast<double>(k));
    EXPECT_EQ(element_int((*r)[1].tensor(), 0), k);
  }
  EXPECT_FALSE(evaluate(m, m[f], std::vector<Value>{Tensor::zeros(DType::f32, {4}), Tensor::zeros(DType::f32, {2})}));
  EXPECT_FALSE(evaluate(m, m[f], std::vector<Value>{Tensor::zeros(DType::f32, {5}), Tensor::zeros(DType::f32, {3})}));
  EXPECT_FALSE(evaluate(m, m[f], std::vector<Value>{Tensor::zeros(DType::f64, {5}), Tensor::zeros(DType::f32, {2})}));
  EXPECT_FALSE(evaluate(m, m[f], std::vector<Value>{Tensor::zeros(DType::f32, {5})}));
}

TEST_F(EvaluateTest, ASizeThatALaterParameterSettlesIsChecked) {
  const ir::DimId p = m.types.dims.var("p"), q = m.types.dims.var("q");
  Builder b(m, "f");
  ir::Value x = b.param(vec(m.types.dims.mul(p, q)));
  b.param(m.types.tensor(DType::f32, {p, q}));
  b.result(reshape(x, {p, q}).id);
  const FuncId f = b.finish_into_module();
  const auto good = evaluate(m, m[f], std::vector<Value>{Tensor::zeros(DType::f32, {6}), Tensor::zeros(DType::f32, {2, 3})});
  ASSERT_TRUE(good);
  EXPECT_EQ((*good)[0].tensor().shape, (std::vector<int64_t>{2, 3}));
  EXPECT_FALSE(evaluate(m, m[f], std::vector<Value>{Tensor::zeros(DType::f32, {7}), Tensor::zeros(DType::f32, {2, 3})}));
}

TEST_F(EvaluateTest, FloorDivisionsInSizes) {
  const ir::DimId n = m.types.dims.var("n");
  Builder b(m, "f");
  b.param(vec(n));
  b.result(iota(b, m.types.dims.floordiv(n, dim(2))).id);
  const auto r = run(b, {Tensor::zeros(DType::f32, {7})});
  ASSERT_TRUE(r);
  EXPECT_EQ((*r)[0].tensor().size(), 3);
}

// ---- control ------------------------------------------------------------------------------------

struct ControlTest : EvaluateTest {
  // (x) -> x * factor
  FuncId scaled(double factor) {
    Builder b(m, "scaled");
    ir::Value x = b.param(scalar());
    b.result((x * ir::constant(b, factor, DType::f32)).id);
    return b.finish_into_module();
  }
  // (i, state, step) -> state * step + i
  FuncId horner() {
    Builder b(m, "horner");
    ir::Value i = b.param(scalar(DType::i32)), s = b.param(scalar()), step = b.param(scalar());
    b.result((s * step + cast(i, DType::f32)).id);
    return b.finish_into_module();
  }
};

TEST_F(ControlTest, CallsAndBranches) {
  const FuncId twice = scaled(2), thrice = scaled(3);
  for (bool yes : {true, false}) {
    Builder b(m, "f");
    ir::Value c = b.param(scalar(DType::boolean)), x = b.param(scalar());
    ir::Value y = b.emit(op<ir::CallOp>, {x.id}, {{AttrKey::func, twice}}, scalar());
    b.result(b.emit(op<ir::If>, {c.id, y.id}, {{AttrKey::func, thrice}, {AttrKey::other, twice}}, scalar()).id);
    EXPECT_EQ(number(b, {Tensor::scalar(yes), Tensor::scalar(5.0f)}), yes ? 30 : 20);
  }
}

TEST_F(ControlTest, MapStacks) {
  const ir::DimId n = m.types.dims.var("n");
  Builder body(m, "body");
  ir::Value i = body.param(scalar(DType::i32)), x = body.param(vec(n));
  ir::Value at = gather(x, i);
  body.result((at * at).id);
  body.result(x.id);
  const FuncId f = body.finish_into_module();
  Builder b(m, "f");
  ir::Value all = b.param(vec(n));
  const ir::TypeId type = m.types.tuple({vec(n), m.types.tensor(DType::f32, {n, n})});
  ir::Value t = b.emit(op<ir::Map>, {all.id}, {{AttrKey::func, f}, {AttrKey::count, n}}, type);
  b.result(get(t, 0).id), b.result(get(t, 1).id);
  const FuncId g = b.finish_into_module();
  for (int64_t k : {0, 1, 3}) {
    Tensor v = Tensor::zeros(DType::f32, {k});
    for (int64_t j = 0; j < k; ++j) v.as<float>()[static_cast<size_t>(j)] = static_cast<float>(j + 1);
    const auto r = evaluate(m, m[g], std::vector<Value>{v});
    ASSERT_TRUE(r) << r.error().message;
    EXPECT_EQ((*r)[1].tensor().shape, (std::vector<int64_t>{k, k}));
    for (int64_t j = 0; j < k; ++j) EXPECT_EQ(element_real((*r)[0].tensor(), j), static_cast<double>((j + 1) * (j + 1)));
  }
}

TEST_F(ControlTest, MapOfRecordsIsAList) {
  Builder body(m, "body");
  ir::Value i = body.param(scalar(DType::i32));
  body.result(tuple(body, std::vector<ir::Value>{i, i + i}).id);
  const FuncId f = body.finish_into_module();
  const ir::TypeId record = m.types.tuple({scalar(DType::i32), scalar(DType::i32)});
  Builder b(m, "f");
  b.result(b.emit(op<ir::Map>, {}, {{AttrKey::func, f}, {AttrKey::count, dim(3)}}, m.types.list(record)).id);
  const auto r = run(b, {});
  ASSERT_TRUE(r);
  ASSERT_EQ(list_size((*r)[0]), 3);
  EXPECT_EQ(element_int(list_item((*r)[0], 2).tuple().elems[1].tensor(), 0), 4);
}

TEST_F(ControlTest, LoopAndScan) {
  const FuncId f = horner();
  for (int64_t n : {0, 1, 4}) {
    Builder b(m, "f");
    ir::Value s = b.param(scalar()), step = b.param(scalar());
    const Attrs attrs{{AttrKey::func, f}, {AttrKey::count, dim(n)}, {AttrKey::wrt, Ints{1}}};
    b.result(b.emit(op<ir::Loop>, {s.id, step.id}, attrs, scalar()).id);
    b.result(b.emit(op<ir::Scan>, {s.id, step.id}, attrs, vec(dim(n))).id);
    const auto r = run(b, {Tensor::scalar(1.0f), Tensor::scalar(2.0f)});
    ASSERT_TRUE(r) << r.error().message;
    double state = 1;
    const Tensor& all = (*r)[1].tensor();
    ASSERT_EQ(all.shape, (std::vector<int64_t>{n}));
    for (int64_t i = 0; i < n; ++i) {
      state = state * 2 + static_cast<double>(i);
      EXPECT_EQ(element_real(all, i), state);
    }
    EXPECT_EQ(element_real((*r)[0].tensor(), 0), state);
  }
}

TEST_F(ControlTest, LoopOfTwoStatesIsATuple) {
  Builder body(m, "fibonacci");
  body.param(scalar(DType::i32));
  ir::Value a = body.param(scalar(DType::i64)), c = body.param(scalar(DType::i64));
  body.result(c.id), body.result((a + c).id);
  const FuncId f = body.finish_into_module();
  Builder b(m, "f");
  ir::Value x = b.param(scalar(DType::i64)), y = b.param(scalar(DType::i64));
  const ir::TypeId pair = m.types.tuple({scalar(DType::i64), scalar(DType::i64)});
  b.result(get(b.emit(op<ir::Loop>, {x.id, y.id}, {{AttrKey::func, f}, {AttrKey::count, dim(10)}, {AttrKey::wrt, Ints{2}}}, pair), 0).id);
  EXPECT_EQ(number(b, {Tensor::scalar<int64_t>(0), Tensor::scalar<int64_t>(1)}), 55);
}

// c = 0; while c < a: c = c + b
TEST_F(ControlTest, WhileStopsOnItsCondition) {
  Builder cond(m, "cond");
  ir::Value c0 = cond.param(scalar()), a0 = cond.param(scalar());
  cond.param(scalar());
  cond.result((c0 < a0).id);
  const FuncId other = cond.finish_into_module();
  Builder body(m, "body");
  ir::Value c1 = body.param(scalar());
  body.param(scalar());
  ir::Value b1 = body.param(scalar());
  body.result((c1 + b1).id);
  const FuncId func = body.finish_into_module();
  Builder b(m, "f");
  ir::Value c = b.param(scalar()), a = b.param(scalar()), step = b.param(scalar());
  b.result(
      b.emit(op<ir::While>, {c.id, a.id, step.id}, {{AttrKey::func, func}, {AttrKey::other, other}, {AttrKey::wrt, Ints{1}}}, scalar()).id);
  const FuncId f = b.finish_into_module();
  const float table[][3] = {{1, 2, 2}, {1, 3, 3}, {4, 2, 4}, {4, 3, 6}, {0, 2, 0}};
  for (const auto& [limit, by, want] : table) {
    const auto r = evaluate(m, m[f], std::vector<Value>{Tensor::scalar(0.0f), Tensor::scalar(limit), Tensor::scalar(by)});
    ASSERT_TRUE(r) << r.error().message;
    EXPECT_EQ(element_real((*r)[0].tensor(), 0), want);
  }
}

// down(x) = if x > 0 then down(x - 1) else x - 1: the builder takes only functions that exist, so the call to itself is
// put in by hand
TEST_F(ControlTest, RecursionEndsInAFaultNotACrash) {
  Builder done(m, "done");
  ir::Value z = done.param(scalar());
  done.result(z.id);
  const FuncId stop = done.finish_into_module();
  Builder b(m, "down");
  ir::Value x = b.param(scalar());
  ir::Value less = x - 1.0;
  b.result(b.emit(op<ir::If>, {(x > 0.0).id, less.id}, {{AttrKey::func, scaled(2)}, {AttrKey::other, stop}}, scalar()).id);
  ir::Func down = b.finish();
  const FuncId self(m.func_count());
  down.nodes.back().attrs.set(AttrKey::func, self);
  ASSERT_EQ(m.add(std::move(down)), self);
  EXPECT_EQ(element_real((*evaluate(m, m[self], std::vector<Value>{Tensor::scalar(200.0f)}))[0].tensor(), 0), -1);
  EvalOptions little;
  little.own_stack = size_t{32} << 20;
  const auto deep = evaluate(m, m[self], std::vector<Value>{Tensor::scalar(1e6f)}, little);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().message.find("calls are nested more than "), 0u) << deep.error().message;
}

TEST_F(ControlTest, ALongLoopNeedsNoStack) {
  const FuncId f = horner();
  Builder b(m, "f");
  ir::Value s = b.param(scalar()), step = b.param(scalar());
  b.result(
      b.emit(op<ir::Loop>, {s.id, step.id}, {{AttrKey::func, f}, {AttrKey::count, dim(100000)}, {AttrKey::wrt, Ints{1}}}, scalar()).id);
  EXPECT_EQ(number(b, {Tensor::scalar(1.0f), Tensor::scalar(0.0f)}), 99999);
}

TEST_F(ControlTest, GradIsRefused) {
  Builder b(m, "f");
  ir::Value x = b.param(scalar());
  b.result(b.emit(op<ir::Grad>, {x.id}, {{AttrKey::func, scaled(2)}, {AttrKey::wrt, Ints{0}}}, scalar()).id);
  EXPECT_FALSE(run(b, {Tensor::scalar(1.0f)}));
}

// ---- host ---------------------------------------------------------------------------------------

TEST_F(EvaluateTest, PrintsInOrder) {
  Builder b(m, "f");
  ir::Value x = b.param(scalar());
  ir::Value hello = b.emit(op<ir::StrOp>, {}, {{AttrKey::text, std::string("x is")}});
  ir::Value text = b.emit(op<ir::Format>, {x.id}, {{AttrKey::text, std::string(".2f")}});
  b.emit(op<ir::Print>, {hello.id, x.id}, {{AttrKey::index, int64_t{1}}});
  b.emit(op<ir::Print>, {b.emit(op<ir::JoinStr>, {text.id, hello.id}).id, x.id});
  ASSERT_TRUE(run(b, {Tensor::scalar(2.5f)}));
  EXPECT_EQ(printed.str(), "x is 2.52.50x is 2.5\n");
}

TEST_F(EvaluateTest, HostFunctionsByName) {
  host["twice"] = [](std::span<const Value> args, const ir::Attrs&, ir::TypeId, const ir::Module&) -> std::expected<Value, Fault> {
    return Value(List{{args[0], args[0]}});
  };
  host["broken"] = [](auto&&...) -> std::expected<Value, Fault> { return std::unexpected(Fault{"no such file", {}, {}}); };
  const ir::SrcId src = m.add(ir::Src{});
  for (const char* name : {"twice", "broken", "absent"}) {
    Builder b(m, "f");
    ir::Value x = b.param(scalar());
    b.set_src(src);
    b.result(b.emit(op<ir::HostCall>, {x.id}, {{AttrKey::text, std::string(name)}}, m.types.list(scalar())).id);
    const auto r = run(b, {Tensor::scalar(1.0f)});
    ASSERT_EQ(r.has_value(), name == std::string("twice"));
    if (r) {
      EXPECT_EQ(list_size((*r)[0]), 2);
    } else {
      EXPECT_EQ(r.error().src, src);
    }
  }
}

// a size that is known only when the host has read the data
TEST_F(EvaluateTest, ResultsOfTheHostBindSizes) {
  host["read"] = [](auto&&...) -> std::expected<Value, Fault> { return Value(Tensor::of<float>({4}, {1, 2, 3, 4})); };
  const ir::DimId n = m.types.dims.fresh("?");
  Builder b(m, "f");
  ir::Value x = b.emit(op<ir::HostCall>, {}, {{AttrKey::text, std::string("read")}}, vec(n));
  b.result(sum(x + 1.0).id);
  EXPECT_EQ(number(b, {}), 14);
}

TEST_F(EvaluateTest, AResultThatIsNotOfItsTypeIsAFault) {
  host["read"] = [](auto&&...) -> std::expected<Value, Fault> { return Value(std::string("text")); };
  Builder b(m, "f");
  b.result(b.emit(op<ir::HostCall>, {}, {{AttrKey::text, std::string("read")}}, vec(dim(2))).id);
  EXPECT_FALSE(run(b, {}));
}

TEST_F(EvaluateTest, ListsOfTensorsOfOtherSizes) {
  const ir::DimId n = m.types.dims.var("n");
  Builder b(m, "f");
  b.result(b.param(m.types.list(vec(n))).id);
  EXPECT_TRUE(run(b, {List{{Tensor::zeros(DType::f32, {2}), Tensor::zeros(DType::f32, {3})}}}));
}

// ---- faults -------------------------------------------------------------------------------------

TEST_F(EvaluateTest, AFaultHasThePlaceOfItsNode) {
  const ir::SrcId src = m.add(ir::Src{});
  Builder b(m, "f");
  ir::Value x = b.param(vec(dim(3))), i = b.param(scalar(DType::i32));
  b.set_src(src);
  b.result(gather(x, i).id);
  const auto r = run(b, {Tensor::zeros(DType::f32, {3}), Tensor::scalar<int32_t>(3)});
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().message, "index 3 is outside 0..3: axis 0 has size 3");
  EXPECT_EQ(r.error().src, src);
}

TEST_F(EvaluateTest, AssertionsStopTheRun) {
  for (bool holds : {true, false}) {
    Builder b(m, "f");
    ir::Value c = b.param(scalar(DType::boolean));
    ir::Value text = b.emit(op<ir::StrOp>, {}, {{AttrKey::text, std::string("rows differ")}});
    b.emit(op<ir::Assert>, {c.id, text.id});
    const auto r = run(b, {Tensor::scalar(holds)});
    ASSERT_EQ(r.has_value(), holds);
    if (!r) {
      EXPECT_EQ(r.error().message, "rows differ");
    }
  }
}

TEST_F(EvaluateTest, ATensorThatCannotBeIsAFault) {
  const ir::DimId n = m.types.dims.var("n");
  Builder b(m, "f");
  b.param(vec(n));
  ir::Value big =
      b.emit(op<ir::Const>, {},
             {{AttrKey::value, 1.0}, {AttrKey::dtype, DType::f32}, {AttrKey::shape, ir::DimList(5, m.types.dims.mul(n, dim(100000)))}});
  b.result(sum(big).id);
  EXPECT_FALSE(run(b, {Tensor::zeros(DType::f32, {3})}));
}

// ---- watching -----------------------------------------------------------------------------------

TEST_F(EvaluateTest, ValuesAreDroppedAfterTheirLastUse) {
  Builder b(m, "f");
  ir::Value x = b.param(vec(dim(4)));
  for (int i = 0; i < 10; ++i) x = 2.0 * x;
  b.result(x.id);
  std::vector<std::weak_ptr<Buffer>> buffers;
  size_t most = 0;
  options.observe = [&](ir::ValueId, const Value& v) {
    if (v.tensor().rank() == 0) return;
    buffers.push_back(v.tensor().data);
    std::set<Buffer*> alive;  // one may hold several values, one after the other
    for (const auto& w : buffers)
      if (auto held = w.lock()) alive.insert(held.get());
    most = std::max(most, alive.size());
  };
  ASSERT_TRUE(run(b, {Tensor::zeros(DType::f32, {4})}));
  EXPECT_GE(buffers.size(), 10u);
  EXPECT_LE(most, 4u);
}

TEST_F(EvaluateTest, NamesTheFirstBadValue) {
  Builder b(m, "f");
  ir::Value x = b.param(vec(dim(3)));
  ir::Value y = x * x, l = log(y), z = l - l;
  b.result(sum(z).id);
  const FuncId f = b.finish_into_module();
  const auto good = first_non_finite(m, m[f], std::vector<Value>{Tensor::of<float>({3}, {1, 2, 3})});
  EXPECT_FALSE(good);
  const auto infinite = first_non_finite(m, m[f], std::vector<Value>{Tensor::of<float>({3}, {1, 0, 3})});
  ASSERT_TRUE(infinite);
  EXPECT_EQ(infinite->value, l.id);
  EXPECT_EQ(infinite->element, 1);
  EXPECT_FALSE(infinite->is_nan);
  const auto given = first_non_finite(m, m[f], std::vector<Value>{Tensor::of<float>({3}, {1, 1, NAN})});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->value, x.id);
  EXPECT_EQ(given->element, 2);
  EXPECT_TRUE(given->is_nan);
}

TEST_F(EvaluateTest, AnInfiniteConstantIsNotAFault) {
  Builder b(m, "f");
  ir::Value x = b.param(vec(dim(2)));
  ir::Value low = ir::constant(b, -INFINITY, DType::f32, {dim(2)});
  b.result(exp(select(x > 0.0, x, low)).id);
  const FuncId f = b.finish_into_module();
  EXPECT_FALSE(first_non_finite(m, m[f], std::vector<Value>{Tensor::of<float>({2}, {1, -1})}));
}

}  // namespace glia::interp
