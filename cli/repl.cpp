// See repl.h.
#include "cli/repl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/interrupt.h"
#include "cli/verbs.h"
#include "interp/data.h"

namespace glia::cli {

namespace {
constexpr const char* prompt = "glia> ";
constexpr const char* more_prompt = "    | ";

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

ProgramRequest request_of(const CommandLine& c, train::Session& session) {
  ProgramRequest r;
  r.stdlib = stdlib_folder();
  r.host = session.host();
  if (c.seed) r.host.seed = [](int64_t) {};  // the command line's word is the last
  return r;
}
}  // namespace

ReplState::ReplState(const CommandLine& c)
    : host(interp::data_functions([](const std::string& note) { std::cout << "note: " << note << "\n"; })),
      session(module, diags, {.seed = c.seed.value_or(0), .host = &host, .out = &std::cout, .stop = &interrupt_flag()}),
      request(request_of(c, session)),
      repl(request, sources, module, diags) {}

Repl::Repl(const CommandLine& c) : command_line_(c), state_(std::make_unique<ReplState>(c)) {}

FileId Repl::text_file(const std::string& text) { return state_->sources.add(fmt::format("<{}>", ++count_), text); }

void Repl::print_errors() {
  for (const Diagnostic& d : state_->diags.all()) std::cout << render(d, state_->sources, ::isatty(STDOUT_FILENO) == 1);
  state_->diags.clear();
  std::cout << std::flush;
}

void Repl::print_values(const ReplSession::Ran& ran) {
  for (const auto& [value, type] : ran.values) {
    const std::string text = show_value(value, *state_);
    std::cout << (text.empty() ? type : text + " : " + type) << "\n";
  }
}

ReplSession::Ran Repl::run(FileId file) {
  interrupt_flag() = false;
  return state_->repl.run(file);
}

void Repl::evaluate(FileId file, bool show) {
  const ReplSession::Ran ran = run(file);
  if (show) print_values(ran);
  for (const std::string& note : ran.notes) std::cout << "note: " << note << "\n";
  print_errors();
}

void Repl::input(const std::string& text) { evaluate(text_file(text), true); }

void Repl::load(const std::string& path) {
  const auto file = state_->sources.load(path);
  if (!file) {
    std::cout << "error: " << file.error().message << "\n";
    return;
  }
  loaded_ = path;
  evaluate(*file, false);
}

std::vector<std::string> Repl::completions(std::string_view text) const { return state_->repl.completions(text); }

// Lines are gathered until they make a whole. A blank line ends an input that is none, two of them do inside brackets.
void Repl::converse(const LineSource& next) {
  std::string text;
  bool after_blank = false;
  for (;;) {
    const ReadLine read = next(text.empty() ? prompt : more_prompt);
    if (read.kind == ReadLine::end) {
      if (!text.empty()) input(text);
      return;
    }
    if (read.kind == ReadLine::interrupted) {
      text.clear();
      continue;
    }
    const bool blank = is_blank(read.line);
    if (text.empty() && blank) continue;
    if (text.empty() && read.line[read.line.find_first_not_of(" \t")] == ':') {
      if (!command(read.line)) return;
      continue;
    }
    text += read.line + "\n";
    const InputState state = input_state(text);
    const bool give_up = blank && (!state.in_bracket || after_blank);
    after_blank = blank;
    if (state.needs_more && !give_up) continue;
    input(text);
    text.clear();
    after_blank = false;
  }
}

int run_repl(const CommandLine& c) {
  catch_interrupts();
  std::string script;
  if (!c.script.empty()) {
    Sources sources;
    const auto file = sources.load(c.script);
    if (!file) return fmt::print(stderr, "glia: {}\n", file.error().message), program_wrong;
    script = sources.file(*file).text();
  }
  Repl repl(c);
  if (!c.files.empty()) repl.load(c.files[0]);
  if (!c.script.empty()) repl.converse(script_lines(std::move(script)));
  else repl.converse(::isatty(STDIN_FILENO) == 1 ? terminal_lines(repl) : plain_lines());
  std::cout << std::flush;
  return done;
}

}  // namespace glia::cli
