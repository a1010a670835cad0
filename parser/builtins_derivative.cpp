// grad and value_and_grad: functions of functions. The arguments are known before the function is elaborated, so that
// a lambda takes its types from them.
#include "ir/ops/all.h"
#include "parser/advice.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind not_scalar{"E0340", Severity::error, "`{}` needs a function that gives one float, this one gives {}"};
constexpr DiagKind wrt_no_float{"E0341", Severity::error, "there is no derivative in `{}`: it is {}"};
constexpr DiagKind no_such_param{"E0342", Severity::error, "the function has no parameter `{}`"};

// i32, i64 …: a parameter that could not take a float.
bool declares_ints(const ast::Tree& tree, ast::TypeExprId type) {
  auto* n = std::get_if<ast::NamedType>(&tree[type].node);
  auto t = n && n->path.size() == 1 ? dtype_from_name(n->path[0].text) : std::nullopt;
  return t && is_int(*t);
}

// The float that parameter i of the function is declared to be: a literal takes that type, as it would in a plain call.
std::optional<DType> declared_float(const Transformed& t, size_t i) {
  const Closure* c = t.function->closure();
  if (!c || c->bound.size() + i >= c->params->size()) return std::nullopt;
  ast::TypeExprId type = (*c->params)[c->bound.size() + i].type;
  auto* n = type.valid() ? std::get_if<ast::NamedType>(&c->unit->tree[type].node) : nullptr;
  auto d = n && n->path.size() == 1 && !n->has_dims ? dtype_from_name(n->path[0].text) : std::nullopt;
  if (d == DType::any_float) return DType::f32;
  return d && is_float(*d) && !is_generic(*d) ? d : std::nullopt;
}

Val transform(Elaborator& e, const Builtin& self, std::vector<CallArg>& args, Span span) {
  ScopePtr scope = e.syntax_scope();
  auto t = std::make_shared<Transformed>();
  t->transform = &self;
  t->span = span;
  for (CallArg& a : args) {
    if (a.name == "wrt") {
      t->syntax.push_back({"wrt", a.syntax});
    } else if (!t->function) {
      Val f = a.val.poison() && a.syntax.valid() ? e.expr(a.syntax, scope) : a.val;
      if (f.poison()) return f;
      if (!f.callable()) return e.report(wrong_argument, a.span, self.name, "takes a function, found `" + e.describe(f) + "`"), Val{};
      t->function = std::make_shared<const Val>(f);
    } else {
      return e.report(wrong_argument, a.span, self.name, fmt::format("takes one function: write `{}(f)(x)`", self.name)), Val{};
    }
  }
  if (!t->function) return e.report(wrong_argument, span, self.name, "takes a function"), Val{};
  return Val{std::shared_ptr<const Transformed>(t), {}, span};
}

const Builtin list[] = {
    {"grad", "grad(f, wrt)\nA function: the derivative of f, which gives one float, in its first argument or in those that `wrt` names; with a model, of its type. Reverse mode (Linnainmaa 1970). Integers and texts have none.", transform, {"f", "wrt"}, 1, true},
    {"value_and_grad", "value_and_grad(f, wrt)\nA function: the value of f and its derivative, as `grad` gives it.", transform, {"f", "wrt"}, 1, true},
    {"vjp", "vjp(f)(x, dy)\nThe value and the derivatives in x weighted by dy (reverse mode).", transform, {"f", "wrt"}, 1, true},
    {"jvp", "jvp(f)(x, dx)\nThe value and its change along dx (forward mode).", transform, {"f", "wrt"}, 1, true},
    {"jacobian", "jacobian(f)(x)\nEvery derivative of every element: the shape of f(x), then that of x.", transform, {"f", "wrt"}, 1, true},
    {"hessian", "hessian(f)(x)\nThe Jacobian of the gradient: the shape of x, twice.", transform, {"f", "wrt"}, 1, true},
    {"hvp", "hvp(f)(x, v)\nThe Hessian of f at x times v, without making it (Pearlmutter 1994).", transform, {"f", "wrt"}, 1, true},
};
}  // namespace

std::span<const Builtin> derivative_builtins() { return list; }

// Which arguments the derivative is taken in.
std::optional<std::vector<size_t>> Elaborator::wrt_positions(const Transformed& t, size_t count) {
  if (t.syntax.empty()) return std::vector<size_t>{0};
  std::vector<ast::ExprId> names = {t.syntax[0].second};
  if (auto* tuple = std::get_if<ast::Tuple>(&unit->tree[names[0]].node)) names = tuple->elems;
  const Closure* c = (t.names_of ? t.names_of : t.function)->closure();
  std::vector<size_t> out;
  for (ast::ExprId id : names) {
    auto* n = std::get_if<ast::NameRef>(&unit->tree[id].node);
    size_t i = 0;
    if (c && n) {
      Unit* caller = std::exchange(unit, c->unit);
      while (i < c->params->size() && param_name((*c->params)[i]) != n->name) ++i;
      unit = caller;
    }
    if (!c || !n || i >= c->params->size() || i >= count) {
      report(no_such_param, unit->tree[id].span, n ? n->name : std::string(sources.text(unit->tree[id].span)));
      return std::nullopt;
    }
    out.push_back(i);
  }
  return out;
}

Val Elaborator::apply_transformed(const Transformed& t, std::vector<CallArg> args, Span span) {
  if (t.transform->name != "grad" && t.transform->name != "value_and_grad") return apply_product(t, std::move(args), span);
  auto wrt = wrt_positions(t, args.size());
  if (!wrt || args.empty()) return poison();
  // a literal that the derivative is taken in is a float
  std::vector<Val> given;
  std::vector<TypeId> leaf_types;
  for (size_t i = 0; i < args.size(); ++i) {
    Val v = args[i].val;
    auto* n = v.get<Number>();
    bool taken = std::count(wrt->begin(), wrt->end(), i) > 0;
    auto declared = n && n->weak && taken ? declared_float(t, i) : std::nullopt;
    if (n && n->weak && n->dtype != DType::boolean && taken && (declared || n->is_real())) v = node(value(v, declared.value_or(DType::f32)), args[i].span);
    else v = open_structure(default_number(v));
    given.push_back(v);
  }
  std::vector<ValueId> leaf_ids;
  std::vector<size_t> first;
  for (const Val& v : given) {
    first.push_back(leaf_ids.size());
    std::vector<Val> parts;
    leaves(v, parts);
    for (const Val& p : parts) leaf_ids.push_back(value(p).id), leaf_types.push_back(b().type(leaf_ids.back()));
  }
  first.push_back(leaf_ids.size());
  Ints leaf_wrt;
  for (size_t i : *wrt) {
    size_t floats = 0;
    for (size_t l = first[i]; l < first[i + 1]; ++l)
      if (types.is_tensor(leaf_types[l]) && is_float(types.dtype(leaf_types[l]))) leaf_wrt.push_back(static_cast<int64_t>(l)), ++floats;
    if (floats == 0) {
      auto& d = report(wrt_no_float, args[i].span, sources.text(args[i].span), "`" + describe(given[i]) + "`");
      label_origin(*this, d, given[i], args[i].span);
      const Closure* c = t.function->closure();
      const ast::Param* p = c && !c->unit->library && c->bound.size() + i < c->params->size() ? &(*c->params)[c->bound.size() + i] : nullptr;
      if (p && p->type.valid() && declares_ints(c->unit->tree, p->type)) d.label(p->span, "declared here").help("declare the parameter as a float, and give it a number with a point, or `f32(…)` of the whole number");
      else if (is_numeric(given[i])) d.help(fmt::format("take it in a float: `{}`", std::isdigit(static_cast<unsigned char>(sources.text(args[i].span)[0])) ? fmt::format("{}.0", sources.text(args[i].span)) : fmt::format("f32({})", sources.text(args[i].span))));
      return poison();
    }
  }
  bool outer = std::exchange(per_example, true);
  size_t errors = diags.faults();
  Nested n = nested("function", leaf_types, Val{{}, {}, span}, [&](const std::vector<Val>& p) {
    std::vector<CallArg> inner;
    size_t next = 0;
    for (size_t i = 0; i < given.size(); ++i) inner.push_back({args[i].name, {}, rebuild(given[i], p, next), args[i].span});
    return default_number(apply(*t.function, std::move(inner), span));
  });
  per_example = outer;
  if (!n.ok || diags.faults() > errors) return poison();
  bool scalar = is_numeric(n.result) && types.is_scalar(n.result_types[0]) && is_float(types.dtype(n.result_types[0]));
  if (!scalar) {
    auto& d = report(not_scalar, span, t.transform->name, "`" + describe(n.result) + "`");
    if (const Closure* c = t.function->closure(); c && !c->unit->library && c->decl) d.label(c->span, fmt::format("`{}` gives `{}`", c->name, describe(n.result)));
    if (is_numeric(n.result) && is_float(types.dtype(n.result_types[0]))) d.help("reduce it to one number, for example with `sum` or `mean`");
    else if (auto* s = n.result.structure(); s && !s->elems.empty())
      d.help(fmt::format("a gradient is of one number: pick it, for example `{}(x => f(x).{})`", t.transform->name, s->fields.empty() ? "0" : s->fields[0]));
    else if (is_numeric(n.result)) d.help("whole numbers have no derivative: convert with `f32(…)` before computing");
    return poison();
  }
  if (const Closure* c = t.function->closure())
    for (size_t i : *wrt) warn_of_zero_gradient(*this, *c, c->bound.size() + i, n.func, {first[i], first[i + 1]}, span);
  return emit_grad(t, n, given, *wrt, first, leaf_ids, leaf_wrt, span);
}

Val Elaborator::emit_grad(const Transformed& t, const Nested& n, const std::vector<Val>& given, const std::vector<size_t>& wrt,
                          const std::vector<size_t>& first, std::vector<ValueId> args, const Ints& leaf_wrt, Span span) {
  bool with_value = t.transform->name == "value_and_grad";
  std::vector<TypeId> result_types;
  if (with_value) result_types.push_back(n.result_types[0]);
  for (int64_t l : leaf_wrt) result_types.push_back(b().type(args[static_cast<size_t>(l)]));
  std::vector<ValueId> leaves_only = args;
  args.insert(args.end(), n.captures.begin(), n.captures.end());
  TypeId type = result_types.size() == 1 ? result_types[0] : types.tuple(result_types);
  Value g = b().emit(op<Grad>, args, {{AttrKey::func, n.func}, {AttrKey::wrt, leaf_wrt}, {AttrKey::index, int64_t{with_value}}}, type);
  std::vector<Val> parts = results_of(g, result_types, span);
  size_t next_grad = with_value;
  Structure grads;
  for (size_t i : wrt) {
    std::vector<Val> leaf_vals;
    for (size_t l = first[i]; l < first[i + 1]; ++l) {
      bool has = std::count(leaf_wrt.begin(), leaf_wrt.end(), static_cast<int64_t>(l)) > 0;
      leaf_vals.push_back(has ? parts[next_grad++] : node(b().value(leaves_only[l]), span));
    }
    size_t next = 0;
    grads.elems.push_back(rebuild(given[i], leaf_vals, next));
  }
  Val result = grads.elems.size() == 1 && t.syntax.empty() ? grads.elems[0] : Val{std::make_shared<const Structure>(grads), {}, span};
  if (!t.syntax.empty() && grads.elems.size() == 1) result = grads.elems[0];
  if (!with_value) return result;
  Structure both;
  both.elems = {parts[0], result};
  return Val{std::make_shared<const Structure>(std::move(both)), {}, span};
}

}  // namespace glia
