// All passes, in order: the table of contents of the compiler.
#pragma once
#include <expected>
#include <span>
#include <string_view>

#include "base/diag.h"
#include "ir/func.h"

namespace glia::ir {

struct Pass {
  std::string_view name;
  std::string_view doc;
  std::expected<Func, Diagnostic> (*run)(Module&, const Func&);
};

std::span<const Pass> pipeline();

enum class Verify : uint8_t { no, each };

// Runs the passes up to and with the last one named `until`; all of them where it is empty. With `each`, the verifier
// stops the program after a pass that broke the function.
std::expected<Func, Diagnostic> run_pipeline(Module& m, const Func& f, std::string_view until = {}, Verify check = Verify::no);

}  // namespace glia::ir
