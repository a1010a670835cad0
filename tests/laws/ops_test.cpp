// Laws of every op in the table: it has a case, its result is of the type its rule says, its derivative agrees with
// finite differences, and it gives over a batch what it gives one by one, bit for bit, in value and derivative.
#include <gtest/gtest.h>

#include <set>

#include "ir/passes/batch.h"
#include "ir/passes/differentiate.h"
#include "tests/laws/laws.h"

namespace glia::laws {
namespace {

using namespace ir;

bool computes_tensors(const OpInfo& op) { return op.family != Family::control && op.family != Family::host; }

std::string where(const Case& c, int64_t n) { return fmt::format("{} ({}) at size {}", c.name, info(c.op).name, n); }

std::vector<int64_t> known_shape(const Module& m, TypeId type) {
  std::vector<int64_t> shape;
  for (DimId d : m.types.shape(type)) shape.push_back(*m.types.dims.known(d));
  return shape;
}

TEST(OpLaws, EveryOpHasACase) {
  std::set<OpId> have;
  for (const Case& c : cases()) have.insert(c.op);
  for (size_t i = 0; i < op_table().size(); ++i)
    EXPECT_TRUE(!computes_tensors(op_table()[i]) || have.contains(OpId(i))) << op_table()[i].name;
}

// A float op has a derivative or says that it has none.
TEST(OpLaws, EveryFloatOpHasADerivativeOrSaysNot) {
  for (const Case& c : cases()) {
    Module m;
    Made made = make_case(m, c, 2);
    if (!is_float(m.types.dtype(made.type)) || float_params(m, made.func).empty()) continue;
    const OpInfo& op_info = info(c.op);
    EXPECT_TRUE(op_info.derivative || (op_info.differentiable && !op_info.differentiable(0))) << op_info.name;
  }
}

TEST(OpLaws, ResultsAreOfTheirType) {
  for (const Case& c : cases())
    for (int64_t n : sizes) {
      Module m;
      Made made = make_case(m, c, n);
      auto results = run(m, made.func, made.data);
      ASSERT_EQ(results.size(), 1u) << where(c, n);
      EXPECT_EQ(results[0].tensor().dtype, m.types.dtype(made.type)) << where(c, n);
      EXPECT_EQ(results[0].tensor().shape, known_shape(m, made.type)) << where(c, n);
    }
}

bool smooth(const OpInfo& op) { return op.derivative != nullptr && op.name != "unless_zero"; }

TEST(OpLaws, DerivativesAgreeWithDifferences) {
  for (const Case& c : cases())
    for (int64_t n : sizes) {
      Module m;
      Made made = make_case(m, c, n);
      if (!smooth(info(c.op)) || !is_float(m.types.dtype(made.type))) continue;
      check_derivative(m, weighted(m, made), where(c, n));
    }
}

// The derivative of the derivative along its own weights.
TEST(OpLaws, SecondDerivativesAgreeWithDifferences) {
  for (const Case& c : cases()) {
    Module m;
    Made made = make_case(m, c, 3);
    if (!smooth(info(c.op)) || !is_float(m.types.dtype(made.type))) continue;
    Made once = weighted(m, made);
    std::vector<size_t> wrt = float_params(m, once.func);
    auto derived = value_and_grad(m, once.func, wrt);
    ASSERT_TRUE(derived.has_value()) << where(c, 3);
    Builder b(m, "total");
    std::vector<ValueId> args;
    for (ValueId p : m[*derived].params) args.push_back(b.param(m[*derived][p].type).id);
    std::vector<Value> all = inline_func(b, m[*derived], args);
    Value total = constant(b, 0, DType::f64);
    for (size_t i = 1; i < all.size(); ++i) total = total + sum(all[i] * all[i]);
    b.result(total.id);
    check_derivative(m, {b.finish_into_module(), once.data, {}}, "second derivative of " + where(c, 3));
  }
}

// One value per row for the arguments flagged.
std::vector<std::vector<interp::Value>> row_data(const Case& c, int64_t n, const Made& made, const std::vector<bool>& batched) {
  std::vector<std::vector<interp::Value>> data(rows, made.data);
  for (int64_t r = 0; r < rows; ++r) {
    Module scratch;
    Inputs other(scratch, c.name, n);
    other.random.seed(static_cast<uint32_t>(100 + r));
    c.build(other);
    for (size_t k = 0; k < other.data.size(); ++k)
      if (batched[k]) data[static_cast<size_t>(r)][k] = other.data[k];
  }
  return data;
}

std::vector<std::vector<bool>> choices(size_t params) {
  std::vector<std::vector<bool>> all{std::vector<bool>(params, true)};
  for (size_t k = 0; k < params && params > 1; ++k) {
    std::vector<bool> one(params);
    one[k] = true;
    all.push_back(one);
  }
  return all;
}

TEST(OpLaws, BatchedIsOneByOne) {
  for (const Case& c : cases())
    for (int64_t n : sizes) {
      if (info(c.op).sees_batch) continue;
      Module m;
      Made made = make_case(m, c, n);
      for (const auto& flags : choices(made.data.size())) {
        auto data = row_data(c, n, made, flags);
        check_batched(m, made.func, data, flags, where(c, n));
        if (!smooth(info(c.op)) || !is_float(m.types.dtype(made.type))) continue;
        Made scalar = weighted(m, made);
        auto derived = value_and_grad(m, scalar.func, float_params(m, scalar.func));
        ASSERT_TRUE(derived.has_value());
        auto with_weights = data;
        for (auto& row : with_weights) row.push_back(scalar.data.back());
        std::vector<bool> more = flags;
        more.push_back(false);
        check_batched(m, *derived, with_weights, more, "derivative of " + where(c, n));
      }
    }
}

}  // namespace
}  // namespace glia::laws
