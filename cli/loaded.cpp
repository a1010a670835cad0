// From a command line to a program that has run up to its train block.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <thread>

#include "base/text.h"
#include "cli/verbs.h"
#include "interp/data.h"

namespace glia::cli {

std::string stdlib_folder() {
  std::error_code none;
  auto folder = std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / "stdlib";
  return !none && std::filesystem::is_directory(folder, none) ? folder.string() : "";
}

namespace {
inline constexpr DiagKind no_block{"E0621", Severity::error, "`{}` has no train block"};
inline constexpr DiagKind which_block{"E0622", Severity::error, "`{}` has several train blocks: {}"};
inline constexpr DiagKind other_block{"E0623", Severity::error, "`{}` has no train block `{}`"};

// With --log json, standard output is the log's.
train::SessionOptions session_options(const CommandLine& c, const interp::HostFunctions& host) {
  return {c.seed.value_or(0), &host, c.log == "json" ? &std::cerr : &std::cout};
}

// To show one function nothing needs to run.
ProgramRequest request_of(const CommandLine& c, train::Session& session, bool want_train) {
  const bool runs = c.function.empty();
  ProgramRequest r;
  r.path = c.files[0];
  r.options = c.options;
  r.stdlib = stdlib_folder();
  if (runs) r.host = session.host();
  if (runs && c.seed) r.host.seed = [](int64_t) {};  // the command line's word is the last
  r.train_name = c.block;
  r.train_settings = c.train_settings;
  r.want_train = want_train;
  r.want_tests = c.verb == Verb::test;
  return r;
}
}  // namespace

Loaded::Loaded(const CommandLine& c, bool want_train)
    : command(c),
      host(interp::data_functions([](const std::string& note) { fmt::print(stderr, "note: {}\n", note); })),
      session(module, diags, session_options(c, host)),
      program(elaborate(request_of(c, session, want_train), sources, module, diags)) {}

int Loaded::finish() {
  print_diagnostics(diags, sources, command.json_diagnostics);
  return diags.has_errors() ? program_wrong : done;
}

const TrainProgram* Loaded::train() {
  if (diags.has_errors()) return nullptr;
  const auto& names = program.train_names;
  if (names.empty()) diags.report(no_block, Span{}, command.files[0]).help("write `train { model: …  data: …  loss: …  optimizer: … }`");
  else if (command.block.empty() && names.size() > 1)
    diags.report(which_block, Span{}, command.files[0], join_words(names, "and")).help("choose one with `--block NAME`");
  else if (!program.train) {
    auto& d = diags.report(other_block, Span{}, command.files[0], command.block);
    if (auto near = nearest(command.block, names)) d.help(fmt::format("did you mean `{}`?", *near));
  }
  return diags.has_errors() ? nullptr : &*program.train;
}

train::TrainRequest train_request(const CommandLine& c) {
  train::TrainRequest r;
  r.file = c.files[0];
  r.options = c.options;
  r.seed = c.seed;
  r.out = c.out;
  r.run.backend = c.backend == "interp" ? train::Backend::interp : train::Backend::plan;
  r.run.threads = c.threads > 0 ? c.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return r;
}

}  // namespace glia::cli
