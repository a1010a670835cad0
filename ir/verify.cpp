// Structure, type rules, and nested functions.
#include "ir/verify.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::ir {

namespace {
struct Checker {
  Module& m;  // interning only: nothing that exists changes
  Stage stage;
  std::set<FuncId> seen;
  std::vector<std::string> problems;

  void func(const Func& f);
  bool structure(const Func& f, size_t i);
  void ids(const Func& f, std::span<const ValueId> list, size_t count, std::string_view what);
  void types(const Func& f, size_t i);
  void concrete(const Func& f, size_t i);
  void nested(const Func& f, size_t i);

  template <class... Args>
  void say(const Func& f, size_t i, fmt::format_string<Args...> text, Args&&... args) {
    problems.push_back(fmt::format("{}, %{} ({}): {}", f.name, i, f.nodes[i].op.valid() ? info(f.nodes[i].op).name : "?",
                                   fmt::format(text, std::forward<Args>(args)...)));
  }
};

bool Checker::structure(const Func& f, size_t i) {
  const Node& n = f.nodes[i];
  size_t before = problems.size();
  if (!n.op.valid() || n.op.index() >= op_table().size()) return problems.push_back(fmt::format("{}, %{}: no op", f.name, i)), false;
  if (!n.type.valid()) say(f, i, "has no type");
  int arity = info(n.op).arity;
  if (arity >= 0 && n.args.size() != static_cast<size_t>(arity)) say(f, i, "takes {} arguments, has {}", arity, n.args.size());
  for (ValueId a : n.args)
    if (!a.valid() || a.index() >= i) say(f, i, "argument %{} does not come before it", a.v);
  for (FuncId id : nested_funcs(n))
    if (!id.valid() || id.index() >= m.func_count()) say(f, i, "refers to function {}, which does not exist", id.v);
  for (const AttrEntry& e : n.attrs.entries()) {
    auto* d = std::get_if<DimId>(&e.value);
    if (d && !d->valid()) say(f, i, "attribute {} is no size", attr_name(e.key));
  }
  bool listed = std::ranges::count(f.params, ValueId(i)) == 1;
  if ((n.op == op<Param>) != listed) say(f, i, "{}", listed ? "is listed as a parameter" : "is not listed once as a parameter");
  return problems.size() == before;
}

// A record made with its name in the node's type: the elements must agree.
bool agrees(const Types& types, TypeId stated, TypeId ruled) {
  if (stated == ruled) return true;
  const Type &a = types[stated], &b = types[ruled];
  return a.kind == TypeKind::tuple && b.kind == TypeKind::tuple && a.elems == b.elems && (b.fields.empty() || a.fields == b.fields);
}

void Checker::types(const Func& f, size_t i) {
  const Node& n = f.nodes[i];
  const OpInfo& op_info = info(n.op);
  if (!op_info.type) return;
  std::vector<TypeId> args;
  for (ValueId a : n.args) args.push_back(f[a].type);
  TypeRule ruled = op_info.type(TypeContext{m.types, args, n.attrs});
  if (!ruled) say(f, i, "{}", ruled.error());
  else if (n.op == op<TupleOp> ? !agrees(m.types, n.type, *ruled) : n.type != *ruled)
    say(f, i, "has type {}, its arguments give {}", m.types.print(n.type), m.types.print(*ruled));
}

bool is_concrete(const Types& types, TypeId id) {
  const Type& t = types[id];
  if (t.kind == TypeKind::tensor && (is_generic(t.dtype) || std::ranges::any_of(t.shape, [&](DimId d) { return types.dims.is_pack(d); }))) return false;
  return std::ranges::all_of(t.elems, [&](TypeId e) { return is_concrete(types, e); });
}

void Checker::concrete(const Func& f, size_t i) {
  if (!is_concrete(m.types, f.nodes[i].type)) say(f, i, "has the generic type {}", m.types.print(f.nodes[i].type));
}

void Checker::nested(const Func& f, size_t i) {
  for (const std::string& problem : verify_control(m, f, f.nodes[i])) say(f, i, "{}", problem);
  for (FuncId id : nested_funcs(f.nodes[i]))
    if (seen.insert(id).second) func(m[id]);
}

void Checker::ids(const Func& f, std::span<const ValueId> list, size_t count, std::string_view what) {
  for (ValueId v : list)
    if (!v.valid() || v.index() >= count) problems.push_back(fmt::format("{}: {} %{} does not exist", f.name, what, v.v));
}

void Checker::func(const Func& f) {
  size_t before = problems.size();
  ids(f, f.params, f.nodes.size(), "parameter");
  ids(f, f.results, f.nodes.size(), "result");
  bool sound = problems.size() == before;
  for (size_t i = 0; i < f.nodes.size(); ++i) sound = structure(f, i) && sound;
  if (!sound) return;  // what follows reads through arguments
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    types(f, i);
    if (stage == Stage::concrete) concrete(f, i);
    nested(f, i);
  }
}
}  // namespace

std::vector<std::string> verify(const Module& module, const Func& func, Stage stage) {
  Checker c{const_cast<Module&>(module), stage, {}, {}};  // type rules intern types
  c.func(func);
  return std::move(c.problems);
}

}  // namespace glia::ir
