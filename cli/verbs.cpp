// The verbs that run something.
#include "cli/verbs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "train/log.h"
#include "train/weights.h"

namespace glia::cli {

namespace {
inline constexpr DiagKind no_folder{"E0624", Severity::error, "cannot write `{}`: there is no folder `{}`"};
inline constexpr DiagKind no_permission{"E0625", Severity::error, "cannot write `{}`: it is a folder, or may not be written"};

train::Log log_of(const CommandLine& c) {
  if (c.log == "json") return train::json_log(stdout);
  const bool terminal = ::isatty(STDERR_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  return c.log == "auto" && terminal ? train::progress_log(stderr, stdout) : train::plain_log(stdout);
}

// Before training rather than after it.
bool can_write(const std::string& path, Diagnostics& diags) {
  if (path.empty()) return true;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).has_parent_path() ? std::filesystem::path(path).parent_path() : ".";
  if (!std::filesystem::is_directory(folder, ignored)) return diags.report(no_folder, Span{}, path, folder.string()), false;
  if (std::filesystem::is_directory(path, ignored) || ::access(folder.c_str(), W_OK) != 0)
    return diags.report(no_permission, Span{}, path), false;
  return true;
}
}  // namespace

int run_command(const CommandLine& c) {
  switch (c.verb) {
    case Verb::run:
      return run_program(c);
    case Verb::train:
      return train_program(c);
    case Verb::eval:
      return eval_program(c);
    case Verb::check:
      return check_programs(c);
    case Verb::ir:
      return show_ir(c);
    case Verb::summary:
      return show_summary(c);
    case Verb::fmt:
      return format_files(c);
    case Verb::test:
      return test_programs(c);
    case Verb::doc:
      return show_doc(c);
    case Verb::explain:
      return explain(c);
    case Verb::repl:
      return run_repl(c);
  }
  std::unreachable();
}

int run_program(const CommandLine& c) {
  Loaded p(c, false);
  return p.finish();
}

int train_program(const CommandLine& c) {
  {
    Sources none;
    Diagnostics early;
    if (!can_write(c.out, early)) return print_diagnostics(early, none, c.json_diagnostics), program_wrong;
  }
  Loaded p(c, true);
  if (const TrainProgram* t = p.train()) {
    train::TrainRequest request = train_request(c);
    request.log = log_of(c);
    (void)train::run_training(p.session, *t, request);
  }
  return p.finish();
}

int eval_program(const CommandLine& c) {
  Loaded p(c, true);
  const TrainProgram* t = p.train();
  if (!t) return p.finish();
  const auto params = train::load_weights(c.weights, p.module.types, *t, p.diags);
  const auto scores = params ? train::run_evaluation(p.session, *t, *params, train_request(c)) : std::nullopt;
  if (scores) {
    std::vector<std::string> names;
    for (const Metric& m : t->metrics) names.push_back(m.name);
    std::cout << (c.log == "json" ? train::scores_line(*scores, names) : train::scores_text(*scores, names)) << "\n" << std::flush;
  }
  return p.finish();
}

int check_programs(const CommandLine& c) {
  int status = done;
  for (const std::string& file : c.files) {
    Sources sources;
    Diagnostics diags;
    ir::Module module;
    ProgramRequest request;
    request.path = file;
    request.stdlib = stdlib_folder();
    (void)elaborate(request, sources, module, diags);
    if (!diags.has_errors()) std::cout << file << ": no errors\n";
    else status = program_wrong;
    print_diagnostics(diags, sources, c.json_diagnostics);
  }
  return status;
}

}  // namespace glia::cli
