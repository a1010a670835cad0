// Readers of data, as the elaborator sees them: their types follow from how their arguments are written; the host
// reads the files when the program runs.
#include <charconv>

#include "ir/ops/all.h"
#include "parser/data_calls.h"

namespace glia {

using namespace ir;

Val host(Elaborator& e, std::string name, std::vector<ValueId> args, Lines options, TypeId type, Span span) {
  return e.node(e.b().emit(op<HostCall>, std::move(args), {{AttrKey::text, std::move(name)}, {AttrKey::options, std::move(options)}}, type), span);
}

std::optional<ValueId> path_argument(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, const ScopePtr& scope, Span span) {
  if (args.empty() || (!args[0].name.empty() && (f.params.empty() || args[0].name != f.params[0])))
    return e.report(wrong_argument, span, f.name, "needs a path first"), std::nullopt;
  CallArg& a = args[0];
  if (a.val.poison() && a.syntax.valid() && scope) a.val = e.expr(a.syntax, scope);
  if (a.val.poison()) return std::nullopt;
  if (e.types[e.type_of(a.val)].kind != TypeKind::str) return e.report(wrong_argument, a.span, f.name, "needs a path, found `" + e.describe(a.val) + "`"), std::nullopt;
  return e.value(a.val).id;
}

namespace {
constexpr char separator = option_separator;

Val mnist(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto path = path_argument(e, f, args, e.syntax_scope(), span);
  if (!path) return {};
  Types& t = e.types;
  DimId side = t.dims.constant(28);
  TypeId rows = t.list(t.record({"image", "label"}, {t.tensor(DType::u8, {side, side}), t.tensor(DType::i32)}));
  return host(e, "data.mnist", {*path}, {}, t.record({"train", "test"}, {rows, rows}), span);
}

// "c0..c63": columns with a number at the end, from the first to the last.
std::optional<Lines> column_range(const std::string& s) {
  auto dots = s.find("..");
  if (dots == std::string::npos) return std::nullopt;
  auto cut = [](const std::string& name) {
    size_t i = name.size();
    while (i > 0 && std::isdigit(static_cast<unsigned char>(name[i - 1]))) --i;
    return std::pair(name.substr(0, i), name.substr(i));
  };
  auto [prefix, from] = cut(s.substr(0, dots));
  auto [prefix2, to] = cut(s.substr(dots + 2));
  int a = 0, b = 0;
  bool numbers = std::from_chars(from.data(), from.data() + from.size(), a).ec == std::errc{} && std::from_chars(to.data(), to.data() + to.size(), b).ec == std::errc{};
  if (!numbers || prefix != prefix2 || b < a || b - a > 1 << 20) return std::nullopt;
  Lines names;
  for (int i = a; i <= b; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

struct Column {
  std::string kind = "number";
  bool list = false;
  Lines names;
};

// "mpg", ["a", "b"], "c0..c63", i32("c64"), classes("species"), str("name")
std::optional<Column> column_argument(Elaborator& e, const Builtin& f, CallArg& a, const ScopePtr& scope) {
  Column c;
  ast::ExprId syntax = a.syntax;
  if (auto* call = syntax.valid() ? std::get_if<ast::Call>(&e.unit->tree[syntax].node) : nullptr; call && call->args.size() == 1) {
    auto* n = std::get_if<ast::NameRef>(&e.unit->tree[call->callee].node);
    std::string kind = n ? n->name : "";
    c.kind = kind == "i32" ? "integer" : kind == "classes" ? "classes" : kind == "str" ? "text" : kind == "f32" ? "number" : "";
    if (!c.kind.empty()) syntax = call->args[0].value;
    else c.kind = "number";
  }
  Val v = e.expr(syntax, scope);
  if (v.poison()) return std::nullopt;
  std::vector<Val> items;
  if (auto* l = v.list()) items = *l, c.list = true;
  else items = {v};
  for (const Val& item : items) {
    auto* s = item.get<std::string>();
    if (!s) return e.report(wrong_argument, a.span, f.name, fmt::format("needs column names for `{}`, found `{}`", a.name, e.describe(item))), std::nullopt;
    if (auto many = column_range(*s)) c.names.insert(c.names.end(), many->begin(), many->end()), c.list = true;
    else c.names.push_back(*s);
  }
  if (c.names.empty() || (c.list && c.kind != "number" && c.kind != "integer"))
    return e.report(wrong_argument, a.span, f.name, fmt::format("needs one column name for `{}`", a.name)), std::nullopt;
  return c;
}

TypeId column_type(Types& t, const Column& c) {
  if (c.kind == "text") return t.str();
  DType d = c.kind == "number" ? DType::f32 : DType::i32;
  return c.list ? t.tensor(d, {t.dims.constant(static_cast<int64_t>(c.names.size()))}) : t.tensor(d);
}

Val csv(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  ScopePtr scope = e.syntax_scope();
  auto path = path_argument(e, f, args, scope, span);
  if (!path) return {};
  Lines options, fields;
  std::vector<TypeId> types;
  for (size_t i = 1; i < args.size(); ++i) {
    CallArg& a = args[i];
    if (a.name.empty()) return e.report(wrong_argument, a.span, f.name, "takes columns by name, such as `y = \"mpg\"`"), Val{};
    if (a.name == "missing" || a.name == "separator" || a.name == "header" || a.name == "trim") {
      Val v = e.expr(a.syntax, scope);
      if (v.poison()) return v;
      bool flag = a.name == "header" || a.name == "trim";
      auto* s = v.get<std::string>();
      auto k = e.known_bool(v);
      bool good = flag ? k.has_value() : s && (a.name == "separator" ? s->size() == 1 : *s == "drop" || *s == "error" || *s == "nan");
      if (!good) return e.report(wrong_argument, a.span, f.name, fmt::format("needs {} for `{}`", flag ? "true or false" : a.name == "missing" ? "\"drop\", \"error\" or \"nan\"" : "one character", a.name)), Val{};
      options.push_back(a.name + "=" + (flag ? (*k ? "true" : "false") : *s));
      continue;
    }
    auto c = column_argument(e, f, a, scope);
    if (!c) return {};
    std::string line = "column=" + a.name + separator + c->kind + separator + (c->list ? "list" : "one");
    for (const std::string& n : c->names) line += separator + n;
    options.push_back(line);
    fields.push_back(a.name);
    types.push_back(column_type(e.types, *c));
  }
  if (fields.empty()) return e.report(wrong_argument, span, f.name, "needs at least one column, such as `y = \"mpg\"`"), Val{};
  return host(e, "data.csv", {*path}, options, e.types.list(e.types.record(fields, types)), span);
}

// rows.split(train = 0.8, test = 0.2, seed = 0): a record of parts, drawn without replacement
Val split_rows(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  TypeId rows = e.type_of(args[0].val);
  if (e.types[rows].kind != TypeKind::list) return e.report(wrong_argument, args[0].span, "split", "takes rows, found `" + e.describe(args[0].val) + "`"), Val{};
  Lines options, fields;
  for (size_t i = 1; i < args.size(); ++i) {
    CallArg& a = args[i];
    auto* n = a.val.get<Number>();
    auto whole = e.known_int(a.val);
    if (a.name.empty() || !n || (a.name == "seed" && !whole)) {
      e.report(wrong_argument, a.span, "split", "takes named fractions, such as `train = 0.8, test = 0.2`, and a `seed`");
      return {};
    }
    if (a.name == "seed") options.push_back(fmt::format("seed={}", *whole));
    else options.push_back(fmt::format("part={}{}{}", a.name, separator, n->real())), fields.push_back(a.name);
  }
  if (fields.empty()) return e.report(wrong_argument, span, "split", "needs named fractions, such as `train = 0.8, test = 0.2`"), Val{};
  (void)f;
  return host(e, "split", {e.value(args[0].val).id}, options, e.types.record(fields, std::vector<TypeId>(fields.size(), rows)), span);
}

// Features (float columns of rank 1 or more) get mean 0 and standard deviation 1, fitted on the first part. Scalar columns
// are what is to be predicted and keep their units unless they are named.
Val standardize(Elaborator& e, const Builtin&, std::vector<CallArg>& args, Span span) {
  TypeId whole = e.type_of(args[0].val);
  const Type t = e.types[whole];
  TypeId rows = t.kind == TypeKind::tuple && !t.elems.empty() ? t.elems[0] : whole;
  const Type r = e.types[rows].kind == TypeKind::list ? e.types[e.types[rows].elems[0]] : Type{};
  if (r.kind != TypeKind::tuple || r.fields.empty())
    return e.report(wrong_argument, args[0].span, "standardize", "takes rows with named columns, or parts of them, found `" + e.describe(args[0].val) + "`"), Val{};
  Lines chosen;
  for (size_t i = 1; i < args.size(); ++i) {
    std::vector<Val> names;
    if (auto* l = args[i].val.list()) names = *l;
    else names = {args[i].val};
    for (const Val& n : names)
      if (auto* s = n.get<std::string>(); s && std::count(r.fields.begin(), r.fields.end(), *s)) chosen.push_back(*s);
      else return e.report(wrong_argument, args[i].span, "standardize", "needs names of columns"), Val{};
  }
  Lines options;
  for (size_t i = 0; i < r.fields.size(); ++i) {
    const Type c = e.types[r.elems[i]];
    bool floats = c.kind == TypeKind::tensor && c.dtype == DType::f32;
    bool named = std::count(chosen.begin(), chosen.end(), r.fields[i]) > 0;
    if (named && !floats) return e.report(wrong_argument, span, "standardize", fmt::format("needs floats, but `{}` is `{}`", r.fields[i], e.types.print(r.elems[i]))), Val{};
    if (floats && (chosen.empty() ? !c.shape.empty() : named)) options.push_back("column=" + r.fields[i]);
  }
  if (options.empty()) return e.report(wrong_argument, span, "standardize", "found no float columns of several values; name the columns").help("write `.standardize([\"x\"])`"), Val{};
  options.push_back("fit=0");
  return host(e, "standardize", {e.value(args[0].val).id}, options, whole, span);
}

const Builtin list[] = {
    {"mnist", "data.mnist(dir)\nFour IDX files (LeCun et al. 1998), plain or gzip: { train, test } of rows { image: u8[28, 28], label: i32 }. A file that is missing or broken is an error with its name and place.", mnist, {}, 1, true},
    {"csv", "data.csv(path, name = columns…, missing, header, separator)\nRows of a table with a header (RFC 4180), plain or gzip; each named argument is a field made of columns: \"mpg\" gives f32, [\"a\", \"b\"] f32[2], i32(\"n\"), classes(\"species\") and str(\"name\") what they say. `missing` is \"error\", \"drop\" or \"nan\". A cell that does not fit is an error with file, row and column.", csv, {}, 1, true},
    {".split", "rows.split(name = fraction…, seed)\nParts of the rows by name, drawn without replacement by `seed`; fractions add up to at most 1.", split_rows, {}, 1},
    {".standardize", "rows.standardize(columns)\nFeatures with mean 0 and deviation 1, measured on the first part.", standardize, {}, 1},
};
}  // namespace

std::span<const Builtin> data_builtins() { return list; }

}  // namespace glia
