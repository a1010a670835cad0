// See echoes.h.
#include "parser/echoes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "parser/advice.h"

namespace glia {

namespace {
constexpr int shown = 2;

// A call is where the error shows, not where it comes from.
bool is_origin(const Label& l) { return l.span.valid() && l.text != "in this call"; }

// A value that is not what was meant gives errors of all kinds; a declaration may be used wrongly in several ways.
std::string_view kind_of(const Diagnostic& d, const Label& l) { 
  bool any_code = l.text.ends_with("comes from here") || l.text.starts_with("element ") || l.text == as_declared;
  return any_code ? "" : d.code;
}
}  // namespace

Diagnostics without_echoes(const Diagnostics& all, const std::function<bool(FileId)>& ignored) {
  Diagnostics out;
  std::map<std::tuple<uint32_t, uint32_t, std::string_view>, int> named;   // by file and begin of the place, and kind
  for (const Diagnostic& d : all.all()) {
    std::vector<int*> counts;
    for (const Label& l : d.labels)
      if (is_origin(l) && !(l.span == d.span) && !ignored(l.span.file)) counts.push_back(&named[{l.span.file.v, l.span.begin, kind_of(d, l)}]);
    bool echo = d.severity == Severity::error && std::any_of(counts.begin(), counts.end(), [](int* n) { return *n >= shown; });
    if (echo) continue;
    if (d.severity == Severity::error)
      for (int* n : counts) ++*n;
    out.add(d);
  }
  return out;
}

}  // namespace glia
