// glia test: the `test` blocks of programs, each run after the statements of its file.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "cli/verbs.h"

namespace glia::cli {

namespace {
struct Counts {
  size_t passed = 0, failed = 0;
};

// `nn` names the module of the standard library, where no such file is here.
std::string file_of(const std::string& name) {
  std::error_code ignored;
  if (name.find('.') != std::string::npos || name.find('/') != std::string::npos || std::filesystem::exists(name, ignored)) return name;
  const std::string library = stdlib_folder() + "/" + name + ".ml";
  return !stdlib_folder().empty() && std::filesystem::exists(library, ignored) ? library : name;
}

bool run_test(Loaded& p, const TestProgram& t) {
  const bool ok = p.session.run(t.step) && !p.diags.has_errors();
  fmt::print("{} {}\n", ok ? "ok    " : "FAILED", t.name);
  std::fflush(stdout);
  print_diagnostics(p.diags, p.sources, p.command.json_diagnostics);
  p.diags.clear();
  return ok;
}

int test_file(const CommandLine& command, Counts& counts) {
  Loaded p(command, false);
  if (p.diags.has_errors()) return p.finish();
  print_diagnostics(p.diags, p.sources, command.json_diagnostics);  // warnings
  p.diags.clear();
  if (p.program.tests.empty()) fmt::print("{} has no tests\n", command.files[0]);
  for (const TestProgram& t : p.program.tests) ++(run_test(p, t) ? counts.passed : counts.failed);
  return done;
}
}  // namespace

int test_programs(const CommandLine& c) {
  Counts counts;
  int status = done;
  for (const std::string& name : c.files) {
    CommandLine one = c;
    one.files = {file_of(name)};
    if (c.files.size() > 1) fmt::print("{}:\n", name);
    status = std::max(status, test_file(one, counts));
  }
  fmt::print("{} passed, {} failed\n", counts.passed, counts.failed);
  return counts.failed > 0 ? program_wrong : status;
}

}  // namespace glia::cli
