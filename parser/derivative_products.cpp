// vjp, jvp, jacobian, hessian and hvp, made of gradients. A jvp is the derivative of a vjp in its weights, which it is linear
// in; a Jacobian is taken by columns where there are fewer of them than rows, and by rows elsewhere.
#include "ir/ops/all.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind product_args{"E0343", Severity::error, "`{}(f)` takes the arguments of `f`{}"};
constexpr DiagKind along_differs{"E0344", Severity::error, "the direction `{}` does not fit `{}`"};
constexpr DiagKind no_jacobian{"E0345", Severity::error, "`{}` takes a function from one tensor to one tensor, found {}"};

Val zeros_of(Elaborator& e, const Val& v) {
  std::vector<Val> parts, zeros;
  e.leaves(v, parts);
  for (const Val& p : parts) zeros.push_back(e.is_numeric(p) ? e.node(zeros_like(e.value(p)), p.origin) : p);
  size_t next = 0;
  return e.rebuild(v, zeros, next);
}

Val floats(Elaborator& e, const Val& v) {
  auto* n = v.get<Number>();
  return n && n->weak && n->is_real() ? e.node(e.value(v, DType::f32), v.origin) : e.open_structure(e.default_number(v));
}
}  // namespace

Val Elaborator::native(std::string name, std::function<Val(std::vector<CallArg>, Span)> call) {
  return Val{std::make_shared<const Native>(Native{std::move(name), std::move(call)}), {}, {}};
}

// The gradient of f, taken in the same arguments as `like`.
Val Elaborator::grad_at(const Val& f, std::vector<CallArg> args, const Transformed& like, Span span) {
  Transformed t = like;
  t.transform = find_builtin("grad");
  t.function = std::make_shared<const Val>(f);
  t.names_of = like.names_of ? like.names_of : like.function;
  return apply_transformed(t, std::move(args), span);
}

// The sum of the products of all float elements.
Val Elaborator::dot_of(const Val& a, const Val& b2, Span span) {
  std::vector<Val> xs, ys;
  leaves(a, xs);
  leaves(b2, ys);
  Value total;
  for (size_t i = 0; i < xs.size() && i < ys.size(); ++i) {
    if (!is_numeric(xs[i]) || !is_float(dtype_of(xs[i]))) continue;
    Value x = value(xs[i]), y = value(ys[i], x.dtype());
    if (x.type() != y.type()) return report(along_differs, span, describe(b2), describe(a)), poison();
    Value part = contract(x, y, iota_ints(x.rank()), iota_ints(x.rank()), {});
    total = total.valid() ? total + part : part;
  }
  return total.valid() ? node(total, span) : number(0, DType::f32);
}

Val Elaborator::jvp_at(const Transformed& t, const std::vector<CallArg>& args, const std::vector<Val>& along, Span span) {
  Val f = *t.function;
  Val y = default_number(apply(f, args, span));
  if (y.poison()) return y;
  Val slope = native("weighted", [&](std::vector<CallArg> u, Span at) {
    Val weights = u[0].val;
    Val weighted = native("weighted", [&](std::vector<CallArg> x, Span inner) { return dot_of(apply(f, std::move(x), inner), weights, inner); });
    Val g = grad_at(weighted, args, t, at);
    if (g.poison()) return g;
    if (along.size() == 1) return dot_of(g, along[0], at);
    Val sum;
    for (size_t i = 0; i < along.size(); ++i) {
      Val part = dot_of(g.structure()->elems[i], along[i], at);
      sum = i == 0 ? part : arithmetic(ast::BinaryOp::add, sum, part, at, at, at);
    }
    return sum;
  });
  Transformed outer;
  outer.span = span;
  Val dy = grad_at(slope, {{"", {}, zeros_of(*this, y), span}}, outer, span);
  return pair_of(y, dy, span);
}

namespace {
// n numbers of which the one at i is 1, in the given shape.
Value unit_at(Elaborator& e, Value i, DimId n, const Shape& shape, DType t) {
  Value one = select(iota(e.b(), n) == i, constant(e.b(), 1, t), 0.0);
  return reshape(one, shape);
}

Shape joined(const Shape& a, const Shape& b) {
  Shape s = a;
  s.insert(s.end(), b.begin(), b.end());
  return s;
}
}  // namespace

Val Elaborator::jacobian_at(const Transformed& t, std::vector<CallArg> args, Span span) {
  auto wrt = wrt_positions(t, args.size());
  if (!wrt || args.empty()) return poison();
  Val f = *t.function, y = apply(f, args, span);
  if (y.poison()) return y;
  const Val& x = args[wrt->front()].val;
  bool tensors = wrt->size() == 1 && is_numeric(x) && is_numeric(y) && is_float(dtype_of(x)) && is_float(dtype_of(y));
  if (!tensors) {
    report(no_jacobian, span, t.transform->name, fmt::format("one from `{}` to `{}`", describe(x), describe(y)));
    return poison();
  }
  const Shape rows = shape_of(y), columns = shape_of(x);
  DimId n_rows = dims.product(rows), n_columns = dims.product(columns);
  if (columns.empty()) {
    Val both = jvp_at(t, args, {number(1, dtype_of(x))}, span);
    return both.poison() ? both : both.structure()->elems[1];
  }
  auto r = dims.known(n_rows), c = dims.known(n_columns);
  bool by_column = r && c && *c < *r;
  auto range = std::make_shared<IndexRange>(IndexRange{by_column ? n_columns : n_rows, {}, {}});
  Val all = map_over("", range, false, span, inner_scope(nullptr), [&](const ScopePtr&, const Val& i) {
    if (by_column) {
      Val both = jvp_at(t, args, {node(unit_at(*this, value(i), n_columns, columns, dtype_of(x)), span)}, span);
      return both.poison() ? both : both.structure()->elems[1];
    }
    Val row = native("row", [&](std::vector<CallArg> xs, Span at) {
      Val v = apply(f, std::move(xs), at);
      return v.poison() ? v : dot_of(v, node(unit_at(*this, value(i), n_rows, rows, dtype_of(y)), at), at);
    });
    return grad_at(row, args, t, span);
  });
  if (all.poison()) return all;
  Value stacked = value(all);
  if (!by_column) return node(reshape(stacked, joined(rows, columns)), span);
  Value flat = reshape(stacked, {n_columns, n_rows});
  return node(reshape(transpose(flat, {1, 0}), joined(rows, columns)), span);
}

Val Elaborator::apply_product(const Transformed& t, std::vector<CallArg> args, Span span) {
  for (CallArg& a : args) a.val = floats(*this, a.val);
  const std::string_view name = t.transform->name;
  if (name == "jacobian") return jacobian_at(t, std::move(args), span);
  if (name == "hessian") {
    Transformed outer = t;
    outer.names_of = t.function;
    outer.function = std::make_shared<const Val>(native("gradient", [&](std::vector<CallArg> x, Span at) { return grad_at(*t.function, std::move(x), t, at); }));
    return jacobian_at(outer, std::move(args), span);
  }
  size_t extra = 1;
  if (name == "jvp") {
    auto wrt = wrt_positions(t, args.size());
    if (!wrt) return poison();
    extra = wrt->size();
  }
  if (args.size() <= extra) return report(product_args, span, name, name == "vjp" ? " and the weights of its result" : ", then a direction for each one differentiated in"), poison();
  std::vector<CallArg> own(args.begin(), args.end() - static_cast<std::ptrdiff_t>(extra));
  std::vector<Val> along;
  for (size_t i = own.size(); i < args.size(); ++i) along.push_back(args[i].val);
  if (name == "jvp") return jvp_at(t, own, along, span);
  Val f = *t.function;
  if (name == "hvp")
    return grad_at(native("along", [&](std::vector<CallArg> x, Span at) { return dot_of(grad_at(f, std::move(x), t, at), along[0], at); }), own, t, span);
  Val y = default_number(apply(f, own, span));
  if (y.poison()) return y;
  Val weighted = native("weighted", [&](std::vector<CallArg> x, Span at) { return dot_of(apply(f, std::move(x), at), along[0], at); });
  return pair_of(y, grad_at(weighted, own, t, span), span);
}

}  // namespace glia
