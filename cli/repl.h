// A session on a terminal, from a script, or from a pipe: lines in, answers out. Everything is written to standard output,
// errors too, so that a script shows exactly what a person would have seen.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "parser/repl.h"
#include "train/session.h"

namespace glia::cli {

// A line without its newline.
struct ReadLine {
  enum Kind : uint8_t { text, interrupted, end } kind = end;
  std::string line;
};

// Where lines come from: shows the prompt and waits.
using LineSource = std::function<ReadLine(const std::string& prompt)>;

// What a session keeps until `:reset`.
struct ReplState {
  explicit ReplState(const CommandLine& c);
  ReplState(const ReplState&) = delete;
  ReplState& operator=(const ReplState&) = delete;

  Sources sources;
  Diagnostics diags;
  ir::Module module;
  interp::HostFunctions host;
  train::Session session;
  ProgramRequest request;
  ReplSession repl;
};

class Repl {
 public:
  explicit Repl(const CommandLine& c);

  // Until the end of the input or `:quit`.
  void converse(const LineSource& next);
  void load(const std::string& path);
  std::vector<std::string> completions(std::string_view text) const;

 private:
  void input(const std::string& text);        // a whole one
  bool command(const std::string& line);      // false: quit
  ReplSession::Ran run(FileId file);
  void evaluate(FileId file, bool show);
  void print_values(const ReplSession::Ran& ran);
  void print_errors();
  FileId text_file(const std::string& text);

  void show_type(const std::string& text);
  void show_code(const std::string& text);
  void show_gradient(const std::string& text);
  void show_time(const std::string& text);
  void show_doc(const std::string& name);
  void show_variables();
  void reset();
  void reload();

  const CommandLine& command_line_;
  std::unique_ptr<ReplState> state_;
  std::string loaded_;  // file of the last :load
  int count_ = 0;       // of inputs
};

// The value as a person writes it, cut where it is long.
std::string show_value(const Val& v, const ReplState& state);

// On a terminal: line editing, history on disk, completion.
LineSource terminal_lines(const Repl& repl);
// From a file: shows the prompt and the line, as a terminal would.
LineSource script_lines(std::string text);
// From a pipe: only the answers are shown.
LineSource plain_lines();

}  // namespace glia::cli
