// One training step of a perceptron (784, 128, 10; batch 64; softmax cross-entropy; Adam) as one plan: milliseconds a step.
//   taskset -c 1 bench_exec_mlp [threads] [steps]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "interp/exec/plan.h"
#include "ir/ops/all.h"
#include "ir/passes/differentiate.h"
#include "ir/passes/pipeline.h"

using namespace glia;
using V = ir::Value;

namespace {

struct Sizes {
  int64_t batch = 64, in = 784, hidden = 128, out = 10;
};

struct Types {
  ir::TypeId w1, b1, w2, b2, x, y;
};

Types types_of(ir::Module& m, const Sizes& s) {
  auto t = [&](DType d, std::vector<int64_t> sizes) {
    ir::Shape shape;
    for (int64_t n : sizes) shape.push_back(m.types.dims.constant(n));
    return m.types.tensor(d, shape);
  };
  return {t(DType::f32, {s.in, s.hidden}), t(DType::f32, {s.hidden}), t(DType::f32, {s.hidden, s.out}), t(DType::f32, {s.out}),
          t(DType::f32, {s.batch, s.in}),  t(DType::i32, {s.batch})};
}

V affine(V x, V w, V b) {
  V y = ir::contract(x, w, {0, 1}, {1, 2}, {0, 2});
  return y + ir::broadcast(b, y.shape(), {1});
}

ir::FuncId loss_func(ir::Module& m, const Types& t) {
  ir::Builder b(m, "loss");
  V w1 = b.param(t.w1), b1 = b.param(t.b1), w2 = b.param(t.w2), b2 = b.param(t.b2), x = b.param(t.x), y = b.param(t.y);
  V h = affine(x, w1, b1);
  V logits = affine(b.emit(ir::op<ir::Relu>, {h.id}), w2, b2);
  const ir::Shape s = logits.shape();
  V top = b.emit(ir::op<ir::StopGradient>, {ir::reduce_max(logits, {1}).id});
  V shifted = logits - ir::broadcast(top, s, {0});
  V lse = ir::log(ir::sum(ir::exp(shifted), {1}));
  V hot = ir::cast(ir::broadcast(y, s, {0}) == ir::broadcast(ir::iota(b, s[1]), s, {1}), DType::f32);
  V picked = ir::sum(shifted * hot, {1});
  b.result(((1.0 / static_cast<double>(*b.dims().known(s[0]))) * ir::sum(lse - picked)).id);
  return b.finish_into_module();
}

// Kingma and Ba 2015.
void adam(ir::Builder& b, V p, V m, V v, V g, V c1, V c2) {
  V m2 = 0.9 * m + 0.1 * g, v2 = 0.999 * v + 0.001 * ir::square(g);
  b.result((p - 1e-3 * (m2 / c1) / (ir::sqrt(v2 / c2) + 1e-8)).id);
  b.result(m2.id);
  b.result(v2.id);
}

// Parameters: p, m, v for each of four; then step number, x, y. Results: p, m, v for each; step number; loss.
ir::Func step_func(ir::Module& m, const Types& t) {
  const size_t wrt[] = {0, 1, 2, 3};
  const auto grads = ir::value_and_grad(m, loss_func(m, t), wrt);
  if (!grads) std::abort();
  ir::Builder b(m, "step");
  const ir::TypeId weights[] = {t.w1, t.b1, t.w2, t.b2};
  std::vector<V> state;
  for (ir::TypeId w : weights)
    for (int k = 0; k < 3; ++k) state.push_back(b.param(w));
  V n = b.param(m.types.tensor(DType::f32)), x = b.param(t.x), y = b.param(t.y);
  const std::vector<ir::ValueId> args{state[0].id, state[3].id, state[6].id, state[9].id, x.id, y.id};
  const std::vector<V> g = ir::inline_func(b, m[*grads], args);
  V next = n + 1.0;
  V c1 = 1.0 - ir::pow(ir::constant(b, 0.9, DType::f32), next), c2 = 1.0 - ir::pow(ir::constant(b, 0.999, DType::f32), next);
  for (size_t k = 0; k < 4; ++k) adam(b, state[3 * k], state[3 * k + 1], state[3 * k + 2], g[k + 1], c1, c2);
  b.result(next.id);
  b.result(g[0].id);
  auto f = ir::run_pipeline(m, b.finish());
  if (!f) std::abort();
  return *f;
}

// Both sides of the state; a step reads one and writes the other.
struct Memory {
  std::vector<interp::Tensor> side[2];
  interp::Tensor x, y;
};

Memory memory_of(const ir::Module& m, const ir::Func& f) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  Memory mem;
  auto tensor = [&](ir::TypeId type) {
    std::vector<int64_t> sizes;
    for (ir::DimId d : m.types.shape(type)) sizes.push_back(*m.types.dims.known(d));
    return interp::Tensor::zeros(m.types.dtype(type), sizes);
  };
  for (auto& side : mem.side)
    for (ir::ValueId r : f.results) side.push_back(tensor(f[r].type));
  for (size_t k : {0, 6})
    for (float& v : mem.side[0][k].as<float>()) v = 0.05f * normal(random);
  mem.x = tensor(f[f.params[13]].type);
  mem.y = tensor(f[f.params[14]].type);
  for (float& v : mem.x.as<float>()) v = std::fabs(normal(random));
  for (int32_t& v : mem.y.as<int32_t>()) v = static_cast<int32_t>(random() % 10);
  return mem;
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1, steps = argc > 2 ? std::atoi(argv[2]) : 2000;
  ir::Module m;
  const ir::Func f = step_func(m, types_of(m, {}));
  auto plan = interp::Plan::make(m, f, {.threads = threads, .evaluate = {}});
  if (!plan) return fmt::print("{}\n", plan.error().message), 1;
  const interp::PlanStats& s = plan->stats();
  fmt::print("{} nodes: {} instructions, {} fused groups, {} products, {} reference kernels, arena {} bytes\n", f.nodes.size(), s.instructions,
             s.fused_groups, s.matmuls, s.fallback_kernels, s.arena_bytes);
  Memory mem = memory_of(m, f);
  std::vector<double> times;
  for (int i = 0; i < steps; ++i) {
    std::vector<const void*> in;
    std::vector<void*> out;
    auto &from = mem.side[i % 2], &to = mem.side[1 - i % 2];
    for (size_t k = 0; k < 13; ++k) in.push_back(from[k].data->data());
    in.push_back(mem.x.data->data());
    in.push_back(mem.y.data->data());
    for (interp::Tensor& t : to) out.push_back(t.data->data());
    const auto start = std::chrono::steady_clock::now();
    if (auto done = plan->run(in, out); !done) return fmt::print("{}\n", done.error().message), 1;
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    if (i == 0 || i + 1 == steps) fmt::print("step {}: loss {}\n", i, to.back().as<float>()[0]);
  }
  std::sort(times.begin(), times.end());
  fmt::print("ms/step: median {:.4f}, p10 {:.4f}, p90 {:.4f}\n", times[times.size() / 2], times[times.size() / 10], times[times.size() * 9 / 10]);
}
