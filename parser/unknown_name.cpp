// A name that stands for nothing where it is used: said once, with the nearest name that does.
#include "base/text.h"
#include "parser/advice.h"

namespace glia {

namespace {
constexpr DiagKind unknown_name{"E0210", Severity::error, "there is no `{}` here"};
}  // namespace

// The names of the program come before those of the language, the innermost first.
Val Elaborator::unknown(const std::string& name, Span span, const ScopePtr& scope) {
  if (!unit->library && !unknown_names_.insert(name).second) return poison();
  std::vector<std::string> names;
  scope->collect(names);
  for (std::string& b : builtin_names()) names.push_back(std::move(b));
  auto& d = report(unknown_name, span, name);
  if (auto models = models_with(scope, name); !models.empty()) {
    d.help(fmt::format("it is a function of the model `{}`: call it on one, `m.{}(…)`", models.front(), name));
  } else if (auto near = nearest(name, names)) {
    d.help(fmt::format("did you mean `{}`?", *near));
    if (Binding* b = scope->find(*near); b && b->span.valid() && !is_library(b->span.file)) d.label(b->span, fmt::format("`{}` is declared here", *near));
  } else if (name == "nn" || name == "optim" || name == "data") {
    d.help(fmt::format("write `import {}` at the top of the file", name));
  } else if (!checking_.empty() && !is_library(checking_.back().first->span.file)) {
    d.label(checking_.back().first->span, fmt::format("it is no parameter of `{}`", checking_.back().first->name.text));
  }
  return poison();
}

}  // namespace glia
