// The laws, as tables, and the passes made of them.
#pragma once
#include "ir/passes/rewrite.h"

namespace glia::ir {

std::span<const Rule> algebra_rules();      // elementwise
std::span<const Rule> shape_rules();        // sums, repetition, gathers
std::span<const Rule> contraction_rules();  // sums of products

// Algebra and shapes.
Func simplify(Module& m, const Func& f);
// All rules: what was written with sums and products becomes contractions.
Func recognise(Module& m, const Func& f);

// Both sides of each law over small shapes, for tests: they must give the same, bit for bit where `exact`. Those that
// are applied while values are made (peephole.h) are among them.
struct RuleCase {
  std::string_view name;
  Func lhs, rhs;
  bool exact;
};
std::vector<RuleCase> simplify_laws(Module& m);

}  // namespace glia::ir
