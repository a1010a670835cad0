// Values of a session as text. However large a value is, its text is short.
#include <fmt/format.h>

#include "cli/repl.h"
#include "interp/format.h"

namespace glia::cli {

namespace {
constexpr size_t most_text = 2000;

std::string cut(std::string text) {
  if (text.size() <= most_text) return text;
  size_t end = most_text;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string number_text(const Number& n) {
  if (n.dtype == DType::boolean) return n.real() != 0 ? "true" : "false";
  if (!is_float(n.dtype)) return std::to_string(std::get<int64_t>(n.value));
  if (n.dtype == DType::f64) return interp::format_value(interp::Tensor::scalar<double>(n.real()));
  return interp::format_value(interp::Tensor::scalar<float>(static_cast<float>(n.real())));
}

struct Shower {
  const ReplState& state;
  std::string out;

  bool full() const { return out.size() > most_text; }

  void global(GlobalId id, ir::TypeId type) {
    const interp::Value* v = state.session.value(id);
    if (!v) out += "?";
    else if (v->is_text()) out += "\"" + v->text() + "\"";
    else out += interp::format_value(*v, &state.module.types, type);
  }

  void structure(const Structure& s) {
    const bool named = !s.fields.empty();
    if (!s.name.empty()) out += s.name + " ";
    out += named ? "{ " : "(";
    for (size_t i = 0; i < s.elems.size() && !full(); ++i) {
      out += (i ? ", " : "") + (named ? s.fields[i] + ": " : "");
      value(s.elems[i]);
    }
    out += named ? " }" : ")";
  }

  void list(const std::vector<Val>& l) {
    out += "[";
    for (size_t i = 0; i < l.size() && !full(); ++i) {
      out += i ? ", " : "";
      value(l[i]);
    }
    out += "]";
  }

  void value(const Val& v) {
    if (const auto* n = v.get<Number>()) out += number_text(*n);
    else if (const auto* d = v.get<ir::DimId>()) out += state.module.types.dims.print(*d);
    else if (const auto* s = v.get<std::string>()) out += "\"" + *s + "\"";
    else if (const auto* g = v.get<GlobalId>()) global(*g, v.type);
    else if (const Structure* t = v.structure()) structure(*t);
    else if (const auto* l = v.list()) list(*l);
  }
};
}  // namespace

std::string show_value(const Val& v, const ReplState& state) {
  Shower shower{state, {}};
  shower.value(v);
  return cut(std::move(shower.out));
}

}  // namespace glia::cli
