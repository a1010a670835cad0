// Diagnostics: what the user did wrong, where, why in the user's own names, and what to write instead.
// A kind is a constant beside the check that raises it; the sink collects, the renderer prints.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/source.h"

namespace glia {

enum class Severity : uint8_t { error, warning };

// A closed set of codes: one constant per kind of fault, declared beside its only use.
struct DiagKind {
  std::string_view code;  // "E0203"
  Severity severity;
  std::string_view text;  // fmt format of the headline
};

struct Label {
  Span span;
  std::string text;
};

struct Diagnostic {
  std::string_view code;
  Severity severity = Severity::error;
  std::string message;
  Span span;
  std::vector<Label> labels;       // other places that take part: where each side came from
  std::vector<std::string> notes;  // facts without a place
  std::vector<std::string> helps;  // what to write instead

  // A place is labelled once with the same words, however many checks want it.
  Diagnostic& label(Span at, std::string text) {
    for (const Label& l : labels)
      if (l.span == at && l.text == text) return *this;
    if (at.valid()) labels.push_back({at, std::move(text)});
    return *this;
  }
  Diagnostic& note(std::string text) { return notes.push_back(std::move(text)), *this; }
  Diagnostic& help(std::string text) { return helps.push_back(std::move(text)), *this; }
};

class Diagnostics {
 public:
  // Reports a fault. The returned reference is good until the next report: add labels and help at once.
  // The same kind at the same span is kept once.
  template <class... Args>
  Diagnostic& report(const DiagKind& kind, Span span, Args&&... args) {
    return add(Diagnostic{kind.code, kind.severity, fmt::format(fmt::runtime(kind.text), args...), span, {}, {}, {}});
  }
  Diagnostic& add(Diagnostic d);

  const std::vector<Diagnostic>& all() const { return list_; }
  size_t error_count() const { return errors_; }
  // Every error reported, also one that is kept already: tells whether a piece of work went well.
  size_t faults() const { return faults_; }
  bool has_errors() const { return errors_ > 0; }
  void clear() { list_.clear(), errors_ = faults_ = 0; }

 private:
  std::vector<Diagnostic> list_;
  Diagnostic repeated_;  // where labels of a repeated report go to be forgotten
  size_t errors_ = 0;
  size_t faults_ = 0;
};

// The text of a diagnostic as a terminal shows it: "error[E0203]: …", file:line:col, the line with the
// span underlined by display width, labels, notes, help. `color` adds ANSI colours.
std::string render(const Diagnostic& d, const Sources& sources, bool color = false);
std::string render_all(const Diagnostics& ds, const Sources& sources, bool color = false);

}  // namespace glia
