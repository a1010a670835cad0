// Finding builtins, and what their arguments have in common. The elementwise ones come from the op table.
#include "parser/data_calls.h"

#include <algorithm>

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia {

using namespace ir;

namespace {
Val call_elementwise(Elaborator& e, const Builtin& self, std::vector<CallArg>& args, Span span) {
  std::vector<Val> vals;
  std::vector<Span> spans;
  for (CallArg& a : args) vals.push_back(a.val), spans.push_back(a.span);
  const OpInfo& op_info = info(self.op);
  if (static_cast<int>(args.size()) != op_info.arity) {
    e.report(wrong_argument, span, self.name, fmt::format("takes {} argument{}, found {}", op_info.arity, op_info.arity == 1 ? "" : "s", args.size()));
    return {};
  }
  return e.elementwise(self.op, std::move(vals), spans, span, self.name);
}

// Ops that are written as operators, or that a builtin of the same name covers.
bool has_own_spelling(std::string_view name) {
  for (std::string_view n : {"add", "sub", "mul", "div", "floordiv", "mod", "pow", "neg", "eq", "ne", "lt", "le", "and", "or", "not", "max", "min"})
    if (n == name) return true;
  return false;
}

std::string elementwise_text(const OpInfo& o) {
  return fmt::format("{}({})\n{}, element by element", o.name, o.arity == 1 ? "x" : o.arity == 2 ? "a, b" : "a, b, c", o.doc);
}
}  // namespace

std::span<const Builtin> elementwise_builtins() {
  static const std::vector<Builtin> list = [] {
    static std::deque<std::string> texts;  // the list below views them
    std::vector<Builtin> all;
    for (size_t i = 0; i < op_table().size(); ++i) {
      const OpInfo& o = op_table()[i];
      if (o.family == Family::elementwise && !has_own_spelling(o.name))
        all.push_back(Builtin{o.name, texts.emplace_back(elementwise_text(o)), call_elementwise, {}, static_cast<size_t>(o.arity), false, OpId(i)});
    }
    return all;
  }();
  return list;
}

namespace {
const std::map<std::string_view, const Builtin*>& all_builtins() {
  static const std::map<std::string_view, const Builtin*> index = [] {
    std::map<std::string_view, const Builtin*> m;
    for (auto list : {elementwise_builtins(), reduce_builtins(), shape_builtins(), make_builtins(), image_builtins(), linalg_builtins(),
                      random_builtins(), derivative_builtins(), text_builtins(), list_builtins()})
      for (const Builtin& f : list) m[f.name] = &f;
    return m;
  }();
  return index;
}
}  // namespace

const Builtin* find_builtin(std::string_view name) {
  auto it = all_builtins().find(name);
  return it == all_builtins().end() ? nullptr : it->second;
}

const Builtin* find_data_function(std::string_view name) {
  for (auto list : {data_builtins(), reader_builtins(), source_builtins()})
    for (const Builtin& f : list)
      if (f.name == name) return &f;
  return nullptr;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const auto& [name, f] : all_builtins()) names.emplace_back(name);
  return names;
}

CallArg* argument(const Builtin& f, std::vector<CallArg>& args, std::string_view name) {
  size_t position = static_cast<size_t>(std::find(f.params.begin(), f.params.end(), name) - f.params.begin()), next = 0;
  for (CallArg& a : args) {
    if (a.name == name) return &a;
    if (a.name.empty() && next++ == position) return &a;
  }
  return nullptr;
}

std::optional<Value> tensor_argument(Elaborator& e, const Builtin& f, CallArg* a, Span span) {
  if (!a || a->val.poison()) return std::nullopt;
  Val v = a->val;
  if (e.is_list(v)) {
    v = e.as_tensor(v, a->span);
    if (v.poison()) return std::nullopt;
  }
  if (auto* l = v.list()) {
    bool numeric = !l->empty();
    for (const Val& x : *l) numeric = numeric && e.is_numeric(x);
    if (numeric) v = e.tensor_of(*l, a->span);
    if (v.poison()) return std::nullopt;
  }
  if (!e.is_numeric(v)) {
    e.report(wrong_argument, a->span.valid() ? a->span : span, f.name, fmt::format("takes a number or tensor, found `{}`", e.describe(v)));
    return std::nullopt;
  }
  return e.value(v);
}

std::optional<DimId> size_argument(Elaborator& e, const CallArg* a) {
  auto d = a ? e.as_dim(a->val) : std::nullopt;
  auto k = d ? e.dims.known(*d) : std::nullopt;
  return k && *k < 0 ? std::nullopt : d;
}

std::optional<Value> checked_emit(Elaborator& e, const Builtin& f, OpId o, std::vector<Value> args, Attrs attrs, Span span) {
  std::vector<ValueId> ids;
  for (Value x : args) ids.push_back(x.id);
  auto rule = e.b().ruled(o, ids, attrs);
  if (rule) return e.b().emit(o, std::move(ids), std::move(attrs));
  e.report(wrong_argument, span, f.name, rule.error());
  return std::nullopt;
}

std::optional<Ints> axes_argument(Elaborator& e, const Builtin& f, CallArg* a, size_t rank, Span) {
  if (!a) return iota_ints(rank);
  auto list = e.as_shape(a->val, a->span);
  if (!list) return std::nullopt;
  Ints axes;
  for (DimId d : *list) {
    auto k = e.dims.known(d);
    int64_t n = static_cast<int64_t>(rank);
    if (!k || *k >= n || *k < -n) {
      e.report(wrong_argument, a->span, f.name, fmt::format("has no axis {} of {}", k ? std::to_string(*k) : e.dims.print(d), rank));
      return std::nullopt;
    }
    axes.push_back(*k < 0 ? *k + n : *k);
  }
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

}  // namespace glia
