// Hand-made programs over lists, variants and recursive functions, for tests of the evaluator and of derivatives.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "interp/evaluate.h"
#include "ir/ops/all.h"
#include "ir/passes/differentiate.h"
#include "ir/text/print.h"
#include "ir/verify.h"

namespace glia::interp {

using ir::AttrKey;
using ir::Attrs;
using ir::Builder;
using ir::FuncId;
using ir::Ints;
using ir::op;
using ir::TypeId;

struct DynamicTest : testing::Test {
  ir::Module m;
  TypeId f64 = m.types.tensor(DType::f64), i32 = m.types.tensor(DType::i32), boolean = m.types.tensor(DType::boolean);
  TypeId tree = m.types.variant("Tree"), reals = m.types.list(f64);

  DynamicTest() { m.variants["Tree"] = {{"Leaf", {"x"}, {f64}}, {"Node", {"left", "right"}, {tree, tree}}, {"Nil", {}, {}}, {"Cons", {"x", "rest"}, {f64, tree}}}; }

  ir::Value emit(Builder& b, ir::OpId id, std::vector<ir::Value> args, Attrs attrs = {}, TypeId type = {}) {
    std::vector<ir::ValueId> ids;
    for (const ir::Value& a : args) ids.push_back(a.id);
    return b.value(b.emit(id, ids, std::move(attrs), type).id);
  }
  ir::Value field(Builder& b, ir::Value v, int64_t which, int64_t k) {
    return emit(b, op<ir::Payload>, {v}, {{AttrKey::index, which}, {AttrKey::axis, k}}, m.variants["Tree"][static_cast<size_t>(which)].types[static_cast<size_t>(k)]);
  }
  ir::Value number(Builder& b, int64_t n) { return ir::constant_int(b, n, DType::i32); }
  ir::Value call(Builder& b, FuncId f, std::vector<ir::Value> args, TypeId type) { return emit(b, op<ir::CallOp>, args, {{AttrKey::func, f}}, type); }

  // A function from what `body` makes of parameters of these types.
  template <class Body>
  ir::Func make(const std::string& name, std::vector<TypeId> params, Body body) {
    Builder b(m, name);
    std::vector<ir::Value> p;
    for (TypeId t : params) p.push_back(b.param(t));
    for (const ir::Value& r : std::vector<ir::Value>(body(b, p))) b.result(r.id);
    return b.finish();
  }

  static Value leaf(double x) { return Variant{0, {Tensor::scalar(x)}}; }
  static Value node(Value l, Value r) { return Variant{1, {std::move(l), std::move(r)}}; }
  static Value chain(int64_t n) {
    Value v = Variant{2, {}};
    for (int64_t i = 0; i < n; ++i) v = Variant{3, {Tensor::scalar(1.0 / static_cast<double>(1 + i % 7)), std::move(v)}};
    return v;
  }
  static Value list(std::vector<double> xs) {
    List l;
    for (double x : xs) l.elems.push_back(Tensor::scalar(x));
    return l;
  }

  // walk(t, w): sin(w * x) summed over the leaves; a chain adds w * w * x of each link.
  FuncId walk() {
    const FuncId self = m.reserve("walk", {f64});
    const std::vector<TypeId> takes{tree, f64};
    auto at_leaf = m.add(make("leaf", takes, [&](Builder& b, auto& p) { return std::vector{sin(p[1] * field(b, p[0], 0, 0))}; }));
    auto at_node = m.add(make("node", takes, [&](Builder& b, auto& p) {
      return std::vector{call(b, self, {field(b, p[0], 1, 0), p[1]}, f64) + call(b, self, {field(b, p[0], 1, 1), p[1]}, f64)};
    }));
    auto at_nil = m.add(make("nil", takes, [&](Builder& b, auto&) { return std::vector{ir::constant(b, 0, DType::f64)}; }));
    auto at_cons = m.add(make("cons", takes, [&](Builder& b, auto& p) {
      return std::vector{p[1] * p[1] * field(b, p[0], 3, 0) + call(b, self, {field(b, p[0], 3, 1), p[1]}, f64)};
    }));
    auto choose = [&](const char* name, int64_t tag, FuncId then, FuncId otherwise) {
      return make(name, takes, [&, tag, then, otherwise](Builder& b, auto& p) {
        ir::Value is = emit(b, op<ir::TagOf>, {p[0]}) == number(b, tag);
        return std::vector{emit(b, op<ir::If>, {is, p[0], p[1]}, {{AttrKey::func, then}, {AttrKey::other, otherwise}}, f64)};
      });
    };
    const FuncId chains = m.add(choose("chains", 2, at_nil, at_cons)), inner = m.add(choose("inner", 1, at_node, chains));
    m.define(self, choose("walk", 0, at_leaf, inner));
    return self;
  }

  std::vector<Value> run(FuncId f, std::vector<Value> args) {
    const auto problems = ir::verify(m, m[f]);
    EXPECT_TRUE(problems.empty()) << problems[0] << "\n" << ir::print(m, f);
    auto r = evaluate(m, m[f], args);
    EXPECT_TRUE(r.has_value()) << m[f].name << ": " << (r ? "" : r.error().message);
    return r ? *r : std::vector<Value>(8, Value(Tensor::scalar(NAN)));
  }
  std::string fault(FuncId f, std::vector<Value> args) {
    auto r = evaluate(m, m[f], args);
    return r ? "no fault" : r.error().message;
  }
  static double real(const Value& v) { return v.is_tensor() ? element_real(v.tensor(), 0) : NAN; }

  FuncId gradient(FuncId f, std::vector<size_t> wrt) {
    auto d = ir::value_and_grad(m, f, wrt);
    EXPECT_TRUE(d.has_value()) << d.error().message;
    return d ? *d : f;
  }

  // Every float of argument k moved a little, against the derivative.
  void expect_gradient(FuncId f, std::vector<Value> args, size_t k) {
    const std::vector<Value> found = run(gradient(f, {k}), args);
    const std::vector<const Tensor*> got = leaves(found.back());
    size_t at = 0;
    for (const Tensor* x : leaves(args[k])) {
      ASSERT_LT(at, got.size());
      ASSERT_EQ(x->shape, got[at]->shape);
      for (int64_t i = 0; i < x->size() && x->dtype == DType::f64; ++i) {
        auto moved = [&](double by) {
          double& element = reinterpret_cast<double*>(x->data->data())[i];
          const double kept = element;
          element += by;
          const double y = real(run(f, args)[0]);
          element = kept;
          return y;
        };
        const double slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        EXPECT_NEAR(slope, element_real(*got[at], i), 1e-5 * std::max(1.0, std::fabs(slope))) << "argument " << k << ", tensor " << at;
      }
      ++at;
    }
    EXPECT_EQ(at, got.size());
  }
};

}  // namespace glia::interp
