// Values as text.
#include "interp/format.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace glia::interp {

namespace {
constexpr int64_t abridge_above = 1000, edge = 3;
constexpr int deepest = 500;  // of structures inside structures

bool is_whole(double x) { return std::isfinite(x) && x == std::trunc(x); }

// The fewest digits that give the number back in its own type, up to `most`.
template <class T>
std::string shortest(T x, int most) {
  const auto wide = static_cast<double>(x);
  if (std::isnan(wide)) return "nan";  // whatever its sign
  const double whole_below = sizeof(T) == 8 ? 1e15 : 16777216.0;
  if (is_whole(wide) && std::fabs(wide) < whole_below) return fmt::format("{:.0f}", wide);
  for (int digits = 1; digits < most; ++digits) {
    std::string text = fmt::format("{:.{}g}", wide, digits);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    if (static_cast<T>(back) == x) return text;
  }
  return fmt::format("{:.{}g}", wide, most);
}

// A spec, checked: nothing in it can grow the text beyond reason or reach another argument.
struct Spec {
  std::string text;  // empty: as a person writes it
  char kind = 0;     // the type character, if there is one

  bool wants_real() const { return kind != 0 && std::string_view("aAeEfFgG").find(kind) != std::string_view::npos; }
};

using Text = std::expected<std::string, std::string>;

std::expected<Spec, std::string> parse_spec(std::string_view text) {
  int digits = 0;
  for (char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (c == '{' || c == '}' || digits > 3) return std::unexpected(fmt::format("`{}` is not a format", text));
  }
  const char last = text.empty() ? '\0' : text.back();
  const bool letter = (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z');
  return Spec{std::string(text), letter ? last : '\0'};
}

template <class T>
Text apply_spec(const Spec& spec, const T& x) {
  try {
    return fmt::format(fmt::runtime("{:" + spec.text + "}"), x);
  } catch (const fmt::format_error& e) {
    return std::unexpected(fmt::format("`{}` does not format this value: {}", spec.text, e.what()));
  }
}

// A spec of width and alignment alone keeps the digits that a person would write.
template <class T>
Text format_number(const Spec& spec, T x) {
  if constexpr (std::is_same_v<T, bool>) {
    return apply_spec(spec, std::string(x ? "true" : "false"));
  } else if constexpr (is_real<T>) {
    std::string plain = shortest<T>(x, sizeof(T) == 8 ? 12 : 6);
    if (spec.text.empty()) return plain;
    if (spec.wants_real() || spec.text.find('.') != std::string::npos) return apply_spec(spec, static_cast<double>(x));
    if (spec.kind == 0)
      return apply_spec(Spec{spec.text.find_first_of("<>^") == std::string::npos ? ">" + spec.text : spec.text, 0}, plain);
    if (!is_whole(static_cast<double>(x)) || std::fabs(static_cast<double>(x)) > 9e18)
      return std::unexpected(fmt::format("`{}` formats integers, not {}", spec.text, plain));
    return apply_spec(spec, static_cast<int64_t>(x));
  } else {
    const auto wide = static_cast<int64_t>(x);
    return spec.wants_real() ? apply_spec(spec, static_cast<double>(wide)) : apply_spec(spec, wide);
  }
}

struct Printer {
  const Spec& spec;
  const ir::Types* types;
  const ir::Module* module = nullptr;  // for the names of cases
  int depth = 0;

  Text element(const Tensor& t, int64_t i) const {
    return with_element(t.dtype, [&]<class T>() { return format_number(spec, t.as<T>()[static_cast<size_t>(i)]); });
  }

  // "[a, b, c]" of n items; `short_form` keeps three at each end.
  template <class Item>
  Text sequence(int64_t n, bool short_form, Item&& item) const {
    std::string text = "[";
    for (int64_t i = 0; i < n; ++i) {
      if (i > 0) text += ", ";
      if (short_form && n > 2 * edge && i == edge) text += "..., ", i = n - edge;
      Text one = item(i);
      if (!one) return one;
      text += *one;
    }
    return text + "]";
  }

  Text axis(const Tensor& t, size_t axis_index, int64_t first) const {
    if (axis_index == t.rank()) return element(t, first);
    const int64_t step = element_count(std::span(t.shape).subspan(axis_index + 1));
    return sequence(t.shape[axis_index], t.size() > abridge_above, [&](int64_t i) { return axis(t, axis_index + 1, first + i * step); });
  }

  Text tuple(const Value& v, const ir::Type* type) const {
    const auto& elems = v.tuple().elems;
    const bool typed = type && type->kind == ir::TypeKind::tuple && type->elems.size() == elems.size();
    const bool record = typed && type->fields.size() == elems.size() && !elems.empty();
    std::string text = record ? "{ " : "(";
    for (size_t i = 0; i < elems.size(); ++i) {
      Text one = value(elems[i], typed ? type->elems[i] : ir::TypeId{});
      if (!one) return one;
      text += (i > 0 ? ", " : "") + (record ? type->fields[i] + ": " : "") + *one;
    }
    return text + (record ? " }" : ")");
  }

  // A record of a data set knows the names of its fields without a type.
  Text row_of(const Rows& rows, const Value& record, ir::TypeId type) const {
    if (type.valid() || rows.fields.empty()) return value(record, type);
    std::string text = "{ ";
    for (size_t i = 0; i < rows.fields.size(); ++i) {
      Text one = value(record.tuple().elems[i], {});
      if (!one) return one;
      text += (i > 0 ? ", " : "") + rows.fields[i] + ": " + *one;
    }
    return text + " }";
  }

  // Node(1, Leaf(2, "x")): texts in quotes, a case without fields alone.
  Text variant(const Value& v, const ir::Type* type) const {
    const Variant& o = v.variant();
    const auto known = module && type ? module->variants.find(type->name) : decltype(module->variants.find("")){};
    const bool named = module && type && known != module->variants.end() && static_cast<size_t>(o.tag) < known->second.size();
    const ir::VariantCase* which = named ? &known->second[static_cast<size_t>(o.tag)] : nullptr;
    std::string text = which ? which->name : fmt::format("case {}", o.tag);
    if (o.elems.empty()) return text;
    text += "(";
    for (size_t i = 0; i < o.elems.size(); ++i) {
      Text one = value(o.elems[i], which && i < which->types.size() ? which->types[i] : ir::TypeId{});
      if (!one) return one;
      text += (i > 0 ? ", " : "") + (o.elems[i].is_text() ? "\"" + *one + "\"" : *one);
    }
    return text + ")";
  }

  Text value(const Value& v, ir::TypeId id) const {
    if (depth >= deepest) return "...";
    return Printer{spec, types, module, depth + 1}.inside(v, id);
  }

  Text inside(const Value& v, ir::TypeId id) const {
    const ir::Type* type = types && id.valid() ? &(*types)[id] : nullptr;
    if (v.is_tensor()) return axis(v.tensor(), 0, 0);
    if (v.is_text()) return apply_spec(spec, v.text());
    if (v.is_tuple()) return tuple(v, type);
    if (v.is_variant()) return variant(v, type);
    if (v.is_object()) return type ? type->name : "object";
    if (v.is_tape()) return "tape";
    const ir::TypeId elem = type && type->kind == ir::TypeKind::list ? type->elems[0] : ir::TypeId{};
    const int64_t n = *list_size(v);
    return sequence(n, n > abridge_above,
                    [&](int64_t i) { return v.is_rows() ? row_of(v.rows(), list_item(v, i), elem) : value(list_item(v, i), elem); });
  }
};
}  // namespace

std::expected<std::string, std::string> format_with(const Value& v, std::string_view spec, const ir::Types* types, ir::TypeId type,
                                                    const ir::Module* module) {
  const auto parsed = parse_spec(spec);
  if (!parsed) return std::unexpected(parsed.error());
  return Printer{*parsed, types, module}.value(v, type);
}

std::string format_value(const Value& v, const ir::Types* types, ir::TypeId type, const ir::Module* module) {
  Text text = format_with(v, "", types, type, module);
  GLIA_CHECK(text.has_value(), "a value without a spec has a text");
  return std::move(*text);
}

std::string format_element(const Tensor& t, int64_t index) {
  const Spec plain;
  return *Printer{plain, nullptr}.element(t, index);
}

}  // namespace glia::interp
