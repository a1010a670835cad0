// The train block: its keys, and the functions that a run needs, each elaborated with the sizes of this run.
#include <charconv>

#include "base/text.h"
#include "ir/ops/all.h"
#include "parser/builtins.h"
#include "parser/train_parts.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind unknown_key{"E0360", Severity::error, "`train` has no key `{}`"};
constexpr DiagKind missing_key{"E0361", Severity::error, "`train` misses `{}:`"};
constexpr DiagKind wrong_key{"E0362", Severity::error, "`{}:` needs {}, found {}"};
constexpr DiagKind loss_shape{"E0363", Severity::error, "a loss is one float for one example, this one gives {}"};
constexpr DiagKind loss_args{"E0364", Severity::error, "{} takes {} arguments, but a row of the data gives {}"};
constexpr DiagKind metric_shape{"E0365", Severity::error, "a metric gives numbers or bools, `{}` gives {}"};
constexpr DiagKind column_kind{"E0366", Severity::error, "the column `{}` is `{}`, which cannot be batched"};

const std::vector<std::string> keys = {"model", "data", "loss", "optimizer", "batch", "epochs", "steps", "metrics", "validate", "validate_every", "on_epoch",
                                       "on_step", "early_stop", "checkpoint_every", "accumulate", "precision", "devices", "seed", "shuffle"};
const std::vector<std::string> later = {"on_step", "early_stop", "checkpoint_every", "accumulate", "precision", "devices"};
}  // namespace

namespace {
const ast::TrainEntry* entry(const ast::TrainDecl& t, std::string_view key) {
  for (const ast::TrainEntry& e : t.entries)
    if (e.key.text == key) return &e;
  return nullptr;
}
}  // namespace

bool Elaborator::check_train_keys(const ast::TrainDecl& t) {
  bool ok = true;
  for (const ast::TrainEntry& e : t.entries) {
    if (std::count(keys.begin(), keys.end(), e.key.text)) {
      if (std::count(later.begin(), later.end(), e.key.text)) ok = false, unsupported(e.key.span, fmt::format("`{}:` in `train`", e.key.text));
      continue;
    }
    ok = false;
    auto& d = report(unknown_key, e.key.span, e.key.text);
    if (auto near = nearest(e.key.text, keys)) d.help(fmt::format("did you mean `{}`?", *near));
    else d.help("the keys are " + join_words(keys, "and"));
  }
  for (std::string_view need : {"model", "data", "loss", "optimizer"})
    if (!entry(t, need)) ok = false, report(missing_key, t.span, need);
  for (const auto& [key, text] : request.train_settings)
    if (!std::count(keys.begin(), keys.end(), key)) {
      auto& d = report(unknown_key, t.span, key);
      if (auto near = nearest(key, keys)) d.help(fmt::format("did you mean `--train.{}`?", *near));
      ok = false;
    }
  return ok;
}

// A whole number of the block or of the command line.
std::optional<int64_t> Elaborator::train_number(const ast::TrainDecl& t, std::string_view key, int64_t least) {
  for (const auto& [name, text] : request.train_settings)
    if (name == key) {
      int64_t n = 0;
      auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
      if (bad == std::errc{} && end == text.data() + text.size() && n >= least) return n;
      if (key == "batch" && text == "all") return 0;
      report(wrong_key, t.span, key, "a whole number", "`" + text + "`");
      return std::nullopt;
    }
  const ast::TrainEntry* e = entry(t, key);
  if (!e) return std::nullopt;
  if (auto* n = std::get_if<ast::NameRef>(&unit->tree[e->value].node); n && n->name == "all" && key == "batch") return 0;
  open_frame("setting");
  Val v = expr(e->value, unit->scope);
  auto k = v.poison() ? std::nullopt : known_int(v);
  bool symbolic_size = v.get<DimId>() && !k;
  frames.pop_back();
  if (v.poison() || symbolic_size) return std::nullopt;
  if (!k || *k < least) {
    auto& d = report(wrong_key, unit->tree[e->value].span, key, least > 0 ? "a whole number of at least 1" : "a whole number", "`" + describe(v) + "`");
    if (auto* s = v.get<std::string>()) d.help(fmt::format("write `{}: {}`", key, *s));
    return std::nullopt;
  }
  return k;
}

void Elaborator::train_settings(const ast::TrainDecl& t, TrainSettings& s) {
  if (auto n = train_number(t, "batch", 1)) s.batch = *n;
  if (auto n = train_number(t, "epochs", 1)) s.epochs = *n;
  if (auto n = train_number(t, "steps", 1)) s.steps = *n;
  if (auto n = train_number(t, "seed", 0)) s.seed = *n;
  if (auto n = train_number(t, "validate_every", 1)) s.validate_every = *n;
  if (s.epochs < 0 && s.steps < 0) s.epochs = 1;
  if (const ast::TrainEntry* e = entry(t, "shuffle")) {
    open_frame("setting");
    Val v = expr(e->value, unit->scope);
    auto k = known_bool(v);
    frames.pop_back();
    if (k) s.shuffle = *k;
    else if (!v.poison()) report(wrong_key, unit->tree[e->value].span, "shuffle", "true or false", "`" + describe(v) + "`");
  }
}

// The rows of `data:` or `validate:`, computed by a statement of their own.
std::optional<std::pair<GlobalId, TypeId>> Elaborator::train_rows(const ast::TrainDecl& t, std::string_view key) {
  const ast::TrainEntry* e = entry(t, key);
  std::optional<std::pair<GlobalId, TypeId>> out;
  if (!e) return out;
  Span at = unit->tree[e->value].span;
  auto rows = [&] {
    Val v = expr(e->value, unit->scope);
    return v.list() && is_data(v) ? as_list(v, at) : v;
  };
  statement(at, rows, [&](Val v) {
              if (v.poison()) return;
              TypeId type = type_of(v);
              auto* g = v.get<GlobalId>();
              if (!g || types[type].kind != TypeKind::list) {
                report(wrong_key, unit->tree[e->value].span, key, "rows of data", "`" + describe(v) + "`").help("for example `data.csv(…)`, or one part of it: `cars.train`");
                return;
              }
              out = {*g, types[type].elems[0]};
            });
  return out;
}

// The loss or a metric of one example: the model, then the row or its fields in order.
Val Elaborator::apply_to_row(const Val& f, const Val& model, const std::vector<Val>& columns, TypeId row, Span span, const std::string& what) {
  const Type r = types[row];
  std::vector<Val> args = {model};
  size_t takes = columns.size() + 1;
  if (auto* c = f.closure()) takes = c->params->size();
  bool record = r.kind == TypeKind::tuple && !r.fields.empty();
  Val whole = columns[0];
  if (record) {
    Structure s;
    s.fields = r.fields;
    s.elems = columns;
    whole = Val{std::make_shared<const Structure>(std::move(s)), {}, span};
  }
  if (takes == 2) args.push_back(whole);
  else if (takes == columns.size() + 1) args.insert(args.end(), columns.begin(), columns.end());
  else {
    report(loss_args, span, what, takes, record ? fmt::format("the model and {}: {}", columns.size(), join_words(r.fields, "and")) : "the model and the row");
    return poison();
  }
  return apply_values(f, args, span);
}

void Elaborator::check_train(const ast::TrainDecl& t, bool wanted) {
  bool keys_ok = check_train_keys(t);
  TrainProgram tp;
  tp.name = t.name.text;
  train_settings(t, tp.settings);
  if (!keys_ok) return;
  auto rows = train_rows(t, "data");
  auto validate = train_rows(t, "validate");
  TrainParts parts;
  size_t errors = diags.faults();
  auto value_of = [&](std::string_view key) { return expr(entry(t, key)->value, unit->scope); };
  // the optimiser, the loss and the metrics are functions: no statement of the run
  open_frame("train");
  parts.loss = value_of("loss");
  parts.loss_span = unit->tree[entry(t, "loss")->value].span;
  parts.optimizer = value_of("optimizer");
  if (!parts.loss.poison() && !parts.loss.callable())
    report(wrong_key, parts.loss_span, "loss", "a function of the model and a row", "`" + describe(parts.loss) + "`");
  if (!parts.optimizer.poison() && !parts.optimizer.get<std::shared_ptr<const OptimizerRule>>()) {
    auto& d = report(wrong_key, unit->tree[entry(t, "optimizer")->value].span, "optimizer", "an optimiser", describe(parts.optimizer));
    if (parts.optimizer.get<OptimizerRef>()) d.help("call it: `optim.adam(1e-3)`");
  }
  train_metrics(t, parts);
  frames.pop_back();
  train_model(t, parts, tp);
  if (rows && validate && rows->second != validate->second)
    report(wrong_key, unit->tree[entry(t, "validate")->value].span, "validate", "rows as in `data:`", "`" + types.print(validate->second) + "`");
  if (!rows || diags.faults() > errors || parts.model.poison() || parts.loss.poison() || parts.optimizer.poison()) return;
  parts.row = rows->second;
  tp.data = rows->first;
  if (validate) tp.validate = validate->first;
  if (!train_columns(t, parts.row, tp)) return;
  // a value may be poisoned by an error of an earlier line, so it is not enough that no new one came
  if (!train_examples(parts, tp) || !train_optimizer(parts, tp) || !train_on_epoch(t, parts, tp)) return;
  if (diags.faults() > errors || !wanted) return;
  share_captures(tp);
  program.train = std::move(tp);
}

void Elaborator::train_metrics(const ast::TrainDecl& t, TrainParts& parts) {
  const ast::TrainEntry* e = entry(t, "metrics");
  if (!e) return;
  Span at = unit->tree[e->value].span;
  Val all = expr(e->value, unit->scope);
  if (all.poison()) return;
  auto* s = all.structure();
  if (!s || s->fields.empty()) {
    report(wrong_key, at, "metrics", "a record of functions", "`" + describe(all) + "`").help("write `metrics: { accuracy: (m, x, y) => argmax(m(x)) == y }`");
    return;
  }
  for (size_t i = 0; i < s->fields.size(); ++i) {
    Val f = s->elems[i];
    std::optional<Val> finish;
    if (auto* pair = f.structure(); pair && pair->fields.empty() && pair->elems.size() == 2) finish = pair->elems[1], f = pair->elems[0];
    if (!f.callable() || (finish && !finish->callable())) {
      report(wrong_key, at, "metrics", fmt::format("a function for `{}`", s->fields[i]), "`" + describe(s->elems[i]) + "`");
      continue;
    }
    parts.metrics.push_back({s->fields[i], f});
    parts.finish.push_back(finish);
  }
}

// The model, as a function from the random stream to its parameters.
void Elaborator::train_model(const ast::TrainDecl& t, TrainParts& parts, TrainProgram& tp) {
  const ast::TrainEntry* e = entry(t, "model");
  site_root = "model";
  draws = 0;
  Frame& f = open_frame("init");
  f.stream = node(f.b.param(types.tensor(DType::i64), "stream"));
  Val m = expr(e->value, unit->scope);
  bool model = m.structure() && m.structure()->model;
  if (!m.poison() && !model) {
    auto& d = report(wrong_key, unit->tree[e->value].span, "model", "a model", describe(m));
    if (m.get<ModelRef>()) d.help(fmt::format("give its sizes: `{}(…)`", m.get<ModelRef>()->decl->name.text));
  }
  if (!model) {
    frames.pop_back();
    return;
  }
  leaves(m, parts.model_leaves, &parts.model_paths);
  std::vector<std::pair<std::string, Val>> states;
  model_states(m, "", states);
  for (size_t i = 0; i < parts.model_leaves.size(); ++i) {
    TypeId type = type_of(parts.model_leaves[i]);
    bool state = std::any_of(states.begin(), states.end(), [&](const auto& s) { return s.first == parts.model_paths[i]; });
    if (state) tp.model_states.push_back(i);
    tp.params.push_back({parts.model_paths[i], type, !state && types.is_tensor(type) && is_float(types.dtype(type))});
  }
  tp.model = m.structure()->name;
  parts.model = m;
  for (const Val& p : parts.model_leaves) b().result(value(p).id);
  tp.init = end_function();
}

bool Elaborator::train_columns(const ast::TrainDecl& t, TypeId row, TrainProgram& tp) {
  const Type r = types[row];
  bool record = r.kind == TypeKind::tuple && !r.fields.empty();
  tp.columns = record ? r.elems : std::vector<TypeId>{row};
  tp.column_names = record ? r.fields : std::vector<std::string>{"row"};
  for (size_t i = 0; i < tp.columns.size(); ++i)
    if (types[tp.columns[i]].kind == TypeKind::fn || types.is_poison(tp.columns[i])) {
      report(column_kind, unit->tree[entry(t, "data")->value].span, tp.column_names[i], types.print(tp.columns[i]));
      return false;
    }
  return true;
}

Val Elaborator::as_metric(const Val& v, const std::string& name, Span span) {
  if (v.poison()) return v;
  Val x = v;
  if (auto* l = v.list(); l && !l->empty()) x = tensor_of(*l, span);
  else if (is_list(v)) x = as_tensor(v, span);
  if (x.poison()) return x;
  if (!is_numeric(x)) return report(metric_shape, span, name, "`" + describe(v) + "`"), poison();
  Value m = cast(value(x), DType::f32);
  return node(m, span);
}

bool Elaborator::train_examples(const TrainParts& parts, TrainProgram& tp) {
  tp.loss_span = parts.loss_span;
  for (bool pass : {true, false}) {
    training = pass;
    per_example = true;
    site_root = "example";
    draws = 0;
    Frame& f = open_frame(pass ? "train_example" : "eval_example");
    b().set_src(module.add(Src{parts.loss_span, {}}));
    f.stream = node(f.b.param(types.tensor(DType::i64), "stream"));
    std::vector<Val> params, columns;
    for (const Leaf& l : tp.params) params.push_back(node(f.b.param(l.type, l.path), parts.loss_span));
    for (size_t i = 0; i < tp.columns.size(); ++i) columns.push_back(open_structure(node(f.b.param(opened(tp.columns[i]), tp.column_names[i]), parts.loss_span)));
    size_t next = 0;
    Val model = rebuild(parts.model, params, next);
    if (pass) model = with_cells(model);
    Val loss = apply_to_row(parts.loss, model, columns, parts.row, parts.loss_span, "the loss");
    if (!loss.poison() && !(is_numeric(loss) && types.is_scalar(type_of(loss)) && is_float(dtype_of(loss)))) {
      auto& d = report(loss_shape, parts.loss_span, "`" + describe(loss) + "`");
      if (is_numeric(loss) && is_float(dtype_of(loss))) d.help("reduce it to one number, for example with `mean` or `sum`");
      else if (is_numeric(loss)) d.help("convert it to a float: `f32(…)`");
      else if (loss.structure()) d.help("give the number alone; what else is worth a look belongs to `metrics:`");
      loss = poison();
    }
    std::vector<Val> results = {loss};
    std::vector<std::pair<std::string, Val>> states;
    if (pass) model_states(model, "", states);
    for (const auto& [name, fn] : parts.metrics) {
      if (loss.poison()) break;   // what is wrong in the loss is most often wrong in the metrics too
      draws = 0;  // the same draws as the loss, so that what they share is computed once
      Span at = fn.origin.valid() ? fn.origin : parts.loss_span;
      results.push_back(as_metric(apply_to_row(fn, model, columns, parts.row, at, "the metric `" + name + "`"), name, at));
    }
    for (const auto& [name, v] : states) results.push_back(v);
    bool ok = true;
    for (const Val& v : results) ok = ok && !v.poison();
    if (ok)
      for (const Val& v : results) b().result(value(v).id);
    (pass ? tp.train_example : tp.eval_example) = end_function();
    if (ok && pass) warn_of_unreached(*this, tp, parts.model, parts.loss_span);
    training.reset();
    per_example = false;
    if (!ok) return false;
  }
  finish_metrics(parts, tp);
  return true;
}

// on_epoch: a function of the model, run for what it prints.
bool Elaborator::train_on_epoch(const ast::TrainDecl& t, const TrainParts& parts, TrainProgram& tp) {
  const ast::TrainEntry* e = entry(t, "on_epoch");
  if (!e) return true;
  Span at = unit->tree[e->value].span;
  site_root = "epoch";
  draws = 0;
  Frame& f = open_frame("on_epoch");
  b().set_src(module.add(Src{at, {}}));
  f.stream = node(f.b.param(types.tensor(DType::i64), "stream"));
  std::vector<Val> params;
  for (const Leaf& l : tp.params) params.push_back(node(f.b.param(l.type, l.path), at));
  size_t next = 0, errors = diags.faults();
  Val fn = expr(e->value, unit->scope);
  if (!fn.poison() && !fn.callable()) report(wrong_key, at, "on_epoch", "a function of the model", "`" + describe(fn) + "`");
  else if (!fn.poison()) apply_values(fn, {rebuild(parts.model, params, next)}, at);
  tp.on_epoch = end_function();
  return diags.faults() == errors;
}

void Elaborator::finish_metrics(const TrainParts& parts, TrainProgram& tp) {
  for (size_t i = 0; i < parts.metrics.size(); ++i) {
    Metric m{parts.metrics[i].first, i + 1, std::nullopt};
    if (parts.finish[i]) {
      Frame& f = open_frame("finish");
      Val v = apply_values(*parts.finish[i], {node(f.b.param(types.tensor(DType::f32)))}, parts.loss_span);
      if (!v.poison() && (!is_numeric(v) || type_of(v) != types.tensor(DType::f32))) report(metric_shape, parts.loss_span, m.name, "`" + describe(v) + "`");
      else if (!v.poison()) b().result(value(v).id);
      m.finish = frame().b.finish_into_module();
      frames.pop_back();
    }
    tp.metrics.push_back(std::move(m));
  }
}

// Ends the outermost frame of a function of the run and notes which globals it used.
FuncId Elaborator::end_function() {
  std::vector<GlobalId> used = frame().globals;
  FuncId id = frame().b.finish_into_module();
  frames.pop_back();
  captures_of_[id.v] = used;
  return id;
}

// Every function of the run takes the same captures last, so that the run passes one list to all of them.
void Elaborator::share_captures(TrainProgram& tp) {
  std::vector<FuncId*> all = {&tp.init, &tp.train_example, &tp.eval_example, &tp.init_states, &tp.update};
  if (tp.on_epoch) all.push_back(&*tp.on_epoch);
  for (FuncId* f : all)
    for (GlobalId g : captures_of_[f->v])
      if (!std::count(tp.captures.begin(), tp.captures.end(), g)) tp.captures.push_back(g);
  for (FuncId* f : all) {
    const Func& inner = module[*f];
    const std::vector<GlobalId>& own = captures_of_[f->v];
    Builder w(module, inner.name);
    std::vector<ValueId> args;
    size_t own_params = inner.params.size() - own.size();  // captures follow the parameters named
    for (size_t i = 0; i < own_params; ++i) args.push_back(w.param(inner[inner.params[i]].type).id);
    std::vector<ValueId> shared;
    for (GlobalId g : tp.captures) shared.push_back(w.param(global_types[g.index()]).id);
    for (GlobalId g : own) args.push_back(shared[std::find(tp.captures.begin(), tp.captures.end(), g) - tp.captures.begin()]);
    for (Value r : inline_func(w, inner, args)) w.result(r.id);
    *f = w.finish_into_module();
  }
}

}  // namespace glia
