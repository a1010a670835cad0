// The list, and the loop over it.
#include "ir/passes/pipeline.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/passes/batch.h"
#include "ir/passes/differentiate.h"
#include "ir/passes/simplify.h"
#include "ir/passes/specialise.h"
#include "ir/text/print.h"
#include "ir/verify.h"

namespace glia::ir {

namespace {
using Passed = std::expected<Func, Diagnostic>;

constexpr Pass passes[] = {
    {"elaborate", "what the parser room makes of the source", [](Module&, const Func& f) -> Passed { return f; }},
    {"specialise", "calls become what they call, known sizes become numbers", [](Module& m, const Func& f) -> Passed { return specialise(m, f, {}); }},
    {"simplify", "algebra, repeated values, numbers", [](Module& m, const Func& f) -> Passed { return simplify(m, f); }},
    {"differentiate", "grad becomes the derivative itself", [](Module& m, const Func& f) -> Passed { return expand_grads(m, f); }},
    {"batch", "map becomes the same operations over one more axis", [](Module& m, const Func& f) -> Passed { return expand_maps(m, f); }},
    {"recognise", "sums of products become contractions", [](Module& m, const Func& f) -> Passed { return recognise(m, f); }},
    {"tidy", "algebra once more, on what that made", [](Module& m, const Func& f) -> Passed { return simplify(m, f); }},
};
}  // namespace

std::span<const Pass> pipeline() { return passes; }

std::expected<Func, Diagnostic> run_pipeline(Module& m, const Func& f, std::string_view until, Verify check) {
  GLIA_CHECK(until.empty() || std::ranges::any_of(passes, [&](const Pass& p) { return p.name == until; }), fmt::format("no pass `{}`", until));
  Func now = f;
  for (const Pass& pass : passes) {
    Passed next = pass.run(m, now);
    if (!next) return next;
    now = std::move(*next);
    if (check == Verify::each)
      if (auto problems = verify(m, now); !problems.empty())
        internal_error(__FILE__, __LINE__, "the function is sound after the pass",
                       fmt::format("pass `{}`: {}\n{}", pass.name, problems[0], print(m, now)));
    if (pass.name == until) break;
  }
  return now;
}

}  // namespace glia::ir
