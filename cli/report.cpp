// See report.h.
#include "cli/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

namespace glia::cli {

namespace {
using Json = nlohmann::ordered_json;

void add_place(Json& to, Span span, const Sources& sources) {
  if (!span.valid()) {
    to["file"] = nullptr;
    return;
  }
  const SourceFile& file = sources.file(span.file);
  const Place begin = file.place(span.begin), end = file.place(span.end);
  to["file"] = file.path();
  to["line"] = begin.line;
  to["column"] = begin.column;
  to["end"] = {{"line", end.line}, {"column", end.column}};
}
}  // namespace

std::string diagnostic_json(const Diagnostic& d, const Sources& sources) {
  Json out;
  out["code"] = std::string(d.code);
  out["severity"] = d.severity == Severity::error ? "error" : "warning";
  out["message"] = d.message;
  add_place(out, d.span, sources);
  out["labels"] = Json::array();
  for (const Label& l : d.labels) {
    Json label;
    label["text"] = l.text;
    add_place(label, l.span, sources);
    out["labels"].push_back(std::move(label));
  }
  out["notes"] = d.notes;
  out["help"] = d.helps;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void print_diagnostics(const Diagnostics& diags, const Sources& sources, bool json) {
  std::cout << std::flush;
  if (diags.all().empty()) return;
  if (!json) return fmt::print(stderr, "{}", render_all(diags, sources, ::isatty(STDERR_FILENO) == 1));
  for (const Diagnostic& d : diags.all()) fmt::print(stderr, "{}\n", diagnostic_json(d, sources));
}

}  // namespace glia::cli
