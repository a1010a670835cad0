// The only file that sees CLI11.
#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "base/text.h"
#include "cli/report.h"
#include "ir/passes/pipeline.h"

namespace glia::cli {

namespace {
using Args = std::vector<std::string>;

struct VerbInfo {
  Verb verb;
  std::string name, usage, doc;
};

const std::vector<VerbInfo>& verbs() {
  static const std::vector<VerbInfo> all = {
      {Verb::run, "run", "FILE", "runs a program; `glia FILE` is the same"},
      {Verb::train, "train", "FILE", "runs a program, then its train block"},
      {Verb::eval, "eval", "FILE", "loss and metrics of saved weights on the validation data"},
      {Verb::check, "check", "FILE...", "types and sizes only: reads no data, runs nothing"},
      {Verb::test, "test", "FILE...", "runs the `test` blocks of programs"},
      {Verb::repl, "repl", "[FILE]", "a session: what is typed runs at once"},
      {Verb::ir, "ir", "FILE[:FUNCTION]", "the intermediate form of a function (FILE:FUNCTION) or of the training step"},
      {Verb::summary, "summary", "FILE", "layers, parameters and memory of the train block's model"},
      {Verb::fmt, "fmt", "FILE...", "formats programs in place; `-` reads standard input"},
      {Verb::doc, "doc", "[NAME]", "what a function, model or optimiser is for"},
      {Verb::explain, "explain", "[CODE]", "the page of a diagnostic, such as E0203"},
  };
  return all;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const VerbInfo& v : verbs()) names.push_back(v.name);
  return names;
}

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const ir::Pass& p : ir::pipeline()) names.emplace_back(p.name);
  names.emplace_back("all");
  return names;
}

const VerbInfo& info_of(Verb verb) { return verbs()[static_cast<size_t>(verb)]; }

// Verbs whose command line takes the options of the program, too.
bool takes_options(Verb v) {
  return v == Verb::run || v == Verb::train || v == Verb::eval || v == Verb::ir || v == Verb::summary;
}

bool takes_several(Verb v) { return v == Verb::check || v == Verb::test || v == Verb::fmt; }
bool takes_none(Verb v) { return v == Verb::repl || v == Verb::doc || v == Verb::explain; }

bool begins(const std::string& text, std::string_view with) { return text.rfind(with, 0) == 0; }

void add_flags(CLI::App& app, CommandLine& c) {
  const bool trains = c.verb == Verb::train || c.verb == Verb::eval;
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  static const std::map<Verb, std::pair<std::string, std::string>> others = {
      {Verb::ir, {"FILE", "the program, or FILE:FUNCTION"}}, {Verb::doc, {"NAME", "softmax, nn.Dense, or FILE:NAME"}}, {Verb::explain, {"CODE", "such as E0203"}}};
  const auto other = others.find(c.verb);
  app.add_option("file", c.files, other == others.end() ? "the program" : other->second.second)
      ->type_name(other == others.end() ? "FILE" : other->second.first);
  if (c.verb == Verb::fmt) app.add_flag("--check", c.only_check, "change nothing; list the files that would change, and exit with 1");
  if (c.verb == Verb::repl) app.add_option("--script", c.script, "the session's input; prints what a session would show")->type_name("F");
  if (c.verb == Verb::run || c.verb == Verb::train || c.verb == Verb::check || c.verb == Verb::test)
    app.add_option_function<std::string>(
           "--diagnostics", [&c](const std::string& kind) { c.json_diagnostics = kind == "json"; }, "text, or json: an object a line")
        ->type_name("KIND")
        ->check(CLI::IsMember({"text", "json"}));
  const bool runs = takes_options(c.verb) || c.verb == Verb::test || c.verb == Verb::repl;
  if (!runs) return;
  app.add_option_function<int64_t>(
         "--seed", [&c](const int64_t& s) { c.seed = s; }, "seed of all random numbers")
      ->type_name("N");
  if (trains) {
    app.add_option("--threads", c.threads, "threads; the result does not depend on it")->type_name("N")->check(CLI::Range(1, 1024));
    app.add_option("--log", c.log, "json: an object a line; plain: a line an epoch; auto: a progress bar on a terminal")
        ->type_name("KIND")
        ->check(CLI::IsMember({"auto", "json", "plain"}))
        ->capture_default_str();
    app.add_option("--backend", c.backend, "plan: compiled; interp: the reference evaluator, slow")
        ->type_name("NAME")
        ->check(CLI::IsMember({"plan", "interp"}))
        ->capture_default_str();
  }
  if (c.verb == Verb::train) app.add_option("--out", c.out, "write the trained weights here (safetensors)")->type_name("F");
  if (c.verb == Verb::eval) app.add_option("--weights", c.weights, "weights to measure (safetensors)")->type_name("F")->required();
  if (c.verb == Verb::ir)
    app.add_option("--after", c.after, "the pass to stop after, or all")->type_name("PASS")->check(CLI::IsMember(pass_names()));
  if (!takes_options(c.verb)) return;
  if (c.verb != Verb::run) app.add_option("--block", c.block, "which train block, where there are several")->type_name("NAME");
  if (c.verb != Verb::run) app.footer("--train.KEY VALUE sets a key of the train block: batch, epochs, steps, seed, validate_every");
}

bool has_flag(const CLI::App& app, const std::string& flag) { return app.get_option_no_throw(flag) != nullptr; }

// Whether a flag stands alone, such as --help.
bool stands_alone(const CLI::App& app, const std::string& flag) {
  const CLI::Option* o = app.get_option_no_throw(flag);
  return o != nullptr && o->get_items_expected_max() == 0;
}

// The first argument that is no flag and no flag's value. What follows an unknown flag is its value unless it looks
// like a program.
std::string find_file(const CLI::App& app, const Args& args) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (!begins(args[i], "-")) return args[i];
    if (args[i].find('=') != std::string::npos || stands_alone(app, args[i])) continue;
    const bool is_program = i + 1 < args.size() && args[i + 1].find(".ml") != std::string::npos && !has_flag(app, args[i]);
    if (!is_program) ++i;
  }
  return {};
}

// FILE:FUNCTION, where FILE alone exists.
std::pair<std::string, std::string> split_function(const std::string& file) {
  const size_t colon = file.rfind(':');
  std::error_code ignored;
  if (colon == std::string::npos || colon == 0 || std::filesystem::exists(file, ignored)) return {file, {}};
  return {file.substr(0, colon), file.substr(colon + 1)};
}

void add_program_options(CLI::App& app, CommandLine& c, const std::vector<OptionInfo>& options) {
  for (const OptionInfo& o : options) {
    std::string flag = "--" + o.name;
    if (has_flag(app, flag)) flag = "--option." + o.name;  // the verb has a flag of that name
    auto* added = app.add_option_function<std::string>(
        flag, [&c, name = o.name](const std::string& v) { c.options.emplace_back(name, v); }, o.doc);
    added->type_name(o.type)->group("Options of the program");
    if (!o.default_text.empty()) added->default_str(o.default_text);
  }
}

// Takes --train.KEY out, and spells --option.name as --name where there is no doubt.
std::optional<std::string> take_settings(const CLI::App& app, Args& args, CommandLine& c) {
  Args rest;
  for (size_t i = 0; i < args.size(); ++i) {
    std::string a = args[i];
    if (begins(a, "--option.") && !has_flag(app, a.substr(0, a.find('=')))) a = "--" + a.substr(9);
    if (!begins(a, "--train.") || c.verb == Verb::run || !takes_options(c.verb)) {
      rest.push_back(a);
      continue;
    }
    const size_t equals = a.find('=');
    if (equals == std::string::npos && i + 1 == args.size()) return a + " needs a value";
    if (equals == std::string::npos) c.train_settings.emplace_back(a.substr(8), args[++i]);
    else c.train_settings.emplace_back(a.substr(8, equals - 8), a.substr(equals + 1));
  }
  args = std::move(rest);
  return std::nullopt;
}

int command_error(const std::string& message, const std::string& help) {
  fmt::print(stderr, "glia: {}\n", message);
  if (!help.empty()) fmt::print(stderr, "help: {}\n", help);
  return command_wrong;
}

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options())
    for (const std::string& l : o->get_lnames()) names.push_back("--" + l);
  return names;
}

// A flag that neither the verb nor the program has. The nearest name says whose fault it is.
int unknown_flag(const CLI::App& app, const std::string& given, const std::vector<OptionInfo>& options, const CommandLine& c) {
  const std::string flag = given.substr(0, given.find('='));
  const auto near = nearest(flag, names_of(app));
  const bool of_program = std::any_of(options.begin(), options.end(), [&](const OptionInfo& o) {
    return near && (*near == "--" + o.name || *near == "--option." + o.name);
  });
  const std::string help = near ? fmt::format("did you mean `{}`?", *near)
                                : fmt::format("`glia {} {} --help` lists the options", info_of(c.verb).name,
                                              c.files.empty() ? "FILE" : c.files[0]);
  if ((near && !of_program) || !takes_options(c.verb)) return command_error(fmt::format("there is no flag `{}`", flag), help);
  fmt::print(stderr, "error: the program has no option `{}`\nhelp: {}\n", flag, help);
  return program_wrong;
}

int report_extras(const CLI::App& app, const std::vector<OptionInfo>& options, const CommandLine& c) {
  const Args extras = app.remaining();
  for (const std::string& e : extras)
    if (begins(e, "-")) return unknown_flag(app, e, options, c);
  if (!extras.empty()) return command_error(fmt::format("`{}` is one argument too many", extras[0]), {});
  if (c.files.empty() && !takes_none(c.verb)) return command_error("a program is missing", fmt::format("glia {} FILE", info_of(c.verb).name));
  if (!takes_several(c.verb) && c.files.size() > 1) return command_error(fmt::format("`{}` is one argument too many", c.files[1]), {});
  return done;
}

// Before the command line is read in full: the file may be wrong already.
bool wants_json(const Args& args) {
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i] == "--diagnostics=json" || (args[i] == "--diagnostics" && i + 1 < args.size() && args[i + 1] == "json")) return true;
  return false;
}

Parsed parse_verb(const VerbInfo& info, Args args) {
  auto c = std::make_unique<CommandLine>();
  c->verb = info.verb;
  CLI::App app(info.doc, "glia " + info.name);
  app.allow_extras();
  add_flags(app, *c);
  const std::string file = split_function(find_file(app, args)).first;
  std::vector<OptionInfo> options;
  if (!file.empty() && takes_options(info.verb)) {
    Sources sources;
    Diagnostics diags;
    options = declared_options(file, sources, diags);
    if (diags.has_errors()) return print_diagnostics(diags, sources, wants_json(args)), Parsed{{}, program_wrong};
    add_program_options(app, *c, options);
  }
  if (auto wrong = take_settings(app, args, *c)) return {{}, command_error(*wrong, {})};
  std::reverse(args.begin(), args.end());  // as CLI11 takes them
  try {
    app.parse(args);
  } catch (const CLI::CallForHelp& e) {
    return {{}, app.exit(e)};
  } catch (const CLI::ParseError& e) {
    return {{}, command_error(e.what(), fmt::format("glia {} --help", info.name))};
  }
  if (const int status = report_extras(app, options, *c); status != done) return {{}, status};
  if (info.verb == Verb::ir) std::tie(c->files[0], c->function) = split_function(c->files[0]);
  return {std::move(*c), done};
}

void print_help(std::FILE* to) {
  fmt::print(to, "Glia: a small typed differentiable language for machine learning\n\n  glia FILE [--option value]\n");
  for (const VerbInfo& v : verbs()) fmt::print(to, "  glia {:<22}{}\n", v.name + " " + v.usage, v.doc);
  fmt::print(to, "\n`glia VERB --help` lists the flags of a verb, `glia VERB FILE --help` those of the program too.\n");
}
}  // namespace

Parsed parse_command_line(std::vector<std::string> args) {
  if (args.empty()) return print_help(stderr), Parsed{{}, command_wrong};
  if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") return print_help(stdout), Parsed{};
  if (args[0] == "--version") return fmt::print("glia 0.1.0\n"), Parsed{};
  for (const VerbInfo& v : verbs())
    if (v.name == args[0]) return parse_verb(v, {args.begin() + 1, args.end()});
  std::error_code ignored;
  const bool is_file =
      args[0].find('.') != std::string::npos || args[0].find('/') != std::string::npos || std::filesystem::exists(args[0], ignored);
  if (is_file || (begins(args[0], "-") && args.size() > 1)) return parse_verb(verbs()[0], args);
  const auto near = nearest(args[0], verb_names());
  return {{},
          command_error(fmt::format("there is no verb `{}`", args[0]),
                        near ? fmt::format("did you mean `{}`?", *near) : "the verbs are " + join_words(verb_names(), "and"))};
}

}  // namespace glia::cli
