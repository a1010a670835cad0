// Which values the arms of a match leave out, and which arms can never be taken (Maranget, "Warnings for pattern matching",
// 2007), over patterns that know the constructors of their type.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace glia {

struct CaseShape {
  std::string name;      // as shown: `Node`, `true`, `3`; empty for a tuple
  size_t arity = 0;
  std::vector<std::string> fields;   // of a record
};

struct ArmPattern {
  bool any = true;       // `_` and names
  size_t which = 0;      // of `all`; where `open`, of no list: told apart by name
  std::string name;
  std::vector<ArmPattern> parts;
  std::vector<CaseShape> all;   // the constructors of the type
  bool open = false;         // numbers and texts: never all listed
};

using ArmRow = std::vector<ArmPattern>;

// A value that no row matches, shown as a pattern.
std::optional<std::string> missing_case(const std::vector<ArmRow>& rows);
// Whether the row matches a value that no row before it does.
bool reachable(const std::vector<ArmRow>& before, const ArmRow& row);

}  // namespace glia
