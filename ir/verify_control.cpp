// What each op with nested functions asks of them, as documented in ops/control.h.
#include <algorithm>

#include <fmt/format.h>

#include "ir/ops/all.h"
#include "ir/passes/copy.h"
#include "ir/verify.h"

namespace glia::ir {

namespace {
using TypeList = std::vector<TypeId>;

struct ControlCheck {
  Module& m;
  const Node& node;
  TypeList args;
  std::vector<std::string> problems;

  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... values) { problems.push_back(fmt::format(text, std::forward<Args>(values)...)); }

  const Func* func(AttrKey key);
  template <class T>
  const T* attr(AttrKey key);
  std::string print(const TypeList& list) const;
  void takes(const Func& f, const TypeList& wanted);
  void gives(TypeId type);
  bool fit(const TypeList& a, const TypeList& b) const;
  TypeId stack(TypeId type, DimId count);
};

template <class T>
const T* ControlCheck::attr(AttrKey key) {
  const AttrValue* v = node.attrs.find(key);
  const T* found = v ? std::get_if<T>(v) : nullptr;
  if (!found) say("lacks its attribute {}", attr_name(key));
  return found;
}

const Func* ControlCheck::func(AttrKey key) {
  const FuncId* id = attr<FuncId>(key);
  return id ? &m[*id] : nullptr;
}

std::string ControlCheck::print(const TypeList& list) const {
  std::string text;
  for (TypeId t : list) text += (text.empty() ? "" : ", ") + m.types.print(t);
  return "(" + text + ")";
}

TypeList param_types(const Func& f) {
  TypeList types;
  for (ValueId p : f.params) types.push_back(f[p].type);
  return types;
}

void ControlCheck::takes(const Func& f, const TypeList& wanted) {
  TypeList found = param_types(f);
  if (!fit(found, wanted)) say("`{}` takes {}, is given {}", f.name, print(found), print(wanted));
}

// Sizes may come with the values, so only what can never fit is wrong.
bool ControlCheck::fit(const TypeList& a, const TypeList& b) const {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](TypeId x, TypeId y) { return may_fit(m.types, x, y); });
}

void ControlCheck::gives(TypeId type) {
  if (!may_fit(m.types, node.type, type)) say("has type {}, its functions give {}", m.types.print(node.type), m.types.print(type));
}

TypeId ControlCheck::stack(TypeId type, DimId count) {
  auto t = stacked(m.types, type, count);
  if (!t) say("{} cannot be stacked", m.types.print(type));
  return t.value_or(type);
}

TypeList tail(const TypeList& list, size_t from) { return {list.begin() + static_cast<ptrdiff_t>(std::min(from, list.size())), list.end()}; }

TypeList led(TypeId first, const TypeList& rest) {
  TypeList list{first};
  list.insert(list.end(), rest.begin(), rest.end());
  return list;
}

void check_call(ControlCheck& u) {
  const Func* f = u.func(AttrKey::func);
  if (!f) return;
  u.takes(*f, u.args);
  TypeList results = result_types(*f);
  u.gives(result_type(u.m.types, results));
  if (!u.node.attrs.has(AttrKey::other)) return;
  const Func* by_hand = u.func(AttrKey::other);
  if (!by_hand) return;
  TypeList wanted = u.args;
  wanted.insert(wanted.end(), results.begin(), results.end());
  TypeList found = param_types(*by_hand);
  if (found.size() < wanted.size() || !u.fit(wanted, {found.begin(), found.begin() + static_cast<ptrdiff_t>(wanted.size())}))
    u.say("the derivative `{}` takes {}, not first {}", by_hand->name, u.print(found), u.print(wanted));
}

void check_if(ControlCheck& u) {
  const Func *yes = u.func(AttrKey::func), *no = u.func(AttrKey::other);
  if (!yes || !no) return;
  if (u.args.empty() || u.args[0] != u.m.types.tensor(DType::boolean)) return u.say("its condition is no bool");
  for (const Func* f : {yes, no}) u.takes(*f, tail(u.args, 1));
  if (!u.fit(result_types(*yes), result_types(*no))) u.say("its branches give {} and {}", u.print(result_types(*yes)), u.print(result_types(*no)));
  u.gives(result_type(u.m.types, result_types(*yes)));
}

void check_map(ControlCheck& u) {
  const Func* f = u.func(AttrKey::func);
  const DimId* count = u.attr<DimId>(AttrKey::count);
  if (!f || !count) return;
  u.takes(*f, led(u.m.types.tensor(DType::i32), u.args));
  TypeList results = result_types(*f);
  for (TypeId& t : results) t = u.stack(t, *count);
  u.gives(result_type(u.m.types, results));
}

// The first arguments are the states; nothing where their number is wrong.
std::optional<TypeList> states(ControlCheck& u) {
  const Ints* wrt = u.attr<Ints>(AttrKey::wrt);
  if (!wrt) return std::nullopt;
  if (wrt->size() != 1 || (*wrt)[0] < 0 || static_cast<size_t>((*wrt)[0]) > u.args.size()) return u.say("its number of states is wrong"), std::nullopt;
  return TypeList(u.args.begin(), u.args.begin() + (*wrt)[0]);
}

void check_steps(ControlCheck& u) {
  const Func* f = u.func(AttrKey::func);
  const DimId* count = u.attr<DimId>(AttrKey::count);
  auto state = states(u);
  if (!f || !count || !state) return;
  u.takes(*f, led(u.m.types.tensor(DType::i32), u.args));
  if (!u.fit(result_types(*f), *state)) u.say("`{}` gives {}, not the states {}", f->name, u.print(result_types(*f)), u.print(*state));
  if (u.node.op == op<Scan>)
    for (TypeId& t : *state) t = u.stack(t, *count);
  u.gives(result_type(u.m.types, *state));
}

void check_while(ControlCheck& u) {
  const Func *f = u.func(AttrKey::func), *condition = u.func(AttrKey::other);
  auto state = states(u);
  if (!f || !condition || !state) return;
  u.takes(*f, u.args);
  u.takes(*condition, u.args);
  if (!u.fit(result_types(*f), *state)) u.say("`{}` gives {}, not the states {}", f->name, u.print(result_types(*f)), u.print(*state));
  if (result_types(*condition) != TypeList{u.m.types.tensor(DType::boolean)}) u.say("its condition `{}` gives no bool", condition->name);
  u.gives(result_type(u.m.types, *state));
}

void check_fold(ControlCheck& u) {
  const Func* f = u.func(AttrKey::func);
  const Ints* wrt = u.attr<Ints>(AttrKey::wrt);
  if (!f || !wrt) return;
  if (wrt->size() != 2 || (*wrt)[0] < 0 || (*wrt)[1] < 0 || static_cast<size_t>((*wrt)[0] + (*wrt)[1] + 1) > u.args.size() ||
      f->results.size() < static_cast<size_t>((*wrt)[0]))
    return u.say("its numbers of states and lists are wrong");
  const auto states = static_cast<size_t>((*wrt)[0]), lists = static_cast<size_t>((*wrt)[1]);
  if (u.args[0] != u.m.types.tensor(DType::i32)) u.say("its count is no i32");
  TypeList wanted = u.args, results = result_types(*f);
  for (size_t k = 1 + states; k < 1 + states + lists; ++k) {
    if (u.m.types[wanted[k]].kind != TypeKind::list) return u.say("takes a list, found {}", u.m.types.print(wanted[k]));
    wanted[k] = u.m.types[wanted[k]].elems[0];
  }
  u.takes(*f, wanted);
  for (size_t k = states; k < results.size(); ++k) results[k] = u.m.types.list(results[k]);
  TypeList first(wanted.begin() + 1, wanted.begin() + 1 + static_cast<ptrdiff_t>(states));
  if (!u.fit({results.begin(), results.begin() + static_cast<ptrdiff_t>(states)}, first)) u.say("`{}` gives {}, not first the states {}", f->name, u.print(results), u.print(first));
  u.gives(result_type(u.m.types, results));
}

const VariantCase* case_of(ControlCheck& u, TypeId type) {
  const int64_t* index = u.attr<int64_t>(AttrKey::index);
  const Type& t = u.m.types[type];
  if (!index) return nullptr;
  if (t.kind != TypeKind::variant) return u.say("takes a variant, found {}", u.m.types.print(type)), nullptr;
  auto known = u.m.variants.find(t.name);
  if (known == u.m.variants.end()) return u.say("the variant {} is not declared", t.name), nullptr;
  if (*index < 0 || static_cast<size_t>(*index) >= known->second.size()) return u.say("{} has no case {}", t.name, *index), nullptr;
  return &known->second[static_cast<size_t>(*index)];
}

void check_construct(ControlCheck& u) {
  const VariantCase* which = case_of(u, u.node.type);
  if (which && !u.fit(which->types, u.args)) u.say("`{}` takes {}, is given {}", which->name, u.print(which->types), u.print(u.args));
}

void check_payload(ControlCheck& u) {
  const VariantCase* which = case_of(u, u.args[0]);
  const int64_t* field = u.attr<int64_t>(AttrKey::axis);
  if (!which || !field) return;
  if (*field < 0 || static_cast<size_t>(*field) >= which->types.size()) return u.say("`{}` has no field {}", which->name, *field);
  u.gives(which->types[static_cast<size_t>(*field)]);
}

// A list of these items, whether the op makes it of them or takes it apart.
void check_list_of(ControlCheck& u, TypeId list, std::span<const TypeId> items) {
  if (u.m.types[list].kind != TypeKind::list) return u.say("has no list, but {}", u.m.types.print(list));
  for (TypeId item : items)
    if (!may_fit(u.m.types, u.m.types[list].elems[0], item)) return u.say("has {} in {}", u.m.types.print(item), u.m.types.print(list));
}

// A tensor and the list of its rows.
void check_rows(ControlCheck& u, TypeId list, TypeId tensor) {
  const Type t = u.m.types[tensor];
  if (t.kind != TypeKind::tensor || t.shape.empty()) return u.say("has no tensor with rows, but {}", u.m.types.print(tensor));
  TypeId row = u.m.types.tensor(t.dtype, {t.shape.begin() + 1, t.shape.end()});
  check_list_of(u, list, {{row}});
}

void check_item(ControlCheck& u) {
  check_list_of(u, u.args[0], {{u.node.type}});
  if (u.args[1] != u.m.types.tensor(DType::i32)) u.say("takes an i32, found {}", u.m.types.print(u.args[1]));
}

void check_unpack(ControlCheck& u) {
  const int64_t* index = u.attr<int64_t>(AttrKey::index);
  if (index && *index < 0) u.say("has no place {}", *index);
  if (u.args.empty() || u.args.size() > 2 || u.m.types[u.args[0]].kind != TypeKind::tape) u.say("takes a tape");
}

void check_dot(ControlCheck& u) {
  if (!u.m.types.is_scalar(u.node.type) || !is_float(u.m.types.dtype(u.node.type))) u.say("gives a float, not {}", u.m.types.print(u.node.type));
  if (!may_fit(u.m.types, u.args[0], u.args[1])) u.say("takes {} and {}", u.m.types.print(u.args[0]), u.m.types.print(u.args[1]));
}

void check_grad(ControlCheck& u) {
  const Func* f = u.func(AttrKey::func);
  const Ints* wrt = u.attr<Ints>(AttrKey::wrt);
  if (!f || !wrt) return;
  u.takes(*f, u.args);
  TypeList results;
  const AttrValue* with_value = u.node.attrs.find(AttrKey::index);
  if (with_value && *with_value == AttrValue(int64_t{1})) results = result_types(*f);
  for (int64_t k : *wrt) {
    if (k < 0 || static_cast<size_t>(k) >= u.args.size()) return u.say("has no argument {}", k);
    results.push_back(u.args[static_cast<size_t>(k)]);
  }
  u.gives(result_type(u.m.types, results));
}
}  // namespace

std::vector<std::string> verify_control(Module& module, const Func& func, const Node& node) {
  ControlCheck u{module, node, {}, {}};
  for (ValueId a : node.args) u.args.push_back(func[a].type);
  switch (node.op.v) {
    case op<CallOp>.v: case op<Recompute>.v: check_call(u); break;
    case op<Fold>.v: check_fold(u); break;
    case op<Construct>.v: check_construct(u); break;
    case op<Payload>.v: check_payload(u); break;
    case op<MakeList>.v: check_list_of(u, node.type, u.args); break;
    case op<Item>.v: check_item(u); break;
    case op<Stack>.v: check_rows(u, u.args[0], node.type); break;
    case op<Unstack>.v: check_rows(u, node.type, u.args[0]); break;
    case op<Unpack>.v: check_unpack(u); break;
    case op<VecDot>.v: check_dot(u); break;
    case op<If>.v: check_if(u); break;
    case op<Map>.v: check_map(u); break;
    case op<Loop>.v: case op<Scan>.v: check_steps(u); break;
    case op<While>.v: check_while(u); break;
    case op<Grad>.v: check_grad(u); break;
    default: break;
  }
  return u.problems;
}

}  // namespace glia::ir
