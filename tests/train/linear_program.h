// A train block made by hand: least squares y = w x + b with a ridge term, by gradient descent.
#pragma once
#include <string>
#include <vector>

#include "ir/ops/all.h"
#include "ir/value.h"
#include "train/loop.h"

namespace glia::train {

struct LinearProgram {
  ir::Module module;
  Sources sources;
  Diagnostics diags;
  interp::HostFunctions host;
  std::vector<std::vector<float>> xs;
  std::vector<float> ys;
  double lr = 0.1, l2 = 0.0;
  bool take_log = false;  // a loss that is NaN where w x + b is negative
  int64_t width;
  TrainProgram program;
  std::optional<Session> session;

  explicit LinearProgram(std::vector<std::vector<float>> x, std::vector<float> y)
      : xs(std::move(x)), ys(std::move(y)), width(static_cast<int64_t>(xs[0].size())) {}

  ir::TypeId f32(ir::Shape shape = {}) { return module.types.tensor(DType::f32, std::move(shape)); }
  ir::TypeId vec() { return f32({module.types.dims.constant(width)}); }

  // What the program is made of; call after the fields above are set.
  void build() {
    program.model = "Linear";
    program.params = {{"w", vec(), true}, {"b", f32(), true}};
    program.columns = {vec(), f32()};
    program.column_names = {"x", "y"};
    program.init = init();
    program.train_example = program.eval_example = example();
    program.metrics = {{"rmse", 1, root()}};
    program.init_states = no_states();
    program.update = update();
    host["rows"] = [this](auto, auto&, auto, auto&) -> std::expected<interp::Value, interp::Fault> { return rows(); };
    session.emplace(module, diags, SessionOptions{0, &host, nullptr});
    program.data = GlobalId(1);
    program.settings.shuffle = false;
    ir::Builder b(module, "data");
    const ir::TypeId type = module.types.list(module.types.record({"x", "y"}, {vec(), f32()}));
    b.result(b.emit(ir::op<ir::HostCall>, {}, {{ir::AttrKey::text, std::string("rows")}}, type).id);
    session->run(Step{b.finish_into_module(), {}, {GlobalId(1)}});
  }

  interp::Value rows() const {
    std::vector<float> all;
    for (const auto& x : xs) all.insert(all.end(), x.begin(), x.end());
    const auto n = static_cast<int64_t>(xs.size());
    return interp::Rows{n, {"x", "y"}, {interp::Tensor::of<float>({n, width}, all), interp::Tensor::of<float>({n}, ys)}};
  }

  std::optional<TrainResult> train(RunOptions run = {}, std::vector<Event>* seen = nullptr, std::string out = {}) {
    TrainRequest request;
    request.run = run;
    request.out = std::move(out);
    request.log = {[seen](int64_t) { return seen != nullptr; },
                   [seen](const Event& e) {
                     if (seen) seen->push_back(e);
                   }};
    return run_training(*session, program, request);
  }
  std::string messages() const { return render_all(diags, sources); }

 private:
  ir::FuncId init() {
    ir::Builder b(module, "init");
    b.param(module.types.tensor(DType::i64), "stream");
    b.result(ir::constant(b, 0.5, DType::f32, {module.types.dims.constant(width)}).id);
    b.result(ir::constant(b, 0.25, DType::f32).id);
    return b.finish_into_module();
  }
  ir::FuncId example() {
    ir::Builder b(module, "example");
    b.param(module.types.tensor(DType::i64), "stream");
    ir::Value w = b.param(vec(), "w"), c = b.param(f32(), "b"), x = b.param(vec(), "x"), y = b.param(f32(), "y");
    ir::Value line = ir::contract(w, x, {0}, {0}, {}) + c;
    ir::Value square = ir::square(line - y);
    ir::Value loss = square + l2 * ir::contract(w, w, {0}, {0}, {});
    if (take_log) {
      const FileId file = sources.add("p.ml", "loss: log(w x + b)\n");
      b.set_src(module.add(ir::Src{Span{file, 6, 18}, {}}));
      loss = ir::log(line);
    }
    b.result(loss.id);
    b.result(square.id);
    return b.finish_into_module();
  }
  ir::FuncId root() {
    ir::Builder b(module, "finish");
    b.result(ir::sqrt(b.param(f32())).id);
    return b.finish_into_module();
  }
  ir::FuncId no_states() {
    ir::Builder b(module, "init_states");
    b.param(vec()), b.param(f32());
    return b.finish_into_module();
  }
  ir::FuncId update() {
    ir::Builder b(module, "update");
    b.param(module.types.tensor(DType::i32), "step"), b.param(f32(), "epoch");
    ir::Value w = b.param(vec()), c = b.param(f32()), gw = b.param(vec()), gc = b.param(f32());
    b.result((w - lr * gw).id);
    b.result((c - lr * gc).id);
    return b.finish_into_module();
  }
};

// A small set without structure: row i is a fixed function of i.
inline LinearProgram scattered(int64_t rows, int64_t width) {
  std::vector<std::vector<float>> xs;
  std::vector<float> ys;
  for (int64_t i = 0; i < rows; ++i) {
    std::vector<float> x;
    for (int64_t k = 0; k < width; ++k) x.push_back(static_cast<float>((i * 7 + k * 13 + i * i * (k + 1)) % 17) / 8.0f - 1.0f);
    ys.push_back(static_cast<float>((i * 5) % 11) / 5.0f);
    xs.push_back(std::move(x));
  }
  return LinearProgram(std::move(xs), std::move(ys));
}

}  // namespace glia::train
