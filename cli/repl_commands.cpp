// The commands of a session, which begin with a colon.
#include <fmt/format.h>

#include <chrono>
#include <iostream>

#include "base/text.h"
#include "cli/doc.h"
#include "cli/repl.h"
#include "ir/text/print.h"

namespace glia::cli {

namespace {
constexpr std::string_view help_text =
    "Type an expression, a `let`, or a declaration; `it` is the last value. An input goes on over lines until it is whole.\n"
    "  :type E      the type of an expression, which does not run\n"
    "  :ir E        the intermediate form of an expression or a function\n"
    "  :grad E      the derivatives of an expression in the float variables it uses\n"
    "  :time E      how long an input takes\n"
    "  :doc NAME    what a name is for\n"
    "  :load FILE   runs a file in this session\n"
    "  :reload      loads that file again\n"
    "  :reset       forgets everything\n"
    "  :vars        the names of this session\n"
    "  :quit        ends the session, as Ctrl-D does; Ctrl-C stops a computation\n";

const std::vector<std::string>& command_names() {
  static const std::vector<std::string> names = {":type", ":ir", ":grad", ":time", ":doc", ":load", ":reload", ":reset", ":vars", ":help", ":quit"};
  return names;
}

std::string trimmed(std::string s) {
  s.erase(0, std::min(s.find_first_not_of(" \t"), s.size()));
  s.erase(s.find_last_not_of(" \t\r") + 1);
  return s;
}
}  // namespace

bool Repl::command(const std::string& line) {
  const std::string all = trimmed(line);
  const size_t space = all.find_first_of(" \t");
  const std::string name = all.substr(0, space), rest = space == std::string::npos ? "" : trimmed(all.substr(space));
  const bool needs = name == ":type" || name == ":ir" || name == ":grad" || name == ":time" || name == ":load";
  if (name == ":quit" || name == ":q") return false;
  if (needs && rest.empty()) std::cout << fmt::format("{} what? `:help` lists the commands\n", name);
  else if (name == ":type") show_type(rest);
  else if (name == ":ir") show_code(rest);
  else if (name == ":grad") show_gradient(rest);
  else if (name == ":time") show_time(rest);
  else if (name == ":doc") show_doc(rest);
  else if (name == ":load") load(rest);
  else if (name == ":reload") reload();
  else if (name == ":reset") reset();
  else if (name == ":vars") show_variables();
  else if (name == ":help") std::cout << help_text;
  else {
    const auto near = nearest(name, command_names());
    std::cout << fmt::format("there is no command `{}`; {}\n", name, near ? fmt::format("did you mean `{}`?", *near) : "`:help` lists them");
  }
  std::cout << std::flush;
  return true;
}

void Repl::show_type(const std::string& text) {
  if (const auto type = state_->repl.type_of(text_file(text))) std::cout << *type << "\n";
  print_errors();
}

void Repl::show_code(const std::string& text) {
  if (const auto func = state_->repl.code_of(text_file(text))) std::cout << ir::print(state_->module, state_->module[*func], &state_->sources) << "\n";
  else if (!state_->diags.has_errors()) std::cout << "this has no code of its own\n";
  print_errors();
}

// One variable after the other, so that each derivative stands on a line of its own.
void Repl::show_gradient(const std::string& text) {
  const std::vector<std::string> names = state_->repl.floats_in(text_file(text));
  if (names.empty() && !state_->diags.has_errors()) std::cout << "it uses no float variable of this session\n";
  for (const std::string& name : names) {
    const ReplSession::Ran ran = run(text_file(fmt::format("grad({} => {})({})", name, text, name)));
    if (!ran.ok) break;
    std::cout << "d/d" << name << "  ";
    print_values(ran);
  }
  print_errors();
}

void Repl::show_time(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  input(text);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cout << (took.count() < 1 ? fmt::format("{:.2f} ms\n", took.count() * 1e3) : fmt::format("{:.2f} s\n", took.count()));
}

void Repl::show_doc(const std::string& name) {
  const auto text = doc_text(name);
  std::cout << (text ? *text : text.error() + "\n");
}

void Repl::show_variables() {
  const auto variables = state_->repl.variables();
  if (variables.empty()) std::cout << "nothing is declared yet\n";
  for (const auto& [name, type] : variables) std::cout << name << " : " << type << "\n";
}

void Repl::reset() {
  state_ = std::make_unique<ReplState>(command_line_);
  count_ = 0;
}

void Repl::reload() {
  if (loaded_.empty()) std::cout << "no file was loaded yet: `:load FILE`\n";
  else load(loaded_);
}

}  // namespace glia::cli
