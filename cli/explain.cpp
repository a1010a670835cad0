// glia explain: the page of a diagnostic.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "cli/pages.h"
#include "cli/verbs.h"

namespace glia::cli {

namespace {
// "E0203: title" of "# E0203: title".
std::string_view first_line(std::string_view page) {
  page.remove_prefix(std::min(page.find_first_not_of("# "), page.size()));
  return page.substr(0, page.find('\n'));
}

int unknown(const std::string& code) {
  std::vector<std::string> codes;
  for (const DiagnosticPage& p : diagnostic_pages()) codes.emplace_back(p.name);
  const auto near = nearest(code, codes);
  fmt::print(stderr, "glia: there is no diagnostic `{}`\nhelp: {}\n", code,
             near ? fmt::format("did you mean `{}`?", *near) : "`glia explain` lists all codes");
  return program_wrong;
}
}  // namespace

int explain(const CommandLine& c) {
  if (c.files.empty()) {
    for (const DiagnosticPage& p : diagnostic_pages()) fmt::print("{}\n", first_line(p.text));
    return done;
  }
  std::string code = c.files[0];
  for (char& x : code) x = static_cast<char>(std::toupper(static_cast<unsigned char>(x)));
  if (!code.empty() && std::isdigit(static_cast<unsigned char>(code[0]))) code = "E" + code;
  for (const DiagnosticPage& p : diagnostic_pages())
    if (p.name == code) return fmt::print("{}", p.text), done;
  return unknown(c.files[0]);
}

}  // namespace glia::cli
