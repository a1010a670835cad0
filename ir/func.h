// The IR: a function is a list of nodes in order; a node's arguments come before it. Append-only and
// hash-consed on everything but `src`, so a common subexpression is one node. Nested code (a branch, a loop
// body) is a closed function referred to by id.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/attrs.h"
#include "ir/types.h"

namespace glia::ir {

using OpId = Id<struct OpTag>;
using ValueId = Id<struct ValueTag>;  // index of the node in its function
using SrcId = Id<struct SrcTag>;

// Where a node comes from: the expression in the user's text, and the call that led there if it stands in a
// function that was inlined.
struct Src {
  Span span;
  SrcId caller;
};

struct Node {
  OpId op;
  TypeId type;
  std::vector<ValueId> args;
  Attrs attrs;
  SrcId src;
};

struct Func {
  std::string name;
  std::vector<ValueId> params;   // nodes of op `param`
  std::vector<Node> nodes;
  std::vector<ValueId> results;

  const Node& operator[](ValueId v) const { return nodes[v.index()]; }
};

// One case of a variant type.
struct VariantCase {
  std::string name;
  std::vector<std::string> fields;
  std::vector<TypeId> types;
};

// Everything a program consists of; owns the interners. Functions never change once added or defined.
class Module {
 public:
  Types types;
  std::map<std::string, std::vector<VariantCase>> variants;  // by type name

  // A function whose body comes later, so that it may call itself. Until then it may be called, but not looked into.
  FuncId reserve(std::string name, std::vector<TypeId> results, bool effect = false);
  void define(FuncId id, Func f);
  bool pending(FuncId id) const { return pending_.contains(id.v); }
  bool pending_effect(FuncId id) const { return pending_.contains(id.v) && pending_.at(id.v); }

  FuncId add(Func f) { return funcs_.push_back(std::move(f)), FuncId(funcs_.size() - 1); }
  const Func& operator[](FuncId id) const { return funcs_[id.index()]; }
  size_t func_count() const { return funcs_.size(); }

  SrcId add(Src s);  // an equal one made before keeps its id
  const Src& src(SrcId id) const { return srcs_[id.index()]; }
  Span span(SrcId id) const { return id.valid() ? srcs_[id.index()].span : Span{}; }

 private:
  std::deque<Func> funcs_;
  std::unordered_map<uint32_t, bool> pending_;  // reserved and not defined yet; whether it may have effects
  std::vector<Src> srcs_;
  std::unordered_map<size_t, std::vector<SrcId>> src_index_;
};

// The functions that a node refers to: branches, bodies, conditions.
std::vector<FuncId> nested_funcs(const Node& node);
// Whether the function may call itself, also through others; true of one that is not defined yet.
bool is_recursive(const Module& module, FuncId id);
// Whether the function, or one that it refers to at any depth, has such a node.
bool reaches(const Module& module, FuncId id, const std::function<bool(const Node&)>& wanted);
// Whether running the node does something besides making its value, also inside nested functions.
bool has_effect(const Module& module, const Node& node);

}  // namespace glia::ir
