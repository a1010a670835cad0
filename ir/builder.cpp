// Emission: type rules, common subexpressions, order of effects, and copying one function into another.
#include "ir/builder.h"

#include <fmt/format.h>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/peephole.h"
#include "ir/value.h"

namespace glia::ir {

namespace {
size_t node_hash(OpId op, TypeId type, const std::vector<ValueId>& args, const Attrs& attrs) {
  size_t h = attrs.hash() ^ (size_t{op.v} << 32) ^ type.v;
  for (ValueId a : args) h = (h ^ a.v) * 0x9e3779b97f4a7c15ull + (h >> 31);
  return h;
}

bool equal_nodes(const Node& a, OpId op, TypeId type, const std::vector<ValueId>& args, const Attrs& attrs) {
  return a.op == op && a.type == type && a.args == args && a.attrs == attrs;
}

std::string blame(const Module& module, SrcId src) {
  Span s = module.span(src);
  return s.valid() ? fmt::format(" (from file {}, bytes {} to {})", s.file.v, s.begin, s.end) : "";
}

// A record keeps the name that its maker gave, over the types that its elements have.
TypeId named_record(Types& types, TypeId ruled, TypeId given) {
  const Type stated = types[given], found = types[ruled];
  if (stated.kind != TypeKind::tuple || stated.elems.size() != found.elems.size()) return ruled;
  return types.record(stated.fields, found.elems, stated.name);
}

TypeId type_of_node(Module& module, OpId op_id, const std::vector<TypeId>& args, const Attrs& attrs, TypeId given, SrcId src) {
  const OpInfo& op_info = info(op_id);
  if (!op_info.type) {
    GLIA_CHECK(given.valid(), fmt::format("`{}` needs its type{}", op_info.name, blame(module, src)));
    return given;
  }
  TypeRule ruled = op_info.type(TypeContext{module.types, args, attrs});
  GLIA_CHECK(ruled.has_value(), fmt::format("`{}`: {}{}", op_info.name, ruled.error(), blame(module, src)));
  return op_id == op<TupleOp> && given.valid() ? named_record(module.types, *ruled, given) : *ruled;
}
}  // namespace

Builder::Builder(Module& module, std::string name) : module_(module) { func_.name = std::move(name); }

Value Builder::value(ValueId id) { return Value{this, id}; }

Value Builder::param(TypeId type, std::string name) {
  Attrs attrs;
  if (!name.empty()) attrs.set(AttrKey::name, std::move(name));
  ValueId id(func_.nodes.size());
  func_.nodes.push_back({op<Param>, type, {}, std::move(attrs), src_});
  func_.params.push_back(id);
  return value(id);
}

TypeRule Builder::ruled(OpId op_id, const std::vector<ValueId>& args, const Attrs& attrs) const {
  std::vector<TypeId> types;
  for (ValueId a : args) types.push_back(type(a));
  return info(op_id).type(TypeContext{module_.types, types, attrs});
}

Value Builder::emit(OpId op_id, std::vector<ValueId> args, Attrs attrs, TypeId type) {
  const OpInfo& op_info = info(op_id);
  GLIA_CHECK(op_id != op<Param>, "parameters are made by Builder::param");
  GLIA_CHECK(op_info.arity < 0 || args.size() == static_cast<size_t>(op_info.arity),
             fmt::format("`{}` takes {} arguments, not {}{}", op_info.name, op_info.arity, args.size(), blame(module_, src_)));
  std::vector<TypeId> arg_types;
  for (ValueId a : args) {
    GLIA_CHECK(a.valid() && a.index() < func_.nodes.size(), fmt::format("`{}`: an argument is not a value of this function", op_info.name));
    arg_types.push_back(this->type(a));
  }
  type = type_of_node(module_, op_id, arg_types, attrs, type, src_);
  if (op_info.commutes && args[1] < args[0]) std::swap(args[0], args[1]);

  Node node{op_id, type, std::move(args), std::move(attrs), src_};
  bool effect = has_effect(module_, node);
  if (effect) node.attrs.set(AttrKey::order, effects_++);
  size_t key = node_hash(node.op, node.type, node.args, node.attrs);
  if (!effect)
    for (auto [it, end] = index_.equal_range(key); it != end; ++it)
      if (equal_nodes(func_[it->second], node.op, node.type, node.args, node.attrs)) return value(it->second);
  ValueId id(func_.nodes.size());
  func_.nodes.push_back(std::move(node));
  if (!effect) index_.emplace(key, id);
  return value(id);
}

namespace {
// The source with `outer` at the end of its chain of callers.
SrcId called_from(Module& module, SrcId src, SrcId outer) {
  if (!src.valid()) return outer;
  if (!outer.valid()) return src;
  Src s = module.src(src);
  s.caller = called_from(module, s.caller, outer);
  return module.add(s);
}
}  // namespace

std::vector<Value> inline_func(Builder& b, const Func& f, std::span<const ValueId> args) {
  GLIA_CHECK(args.size() == f.params.size(), fmt::format("`{}` takes {} arguments, not {}", f.name, f.params.size(), args.size()));
  std::vector<Value> copies(f.nodes.size());
  for (size_t i = 0; i < args.size(); ++i) copies[f.params[i].index()] = b.value(args[i]);
  SrcId outer = b.src();
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    const Node& n = f.nodes[i];
    if (n.op == op<Param>) continue;
    std::vector<Value> x;
    for (ValueId a : n.args) x.push_back(copies[a.index()]);
    b.set_src(called_from(b.module(), n.src, outer));
    copies[i] = make(b, n.op, x, n.attrs, n.type);
  }
  b.set_src(outer);
  std::vector<Value> results;
  for (ValueId r : f.results) results.push_back(copies[r.index()]);
  return results;
}

}  // namespace glia::ir
