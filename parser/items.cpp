// A program from top to bottom: imports, declarations (each checked once for all sizes), options, statements.
#include "parser/elaborator.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "parser/echoes.h"
#include "ir/ops/all.h"
#include "parser/parse.h"
#include "parser/stdlib.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind no_module{"E0270", Severity::error, "there is no module `{}`"};
constexpr DiagKind import_cycle{"E0271", Severity::error, "`{}` imports itself, directly or through others"};
constexpr DiagKind cannot_open{"E0001", Severity::error, "{}"};
constexpr DiagKind nothing_here{"E0002", Severity::error, "this file holds no program"};
constexpr DiagKind variadic{"E0275", Severity::error, "{}"};

template <class... F>
struct Overload : F... { using F::operator()...; };

std::string folder_of(const std::string& path) {
  auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}
}  // namespace

Elaborator::Elaborator(const ProgramRequest& r, Sources& s, Module& m, Diagnostics& d)
    : request(r), sources(s), module(m), diags(d), types(m.types), dims(m.types.dims) {
  global_types.push_back(types.tensor(DType::i64));  // the random stream
}

// ---- files ----------------------------------------------------------------------------------------

// A module of the standard library: from the folder beside the binary, where it can be read and changed, else embedded.
std::optional<std::string> Elaborator::library_text(const std::string& name) {
  if (!request.stdlib.empty()) {
    std::ifstream in(request.stdlib + "/" + name + ".ml", std::ios::binary);
    if (in) return std::string(std::istreambuf_iterator<char>(in), {});
  }
  for (const StdlibFile& lib : stdlib_files())
    if (lib.name == name) return std::string(lib.text);
  return std::nullopt;
}

Unit* Elaborator::load(const std::string& name, Span at, Unit* from) {
  for (Unit& u : units)
    if (u.name == name) {
      if (!u.loaded) report_cycle(name, at);
      return &u;
    }
  Unit& u = units.emplace_back();
  u.name = name;
  std::string beside = (from ? folder_of(sources.file(from->tree.file).path()) : "") + name + ".ml";
  std::expected<FileId, Error> file = sources.load(beside);
  if (!file) {
    if (auto text = library_text(name)) file = sources.add("stdlib/" + name + ".ml", *text), u.library = true;
  }
  if (!file) {
    std::vector<std::string> names;
    for (const StdlibFile& lib : stdlib_files()) names.emplace_back(lib.name);
    auto& d = report(no_module, at, name).note(fmt::format("looked for `{}` and in the standard library", beside));
    if (auto near = nearest(name, names)) d.help(fmt::format("did you mean `{}`?", *near));
    return nullptr;
  }
  u.tree = parse(sources, *file, diags);
  Unit* outer = std::exchange(unit, &u);
  u.scope = inner_scope(prelude_);
  loading_.push_back(name);
  declare_unit(u);
  for (const ast::Item& it : u.tree.items)  // of the library, declare_unit has done what there is to do
    if (!u.library && !std::holds_alternative<ast::TrainDecl>(it.node) && !std::holds_alternative<ast::TestDecl>(it.node)) item(it);
  loading_.pop_back();
  u.loaded = true;
  unit = outer;
  return &u;
}

void Elaborator::report_cycle(const std::string& name, Span at) {
  std::string chain;
  auto from = std::find(loading_.begin(), loading_.end(), name);
  for (auto it = from; it != loading_.end(); ++it) chain += "`" + *it + "` imports ";
  auto& d = report(import_cycle, at, name);
  if (!chain.empty()) d.note(chain + "`" + name + "`");
  d.help("move what both need into a module of its own");
}

void Elaborator::import_items(const std::vector<ast::ImportItem>& items) {
  for (const ast::ImportItem& i : items) {
    if (i.path.size() != 1) {
      unsupported(i.path[0].span, "a module inside a module");
      continue;
    }
    if (Unit* u = load(i.path[0].text, i.path[0].span, unit)) {
      const ast::Name& as = i.as.text.empty() ? i.path[0] : i.as;
      unit->scope->bind(as.text, Val{UnitRef{u}, {}, as.span}, as.span);
    }
  }
}

// Functions, models and optimisers see each other whatever their order; values come one after the other.
void Elaborator::declare_unit(Unit& u) {
  for (const ast::Item& it : u.tree.items)
    if (auto* i = std::get_if<ast::ImportDecl>(&it.node)) import_items(i->items);
  declare_types(u);
  for (const ast::Item& it : u.tree.items)
    std::visit(Overload{
                   [&](const ast::FnDecl& f) {
                     auto c = closure_of(f, &u, u.scope);
                     u.scope->bind(f.name.text, Val{std::shared_ptr<const Closure>(c), {}, f.name.span}, f.name.span);
                   },
                   [&](const ast::ModelDecl& m) { u.scope->bind(m.name.text, Val{ModelRef{&m, &u, u.scope}, {}, m.name.span}, m.name.span); },
                   [&](const ast::OptimizerDecl& o) { u.scope->bind(o.name.text, Val{OptimizerRef{&o, &u, u.scope}, {}, o.name.span}, o.name.span); },
                   [&](const ast::FromImportDecl& f) {
                     Unit* from = f.path.size() == 1 ? load(f.path[0].text, f.path[0].span, &u) : nullptr;
                     for (const ast::ImportItem& i : f.names) {
                       Val v = from ? field(Val{UnitRef{from}, {}, {}}, i.path[0], i.path[0].span) : poison();
                       const ast::Name& as = i.as.text.empty() ? i.path[0] : i.as;
                       u.scope->bind(as.text, v, as.span);
                     }
                   },
                   [&](const ast::LetDecl& l) {
                     if (u.library) statement(it.span, [&] { return let_value(l.let, u.scope); }, [&](Val v) { bind_pattern(l.let.pattern, v, u.scope); });
                   },
                   [&](const auto&) {},
               },
               it.node);
}

// ---- statements -------------------------------------------------------------------------------------

// One statement is one function of the IR; what it computes lives on as globals.
void Elaborator::statement(Span span, const std::function<Val()>& body, const std::function<void(Val)>& then) {
  size_t errors = diags.faults();
  site_root = std::to_string(statements_++);
  draws = 0;
  open_frame("statement");
  b().set_src(module.add(Src{span, {}}));
  Val v = body();
  then(finish_statement(diags.faults() > errors ? poison() : v));
}

Val Elaborator::finish_statement(Val v) {
  Frame& root = frame();
  std::vector<GlobalId> inputs = root.globals;
  std::vector<Val> parts, after;
  leaves(v, parts);
  Step step;
  for (const Val& p : parts) {
    Val x = default_number(p);
    if (auto* n = x.get<NodeRef>()) {
      Value made = b().value(n->id);
      auto known = constant_value(made);
      if (known && types.is_scalar(made.type()) && types.dtype(made.type()) != DType::boolean) {
        Number c{is_float(types.dtype(made.type())) ? AttrValue(*known) : AttrValue(static_cast<int64_t>(*known)), types.dtype(made.type()), false};
        after.push_back(Val{c, made.type(), p.origin});  // stays a constant
        continue;
      }
      GlobalId g(global_types.size());
      global_types.push_back(made.type());
      b().result(made.id);
      step.outputs.push_back(g);
      after.push_back(global(g, made.type(), p.origin));
      carry_probability(*this, x, g);
    } else {
      after.push_back(x);
    }
  }
  step.inputs = frame().globals;
  bool effects_inside = false;
  for (const Node& n : b().func().nodes) effects_inside = effects_inside || has_effect(module, n);
  step.func = frame().b.finish_into_module();
  frames.pop_back();
  if (v.poison()) return v;
  if (request.host.run && !diags.has_errors() && (!step.outputs.empty() || effects_inside))
    if (!request.host.run(step)) return poison();
  size_t next = 0;
  return rebuild(v, after, next);
}

// The value of a top-level `let`. A size may be computed by the statement: it becomes one when that has run.
Val Elaborator::let_value(const ast::LetStmt& let, const ScopePtr& scope) {
  if (!is_dim_type(let.type)) return conforming(let.value, let.type, scope, "this value");
  Val v = expr(let.value, scope);
  if (v.poison() || as_dim(v)) return v.poison() ? v : Val{*as_dim(v), {}, unit->tree[let.value].span};
  if (!types.is_scalar(type_of(v)) || dtype_of(v) != DType::i32) return dim_expr(let.value, scope, nullptr), poison();
  return v;
}

Val Elaborator::size_of_global(Val v, Span span, const std::string& name) {
  if (auto* g = v.get<GlobalId>()) {
    std::optional<int64_t> n = request.host.integer ? request.host.integer(*g) : std::nullopt;
    return Val{n ? dims.constant(*n) : dims.fresh(name, span), {}, span};
  }
  if (auto* n = v.get<Number>()) return Val{dims.constant(static_cast<int64_t>(n->real())), {}, span};
  return v;
}

void Elaborator::item(const ast::Item& it) {
  std::visit(Overload{
                 [&](const ast::LetDecl& l) {
                   if (pattern_is_name(l.let.pattern)) let_name(l.let, it.span);
                   else let_pattern(l.let, it.span);
                 },
                 [&](const ast::ExprStmt& e) {
                   if (seed_statement(e)) return;
                   statement(it.span, [&] { return expr(e.value, unit->scope); }, [](Val) {});
                 },
                 [&](const ast::AssertStmt& a) {
                   statement(it.span, [&] { return assert_stmt(a, it.span, unit->scope), Val{std::make_shared<const Structure>(), {}, {}}; }, [](Val) {});
                 },
                 [&](const ast::AssignStmt& a) { assign_stmt(a, unit->scope); },
                 [&](const ast::OptionDecl& o) {
                   Val v = option_value(o);
                   if (is_dim_type(o.type) && warnings.by_name.contains(o.name.text)) v = Val{dims.fresh(o.name.text, o.name.span), {}, o.name.span};
                   if (is_dim_type(o.type)) note_named_size(*this, o.name.text, o.default_value, v, o.name.span);
                   unit->scope->bind(o.name.text, v, o.name.span);
                 },
                 [&](const ast::FnDecl& f) { check_fn(f, unit->scope, f.name.text); },
                 [&](const ast::ModelDecl& m) { check_model(m); },
                 [&](const ast::TestDecl& t) { check_test(t); },
                 [&](const ast::TrainDecl& t) { trains_.push_back(&t); },
                 [&](const auto&) {},
             },
             it.node);
}

void Elaborator::let_name(const ast::LetStmt& let, Span span) {
  statement(span, [&] { return let_value(let, unit->scope); },
            [&](Val v) {
              if (is_dim_type(let.type) && !v.poison()) {
                std::string name(sources.text(unit->tree[let.pattern].span));
                v = warnings.by_name.contains(name) ? Val{dims.fresh(name, span), {}, span} : size_of_global(v, span, name);
                note_named_size(*this, name, let.value, v, unit->tree[let.pattern].span);
              }
              bind_pattern(let.pattern, v, unit->scope);
            });
}

// The names of a pattern, bound in the statement itself: what they stand for is part of what it computes.
void Elaborator::let_pattern(const ast::LetStmt& let, Span span) {
  ScopePtr bound = inner_scope(unit->scope);
  Structure names;
  statement(span,
            [&] {
              bind_pattern(let.pattern, let_value(let, unit->scope), bound);
              for (const auto& [name, binding] : bound->names) {
                names.fields.push_back(name);
                names.elems.push_back(default_number(binding.val));
                if (binding.val.poison()) return poison();
              }
              return Val{std::make_shared<const Structure>(names), {}, span};
            },
            [&](Val v) {
              for (size_t i = 0; i < names.fields.size(); ++i)
                unit->scope->bind(names.fields[i], v.poison() ? v : v.structure()->elems[i], bound->names[names.fields[i]].span);
            });
}

bool Elaborator::pattern_is_name(ast::PatternId id) {
  auto& node = unit->tree[id].node;
  return std::holds_alternative<ast::NamePattern>(node) || std::holds_alternative<ast::WildPattern>(node);
}

// seed(n) at top level: the stream of what follows.
bool Elaborator::seed_statement(const ast::ExprStmt& e) {
  auto* c = std::get_if<ast::Call>(&unit->tree[e.value].node);
  auto* n = c ? std::get_if<ast::NameRef>(&unit->tree[c->callee].node) : nullptr;
  if (!n || n->name != "seed" || unit->scope->find("seed")) return false;
  open_frame("seed");
  Val v = c->args.size() == 1 ? expr(c->args[0].value, unit->scope) : poison();
  auto k = v.poison() ? std::nullopt : known_int(v);
  frames.pop_back();
  if (!k) {
    report(variadic, unit->tree[e.value].span, "`seed` takes one known whole number");
    return true;
  }
  if (request.host.seed) request.host.seed(*k);
  return true;
}

// ---- the whole ---------------------------------------------------------------------------------------------

bool Elaborator::load_main() {
  auto file = sources.load(request.path);
  if (!file) {
    Diagnostic& d = diags.report(cannot_open, {}, file.error().message);
    if (!file.error().help.empty()) d.help(file.error().help);
    return false;
  }
  Unit& u = units.emplace_back();
  u.name = request.path;
  u.tree = parse(sources, *file, diags);
  unit = &u;
  if (!diags.has_errors() && u.tree.items.empty()) {
    diags.report(nothing_here, Span{*file, 0, 0}).help("write statements such as `print(1 + 1)`, or a model and a `train` block; see docs/getting-started.md");
    return false;
  }
  return true;
}

Program Elaborator::run() {
  if (!load_main()) return std::move(program);
  Unit* main = unit;
  for (const ast::Item& it : main->tree.items) {
    if (auto* o = std::get_if<ast::OptionDecl>(&it.node)) declare_option(*o, program);
    if (auto* t = std::get_if<ast::TrainDecl>(&it.node)) program.train_names.push_back(t->name.text);
  }
  if (diags.has_errors()) return std::move(program);
  main->scope = inner_scope(nullptr);
  if (Unit* p = load("prelude", {}, nullptr)) prelude_ = p->scope;
  main->scope = inner_scope(prelude_);
  unit = main;
  loading_ = {std::filesystem::path(request.path).stem().string()};
  declare_unit(*main);
  main->loaded = true;
  for (const ast::Item& it : main->tree.items) {
    unit = main;
    item(it);
  }
  for (const ast::TrainDecl* t : trains_) {
    bool named = request.train_name.empty() || t->name.text == request.train_name;
    check_train(*t, request.want_train && named && !program.train);
  }
  warn();
  return std::move(program);
}

bool Elaborator::is_library(FileId file) const {
  for (const Unit& u : units)
    if (u.library && u.tree.file == file) return true;
  return false;
}

// What a warning says could follow from an error, so they wait until there is none.
void Elaborator::warn() {
  if (diags.has_errors()) return;
  for (const Unit& u : units)
    if (!u.library) warn_of_syntax(u.tree, &u == &units.front(), diags);
  warn_of_chance();
}

std::vector<OptionInfo> Elaborator::options_only() {
  if (!load_main()) return {};
  for (const ast::Item& it : unit->tree.items)
    if (auto* o = std::get_if<ast::OptionDecl>(&it.node)) declare_option(*o, program);
  return program.options;
}

Program elaborate(const ProgramRequest& request, Sources& sources, Module& module, Diagnostics& diags) {
  Elaborator e(request, sources, module, diags);
  Program program = e.run();
  if (diags.error_count() > 1) diags = without_echoes(diags, [&](FileId f) { return e.is_library(f); });
  return program;
}

std::vector<OptionInfo> declared_options(const std::string& path, Sources& sources, Diagnostics& diags) {
  Module module;
  ProgramRequest request;
  request.path = path;
  return Elaborator(request, sources, module, diags).options_only();
}

}  // namespace glia
