// What the verbs do. Each gives the exit status.
#pragma once
#include "cli/command_line.h"
#include "cli/report.h"
#include "train/loop.h"

namespace glia::cli {

int run_command(const CommandLine& c);

int run_program(const CommandLine& c);
int train_program(const CommandLine& c);
int eval_program(const CommandLine& c);
int check_programs(const CommandLine& c);
int show_ir(const CommandLine& c);
int show_summary(const CommandLine& c);
int format_files(const CommandLine& c);
int test_programs(const CommandLine& c);
int show_doc(const CommandLine& c);
int explain(const CommandLine& c);
int run_repl(const CommandLine& c);

// A program, elaborated and run up to its train block, and what it needs to live.
struct Loaded {
  explicit Loaded(const CommandLine& c, bool want_train);
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  int finish();                 // prints the diagnostics; the status they stand for
  const TrainProgram* train();  // null: there is none, which has been reported

  const CommandLine& command;
  Sources sources;
  Diagnostics diags;
  ir::Module module;
  interp::HostFunctions host;
  train::Session session;
  Program program;
};

std::string stdlib_folder();  // the standard library beside the binary; empty: only the embedded one
train::TrainRequest train_request(const CommandLine& c);

}  // namespace glia::cli
