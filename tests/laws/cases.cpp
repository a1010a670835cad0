// The functions on which the laws are checked. Elementwise ops make their own from their table entry; the other
// families have a row here, and a test sees to it that none is missing.
#include "tests/laws/case.h"

namespace glia::laws {

using namespace ir;

namespace {
Case elementwise_case(size_t i) {
  const OpInfo& op_info = op_table()[i];
  return {OpId(i), std::string(op_info.name), [i, &op_info](Inputs& in) {
            // A type that the op takes: floats if it may.
            Types& types = in.b.types();
            std::vector<DType> wanted{DType::f64, DType::i32, DType::boolean};
            DType dtype = DType::f64;
            for (DType t : wanted) {
              std::vector<TypeId> args(static_cast<size_t>(op_info.arity), types.tensor(t));
              Attrs attrs;
              dtype = t;
              if (op_info.type(TypeContext{types, args, attrs})) break;
            }
            std::vector<Value> args;
            for (int k = 0; k < op_info.arity; ++k) {
              if (dtype == DType::f64) args.push_back(in.real({in.n, 2}, op_info.sample));
              else if (dtype == DType::i32) args.push_back(in.integer({in.n, 2}, 1, 5));
              else args.push_back(in.flag({in.n, 2}));
            }
            return in.emit(OpId(i), args);
          }};
}

DimList list(Inputs& in, std::vector<int64_t> sizes) { return in.dims(sizes); }

void linear_cases(std::vector<Case>& all) {
  all.push_back({op<Select>, "select", [](Inputs& in) { return select(in.flag({in.n, 2}), in.real({in.n, 2}), in.real({in.n, 2})); }});
  all.push_back({op<Cast>, "cast down and up", [](Inputs& in) {
                   return in.emit(op<Cast>, {in.emit(op<Cast>, {in.integer({in.n}, -3, 3)}, {{AttrKey::dtype, DType::f64}})},
                                  {{AttrKey::dtype, DType::f64}});
                 }});
  all.push_back({op<Reshape>, "reshape", [](Inputs& in) { return reshape(in.real({in.n, 6}), list(in, {3, in.n, 2})); }});
  all.push_back({op<Transpose>, "transpose", [](Inputs& in) { return transpose(in.real({in.n, 2, 3}), {2, 0, 1}); }});
  all.push_back({op<Broadcast>, "broadcast", [](Inputs& in) { return broadcast(in.real({in.n, 2}), list(in, {2, 3, in.n}), {2, 0}); }});
  all.push_back({op<Broadcast>, "broadcast of a scalar", [](Inputs& in) { return broadcast(in.real({}), list(in, {in.n, 2}), {}); }});
  all.push_back({op<Slice>, "slice", [](Inputs& in) {
                   return slice(in.real({in.n + 2, 4}), list(in, {1, 0}), list(in, {in.n + 1, 4}), {1, 1});
                 }});
  for (int64_t step : {2, 3})
    all.push_back({op<Slice>, "slice in steps", [step](Inputs& in) {
                     return slice(in.real({in.n + 1, 2}), list(in, {1, 0}), list(in, {in.n + 1, 2}), {step, 1});
                   }});
  all.push_back({op<Pad>, "pad", [](Inputs& in) { return pad(in.real({in.n, 2}), list(in, {1, 0}), list(in, {2, 1})); }});
  all.push_back({op<Pad>, "pad between", [](Inputs& in) {
                   return in.emit(
                       op<Pad>, {in.real({in.n, 2})},
                       {{AttrKey::low, list(in, {1, 0})}, {AttrKey::high, list(in, {in.n == 0 ? 2 : 0, 1})}, {AttrKey::steps, Ints{2, 1}}});
                 }});
  all.push_back({op<Flip>, "flip", [](Inputs& in) { return flip(in.real({in.n, 3}), {0, 1}); }});
  all.push_back({op<Concat>, "concat", [](Inputs& in) {
                   std::vector<Value> xs{in.real({2, in.n}), in.real({2, 3}), in.real({2, 1})};
                   return concat(xs, 1);
                 }});
  all.push_back({op<BatchMean>, "batch_mean", [](Inputs& in) { return in.emit(op<BatchMean>, {in.real({in.n})}); }});
  all.push_back({op<BatchSum>, "batch_sum", [](Inputs& in) { return in.emit(op<BatchSum>, {in.real({in.n})}); }});
  all.push_back({op<StopGradient>, "stop_gradient", [](Inputs& in) { return in.emit(op<StopGradient>, {in.real({in.n})}); }});
}

void gather_cases(std::vector<Case>& all) {
  auto some = [](Inputs& in) { return in.n == 0 ? 0 : 5; };  // nothing can be read where nothing is
  for (int64_t axis : {0, 1})
    all.push_back({op<Gather>, "gather", [=](Inputs& in) {
                     std::vector<int64_t> shape{2, 3};
                     shape.insert(shape.begin() + axis, in.n);
                     return gather(in.real(shape), in.integer({some(in), 2}, 0, std::max<int64_t>(in.n, 1)), axis);
                   }});
  all.push_back({op<Gather>, "gather together", [=](Inputs& in) {
                   return gather(in.real({3, 2, in.n, 2}), in.integer({3, some(in)}, 0, std::max<int64_t>(in.n, 1)), 2, 1);
                 }});
  all.push_back(
      {op<AddAt>, "add_at", [=](Inputs& in) {
         return add_at(in.real({2, in.n, 3}), in.real({2, some(in), 3}), in.integer({some(in)}, 0, std::max<int64_t>(in.n, 1)), 1);
       }});
  all.push_back(
      {op<ScatterAdd>, "scatter_add", [=](Inputs& in) {
         return scatter_add(in.real({2, some(in), 3}), in.integer({some(in)}, 0, std::max<int64_t>(in.n, 1)), in.dims({2, in.n, 3}), 1);
       }});
  all.push_back({op<ScatterAdd>, "scatter_add together", [=](Inputs& in) {
                   return scatter_add(in.real({3, 2, some(in)}), in.integer({3, some(in)}, 0, std::max<int64_t>(in.n, 1)),
                                      in.dims({3, 2, in.n}), 2, 1);
                 }});
}

void reduce_cases(std::vector<Case>& all) {
  for (OpId o : {op<Sum>, op<Prod>})
    for (Ints axes : {Ints{0}, Ints{1}, Ints{0, 2}, Ints{}})
      all.push_back({o, std::string(info(o).name), [=](Inputs& in) {
                       return in.emit(o, {in.real({in.n, 2, 3})}, {{AttrKey::axes, axes}});
                     }});
  for (OpId o : {op<ReduceMax>, op<ReduceMin>}) {
    all.push_back({o, std::string(info(o).name), [=](Inputs& in) {
                     return in.emit(o, {in.real({in.n + 1, 2})}, {{AttrKey::axes, Ints{0}}});
                   }});
    all.push_back({o, std::string(info(o).name), [=](Inputs& in) { return in.emit(o, {in.real({2, in.n})}, {{AttrKey::axes, Ints{0}}}); }});
  }
  for (OpId o : {op<All>, op<Any>})
    all.push_back({o, std::string(info(o).name), [=](Inputs& in) { return in.emit(o, {in.flag({in.n, 2})}, {{AttrKey::axes, Ints{0}}}); }});
  for (OpId o : {op<ArgMax>, op<ArgMin>})
    all.push_back({o, std::string(info(o).name), [=](Inputs& in) { return in.emit(o, {in.real({2, in.n + 1})}, {{AttrKey::axis, 1}}); }});
  for (int64_t reverse : {0, 1})
    all.push_back({op<CumSum>, "cumsum", [=](Inputs& in) {
                     return in.emit(op<CumSum>, {in.real({2, in.n, 3})}, {{AttrKey::axis, 1}, {AttrKey::index, reverse}});
                   }});
  all.push_back({op<Contract>, "matrix product", [](Inputs& in) {
                   return contract(in.real({2, in.n}), in.real({in.n, 3}), {0, 1}, {1, 2}, {0, 2});
                 }});
  all.push_back({op<Contract>, "together, transposed", [](Inputs& in) {
                   return contract(in.real({in.n, 2, 3}), in.real({3, in.n}), {0, 1, 2}, {2, 0}, {1, 0});
                 }});
  all.push_back({op<Contract>, "summed on one side", [](Inputs& in) {
                   return contract(in.real({2, in.n}), in.real({3, 2}), {0, 1}, {2, 3}, {2});
                 }});
  all.push_back({op<Contract>, "outer product", [](Inputs& in) { return contract(in.real({in.n}), in.real({3}), {0}, {1}, {1, 0}); }});
}

void window_cases(std::vector<Case>& all) {
  for (auto [size, stride, dilation] : {std::array<int64_t, 3>{3, 1, 1}, {2, 2, 1}, {3, 2, 2}, {1, 3, 1}}) {
    const int64_t reach = (size - 1) * dilation + 1;
    const auto how = [=](Inputs& in) { return in.dims({size, stride, dilation}); };
    all.push_back({op<Window>, "window", [=](Inputs& in) {
                     return in.emit(op<Window>, {in.real({2, in.n + reach, 3})}, {{AttrKey::axis, 1}, {AttrKey::shape, how(in)}});
                   }});
    all.push_back({op<Unwindow>, "unwindow", [=](Inputs& in) {
                     return in.emit(op<Unwindow>, {in.real({2, in.n / stride + 1, size, 3})},
                                    {{AttrKey::axis, 1}, {AttrKey::shape, how(in)}, {AttrKey::dim, in.dim(in.n + reach)}});
                   }});
  }
}

void series_cases(std::vector<Case>& all) {
  for (int64_t reverse : {0, 1}) {
    all.push_back({op<Recurrence>, "recurrence", [=](Inputs& in) {
                     return in.emit(op<Recurrence>, {in.real({2, in.n, 3}, {-0.9, 0.9}), in.real({2, in.n, 3})},
                                    {{AttrKey::axis, 1}, {AttrKey::index, reverse}});
                   }});
    all.push_back({op<ArgSort>, "argsort", [=](Inputs& in) {
                     return in.emit(op<ArgSort>, {in.real({2, in.n, 3})}, {{AttrKey::axis, 1}, {AttrKey::index, reverse}});
                   }});
    all.push_back({op<Dft>, "dft", [=](Inputs& in) { return in.emit(op<Dft>, {in.real({3, 2, in.n})}, {{AttrKey::index, reverse}}); }});
  }
}

// Matrices with a large diagonal: far from singular.
Value steady(Inputs& in, int64_t n) {
  Value a = in.real({n, n}, {-0.5, 0.5});
  return a + 2.0 * std::sqrt(static_cast<double>(n)) * identity(in.b, in.dim(n), DType::f64);
}

void linalg_cases(std::vector<Case>& all) {
  all.push_back({op<Solve>, "solve", [](Inputs& in) { return solve(steady(in, in.n), in.real({in.n, 2})); }});
  all.push_back({op<Cholesky>, "cholesky", [](Inputs& in) { return in.emit(op<Cholesky>, {steady(in, in.n)}); }});
  all.push_back({op<Det>, "det", [](Inputs& in) { return in.emit(op<Det>, {steady(in, std::min<int64_t>(in.n, 4))}); }});
  all.push_back({op<Qr>, "qr", [](Inputs& in) { return in.emit(op<Qr>, {steady(in, in.n)}); }});
  all.push_back({op<Qr>, "qr of a tall matrix", [](Inputs& in) {
                   std::vector<Value> parts{steady(in, in.n), in.real({2, in.n})};
                   return in.emit(op<Qr>, {concat(parts, 0)});
                 }});
}

void source_cases(std::vector<Case>& all) {
  all.push_back({op<Const>, "const", [](Inputs& in) { return constant(in.b, 1.5, DType::f64, in.dims({in.n, 2})); }});
  all.push_back(
      {op<Literal>, "literal", [](Inputs& in) {
         return in.emit(
             op<Literal>, {},
             {{AttrKey::values, Reals(static_cast<size_t>(in.n), 2.5)}, {AttrKey::dtype, DType::f64}, {AttrKey::shape, in.dims({in.n})}});
       }});
  all.push_back({op<Iota>, "iota", [](Inputs& in) { return iota(in.b, in.dim(in.n)); }});
  all.push_back({op<DimValue>, "dim", [](Inputs& in) {
                   return in.emit(op<DimValue>, {}, {{AttrKey::dim, in.dim(in.n)}, {AttrKey::dtype, DType::i32}});
                 }});
  for (OpId o : {op<RandomUniform>, op<RandomNormal>})
    all.push_back({o, std::string(info(o).name), [=](Inputs& in) {
                     return in.emit(o, {in.integer({}, 0, 100, DType::i64)},
                                    {{AttrKey::shape, in.dims({in.n, 2})}, {AttrKey::dtype, DType::f64}, {AttrKey::site, 3}});
                   }});
  all.push_back({op<StreamMix>, "stream_mix", [](Inputs& in) {
                   return in.emit(op<StreamMix>, {in.integer({in.n}, 0, 100, DType::i64), in.integer({in.n}, 0, 9)});
                 }});
}
}  // namespace

std::vector<Case> cases() {
  std::vector<Case> all;
  for (size_t i = 0; i < op_table().size(); ++i)
    if (op_table()[i].family == Family::elementwise) all.push_back(elementwise_case(i));
  linear_cases(all);
  gather_cases(all);
  reduce_cases(all);
  window_cases(all);
  series_cases(all);
  linalg_cases(all);
  source_cases(all);
  return all;
}

}  // namespace glia::laws
