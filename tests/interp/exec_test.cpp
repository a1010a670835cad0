// The planned executor against the reference evaluator, on hand-made and on random straight-line functions.
#include "interp/exec/plan.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>

#include <gtest/gtest.h>

#include "interp/exec/arena.h"
#include "interp/exec/pool.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "tests/interp/exec_program.h"

// Counts every allocation of the program, oneDNN's included.
static std::atomic<size_t> allocations{0};
[[gnu::noinline]] void* operator new(size_t n) {
  ++allocations;
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
void* operator new[](size_t n) { return operator new(n); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { operator delete(p); }
void operator delete(void* p, size_t) noexcept { operator delete(p); }
void operator delete[](void* p, size_t) noexcept { operator delete(p); }

namespace glia::interp {
namespace {

struct Ran {
  std::vector<Tensor> results;
  std::optional<Fault> fault;
  PlanStats stats;
};

Ran run_plan(const ir::Module& m, const ir::Func& f, const std::vector<Tensor>& args, int threads) {
  auto plan = Plan::make(m, f, {.threads = threads, .evaluate = {}});
  if (!plan) return {{}, plan.error(), {}};
  Ran ran{{}, {}, plan->stats()};
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const Tensor& t : args) in.push_back(t.data->data());
  for (ir::ValueId r : f.results) {
    std::vector<int64_t> sizes;
    for (ir::DimId d : m.types.shape(f[r].type)) sizes.push_back(*m.types.dims.known(d));
    ran.results.push_back(Tensor::zeros(m.types.dtype(f[r].type), sizes));
    out.push_back(ran.results.back().data->data());
  }
  for (int twice = 0; twice < 2; ++twice)  // the second run finds a used arena
    if (auto done = plan->run(in, out); !done) ran.fault = done.error();
  return ran;
}

void expect_near(const Tensor& got, const Tensor& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.shape, want.shape) << what;
  double scale = 0;
  for (int64_t i = 0; i < want.size(); ++i)
    if (std::isfinite(element_real(want, i))) scale = std::max(scale, std::fabs(element_real(want, i)));
  for (int64_t i = 0; i < want.size(); ++i) {
    const double x = element_real(got, i), y = element_real(want, i);
    if ((std::isnan(x) && std::isnan(y)) || x == y) continue;
    ASSERT_LE(std::fabs(x - y), tolerance * std::max(1.0, scale)) << what << " element " << i;
  }
}

double tolerance_of(DType t) { return t == DType::f32 ? 2e-5 : t == DType::f64 ? 1e-11 : is_float(t) ? 1e-2 : 0; }

// Evaluator and plan agree; one, two and three threads give the same bits.
PlanStats agree(Program& p, const std::vector<Tensor>& args, bool exact = false, double tolerance = 0) {
  const ir::Func f = p.b.func();
  std::vector<Value> values(args.begin(), args.end());
  auto want = evaluate(p.module, f, values);
  const Ran one = run_plan(p.module, f, args, 1);
  EXPECT_EQ(want.has_value(), !one.fault.has_value()) << (one.fault ? one.fault->message : want ? "" : want.error().message);
  if (!want || one.fault) return one.stats;
  for (size_t r = 0; r < one.results.size(); ++r) {
    const Tensor& w = (*want)[r].tensor();
    if (exact) EXPECT_TRUE(same_bits(one.results[r], w)) << "result " << r;
    else expect_near(one.results[r], w, tolerance > 0 ? tolerance : tolerance_of(w.dtype), "result " + std::to_string(r));
  }
  for (int threads : {2, 3}) {
    const Ran more = run_plan(p.module, f, args, threads);
    for (size_t r = 0; r < one.results.size(); ++r) EXPECT_TRUE(same_bits(one.results[r], more.results[r])) << threads << " threads, result " << r;
  }
  return one.stats;
}

PlanStats agree(Program& p, bool exact = false, int64_t ints = 3, double tolerance = 0) {
  std::vector<Tensor> args;
  for (ir::ValueId v : p.b.func().params) args.push_back(p.draw(p.b.func()[v].type, ints));
  return agree(p, args, exact, tolerance);
}

// ---- arena and pool ----------------------------------------------------------------------------

TEST(Arena, RandomLifetimesNeverOverlap) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<exec::Lifetime> lives;
    size_t total = 0;
    for (int i = 0; i < 40; ++i) {
      const size_t first = random() % 30;
      lives.push_back({1 + random() % 5000, first, first + random() % 8});
      total += lives.back().bytes;
    }
    const exec::Layout layout = exec::lay_out(lives);
    EXPECT_TRUE(exec::is_sound(lives, layout));
    EXPECT_LT(layout.bytes, total);
  }
}

TEST(Arena, TheValidatorSeesAnOverlap) {
  const std::vector<exec::Lifetime> lives{{100, 0, 2}, {100, 2, 3}};
  EXPECT_FALSE(exec::is_sound(lives, {{0, 64}, 256}));
  EXPECT_TRUE(exec::is_sound(lives, {{0, 128}, 256}));
  EXPECT_FALSE(exec::is_sound(lives, {{0, 128}, 192}));
}

TEST(Pool, RunsEveryChunkOnce) {
  exec::Pool pool(4);
  std::vector<std::atomic<int>> hits(257);
  for (int round = 0; round < 2000; ++round) {
    const size_t chunks = 1 + static_cast<size_t>(round) % hits.size();
    pool.run(chunks, [](void* data, size_t, size_t chunk) { ++(*static_cast<std::vector<std::atomic<int>>*>(data))[chunk]; }, &hits);
    for (size_t c = 0; c < hits.size(); ++c) ASSERT_EQ(hits[c].exchange(0), c < chunks ? 1 : 0) << "round " << round;
  }
}

// ---- elementwise -------------------------------------------------------------------------------

template <class... Ops>
std::vector<ir::OpId> ids(ir::OpList<Ops...>) { return {ir::op<Ops>...}; }

TEST(Exec, EveryElementwiseOpOfEveryTypeAndSize) {
  for (ir::OpId op : ids(ir::ElementwiseOps{}))
    for (DType t : {DType::f32, DType::f64, DType::bf16, DType::f16, DType::i64, DType::i32, DType::i8, DType::u8, DType::boolean})
      for (int64_t n : {0, 1, 17, 3000}) {
        Program p;
        std::vector<ir::TypeId> types(static_cast<size_t>(ir::info(op).arity), p.module.types.tensor(t, p.shape({n})));
        if (!ir::info(op).type({p.module.types, types, {}})) continue;
        SCOPED_TRACE(std::string(ir::info(op).name) + " " + std::string(dtype_name(t)) + " " + std::to_string(n));
        std::vector<ir::ValueId> args;
        for (ir::TypeId type : types) args.push_back(p.b.param(type).id);
        p.b.result(p.b.emit(op, args).id);
        agree(p, true);
      }
}

TEST(Exec, ScalarsOnEitherSide) {
  Program p;
  V x = p.f32({1000}), s = p.f32({});
  for (V y : {x - s, s - x, x / 3.0, 3.0 / x, s / s, ir::pow(x, s), ir::select(x > s, s, x), ir::select(x > 0.0, x, 0.0), x + ir::constant(p.b, 2, DType::f32, x.shape())})
    p.b.result(y.id);
  agree(p, true);
}

TEST(Exec, ViewsAreReadInPlace) {
  Program p;
  V x = p.f32({17, 30}), row = p.f32({30}), column = p.f32({17}), cube = p.f32({3, 4, 5});
  const ir::Shape s = x.shape();
  p.b.result((x + ir::broadcast(row, s, {1}) * ir::broadcast(column, s, {0})).id);
  p.b.result((ir::transpose(x, {1, 0}) * 2.0).id);
  p.b.result(ir::flip(ir::transpose(cube, {2, 0, 1}), {0, 2}).id);
  auto dims = [&](const std::vector<int64_t>& v) { return ir::DimList(p.shape(v)); };
  p.b.result((ir::slice(x, dims({1, 2}), dims({17, 29}), {3, 2}) - 1.0).id);
  p.b.result(ir::broadcast(ir::transpose(cube, {1, 0, 2}), p.shape({4, 2, 3, 5}), {0, 2, 3}).id);
  const PlanStats stats = agree(p, true);
  EXPECT_EQ(stats.fallback_kernels, 0u);
  EXPECT_EQ(stats.arena_bytes, 0u);
}

TEST(Exec, CastsOfEveryPair) {
  const DType all[] = {DType::f32, DType::f64, DType::bf16, DType::f16, DType::i64, DType::i32, DType::i8, DType::u8, DType::boolean};
  for (DType from : all)
    for (DType to : all) {
      Program p;
      V x = p.param(from, {40});
      p.b.result(ir::cast(x, to).id);
      Tensor t = p.draw(x.type(), 127);
      if (from == DType::f32) {
        const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f, 1e30f, -1e30f, 2147483648.0f, -2147483648.0f, 127.9f, -128.9f, 255.5f, -0.5f, 9.3e18f};
        std::copy(std::begin(odd), std::end(odd), t.as<float>().begin());
      }
      SCOPED_TRACE(std::string(dtype_name(from)) + " to " + std::string(dtype_name(to)));
      agree(p, {t}, true);
    }
}

TEST(Exec, AChainIsOneGroupWithoutMemory) {
  Program p;
  V x = p.f32({100, 100}), y = x;
  for (int i = 0; i < 40; ++i) y = ir::sqrt(ir::square(y) + 1.0) * 0.5 - x;
  p.b.result(y.id);
  const PlanStats stats = agree(p, true);
  EXPECT_EQ(stats.fused_groups, 1u);
  EXPECT_EQ(stats.instructions, 1u);
  EXPECT_EQ(stats.arena_bytes, 0u);
}

TEST(Exec, NanGoesThrough) {
  Program p;
  V x = p.f32({4, 1000});
  p.b.result((x * 2.0 + 1.0).id);
  p.b.result(ir::reduce_max(x, {1}).id);
  p.b.result(ir::reduce_max(x, {0}).id);
  p.b.result(ir::sum(x, {1}).id);
  Tensor t = p.draw(x.type());
  t.as<float>()[1500] = NAN;
  agree(p, {t});
  const Ran ran = run_plan(p.module, p.b.func(), {t}, 1);
  EXPECT_TRUE(std::isnan(ran.results[0].as<float>()[1500]));
  EXPECT_TRUE(std::isnan(ran.results[1].as<float>()[1]));
  EXPECT_TRUE(std::isnan(ran.results[2].as<float>()[500]));
  EXPECT_FALSE(std::isnan(ran.results[3].as<float>()[0]));
}

// ---- results -----------------------------------------------------------------------------------

TEST(Exec, ResultsThatAreParametersConstantsOrTwiceTheSame) {
  Program p;
  V x = p.f32({6, 4});
  V y = x + 1.0;
  for (V v : {x, y, y, ir::reshape(y, p.shape({24})), ir::constant(p.b, 3, DType::f32, p.shape({5})), ir::iota(p.b, p.module.types.dims.constant(7)),
              ir::get(ir::tuple(p.b, std::vector<V>{x, y * 2.0}), 1), ir::reshape(x, p.shape({2, 12}))})
    p.b.result(v.id);
  agree(p, true);
}

// ---- contractions ------------------------------------------------------------------------------

TEST(Exec, ContractionsOfEveryPattern) {
  struct Case {
    std::vector<int64_t> a, b;
    ir::Ints lhs, rhs, out;
  };
  const std::vector<Case> cases = {
      {{64, 300}, {300, 70}, {0, 1}, {1, 2}, {0, 2}},   {{300, 64}, {300, 70}, {1, 0}, {1, 2}, {0, 2}},
      {{64, 300}, {70, 300}, {0, 1}, {2, 1}, {0, 2}},   {{64, 300}, {300, 70}, {0, 1}, {1, 2}, {2, 0}},
      {{1, 300}, {300, 70}, {0, 1}, {1, 2}, {0, 2}},    {{64, 300}, {300, 1}, {0, 1}, {1, 2}, {0, 2}},
      {{300}, {300, 700}, {1}, {1, 2}, {2}},            {{64, 300}, {300}, {0, 1}, {1}, {0}},
      {{300, 64}, {300}, {1, 0}, {1}, {0}},             {{1000}, {1000}, {0}, {0}, {}},
      {{30}, {40}, {0}, {1}, {0, 1}},                   {{30}, {40}, {0}, {1}, {1, 0}},
      {{30, 20}, {30, 20}, {0, 1}, {0, 1}, {0, 1}},     {{5, 30, 20}, {5, 20, 40}, {3, 0, 1}, {3, 1, 2}, {3, 0, 2}},
      {{30, 5, 20}, {40, 5, 20}, {0, 3, 1}, {2, 3, 1}, {3, 0, 2}}, {{2, 9, 4, 32}, {2, 9, 4, 32}, {0, 1, 2, 3}, {0, 4, 2, 3}, {0, 2, 1, 4}},
      {{2, 4, 9, 9}, {2, 9, 4, 32}, {0, 2, 1, 4}, {0, 4, 2, 3}, {0, 1, 2, 3}}, {{6, 7, 8}, {8, 7, 9}, {0, 1, 2}, {2, 1, 3}, {0, 3}},
      {{6, 7, 8}, {8, 5}, {0, 1, 2}, {2, 3}, {1, 3, 0}}, {{6, 7, 8}, {5, 8, 3}, {0, 1, 2}, {4, 2, 3}, {4, 1, 0, 3}},
      {{6, 7}, {7, 8}, {0, 1}, {1, 2}, {2}},            {{6, 0}, {0, 8}, {0, 1}, {1, 2}, {0, 2}},
      {{0, 6}, {6, 8}, {0, 1}, {1, 2}, {0, 2}},         {{700, 300}, {300, 200}, {0, 1}, {1, 2}, {0, 2}},
      {{20, 64, 64}, {20, 64, 64}, {3, 0, 1}, {3, 1, 2}, {3, 0, 2}}, {{3, 200, 150}, {3, 150, 170}, {3, 0, 1}, {3, 1, 2}, {0, 3, 2}}};
  for (DType t : {DType::f32, DType::f64, DType::i32, DType::i64, DType::bf16})
    for (size_t i = 0; i < cases.size(); ++i) {
      SCOPED_TRACE(std::string(dtype_name(t)) + " case " + std::to_string(i));
      const Case& c = cases[i];
      Program p;
      p.b.result(ir::contract(p.param(t, c.a), p.param(t, c.b), c.lhs, c.rhs, c.out).id);
      agree(p, !is_float(t));
    }
}

TEST(Exec, TransposedOperandsAreNotCopied) {
  Program p;
  V x = p.f32({100, 64}), y = p.f32({50, 100});
  p.b.result(ir::contract(ir::transpose(x, {1, 0}), ir::transpose(y, {1, 0}), {0, 1}, {1, 2}, {0, 2}).id);
  const PlanStats stats = agree(p);
  EXPECT_EQ(stats.instructions, 1u);
  EXPECT_EQ(stats.matmuls, 1u);
}

// ---- reductions, lookups, the rest -------------------------------------------------------------

TEST(Exec, ReductionsOverAnyAxes) {
  const std::vector<ir::Ints> axes = {{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2}};
  for (const std::vector<int64_t>& sizes : std::vector<std::vector<int64_t>>{{3, 5, 7}, {1, 17, 1}, {2, 1000, 3}, {70, 4, 1100}, {3000, 1, 2}, {4, 0, 3}})
    for (const ir::Ints& a : axes)
      for (DType t : {DType::f32, DType::f64, DType::i64, DType::i32, DType::i8}) {
        Program p;
        V x = p.param(t, sizes);
        p.b.result(ir::sum(x, a).id);
        if (std::count(sizes.begin(), sizes.end(), 0) == 0) p.b.result(ir::reduce_max(x, a).id);
        for (ir::OpId op : {ir::op<ir::Prod>, ir::op<ir::ReduceMin>})
          if (x.dtype() != DType::f32 && std::count(sizes.begin(), sizes.end(), 0) == 0) p.b.result(p.b.emit(op, {x.id}, {{AttrKey::axes, a}}).id);
        SCOPED_TRACE(p.module.types.print(x.type()));
        agree(p);
      }
}

TEST(Exec, SumsArePairwise) {
  Program p;
  V x = p.f32({1 << 22});
  p.b.result(ir::sum(x).id);
  p.b.result(ir::sum(ir::reshape(x, p.shape({1 << 20, 4})), {0}).id);
  Tensor t = Tensor::zeros(DType::f32, {1 << 22});
  for (float& v : t.as<float>()) v = 0.1f;
  const Ran ran = run_plan(p.module, p.b.func(), {t}, 2);
  EXPECT_NEAR(ran.results[0].as<float>()[0], 419430.4, 0.2);  // one after the other gives 402000 or so
  EXPECT_NEAR(ran.results[1].as<float>()[3], 104857.6, 0.1);
}

TEST(Exec, GatherScatterConcatPad) {
  Program p;
  V table = p.f32({50, 12}), index = p.param(DType::i32, {3, 5}), wide = p.param(DType::i64, {20});
  p.b.result(ir::gather(table, index).id);
  p.b.result(ir::gather(table, wide).id);
  p.b.result(ir::gather(table, wide, 1).id);
  p.b.result(ir::scatter_add(ir::gather(table, wide) * 2.0, wide, table.shape()).id);
  p.b.result(ir::concat(std::vector<V>{table, ir::transpose(p.f32({12, 3}), {1, 0})}, 0).id);
  p.b.result(ir::pad(table, ir::DimList(p.shape({1, 2})), ir::DimList(p.shape({0, 3}))).id);
  agree(p, false, 12);
}

TEST(Exec, AnIndexOutOfRangeIsAFaultWithItsPlace) {
  Program p;
  const ir::SrcId src = p.module.add(ir::Src{});
  p.b.set_src(src);
  V table = p.f32({5, 3}), index = p.param(DType::i32, {2});
  p.b.result(ir::gather(table, index).id);
  const Tensor bad = Tensor::of<int32_t>({2}, {1, 5});
  const std::vector<Tensor> args{p.draw(table.type()), bad};
  const Ran ran = run_plan(p.module, p.b.func(), args, 1);
  ASSERT_TRUE(ran.fault.has_value());
  auto want = evaluate(p.module, p.b.func(), std::vector<Value>(args.begin(), args.end()));
  EXPECT_EQ(ran.fault->message, want.error().message);
  EXPECT_EQ(ran.fault->src, src);
}

TEST(Exec, IntegerDivisionByZeroIsAFault) {
  Program p;
  V x = p.param(DType::i32, {4}), y = p.param(DType::i32, {4});
  p.b.result(p.b.emit(ir::op<ir::FloorDiv>, {x.id, y.id}).id);
  const Ran ran = run_plan(p.module, p.b.func(), {Tensor::of<int32_t>({4}, {1, 2, 3, 4}), Tensor::of<int32_t>({4}, {1, 2, 0, 4})}, 1);
  ASSERT_TRUE(ran.fault.has_value());
  EXPECT_NE(ran.fault->message.find("zero"), std::string::npos);
}

TEST(Exec, AnUnknownSizeIsRefused) {
  Program p;
  V x = p.b.param(p.module.types.tensor(DType::f32, {p.module.types.dims.var("n")}));
  p.b.result((x + 1.0).id);
  const auto plan = Plan::make(p.module, p.b.func());
  ASSERT_FALSE(plan.has_value());
  EXPECT_NE(plan.error().message.find("`n`"), std::string::npos);
}

TEST(Exec, ABranchRunsInTheEvaluator) {
  Program p;
  const ir::TypeId type = p.module.types.tensor(DType::f32, p.shape({8}));
  auto nested = [&](double factor) {
    Builder b(p.module, "branch");
    V x = b.param(type);
    b.result((factor * x).id);
    return b.finish_into_module();
  };
  const ir::FuncId yes = nested(2), no = nested(-1);
  V c = p.param(DType::boolean, {}), x = p.f32({8});
  V y = p.b.emit(ir::op<ir::If>, {c.id, (x + 1.0).id}, {{AttrKey::func, yes}, {AttrKey::other, no}}, type);
  p.b.result((y * y).id);
  for (bool take : {false, true}) agree(p, {Tensor::scalar(take), p.draw(type)}, true);
}

// ---- random functions --------------------------------------------------------------------------

class Grower {
 public:
  Grower(uint32_t seed, DType dtype) : dtype_(dtype) { p_.random.seed(seed); }

  void run() {
    const int64_t wide[] = {1, 3, 17, 200};
    const int64_t m = wide[pick(4)], n = wide[pick(4)];
    shapes_ = {{m, n}, {n}, {m}, {}, {n, m}, {m * n}};
    for (const auto& s : shapes_) values_.push_back(p_.param(dtype_, s));
    for (int i = 0; i < 40; ++i) grow();
    for (int i = 0; i < 6; ++i) p_.b.result(values_[values_.size() - 1 - pick(std::min<size_t>(values_.size(), 15))].id);
    agree(p_, false, 3, dtype_ == DType::f32 ? 1e-3 : 1e-9);  // errors grow along 40 operations
  }

 private:
  size_t pick(size_t n) { return p_.random() % n; }
  V any() { return values_[pick(values_.size())]; }
  V like(V x) {
    for (int i = 0; i < 50; ++i)
      if (V y = any(); y.shape() == x.shape()) return y;
    return x;
  }

  void grow() {
    V x = any();
    values_.push_back(next(x));
  }

  // Values stay of the order of 1, so that one tolerance serves all.
  V next(V x) {
    const size_t rank = x.rank();
    switch (pick(12)) {
      case 0: return ir::sin(x + like(x));
      case 1: return ir::select(param_like(x) > 0.1, like(x), ir::cos(x));
      case 2: return (x - like(x)) * 0.5;
      case 3: return ir::sqrt(ir::square(x) + 0.5);
      case 4: return rank == 2 ? ir::transpose(x, {1, 0}) : -x;
      case 5: return summed(x, rank == 2 ? ir::Ints{static_cast<int64_t>(pick(2))} : ir::all_axes(x));
      case 6: return rank == 2 ? ir::reduce_max(x, {static_cast<int64_t>(pick(2))}) : 1.0 - x;
      case 7: return rank < 2 ? widened(x) : x * 0.7;
      case 8: return rank == 2 ? ir::sin(product(x) * 0.01) : ir::cos(x);
      case 9: return rank == 2 ? ir::reshape(x, {p_.module.types.dims.product(x.shape())}) : x * x * 0.1;
      case 10: return ir::cast(ir::cast(param_like(x) > 0.25, DType::i32) * ir::constant_int(p_.b, 3, DType::i32), dtype_) - x;
      default: return ir::sin(x * any_scalar());
    }
  }

  // A parameter of this shape, or x's own constant 1: comparing computed values would turn the last bit into a jump.
  V param_like(V x) {
    for (size_t i = 0; i < shapes_.size(); ++i)
      if (values_[i].shape() == x.shape()) return values_[i];
    return ir::constant_like(x, 1);
  }
  V summed(V x, const ir::Ints& axes) {
    double n = 1;
    for (int64_t a : axes) n *= static_cast<double>(*p_.module.types.dims.known(x.shape()[static_cast<size_t>(a)]));
    return ir::sum(x, axes) * (3 / n);
  }

  V any_scalar() { return values_[3]; }
  V widened(V x) {
    const ir::Shape to = p_.shape(shapes_[0]);
    if (x.rank() == 0) return ir::broadcast(x, to, {});
    for (int64_t axis : {1, 0})
      if (to[static_cast<size_t>(axis)] == x.shape()[0]) return ir::broadcast(x, to, {axis});
    return ir::sin(x);
  }
  V product(V x) { return ir::contract(x, like(x), {0, 1}, {2, 1}, {0, 2}); }

  DType dtype_;
  Program p_;
  std::vector<std::vector<int64_t>> shapes_;
  std::vector<V> values_;
};

TEST(Exec, RandomFunctions) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Grower(seed, seed % 2 ? DType::f64 : DType::f32).run();
    if (::testing::Test::HasFailure()) return;
  }
}

// ---- allocation --------------------------------------------------------------------------------

size_t allocations_in_run(Program& p, int threads) {
  const ir::Func f = p.b.func();
  auto plan = Plan::make(p.module, f, {.threads = threads, .evaluate = {}});
  EXPECT_TRUE(plan.has_value());
  std::vector<Tensor> args, results;
  std::vector<const void*> in;
  std::vector<void*> out;
  for (ir::ValueId v : f.params) args.push_back(p.draw(f[v].type));
  for (ir::ValueId v : f.results) results.push_back(p.draw(f[v].type));
  for (const Tensor& t : args) in.push_back(t.data->data());
  for (const Tensor& t : results) out.push_back(t.data->data());
  EXPECT_TRUE(plan->run(in, out).has_value());
  const size_t before = allocations;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(plan->run(in, out).has_value());
  return (allocations - before) / 10;
}

TEST(Exec, ARunAllocatesNothing) {
  Program p;
  V x = p.f32({300, 200}), w = p.f32({200}), index = p.param(DType::i32, {7});
  V y = ir::exp(x * ir::broadcast(w, x.shape(), {1})), z = y / ir::broadcast(ir::sum(y, {1}), x.shape(), {0});
  p.b.result(z.id);
  p.b.result(ir::sum(z, {0}).id);
  p.b.result(ir::gather(z, index).id);
  p.b.result(ir::contract(x, w, {0, 1}, {1}, {0}).id);
  for (int threads : {1, 2}) EXPECT_EQ(allocations_in_run(p, threads), 0u);
}

TEST(Exec, AMatrixProductAllocatesOnlyInsideTheLibrary) {
  Program p;
  p.b.result(ir::contract(p.f32({64, 64}), p.f32({64, 64}), {0, 1}, {1, 2}, {0, 2}).id);
  const size_t n = allocations_in_run(p, 1);
  RecordProperty("allocations_per_product", static_cast<int>(n));
  EXPECT_LE(n, 16u);
}

}  // namespace
}  // namespace glia::interp
