// Fields and methods of objects of the host: vocabularies and tokenisers.
#include "ir/ops/all.h"
#include "parser/data_calls.h"

namespace glia {

using namespace ir;

namespace {
enum class Kind : uint8_t { text, number, flag, tokens };

struct Param {
  std::string_view name;
  Kind kind;
  bool required = true;
};

struct Method {
  std::string_view object, name;
  std::vector<Param> params;
  Kind result;
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {"vocabulary", "id", {{"token", Kind::text}}, Kind::number},
      {"vocabulary", "has", {{"token", Kind::text}}, Kind::flag},
      {"vocabulary", "encode", {{"text", Kind::text}}, Kind::tokens},
      {"vocabulary", "decode", {{"tokens", Kind::tokens}}, Kind::text},
      {"tokenizer", "encode", {{"text", Kind::text}, {"bos", Kind::flag, false}}, Kind::tokens},
      {"tokenizer", "piece", {{"before", Kind::number}, {"token", Kind::number}}, Kind::text},
  };
  return all;
}

TypeId type_of(Types& t, Kind k) {
  if (k == Kind::text) return t.str();
  if (k == Kind::tokens) return t.list(t.tensor(DType::i32));
  return t.tensor(k == Kind::flag ? DType::boolean : DType::i32);
}

std::string described(Elaborator& e, Kind k) { return e.types.print(type_of(e.types, k)); }

bool is_tokens(Elaborator& e, const Val& v) {
  if (v.list() && v.list()->empty()) return true;
  const Type t = e.types[e.type_of(v)];
  TypeId elem = t.kind == TypeKind::list ? t.elems[0] : e.type_of(v);
  return e.types.is_tensor(elem) && e.types.dtype(elem) == DType::i32 && e.types.shape(elem).size() == (t.kind == TypeKind::list ? 0u : 1u);
}

bool fits(Elaborator& e, const Val& v, Kind k) {
  if (k == Kind::text) return e.is_data(v) && e.types[e.type_of(v)].kind == TypeKind::str;
  if (k == Kind::tokens) return is_tokens(e, v);
  if (!e.is_numeric(v) || !e.shape_of(v).empty()) return false;
  return k == Kind::flag ? e.dtype_of(v) == DType::boolean : e.dtype_of(v) == DType::i32;
}

// The arguments in the order of the parameters; a flag that is not given is false.
std::optional<std::vector<ValueId>> method_args(Elaborator& e, const Method& m, std::vector<CallArg>& args, Span span) {
  std::vector<std::string_view> names;
  for (const Param& p : m.params) names.push_back(p.name);
  Builtin f{m.name, {}, nullptr, names, 0};
  size_t placed = 0;
  std::vector<ValueId> out;
  for (const Param& p : m.params) {
    CallArg* a = argument(f, args, p.name);
    placed += a ? 1 : 0;
    if (a && a->val.poison()) return std::nullopt;
    if (a && fits(e, a->val, p.kind)) out.push_back(e.value(a->val.list() ? e.as_list(a->val, a->span) : a->val).id);
    else if (!a && !p.required) out.push_back(constant_int(e.b(), 0, DType::boolean).id);
    else return e.report(wrong_argument, a ? a->span : span, m.name, fmt::format("needs a `{}` for `{}`{}", described(e, p.kind), p.name, a ? ", found `" + e.describe(a->val) + "`" : "")), std::nullopt;
  }
  if (placed == args.size()) return out;
  return e.report(wrong_argument, span, m.name, fmt::format("takes {} argument{}, found {}", m.params.size(), m.params.size() == 1 ? "" : "s", args.size())), std::nullopt;
}

Val method_of(Elaborator& e, const Method& m, const Val& object) {
  return e.native(std::string(m.name), [&e, &m, object](std::vector<CallArg> args, Span span) -> Val {
    auto values = method_args(e, m, args, span);
    if (!values) return {};
    values->insert(values->begin(), e.value(object).id);
    return host(e, fmt::format("{}.{}", m.object, m.name), std::move(*values), {}, type_of(e.types, m.result), span);
  });
}
}  // namespace

// The size of an object that a statement before this one made: it is asked for once, before anything that depends on it.
Val Elaborator::size_of_object(const Val& object, const std::string& kind, Span span) {
  auto size = [&] { return host(*this, kind + ".size", {value(object).id}, {}, types.tensor(DType::i32), span); };
  auto* g = object.get<GlobalId>();
  if (!g) return size();
  auto [it, fresh] = object_sizes_.try_emplace(g->v);
  if (!fresh) return it->second;
  auto outer = std::exchange(frames, {});
  auto root = std::exchange(site_root, {});
  uint32_t drawn = draws;
  statement(span, size, [&](Val v) { object_sizes_[g->v] = size_of_global(v, span, std::string(sources.text(span))); });
  --statements_;
  draws = drawn;
  site_root = root;
  frames = std::move(outer);
  return object_sizes_[g->v];
}

Val object_field(Elaborator& e, const Val& object, const std::string& name, Span span) {
  const std::string kind = e.types[e.type_of(object)].name;
  if (name == "size") return e.size_of_object(object, kind, span);
  if (name == "end" && kind == "vocabulary") return host(e, "vocabulary.end", {e.value(object).id}, {}, e.types.tensor(DType::i32), span);
  for (const Method& m : methods())
    if (m.object == kind && m.name == name) return method_of(e, m, object);
  return {};
}

}  // namespace glia
