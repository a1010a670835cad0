// A session: source texts that are checked and run one after the other, each seeing what the ones before it declared. A
// later declaration of a name hides the earlier one for what follows; functions that were there keep what they saw. A text
// with an error leaves no trace but what it printed.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parser/elaborator.h"

namespace glia {

// Whether a text that does not parse yet may become whole by further lines.
struct InputState {
  bool needs_more = false;
  bool in_bracket = false;
};
InputState input_state(const std::string& text);

class ReplSession {
 public:
  // The request's host runs the statements; its path is not read.
  ReplSession(const ProgramRequest& request, Sources& sources, ir::Module& module, Diagnostics& diags);

  struct Shown {
    Val value;
    std::string type;
  };
  struct Ran {
    bool ok = false;
    std::vector<Shown> values;        // of the expressions, but for those that are ()
    std::vector<std::string> notes;
  };
  // Errors are in the diagnostics, which must be empty before.
  Ran run(FileId file);

  // The type of one expression, which does not run; nothing where it has errors.
  std::optional<std::string> type_of(FileId file);
  // The IR of one expression; of a function by name where the text is one.
  std::optional<ir::FuncId> code_of(FileId file);

  struct Variable {
    std::string name, type;
  };
  std::vector<Variable> variables() const;  // of the session, by name
  std::vector<std::string> floats_in(FileId file);  // variables of one float type that an expression uses

  // What may stand at the end of `text`: names, or fields after a dot. Whole words.
  std::vector<std::string> completions(std::string_view text) const;

  ir::Types& types() { return elaborator_.types; }

 private:
  struct Declared {
    std::string name;
    ScopePtr scope;                // what it sees
    std::set<std::string> uses;
  };

  Unit* read(FileId file);
  bool run_items(Unit& u, Ran& ran);
  bool run_item(Unit& u, const ast::Item& it, Ran& ran);
  void note_hidden(const Unit& u, Ran& ran) const;
  void remember(const Unit& u);
  void settle();  // after errors: nothing is open
  template <class Use>
  bool with_expression(FileId file, Use&& use);
  std::string type_text(const Val& v);

  mutable Elaborator elaborator_;
  ScopePtr scope_;                 // of the last text
  std::vector<Declared> functions_;
  int inputs_ = 0;
};

}  // namespace glia
