// Data that no reader of rows gives: examples that the program draws itself, and weights of other programs.
#include "ir/ops/all.h"
#include "parser/data_calls.h"

namespace glia {

using namespace ir;

namespace {
// The examples come of a stream of their own, keyed by `seed`.
Val drawn_rows(Elaborator& e, DimId count, int64_t seed, const Val& input, const Val& target, Span span) {
  auto outer = e.frame().stream;
  e.frame().stream = e.node(constant_int(e.b(), seed, DType::i64), span);
  Elaborator::Nested body = e.nested("example", {e.types.tensor(DType::i32)}, Val{{}, {}, span}, [&](const std::vector<Val>&) {
    Structure row;
    row.fields = {"input", "target"};
    Val x = e.default_number(e.apply_values(input, {}, span));
    Val y = x.poison() ? Val{} : e.default_number(e.apply_values(target, {x}, span));
    row.elems = {x, y};
    for (const Val& v : row.elems)
      if (v.poison()) return Val{};
    if (!e.is_numeric(x) || !e.is_numeric(y)) {
      e.report(wrong_argument, span, "synthetic", fmt::format("needs functions that give tensors, found `{}` and `{}`", e.describe(x), e.describe(y)));
      return Val{};
    }
    return Val{std::make_shared<const Structure>(row), {}, span};
  }, true);
  e.frame().stream = outer;
  if (!body.ok) return {};
  std::vector<TypeId> stacked;
  for (TypeId t : body.result_types) {
    Shape shape = e.types.shape(t);
    shape.insert(shape.begin(), count);
    stacked.push_back(e.types.with_shape(t, shape));
  }
  Value both = e.b().emit(op<Map>, body.captures, {{AttrKey::func, body.func}, {AttrKey::count, count}}, e.types.tuple(stacked));
  TypeId rows = e.types.list(e.types.record({"input", "target"}, body.result_types));
  return host(e, "rows", {get(both, 0).id, get(both, 1).id}, {"field=input", "field=target"}, rows, span);
}

// data.synthetic(n, input = () => …, target = x => …, seed = 0)
Val synthetic(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  CallArg *n = argument(f, args, "n"), *input = argument(f, args, "input"), *target = argument(f, args, "target"), *seed = argument(f, args, "seed");
  for (CallArg* a : {n, input, target})
    if (!a || a->val.poison()) return {};
  auto count = size_argument(e, n);
  if (!count) return e.report(wrong_argument, n->span, f.name, "needs a number of rows that is known before the program runs"), Val{};
  for (CallArg* a : {input, target})
    if (!a->val.callable()) return e.report(wrong_argument, a->span, f.name, "needs a function, found `" + e.describe(a->val) + "`"), Val{};
  auto key = seed ? e.known_int(seed->val) : std::optional<int64_t>(0);
  if (!key) return e.report(wrong_argument, seed->span, f.name, "needs a whole number for `seed`"), Val{};
  return drawn_rows(e, *count, *key, input->val, target->val, span);
}

// data.llama2c(path, as = Model): the model with the weights of the file, in its order
Val llama2c(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto path = path_argument(e, f, args, {}, span);
  CallArg* as = argument(f, args, "as");
  if (!path || !as || as->val.poison()) return {};
  auto* model = as->val.get<ModelRef>();
  if (!model) return e.report(wrong_argument, as->span, f.name, "needs a model for `as`, found `" + e.describe(as->val) + "`"), Val{};
  bool outer = std::exchange(e.weights_given, true);
  e.open_frame("weights");
  Val made = e.instantiate(*model, {}, span, true);
  std::vector<Val> parts;
  std::vector<std::string> names;
  e.leaves(made, parts, &names);
  std::vector<TypeId> types;
  for (const Val& p : parts) types.push_back(e.type_of(p));
  e.frames.pop_back();
  e.weights_given = outer;
  if (made.poison()) return {};
  if (parts.empty()) return e.report(wrong_argument, as->span, f.name, "needs a model with parameters"), Val{};
  Lines options;
  for (const std::string& name : names) options.push_back("param=" + name);
  Val weights = host(e, "data.llama2c", {*path}, std::move(options), types.size() == 1 ? types[0] : e.types.tuple(types), span);
  std::vector<Val> values = e.results_of(e.value(weights), types, span);
  size_t next = 0;
  return e.rebuild(made, values, next);
}

const Builtin list[] = {
    {"synthetic", "data.synthetic(n, input, target, seed = 0)\nn rows { input, target }: input() drawn from a stream of its own, keyed by seed, and target(input).", synthetic, {"n", "input", "target", "seed"}, 3},
    {"llama2c", "data.llama2c(path, as = Model)\nThe model with the weights of a llama2.c checkpoint, in the order in which it declares its parameters. A count or shape that differs is an error with both names.", llama2c, {"path", "as"}, 2},
};
}  // namespace

std::span<const Builtin> source_builtins() { return list; }

}  // namespace glia
