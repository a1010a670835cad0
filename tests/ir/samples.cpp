// Every op once, each with all of its attributes.
#include "samples.h"

#include <cmath>
#include <limits>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/value.h"

namespace glia::ir {

namespace {
struct Sample {
  Module& m;
  Builder b;
  Types& t;
  DimId n, two, three;
  Value f, g, i, p, scalar, matrix, stream, cond;

  explicit Sample(Module& module)
      : m(module), b(module, "every op"), t(module.types), n(t.dims.var("n")), two(t.dims.constant(2)), three(t.dims.constant(3)) {
    f = b.param(t.tensor(DType::f32, {n}), "fc1.w \"quoted\"\n");
    g = b.param(t.tensor(DType::f32, {n}));
    i = b.param(t.tensor(DType::i32, {n}));
    p = b.param(t.tensor(DType::boolean, {n}));
    scalar = b.param(t.tensor(DType::f32));
    matrix = b.param(t.tensor(DType::f32, {two, three}));
    stream = b.param(t.tensor(DType::i64));
    cond = b.param(t.tensor(DType::boolean));
  }

  void keep(Value v) { b.result(v.id); }

  void elementwise() {
    for (size_t k = 0; k < op_table().size(); ++k) {
      const OpInfo& o = op_table()[k];
      if (o.family != Family::elementwise) continue;
      std::vector<ValueId> floats{f.id, g.id}, bools{p.id, p.id};
      floats.resize(static_cast<size_t>(o.arity)), bools.resize(static_cast<size_t>(o.arity));
      TypeId types[] = {f.type(), f.type()};
      bool takes_floats = o.type(TypeContext{t, std::span(types).first(floats.size()), {}}).has_value();
      keep(b.emit(OpId(k), takes_floats ? floats : bools));
    }
  }

  void linear() {
    Dims& d = t.dims;
    DimId zero = d.constant(0), one = d.constant(1), half = d.floordiv(n, two);
    keep(select(p, f, g));
    keep(cast(f, DType::bf16));
    keep(reshape(f, {half, d.sub(n, d.mul(half, one))}).rank() ? reshape(matrix, {d.constant(6)}) : f);
    keep(transpose(matrix, {1, 0}));
    keep(broadcast(f, {d.fresh("n"), n, d.add(d.mul(two, n), d.constant(-7))}, {1}));
    keep(slice(matrix, {one, zero}, {two, three}, {1, 2}));
    keep(b.emit(op<Pad>, {f.id}, {{AttrKey::low, DimList{one}}, {AttrKey::high, DimList{half}}, {AttrKey::steps, Ints{2}}}));
    keep(flip(matrix, {0, 1}));
    keep(concat({{f, g}}, 0));
    keep(gather(f, i));
    keep(scatter_add(f, i, {n}));
    keep(add_at(f, g, i));
    for (OpId o : {op<BatchMean>, op<BatchSum>, op<StopGradient>}) keep(b.emit(o, {f.id}));
  }

  void reductions() {
    for (OpId o : {op<Sum>, op<Prod>, op<ReduceMax>, op<ReduceMin>}) keep(b.emit(o, {matrix.id}, {{AttrKey::axes, Ints{0, 1}}}));
    for (OpId o : {op<All>, op<Any>}) keep(b.emit(o, {p.id}, {{AttrKey::axes, Ints{0}}}));
    for (OpId o : {op<ArgMax>, op<ArgMin>, op<CumSum>}) keep(b.emit(o, {matrix.id}, {{AttrKey::axis, int64_t{1}}}));
    keep(contract(matrix, matrix, {0, 1}, {2, 1}, {2, 0}));
  }

  void windows_and_series() {
    DimList how{two, three, t.dims.constant(1)};
    Value w = b.emit(op<Window>, {f.id}, {{AttrKey::axis, int64_t{0}}, {AttrKey::shape, how}});
    keep(w);
    keep(b.emit(op<Unwindow>, {w.id}, {{AttrKey::axis, int64_t{0}}, {AttrKey::shape, how}, {AttrKey::dim, n}}));
    keep(b.emit(op<Recurrence>, {f.id, g.id}, {{AttrKey::axis, int64_t{0}}, {AttrKey::index, int64_t{1}}}));
    keep(b.emit(op<ArgSort>, {matrix.id}, {{AttrKey::axis, int64_t{1}}, {AttrKey::index, int64_t{1}}}));
    keep(b.emit(op<Dft>, {matrix.id}, {{AttrKey::index, int64_t{1}}}));
  }

  void linear_algebra() {
    Value square = b.param(t.tensor(DType::f32, {n, n})), tall = transpose(matrix, {1, 0});
    keep(solve(square, square));
    for (OpId o : {op<Cholesky>, op<Det>}) keep(b.emit(o, {square.id}));
    keep(b.emit(op<Qr>, {tall.id}));
  }

  void sources() {
    for (double v : {0.1, -0.0, 1e300, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan("")})
      keep(constant(b, v, DType::f64, {n}));
    keep(constant_int(b, std::numeric_limits<int64_t>::min(), DType::i64));
    keep(constant(b, 1, DType::boolean));
    keep(b.emit(op<Literal>, {}, {{AttrKey::values, Reals{1, -0.0, 0.3}}, {AttrKey::dtype, DType::f32}, {AttrKey::shape, DimList{three}}}));
    keep(iota(b, n));
    keep(b.emit(op<DimValue>, {}, {{AttrKey::dim, n}, {AttrKey::dtype, DType::f32}}));
    Attrs draw{{AttrKey::shape, DimList{n, two}}, {AttrKey::dtype, DType::f32}, {AttrKey::site, int64_t{12}}};
    for (OpId o : {op<RandomUniform>, op<RandomNormal>}) keep(b.emit(o, {stream.id}, draw));
    keep(b.emit(op<StreamMix>, {stream.id, stream.id}));
  }

  // func(args..) that gives its last argument; with a leading counter where asked.
  FuncId last_of(std::vector<TypeId> params, std::string name) {
    Builder nb(m, std::move(name));
    Value last;
    for (TypeId type : params) last = nb.param(type);
    nb.result(last.id);
    return nb.finish_into_module();
  }

  void control() {
    TypeId s = scalar.type(), count = t.tensor(DType::i32);
    Value pair = b.emit(op<TupleOp>, {f.id, scalar.id}, {{AttrKey::fields, std::vector<std::string>{"w", "size"}}, {AttrKey::name, std::string("Model")}});
    keep(pair);
    Value opaque = b.param(pair.type());
    keep(get(opaque, 1));
    keep(tuple(b, {{f}}));
    FuncId same = last_of({s}, "same");
    keep(b.emit(op<CallOp>, {scalar.id}, {{AttrKey::func, same}}, s));
    keep(b.emit(op<If>, {cond.id, scalar.id}, {{AttrKey::func, same}, {AttrKey::other, last_of({s}, "other branch")}}, s));
    FuncId step = last_of({count, s}, "list");
    keep(b.emit(op<Map>, {scalar.id}, {{AttrKey::func, step}, {AttrKey::count, n}}, t.tensor(DType::f32, {n})));
    Attrs steps{{AttrKey::func, step}, {AttrKey::count, n}, {AttrKey::wrt, Ints{1}}};
    keep(b.emit(op<Loop>, {scalar.id}, steps, s));
    keep(b.emit(op<Scan>, {scalar.id}, steps, t.tensor(DType::f32, {n})));
    FuncId keeps = last_of({cond.type()}, "keeps");
    keep(b.emit(op<While>, {cond.id}, {{AttrKey::func, keeps}, {AttrKey::other, keeps}, {AttrKey::wrt, Ints{1}}}, cond.type()));
    keep(b.emit(op<Grad>, {scalar.id}, {{AttrKey::func, same}, {AttrKey::wrt, Ints{0}}, {AttrKey::index, int64_t{1}}}, t.tuple({s, s})));
    Value text = b.emit(op<StrOp>, {}, {{AttrKey::text, std::string("a # \\ \"b\"\n\x01 %1 é")}});
    b.emit(op<Assert>, {cond.id, text.id});
  }

  // func(args..) -> (args at these places..)
  FuncId some_of(std::vector<TypeId> params, std::vector<size_t> which, std::string name) {
    Builder nb(m, std::move(name));
    std::vector<Value> all;
    for (TypeId type : params) all.push_back(nb.param(type));
    for (size_t k : which) nb.result(all[k].id);
    return nb.finish_into_module();
  }

  void lists() {
    TypeId rows = t.list(f.type()), count = t.tensor(DType::i32), tapes = t.tape();
    Value list = b.param(rows), zero = constant_int(b, 0, DType::i32), length = b.emit(op<Length>, {list.id});
    keep(b.emit(op<Item>, {list.id, zero.id}, {}, f.type()));
    keep(b.emit(op<Append>, {list.id, f.id}));
    keep(b.emit(op<ListConcat>, {list.id, list.id}));
    Value part = b.emit(op<ListSlice>, {list.id, zero.id, length.id, constant_int(b, -1, DType::i32).id});
    keep(b.emit(op<ListAdd>, {list.id, zero.id, length.id, constant_int(b, 1, DType::i32).id, part.id}));
    keep(b.emit(op<ListReverse>, {list.id}));
    Value stacked = b.emit(op<Stack>, {list.id}, {}, t.tensor(DType::f32, {t.dims.fresh("?"), n}));
    keep(b.emit(op<Unstack>, {stacked.id}, {}, rows));
    FuncId step = some_of({count, scalar.type(), f.type(), f.type()}, {1, 2}, "step");
    Attrs fold{{AttrKey::func, step}, {AttrKey::wrt, Ints{1, 1}}};
    keep(b.emit(op<Fold>, {length.id, scalar.id, list.id, f.id}, fold, t.tuple({scalar.type(), rows})));
    keep(b.emit(op<Recompute>, {f.id, scalar.id}, {{AttrKey::func, some_of({f.type(), scalar.type()}, {1}, "again")}}, scalar.type()));
    Value tape = b.emit(op<Pack>, {f.id, scalar.id}, {{AttrKey::axes, Ints{3, 1}}});
    keep(b.emit(op<Pack>, {tape.id}));
    keep(b.emit(op<Unpack>, {tape.id, f.id}, {{AttrKey::index, int64_t{3}}}, f.type()));
    keep(b.emit(op<Unpack>, {b.param(tapes).id}, {{AttrKey::index, int64_t{0}}}, rows));
  }

  void variants_and_vectors() {
    m.variants["Shape"] = {{"Dot", {}, {}}, {"Box", {"size", "inside"}, {scalar.type(), t.variant("Shape")}}};
    Value dot = b.emit(op<Construct>, {}, {{AttrKey::name, std::string("Shape")}, {AttrKey::index, int64_t{0}}});
    Value box = b.emit(op<Construct>, {scalar.id, dot.id}, {{AttrKey::name, std::string("Shape")}, {AttrKey::index, int64_t{1}}});
    keep(b.emit(op<TagOf>, {box.id}));
    keep(b.emit(op<Payload>, {box.id}, {{AttrKey::index, int64_t{1}}, {AttrKey::axis, int64_t{0}}}, scalar.type()));
    keep(b.emit(op<VecZeros>, {box.id}));
    Value twice = b.emit(op<VecAdd>, {box.id, box.id});
    keep(b.emit(op<VecScale>, {twice.id, scalar.id}));
    keep(b.emit(op<VecDot>, {twice.id, box.id}, {}, scalar.type()));
  }

  void host() {
    Value text = b.emit(op<StrOp>, {}, {{AttrKey::text, std::string()}});
    Value formatted = b.emit(op<Format>, {f.id}, {{AttrKey::text, std::string(".3f")}});
    keep(b.emit(op<JoinStr>, {text.id, formatted.id}));
    b.emit(op<Print>, {text.id, f.id}, {{AttrKey::index, int64_t{1}}});
    TypeId shape = t.variant("Shape");
    Attrs call{{AttrKey::text, std::string("read")}, {AttrKey::options, std::vector<std::string>{"path=a b", "rows=\"3\""}}};
    Value read = b.emit(op<HostCall>, {text.id}, call, t.record({"x", "f32"}, {t.list(f.type()), t.fn({shape, t.str()}, t.unit())}, "str"));
    keep(read);
    keep(b.emit(op<MakeList>, {f.id, g.id}, {}, t.list(f.type())));
  }
};
}  // namespace

FuncId every_op(Module& m) {
  Sample s(m);
  s.elementwise();
  s.linear();
  s.reductions();
  s.windows_and_series();
  s.linear_algebra();
  s.sources();
  s.control();
  s.lists();
  s.variants_and_vectors();
  s.host();
  return s.b.finish_into_module();
}

}  // namespace glia::ir
