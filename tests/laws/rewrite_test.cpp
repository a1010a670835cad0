// Every rewrite rule: left = right, bit for bit where it says so, with -0, infinities and NaN among the inputs.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "interp/evaluate.h"
#include "ir/passes/simplify.h"
#include "ir/text/print.h"

namespace glia::laws {
namespace {

interp::Value draw(const ir::Module& m, ir::TypeId type, std::mt19937& random, bool special) {
  constexpr float odd[] = {0.0f, -0.0f, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(), 1.0f, -1.0f};
  std::vector<int64_t> shape;
  for (ir::DimId d : m.types.shape(type)) shape.push_back(*m.types.dims.known(d));
  interp::Tensor t = interp::Tensor::zeros(m.types.dtype(type), shape);
  std::uniform_real_distribution<float> uniform(0.3f, 2.0f);
  if (t.dtype == DType::boolean) {
    for (bool& x : t.as<bool>()) x = random() % 2;
    return t;
  }
  for (float& x : t.as<float>()) x = special && random() % 2 ? odd[random() % std::size(odd)] : uniform(random) * (random() % 2 ? 1.0f : -1.0f);
  return t;
}

bool agree(double x, double y, bool exact) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (exact) return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y);
  return std::fabs(x - y) <= 1e-5 * (1 + std::fabs(x));
}

TEST(RewriteLaws, BothSidesAreEqual) {
  ir::Module m;
  for (const ir::RuleCase& c : ir::simplify_laws(m)) {
    std::mt19937 random(7);
    bool broken = false;
    for (int trial = 0; trial < 40 && !broken; ++trial) {
      std::vector<interp::Value> args;
      for (ir::ValueId p : c.lhs.params) args.push_back(draw(m, c.lhs[p].type, random, c.exact && trial % 2));
      auto left = interp::evaluate(m, c.lhs, args), right = interp::evaluate(m, c.rhs, args);
      ASSERT_TRUE(left && right) << c.name;
      const interp::Tensor &a = (*left)[0].tensor(), &b = (*right)[0].tensor();
      ASSERT_EQ(a.shape, b.shape) << c.name;
      for (int64_t i = 0; i < a.size() && !broken; ++i) {
        double x = interp::element_real(a, i), y = interp::element_real(b, i);
        broken = !agree(x, y, c.exact);
        EXPECT_FALSE(broken) << c.name << ": " << x << " and " << y << "\n" << ir::print(m, c.lhs) << ir::print(m, c.rhs);
      }
    }
  }
}

}  // namespace
}  // namespace glia::laws
