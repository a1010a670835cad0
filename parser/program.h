// What the front end hands over: functions of the IR and the facts that a run needs. No syntax tree beyond here.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diag.h"
#include "ir/func.h"

namespace glia {

using GlobalId = Id<struct GlobalTag>;

// One top-level statement: evaluate `func` on the values of `inputs`, keep its results as `outputs`.
struct Step {
  ir::FuncId func;
  std::vector<GlobalId> inputs;    // GlobalId(0) is the random stream of the program: an i64 scalar
  std::vector<GlobalId> outputs;
};

struct OptionInfo {
  std::string name;
  std::string type;        // "f32", "dim", "str", "bool"
  std::string default_text;
  std::string doc;
  Span span;
};

struct Leaf {
  std::string path;        // "fc1.w"
  ir::TypeId type;
  bool trainable = true;
};

struct Metric {
  std::string name;
  size_t result;                        // which result of the example functions
  std::optional<ir::FuncId> finish;     // f32 -> f32, applied to the mean
};

// Settings of a train block that are plain numbers; -1 where not given.
struct TrainSettings {
  int64_t batch = 32;      // 0: the whole set
  int64_t epochs = -1;
  int64_t steps = -1;
  int64_t seed = -1;
  int64_t validate_every = -1;   // steps
  bool shuffle = true;
};

struct TrainProgram {
  std::string name;
  std::string model;                    // for summaries
  std::vector<Leaf> params;
  std::vector<GlobalId> captures;       // values of earlier statements that the functions below take last
  // All take the captures after the parameters named here.
  ir::FuncId init;              // (stream) -> params
  // (stream, params.., columns of one row..) -> (loss, metric values..): for one example. train_example also gives the
  // new values of the model's states, last.
  ir::FuncId train_example;
  ir::FuncId eval_example;
  std::vector<Metric> metrics;
  std::vector<Leaf> states;             // of the optimiser: "m.fc1.w"
  ir::FuncId init_states;       // (params..) -> states
  std::vector<size_t> model_states;     // which params are states of the model
  std::optional<ir::FuncId> on_epoch;   // (stream, params..): runs for what it prints
  ir::FuncId update;            // (step: i32, epoch: f32, params.., grads.., states..) -> (params.., states..)
  GlobalId data;
  std::optional<GlobalId> validate;
  std::vector<ir::TypeId> columns;      // types of one row's columns
  std::vector<std::string> column_names;
  TrainSettings settings;
  Span loss_span;
};

// What the elaborator asks of the one who runs the program, between statements.
struct Host {
  // Runs a step; false: it failed and was reported. In `glia check` nothing runs and this is empty.
  std::function<bool(const Step&)> run;
  // The value of an integer scalar, to be used as a size.
  std::function<std::optional<int64_t>(GlobalId)> integer;
  // seed(n) at top level: changes the stream, GlobalId(0), for what follows.
  std::function<void(int64_t)> seed;
};

// Values given on the command line, by option name.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

struct ProgramRequest {
  std::string path;
  OptionValues options;
  Host host;
  std::string train_name;     // which train block; empty: the only one
  OptionValues train_settings;  // --train.KEY value
  std::string stdlib;         // folder of the standard library beside the binary; empty or absent: the embedded one
  bool want_train = false;    // elaborate the train block (always checked)
  bool want_tests = false;    // keep the test blocks (always checked)
};

// A `test` block: a step without outputs, which fails where an assertion does.
struct TestProgram {
  std::string name;
  Step step;
};

struct Program {
  std::vector<OptionInfo> options;
  std::vector<std::string> train_names;
  std::optional<TrainProgram> train;
  std::vector<std::pair<std::string, ir::FuncId>> functions;   // checked functions, for `glia ir FILE:FUNCTION`
  std::vector<TestProgram> tests;                              // of the file itself; where `want_tests`
};

// Parses, checks and elaborates a file and what it imports, running top-level statements through the host as it
// goes. Errors are in `diags`; the program is then incomplete.
Program elaborate(const ProgramRequest& request, Sources& sources, ir::Module& module, Diagnostics& diags);

// The options of a file alone, for --help.
std::vector<OptionInfo> declared_options(const std::string& path, Sources& sources, Diagnostics& diags);

}  // namespace glia
