// The command line as data. A program's own options are part of it: the file is read first, so that they are checked,
// suggested and shown by --help like the flags of the verb.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "parser/program.h"

namespace glia::cli {

enum class Verb : uint8_t { run, train, eval, check, test, repl, ir, summary, fmt, doc, explain };

struct CommandLine {
  Verb verb = Verb::run;
  std::vector<std::string> files;  // one, but for check, test and fmt; of doc and explain: a name, a code
  std::string function;            // ir FILE:FUNCTION
  std::optional<int64_t> seed;
  int threads = 0;  // 0: as many as the machine has
  std::string log = "auto", backend = "plan", out, weights, after, block;
  bool only_check = false;        // fmt --check
  bool json_diagnostics = false;  // --diagnostics json
  std::string script;             // repl --script
  OptionValues options;         // of the program
  OptionValues train_settings;  // --train.KEY
};

// Exit statuses.
inline constexpr int done = 0, program_wrong = 1, command_wrong = 2, internal_fault = 70, interrupted = 130;

// Either a command, or the status to exit with: help was printed, or what is wrong.
struct Parsed {
  std::optional<CommandLine> command;
  int status = done;
};
Parsed parse_command_line(std::vector<std::string> args);

}  // namespace glia::cli
