// Options of a program: declared in it, given on the command line.
#include "parser/elaborator.h"

#include <charconv>

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind bad_option{"E0273", Severity::error, "the option `--{}` takes {}, found `{}`"};
constexpr DiagKind option_type{"E0274", Severity::error, "an option is a number, a bool, a str or a dim"};
}  // namespace

void Elaborator::declare_option(const ast::OptionDecl& o, Program& into) {
  OptionInfo info;
  info.name = o.name.text;
  info.doc = o.doc;
  info.span = o.span;
  info.type = o.type.valid() ? std::string(sources.text(unit->tree[o.type].span)) : "";
  info.default_text = o.default_value.valid() ? std::string(sources.text(unit->tree[o.default_value].span)) : "";
  if (info.default_text.size() >= 2 && info.default_text.front() == '"') info.default_text = info.default_text.substr(1, info.default_text.size() - 2);
  into.options.push_back(info);
}

Val Elaborator::option_value(const ast::OptionDecl& o) {
  std::string given;
  bool set = false;
  for (const auto& [name, text] : request.options)
    if (name == o.name.text) given = text, set = true;
  TypeId t = types.poison();
  bool dim = is_dim_type(o.type);
  if (o.type.valid()) t = type_expr(o.type, unit->scope, nullptr);
  if (types.is_poison(t)) return poison();
  bool text = types[t].kind == TypeKind::str;
  if (!text && !types.is_scalar(t)) return report(option_type, o.span), poison();
  if (!set) {
    Val v;
    open_frame("option");
    if (!dim) v = conforming(o.default_value, o.type, unit->scope, "the default of `" + o.name.text + "`");
    else if (auto d = dim_expr(o.default_value, unit->scope, nullptr)) v = Val{*d, {}, o.span};
    frames.pop_back();
    return v;
  }
  if (text) return Val{given, {}, o.span};
  DType d = types.dtype(t);
  std::string takes = dim ? "a whole number that is not negative" : d == DType::boolean ? "true or false" : is_float(d) ? "a number" : "a whole number";
  double real = 0;
  int64_t whole = 0;
  const char *first = given.data(), *last = given.data() + given.size();
  auto whole_text = [&](std::from_chars_result r) { return r.ptr == last && r.ec == std::errc{}; };  // also: it fits
  bool ok = d == DType::boolean ? (given == "true" || given == "false")
            : is_float(d) ? whole_text(std::from_chars(first, last, real)) && !given.empty()
                          : whole_text(std::from_chars(first, last, whole)) && !given.empty() && (!dim || whole >= 0);
  if (!ok) return report(bad_option, o.span, o.name.text, takes, given), poison();
  if (dim) return Val{dims.constant(whole), {}, o.span};
  Number n{is_float(d) ? AttrValue(real) : AttrValue(d == DType::boolean ? int64_t{given == "true"} : whole), d, false};
  return Val{n, t, o.span};
}

}  // namespace glia
