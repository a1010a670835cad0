// Type rules and derivatives (Giles 2008; for cholesky Murray 2016; for qr Walter and Lehmann 2013).
#include "ir/ops/linalg.h"

#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
Complaint matrix(const TypeContext& c, size_t k) {
  if (c.shape(k).size() == 2 && is_float(c.dtype(k))) return std::nullopt;
  return fmt::format("takes a matrix of floats, found {}", c.types.print(c.args[k]));
}

Complaint square_matrix(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return matrix(c, 0); })) return bad;
  if (c.shape(0)[0] == c.shape(0)[1]) return std::nullopt;
  return fmt::format("takes a square matrix, found {}: {} is not {}", c.types.print(c.args[0]), c.types.dims.print(c.shape(0)[0]),
                     c.types.dims.print(c.shape(0)[1]));
}

Value turned(Value x) { return transpose(x, {1, 0}); }
Value product(Value a, Value b) { return contract(a, b, {0, 1}, {1, 2}, {0, 2}); }

Value rows_of(Value x, DimId from, DimId to) {
  DimId none = x.b->dims().constant(0);
  return slice(x, {from, none}, {to, x.shape()[1]}, {1, 1});
}
}  // namespace

Value solve(Value a, Value b) { return a.b->emit(op<Solve>, {a.id, b.id}); }

namespace {
// column - row of each element
Value offset_from_diagonal(Builder& b, DimId rows, DimId cols) {
  Shape shape{rows, cols};
  return broadcast(iota(b, cols), shape, {1}) - broadcast(iota(b, rows), shape, {0});
}
}  // namespace

Value triangle(Value x, bool lower, int64_t diagonal) {
  Value offset = offset_from_diagonal(*x.b, x.shape()[0], x.shape()[1]);
  Value limit = constant_int(*x.b, diagonal, DType::i32);
  return select(lower ? offset <= limit : offset >= limit, x, zeros_like(x));
}

Value identity(Builder& b, DimId n, DType dtype) {
  Value on = offset_from_diagonal(b, n, n) == constant_int(b, 0, DType::i32);
  return cast(on, dtype);
}

TypeRule Solve::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return square_matrix(c); }, [&] { return matrix(c, 1); })) return std::unexpected(*bad);
  if (c.dtype(0) != c.dtype(1)) return wrong("element types differ: {} and {}", c.types.print(c.args[0]), c.types.print(c.args[1]));
  if (c.shape(0)[0] != c.shape(1)[0])
    return wrong("{} has {} rows, but {} has {}", c.types.print(c.args[0]), c.types.dims.print(c.shape(0)[0]), c.types.print(c.args[1]),
                 c.types.dims.print(c.shape(1)[0]));
  return c.args[1];
}

Value Solve::derivative(const Use& u, size_t k, Value g) {
  Value back = solve(turned(u.x[0]), g);
  return k == 1 ? back : -product(back, turned(u.y));
}

TypeRule Cholesky::type(const TypeContext& c) {
  if (Complaint bad = square_matrix(c)) return std::unexpected(*bad);
  return c.args[0];
}

// s = l^-T phi(l^T g) l^-1, where phi takes the lower triangle and half the diagonal. Each element below the diagonal
// stands for two of the symmetric matrix.
Value Cholesky::derivative(const Use& u, size_t, Value g) {
  Value l = u.y, lt = turned(l);
  Value p = product(lt, triangle(g, true, 0));
  Value phi = 0.5 * (triangle(p, true, 0) + triangle(p, true, -1));
  Value s = turned(solve(lt, turned(solve(lt, phi))));
  return triangle(s, true, 0) + turned(triangle(s, false, 1));
}

TypeRule Det::type(const TypeContext& c) {
  if (Complaint bad = square_matrix(c)) return std::unexpected(*bad);
  return c.types.tensor(c.dtype(0));
}

Value Det::derivative(const Use& u, size_t, Value g) {
  return g * u.y * solve(turned(u.x[0]), identity(u.b, u.x[0].shape()[0], u.x[0].dtype()));
}

TypeRule Qr::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return tensors(c); }, [&] { return matrix(c, 0); })) return std::unexpected(*bad);
  Dims& dims = c.types.dims;
  DimId m = c.shape(0)[0], n = c.shape(0)[1];
  if (auto more = dims.known(dims.sub(m, n)); more && *more < 0)
    return wrong("needs at least as many rows as columns, found {}", c.types.print(c.args[0]));
  return c.types.with_shape(c.args[0], {dims.add(m, n), n});
}

// (gq + q sym(k)) r^-T with k = r gr^T - gq^T q, where sym copies the lower triangle to the upper.
Value Qr::derivative(const Use& u, size_t, Value g) {
  DimId m = u.x[0].shape()[0], both = u.y.shape()[0], none = u.b.dims().constant(0);
  Value q = rows_of(u.y, none, m), r = rows_of(u.y, m, both), gq = rows_of(g, none, m), gr = triangle(rows_of(g, m, both), false, 0);
  Value k = product(r, turned(gr)) - product(turned(gq), q);
  Value sym = triangle(k, true, 0) + turned(triangle(k, true, -1));
  return turned(solve(r, turned(gq + product(q, sym))));
}

}  // namespace glia::ir
