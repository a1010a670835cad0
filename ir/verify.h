// The checker that runs after each pass in tests, and on every text that is read: a function that passes it can be run,
// differentiated and batched without looking again.
#pragma once
#include <string>
#include <vector>

#include "ir/func.h"

namespace glia::ir {

enum class Stage : uint8_t {
  any,
  concrete,  // after specialisation: no generic element types and no packs are left
};

// What is wrong, a sentence each; nested functions are checked too. Empty: all is well.
std::vector<std::string> verify(const Module& module, const Func& func, Stage stage = Stage::any);

// What is wrong with the use of an op with nested functions: their parameters, results and the type of the node.
std::vector<std::string> verify_control(Module& module, const Func& func, const Node& node);

}  // namespace glia::ir
