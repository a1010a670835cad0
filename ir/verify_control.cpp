// What each op with nested functions asks of them, as documented in ops/control.h.
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
  if (found != wanted) say("`{}` takes {}, is given {}", f.name, print(found), print(wanted));
}

void ControlCheck::gives(TypeId type) {
  if (node.type != type) say("has type {}, its functions give {}", m.types.print(node.type), m.types.print(type));
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
  if (found.size() < wanted.size() || !std::equal(wanted.begin(), wanted.end(), found.begin()))
    u.say("the derivative `{}` takes {}, not first {}", by_hand->name, u.print(found), u.print(wanted));
}

void check_if(ControlCheck& u) {
  const Func *yes = u.func(AttrKey::func), *no = u.func(AttrKey::other);
  if (!yes || !no) return;
  if (u.args.empty() || u.args[0] != u.m.types.tensor(DType::boolean)) return u.say("its condition is no bool");
  for (const Func* f : {yes, no}) u.takes(*f, tail(u.args, 1));
  if (result_types(*yes) != result_types(*no)) u.say("its branches give {} and {}", u.print(result_types(*yes)), u.print(result_types(*no)));
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
  if (result_types(*f) != *state) u.say("`{}` gives {}, not the states {}", f->name, u.print(result_types(*f)), u.print(*state));
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
  if (result_types(*f) != *state) u.say("`{}` gives {}, not the states {}", f->name, u.print(result_types(*f)), u.print(*state));
  if (result_types(*condition) != TypeList{u.m.types.tensor(DType::boolean)}) u.say("its condition `{}` gives no bool", condition->name);
  u.gives(result_type(u.m.types, *state));
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
    case op<CallOp>.v: check_call(u); break;
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
