// Verbs that show: the intermediate form, and the parameters of a model.
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "base/text.h"
#include "cli/verbs.h"
#include "ir/text/print.h"
#include "train/step.h"

namespace glia::cli {

namespace {
inline constexpr DiagKind no_function{"E0626", Severity::error, "`{}` has no function `{}`"};

// Prints the stage asked for, or each under its name.
train::Stages printer(Loaded& p) {
  return [&p](std::string_view name, const ir::Func& f) {
    const std::string& after = p.command.after;
    if (after == "all") std::cout << fmt::format("# after {}\n", name);
    if (after == "all" || after == name) std::cout << ir::print(p.module, f, &p.sources) << "\n";
  };
}

void show(Loaded& p, const std::expected<ir::FuncId, Diagnostic>& done) {
  if (!done) p.diags.add(done.error());
  else if (p.command.after.empty()) std::cout << ir::print(p.module, *done, &p.sources) << "\n";
}

void show_function(Loaded& p) {
  std::vector<std::string> names;
  for (const auto& [name, func] : p.program.functions) {
    names.push_back(name);
    if (name != p.command.function) continue;
    if (p.command.after.empty()) std::cout << ir::print(p.module, func, &p.sources) << "\n";
    else show(p, train::lower(p.module, func, printer(p)));
    return;
  }
  auto& d = p.diags.report(no_function, Span{}, p.command.files[0], p.command.function);
  if (auto near = nearest(p.command.function, names)) d.help(fmt::format("did you mean `{}`?", *near));
  else if (!names.empty()) d.help("it has " + join_words(names, "and"));
}

std::string bytes_text(double b) {
  if (b < 1024) return fmt::format("{:.0f} B", b);
  if (b < 1024 * 1024) return fmt::format("{:.1f} KiB", b / 1024);
  return fmt::format("{:.1f} MiB", b / (1024 * 1024));
}

struct Totals {
  int64_t numbers = 0;
  double bytes = 0;
};

void add(Totals& t, const ir::Types& types, ir::TypeId type) {
  const auto n = types.dims.known(const_cast<ir::Types&>(types).dims.product(types.shape(type))).value_or(0);
  t.numbers += n;
  t.bytes += static_cast<double>(n) * static_cast<double>(dtype_size(types.dtype(type)));
}

std::string layer_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

void print_params(const ir::Types& types, const TrainProgram& t) {
  size_t width = 5;
  for (const Leaf& l : t.params) width = std::max(width, display_width(l.path) + 2);
  std::string layer = "";
  for (size_t i = 0; i < t.params.size(); ++i) {
    const Leaf& l = t.params[i];
    if (layer_of(l.path) != layer || i == 0) {
      layer = layer_of(l.path);
      Totals sum;
      for (const Leaf& other : t.params)
        if (layer_of(other.path) == layer) add(sum, types, other.type);
      if (!layer.empty()) fmt::print("{:<{}}  {:>12}\n", layer, width + 18, sum.numbers);
    }
    Totals own;
    add(own, types, l.type);
    fmt::print("  {}{}{:<18}{:>12}{}\n", l.path, std::string(width - display_width(l.path), ' '), types.print(l.type), own.numbers,
               l.trainable ? "" : "  (not trained)");
  }
}
}  // namespace

int show_ir(const CommandLine& c) {
  Loaded p(c, c.function.empty());
  if (!c.function.empty()) {
    if (!p.diags.has_errors()) show_function(p);
    return p.finish();
  }
  if (const TrainProgram* t = p.train())
    if (const auto batch = train::batch_size(p.session, *t))
      show(p, train::training_step(p.module, *t, *batch, c.after.empty() ? train::Stages{} : printer(p)));
  return p.finish();
}

int show_summary(const CommandLine& c) {
  Loaded p(c, true);
  const TrainProgram* t = p.train();
  if (!t) return p.finish();
  Totals all, trained, states;
  for (const Leaf& l : t->params) {
    add(all, p.module.types, l.type);
    if (l.trainable) add(trained, p.module.types, l.type);
  }
  for (const Leaf& l : t->states) add(states, p.module.types, l.type);
  fmt::print("{}\n", t->model);
  print_params(p.module.types, *t);
  fmt::print("\nparameters  {} ({} trained)\nweights     {}\ngradients   {}\noptimiser   {}\n", all.numbers, trained.numbers,
             bytes_text(all.bytes), bytes_text(trained.bytes), bytes_text(states.bytes));
  return p.finish();
}

}  // namespace glia::cli
