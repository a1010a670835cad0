#include "tests/laws/laws.h"

#include <gtest/gtest.h>

#include "ir/passes/batch.h"
#include "ir/passes/differentiate.h"

namespace glia::laws {

using namespace ir;

namespace {
Tensor moved(const Tensor& t, size_t element, double by) {
  Tensor copy = Tensor::zeros(t.dtype, t.shape);
  std::copy(t.as<double>().begin(), t.as<double>().end(), copy.as<double>().begin());
  copy.as<double>()[element] += by;
  return copy;
}

// Central differences of fourth order.
double difference(const Module& m, FuncId f, std::vector<interp::Value> args, size_t k, size_t element) {
  const Tensor at = args[k].tensor();
  const double h = 1e-3;
  auto value = [&](double by) {
    args[k] = moved(at, element, by);
    return run(m, f, args)[0].tensor().as<double>()[0];
  };
  return (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h);
}

std::vector<interp::Value> stacked_data(const RowData& data, const std::vector<bool>& batched) {
  std::vector<interp::Value> args = data[0];
  for (size_t k = 0; k < args.size(); ++k) {
    if (!batched[k]) continue;
    std::vector<const Tensor*> each;
    for (const auto& row : data) each.push_back(&row[k].tensor());
    args[k] = *interp::stack(each, args[k].tensor().dtype, args[k].tensor().shape);
  }
  return args;
}

}  // namespace

void check_derivative(Module& m, const Made& f, const std::string& what, double tolerance) {
  std::vector<size_t> wrt = float_params(m, f.func);
  auto derived = value_and_grad(m, f.func, wrt);
  ASSERT_TRUE(derived.has_value()) << what << ": " << derived.error().message;
  auto results = run(m, *derived, f.data);
  ASSERT_EQ(results.size(), wrt.size() + 1) << what;
  for (size_t i = 0; i < wrt.size(); ++i) {
    auto grad = results[i + 1].tensor().as<double>();
    ASSERT_EQ(grad.size(), f.data[wrt[i]].tensor().as<double>().size()) << what;
    for (size_t e = 0; e < grad.size(); ++e) {
      double expected = difference(m, f.func, f.data, wrt[i], e);
      EXPECT_NEAR(grad[e], expected, tolerance * (1 + std::abs(expected))) << what << ", argument " << wrt[i] << ", element " << e;
    }
  }
}

void check_batched(Module& m, FuncId f, const RowData& data, const std::vector<bool>& flags, const std::string& what) {
  auto over = batch(m, f, flags, m.types.dims.constant(rows));
  ASSERT_TRUE(over.has_value()) << what << ": " << over.error().message;
  auto all = run(m, over->func, stacked_data(data, flags));
  for (int64_t r = 0; r < rows; ++r) {
    auto one = run(m, f, data[static_cast<size_t>(r)]);
    ASSERT_EQ(all.size(), one.size()) << what;
    for (size_t i = 0; i < one.size(); ++i) {
      Tensor mine = over->batched[i] ? interp::row(all[i].tensor(), r) : all[i].tensor();
      EXPECT_TRUE(interp::same_bits(mine, one[i].tensor())) << what << ", result " << i << ", row " << r;
    }
  }
}

}  // namespace glia::laws
