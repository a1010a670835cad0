// Printing. Numbers round-trip bit for bit, sizes print as polynomials with every quotient in parentheses, and sizes that
// share a name are told apart by a number: n, n'1, n'2.
#include "ir/text/print.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::ir {

namespace {
template <class T, class F>
std::string joined(const std::vector<T>& list, F f) {
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + f(list[i]);
  return text;
}

bool is_reserved(std::string_view name) {
  constexpr std::string_view words[] = {"list", "fn", "str", "variant", "declare", "tape", "object", "poison", "size", "func", "return", "dim", "dims",
                                        "reals", "texts", "inf", "nan", "tuple"};
  return dtype_from_name(name) || std::ranges::find(words, name) != std::end(words);
}

bool is_word(std::string_view name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.'; });
}
}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\', out += c;
    else if (c == '\n') out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else out += c;
  }
  return out + "\"";
}

std::string print_text_name(std::string_view name) { return is_word(name) && !is_reserved(name) ? std::string(name) : quoted(name); }

// ---- sizes and types ------------------------------------------------------------------------------

namespace {
std::string print_atom(const Dims& dims, AtomId id) {
  const Atom& a = dims.atom(id);
  if (a.kind == Atom::quotient) return fmt::format("(({}) // ({}))", print_text_dim(dims, a.numerator), print_text_dim(dims, a.denominator));
  if (a.kind == Atom::pack) return ".." + print_text_name(a.name);
  if (a.kind == Atom::pack_size) return fmt::format("size(..{})", print_text_name(a.name));
  if (dims.is_unknown(id)) return "?";
  size_t before = 0;  // sizes of the same name made earlier
  for (size_t i = 0; i < id.index(); ++i) before += !dims.is_unknown(AtomId(i)) && dims.atom(AtomId(i)).kind == Atom::var && dims.atom(AtomId(i)).name == a.name;
  return print_text_name(a.name) + (before ? fmt::format("'{}", before) : "");
}
}  // namespace

std::string print_text_dim(const Dims& dims, DimId dim) {
  if (!dim.valid()) return "(1 // 0)";
  std::string text;
  const Polynomial& p = dims.polynomial(dim);
  for (auto it = p.rbegin(); it != p.rend(); ++it) {
    const auto& [monomial, coefficient] = *it;
    text += coefficient < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
    std::string factors = joined(monomial, [&](AtomId a) { return print_atom(dims, a); });
    for (size_t at = 0; (at = factors.find(", ", at)) != std::string::npos;) factors.replace(at, 2, "*");
    int64_t magnitude = coefficient < 0 ? -coefficient : coefficient;
    if (magnitude != 1 || monomial.empty()) text += std::to_string(magnitude) + (monomial.empty() ? "" : "*");
    text += factors;
  }
  return text.empty() ? "0" : text;
}

namespace {
std::string print_shape(const Dims& dims, const Shape& shape) {
  return "[" + joined(shape, [&](DimId d) { return print_text_dim(dims, d); }) + "]";
}

std::string print_elems(const Types& types, const Type& t) {
  std::string name = t.name.empty() ? "" : print_text_name(t.name);
  if (t.fields.empty()) {
    std::string elems = joined(t.elems, [&](TypeId e) { return print_text_type(types, e); });
    return name + "(" + elems + (t.elems.size() == 1 ? ",)" : ")");
  }
  std::string text = name + "{";
  for (size_t i = 0; i < t.elems.size(); ++i)
    text += (i ? ", " : "") + print_text_name(t.fields[i]) + ": " + print_text_type(types, t.elems[i]);
  return text + "}";
}
}  // namespace

std::string print_text_type(const Types& types, TypeId type) {
  const Type& t = types[type];
  auto print_elem = [&](TypeId e) { return print_text_type(types, e); };
  switch (t.kind) {
    case TypeKind::tensor: return std::string(dtype_name(t.dtype)) + (t.shape.empty() ? "" : print_shape(types.dims, t.shape));
    case TypeKind::tuple: return print_elems(types, t);
    case TypeKind::list: return "list(" + print_elem(t.elems[0]) + ")";
    case TypeKind::variant: return "variant " + print_text_name(t.name);
    case TypeKind::fn: return "fn(" + joined(t.elems, print_elem) + ")";  // the result is last
    case TypeKind::str: return "str";
    case TypeKind::tape: return "tape";
    case TypeKind::object: return "object " + print_text_name(t.name);
    case TypeKind::poison: return "poison";
  }
  return "poison";
}

// ---- attributes -----------------------------------------------------------------------------------

namespace {
std::string print_real(double d) {
  if (std::isnan(d)) {
    auto bits = std::bit_cast<uint64_t>(d);
    return bits == std::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN()) ? "nan" : fmt::format("nan(0x{:016x})", bits);
  }
  if (std::isinf(d)) return d < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", d);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string print_func_name(const Module& module, FuncId id) {
  std::string name = id.index() < module.func_count() ? module[id].name : "";
  return fmt::format("{}#{}", print_text_name(name), id.v);
}

struct AttrPrinter {
  const Module& m;
  std::string operator()(int64_t v) const { return std::to_string(v); }
  std::string operator()(double v) const { return print_real(v); }
  std::string operator()(const std::string& v) const { return quoted(v); }
  std::string operator()(const Ints& v) const { return "[" + joined(v, [](int64_t i) { return std::to_string(i); }) + "]"; }
  std::string operator()(const Reals& v) const { return "reals[" + joined(v, print_real) + "]"; }
  std::string operator()(DimId v) const { return "dim(" + print_text_dim(m.types.dims, v) + ")"; }
  std::string operator()(const DimList& v) const { return "dims" + print_shape(m.types.dims, v); }
  std::string operator()(DType v) const { return std::string(dtype_name(v)); }
  std::string operator()(FuncId v) const { return "@" + print_func_name(m, v); }
  std::string operator()(const std::vector<std::string>& v) const { return "texts[" + joined(v, [](const std::string& s) { return quoted(s); }) + "]"; }
};
}  // namespace

std::string print_text_attr(const Module& module, const AttrValue& value) { return std::visit(AttrPrinter{module}, value); }

// ---- functions ------------------------------------------------------------------------------------

namespace {
std::string value_name(ValueId v) { return fmt::format("%{}", v.v); }

std::string print_param(const Module& m, const Func& f, ValueId p) {
  const Node& n = f[p];
  std::string text = value_name(p) + ": " + print_text_type(m.types, n.type);
  if (n.attrs.has(AttrKey::name)) text += " " + quoted(n.attrs.text(AttrKey::name));
  return text;
}

std::string print_node(const Module& m, const Func& f, ValueId v, const Sources* sources) {
  const Node& n = f[v];
  std::string text = fmt::format("  {}: {} = {}({})", value_name(v), print_text_type(m.types, n.type), info(n.op).name, joined(n.args, value_name));
  for (const AttrEntry& e : n.attrs.entries()) text += fmt::format(" {}={}", attr_name(e.key), print_text_attr(m, e.value));
  Span span = m.span(n.src);
  if (sources && span.valid()) text += "   # " + sources->where(span);
  return text + "\n";
}

std::string print_results(const Module& m, const Func& f) {
  return "(" + joined(f.results, [&](ValueId r) { return print_text_type(m.types, f[r].type); }) + ")";
}

std::string print_one(const Module& m, const Func& f, const std::string& name, const Sources* sources) {
  std::string params = joined(f.params, [&](ValueId p) { return print_param(m, f, p); });
  std::string text = fmt::format("func {}({}) -> {} {{\n", name, params, print_results(m, f));
  for (size_t i = 0; i < f.nodes.size(); ++i)
    if (f.nodes[i].op != op<Param>) text += print_node(m, f, ValueId(i), sources);
  if (!f.results.empty()) text += "  return " + joined(f.results, value_name) + "\n";
  return text + "}\n";
}

void print_nested(const Module& m, const Func& f, const Sources* sources, std::set<FuncId>& seen, std::string& text) {
  for (const Node& n : f.nodes)
    for (FuncId id : nested_funcs(n)) {
      if (id.index() >= m.func_count() || !seen.insert(id).second) continue;
      print_nested(m, m[id], sources, seen, text);
      text += print_one(m, m[id], print_func_name(m, id), sources) + "\n";
    }
}

// ---- what comes first: variants, and functions that call themselves ---------------------------------

void find_variants(const Module& m, TypeId type, std::set<std::string>& found) {
  const Type& t = m.types[type];
  for (TypeId e : t.elems) find_variants(m, e, found);
  auto known = t.kind == TypeKind::variant ? m.variants.find(t.name) : m.variants.end();
  if (known == m.variants.end() || !found.insert(t.name).second) return;
  for (const VariantCase& c : known->second)
    for (TypeId field : c.types) find_variants(m, field, found);
}

std::string print_case(const Module& m, const VariantCase& c) {
  std::string text = print_text_name(c.name) + "(";
  for (size_t i = 0; i < c.types.size(); ++i)
    text += (i ? ", " : "") + print_text_name(i < c.fields.size() ? c.fields[i] : "") + ": " + print_text_type(m.types, c.types[i]);
  return text + ")";
}

std::string print_variants(const Module& m, std::span<const Func* const> funcs) {
  std::set<std::string> found;
  for (const Func* f : funcs)
    for (const Node& n : f->nodes) find_variants(m, n.type, found);
  std::string text;
  for (const std::string& name : found) {
    text += "variant " + print_text_name(name) + " =";
    for (const VariantCase& c : m.variants.at(name)) text += (&c == &m.variants.at(name)[0] ? " " : " | ") + print_case(m, c);
    text += "\n";
  }
  return text + (text.empty() ? "" : "\n");
}

std::string print_declarations(const Module& m, const std::set<FuncId>& funcs) {
  std::string text;
  for (FuncId id : funcs)
    if (is_recursive(m, id)) text += "declare " + print_func_name(m, id) + " -> " + print_results(m, m[id]) + "\n";
  return text + (text.empty() ? "" : "\n");
}
}  // namespace

std::string print(const Module& module, const Func& func, const Sources* sources) {
  std::string text;
  std::set<FuncId> seen;
  print_nested(module, func, sources, seen, text);
  std::vector<const Func*> all{&func};
  for (FuncId id : seen) all.push_back(&module[id]);
  return print_variants(module, all) + print_declarations(module, seen) + text + print_one(module, func, print_text_name(func.name), sources);
}

std::string print(const Module& module, FuncId func, const Sources* sources) { return print(module, module[func], sources); }

}  // namespace glia::ir
