// Dense linear algebra in f64, in plain loops: the order of the sums depends on nothing but the sizes, so the bits are
// the same on every machine and for any number of threads.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "interp/kernels/families.h"

namespace glia::interp {

namespace {
struct Matrix {
  int64_t rows = 0, cols = 0;
  std::vector<double> x;

  Matrix(int64_t r, int64_t c) : rows(r), cols(c), x(static_cast<size_t>(r * c)) {}
  double& operator()(int64_t i, int64_t j) { return x[static_cast<size_t>(i * cols + j)]; }
  double operator()(int64_t i, int64_t j) const { return x[static_cast<size_t>(i * cols + j)]; }
};

Matrix matrix(const View& v) {
  Matrix m(v.shape[0], v.shape[1]);
  with_element(v.dtype, [&]<class T>() {
    for (size_t i = 0; i < m.x.size(); ++i) m.x[i] = static_cast<double>(v.as<T>()[i]);
  });
  return m;
}

void store(const View& to, const std::vector<double>& x) {
  with_element(to.dtype, [&]<class T>() {
    for (size_t i = 0; i < x.size(); ++i) to.as<T>()[i] = static_cast<T>(x[i]);
  });
}

// a becomes l below and u on and above the diagonal, with rows exchanged as in `order`; gives the sign of that order.
double factor(Matrix& a, std::vector<int64_t>& order) {
  const int64_t n = a.rows;
  double sign = 1;
  for (int64_t i = 0; i < n; ++i) order.push_back(i);
  for (int64_t k = 0; k < n; ++k) {
    int64_t best = k;
    for (int64_t i = k + 1; i < n; ++i)
      if (std::fabs(a(i, k)) > std::fabs(a(best, k))) best = i;
    if (best != k) {
      for (int64_t j = 0; j < n; ++j) std::swap(a(k, j), a(best, j));
      std::swap(order[static_cast<size_t>(k)], order[static_cast<size_t>(best)]);
      sign = -sign;
    }
    if (a(k, k) == 0) continue;
    for (int64_t i = k + 1; i < n; ++i) {
      const double f = a(i, k) /= a(k, k);
      for (int64_t j = k + 1; j < n && f != 0; ++j) a(i, j) -= f * a(k, j);
    }
  }
  return sign;
}

double largest(const Matrix& a) {
  double m = 0;
  for (double x : a.x) m = std::max(m, std::fabs(x));
  return m;
}

// A pivot that is zero up to the rounding of the elimination.
KernelResult invertible(const Matrix& lu, double scale) {
  const double least = scale * std::numeric_limits<double>::epsilon() * static_cast<double>(lu.rows);
  for (int64_t k = 0; k < lu.rows; ++k)
    if (std::fabs(lu(k, k)) <= least)
      return std::unexpected(fmt::format("the matrix of {} rows is singular: row {} depends on those before it", lu.rows, k));
  return {};
}

void substitute(const Matrix& lu, Matrix& b) {
  for (int64_t i = 0; i < b.rows; ++i)
    for (int64_t k = 0; k < i; ++k)
      for (int64_t j = 0; j < b.cols; ++j) b(i, j) -= lu(i, k) * b(k, j);
  for (int64_t i = b.rows; i-- > 0;) {
    for (int64_t k = i + 1; k < b.rows; ++k)
      for (int64_t j = 0; j < b.cols; ++j) b(i, j) -= lu(i, k) * b(k, j);
    for (int64_t j = 0; j < b.cols; ++j) b(i, j) /= lu(i, i);
  }
}
}  // namespace

template <>
KernelResult run_kernel<ir::Solve>(const KernelCall& c) {
  Matrix a = matrix(c.args[0]);
  const double scale = largest(a);
  std::vector<int64_t> order;
  factor(a, order);
  if (auto ok = invertible(a, scale); !ok) return ok;
  const Matrix given = matrix(c.args[1]);
  Matrix b(given.rows, given.cols);
  for (int64_t i = 0; i < b.rows; ++i)
    for (int64_t j = 0; j < b.cols; ++j) b(i, j) = given(order[static_cast<size_t>(i)], j);
  substitute(a, b);
  store(c.out, b.x);
  return {};
}

template <>
KernelResult run_kernel<ir::Det>(const KernelCall& c) {
  Matrix a = matrix(c.args[0]);
  std::vector<int64_t> order;
  double product = factor(a, order);
  for (int64_t k = 0; k < a.rows; ++k) product *= a(k, k);
  store(c.out, {product});
  return {};
}

template <>
KernelResult run_kernel<ir::Cholesky>(const KernelCall& c) {
  const Matrix a = matrix(c.args[0]);
  const int64_t n = a.rows;
  Matrix l(n, n);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = j; i < n; ++i) {
      double left = a(i, j);
      for (int64_t k = 0; k < j; ++k) left -= l(i, k) * l(j, k);
      if (i == j && left <= 0)
        return std::unexpected(fmt::format("the matrix is not positive definite: what is left of element [{}, {}] is {:.6g}", j, j, left));
      l(i, j) = i == j ? std::sqrt(left) : left / l(j, j);
    }
  store(c.out, l.x);
  return {};
}

namespace {
// x - tau v (v . x) for the columns of x from `from` on, where v starts in row k.
void reflect(Matrix& x, const std::vector<double>& v, double tau, int64_t k, int64_t from) {
  for (int64_t j = from; j < x.cols; ++j) {
    double along = 0;
    for (int64_t i = k; i < x.rows; ++i) along += v[static_cast<size_t>(i)] * x(i, j);
    for (int64_t i = k; i < x.rows; ++i) x(i, j) -= tau * along * v[static_cast<size_t>(i)];
  }
}
}  // namespace

// Reflections (Householder 1958), with the signs of LAPACK.
template <>
KernelResult run_kernel<ir::Qr>(const KernelCall& c) {
  Matrix a = matrix(c.args[0]);
  const int64_t m = a.rows, n = a.cols;
  std::vector<std::vector<double>> vs;
  std::vector<double> taus;
  for (int64_t k = 0; k < n; ++k) {
    double below = 0;
    for (int64_t i = k + 1; i < m; ++i) below = std::hypot(below, a(i, k));
    std::vector<double> v(static_cast<size_t>(m));
    v[static_cast<size_t>(k)] = 1;
    double tau = 0;
    if (below != 0) {
      const double head = a(k, k), beta = -std::copysign(std::hypot(head, below), head);
      tau = (beta - head) / beta;
      for (int64_t i = k + 1; i < m; ++i) v[static_cast<size_t>(i)] = a(i, k) / (head - beta);
    }
    reflect(a, v, tau, k, k);
    vs.push_back(std::move(v)), taus.push_back(tau);
  }
  Matrix both(m + n, n), q(m, n);
  for (int64_t k = 0; k < n; ++k) q(k, k) = 1;
  for (int64_t k = n; k-- > 0;) reflect(q, vs[static_cast<size_t>(k)], taus[static_cast<size_t>(k)], k, 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) both(i, j) = q(i, j);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) both(m + i, j) = j < i ? 0 : a(i, j);
  store(c.out, both.x);
  return {};
}

}  // namespace glia::interp
