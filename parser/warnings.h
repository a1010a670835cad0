// Warnings: programs that mean something, but hardly what their author wanted. None of them changes what a program does.
//   warnings_names.cpp    names that nothing uses, conditions of literals only: seen in the syntax
//   warnings_values.cpp   parameters that no loss reaches, `softmax` where logits are taken, gradients that are zero
//   warnings_sizes.cpp    sizes with two names that are equal only because their values happen to be
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/diag.h"
#include "parser/ast.h"
#include "parser/val.h"

namespace glia {

class Elaborator;
struct TrainProgram;
struct ProgramRequest;

// A size that the program names and gives a number: `option h: dim = 128`.
struct NamedSize {
  std::string name;
  int64_t value;
  Span span;
};

// Two names that stood for one size where a check compared them.
struct SizeMeeting {
  std::string first, second;
  Span at;
};

// A model that a function makes while it runs.
struct MadeLayer {
  std::string name;
  Span span;
};

// What the checks remember while a program is elaborated.
struct Warnings {
  std::vector<NamedSize> sizes;
  std::set<std::string> by_name;              // sizes that stand for themselves in this elaboration, not for their number
  std::vector<SizeMeeting> meetings;          // of these
  std::pair<ir::DimId, ir::DimId> differ;     // the last two sizes that did not fit
  std::map<uint64_t, Span> probabilities;     // values that `softmax` gave
  std::map<uint32_t, Span> global_probabilities;
  std::vector<MadeLayer>* made = nullptr;     // of the function of a model that is being checked
};

// Names and conditions of one file. In the main program top-level imports count, in a module they are part of what it offers.
void warn_of_syntax(const ast::Tree& tree, bool main, Diagnostics& diags);

// ---- values: called by the elaborator where they come about
void note_probability(Elaborator& e, const Closure& f, const Val& result, Span at);
void carry_probability(Elaborator& e, const Val& from, GlobalId to);
void warn_of_probability(Elaborator& e, const Closure& f, std::string_view param, const Val& argument, Span at);
void warn_of_unreached(Elaborator& e, const TrainProgram& t, const Val& model, Span at);
void warn_of_zero_gradient(Elaborator& e, const Closure& f, size_t param, ir::FuncId func, std::pair<size_t, size_t> leaves, Span at);

// ---- sizes
void note_named_size(Elaborator& e, const std::string& name, ast::ExprId value, const Val& size, Span at);
void note_meeting(Elaborator& e, ir::DimId a, ir::DimId b, Span at);
// The names whose numbers are equal though nothing says that they must be.
std::set<std::string> sizes_equal_by_chance(const std::vector<NamedSize>& sizes);

}  // namespace glia
