// See advice.h.
#include "parser/advice.h"

namespace glia {

using namespace ir;

std::string as_operand(Elaborator& e, Span at) {
  std::string text(e.sources.text(at));
  int depth = 0;
  bool plain = true;
  for (char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    plain = plain && (depth > 0 || std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ')' || c == ']' || (c & 0x80));
  }
  return plain ? text : "(" + text + ")";
}

void label_origin(Elaborator& e, Diagnostic& d, const Val& v, Span at) {
  if (v.origin.valid() && !(v.origin == at)) d.label(v.origin, fmt::format("`{}` comes from here", e.describe(v)));
}

void label_value(Elaborator& e, Diagnostic& d, const Val& v, Span at) {
  d.label(at, "`" + e.describe(v) + "`");
  label_origin(e, d, v, at);
}

std::optional<std::string> without_ones(Elaborator& e, const Shape& longer, const Shape& shorter, Span at) {
  std::string index;
  size_t k = 0;
  for (DimId d : longer) {
    bool drop = (k == shorter.size() || shorter[k] != d) && e.dims.known(d) == 1;
    if (!drop && (k == shorter.size() || shorter[k] != d)) return std::nullopt;
    k += !drop;
    index += (index.empty() ? "" : ", ") + std::string(drop ? "0" : ":");
  }
  if (k != shorter.size() || longer.size() == shorter.size()) return std::nullopt;
  return as_operand(e, at) + "[" + index + "]";
}

std::optional<std::string> with_ones(Elaborator& e, const Shape& longer, const Shape& shorter, Span at) {
  if (longer.size() <= shorter.size()) return std::nullopt;
  size_t more = longer.size() - shorter.size();
  std::string shape;
  for (size_t i = 0; i < more; ++i) {
    if (e.dims.known(longer[i]) != 1) return std::nullopt;
    shape += "1, ";
  }
  for (size_t i = 0; i < shorter.size(); ++i) shape += (i ? ", " : "") + e.dims.print(shorter[i]);
  return fmt::format("reshape({}, [{}])", e.sources.text(at), shape);
}

std::vector<std::string> models_with(const ScopePtr& scope, std::string_view function) {
  std::vector<std::string> out;
  for (const Scope* s = scope.get(); s; s = s->parent.get())
    for (const auto& [name, binding] : s->names)
      if (auto* m = binding.val.get<ModelRef>())
        for (const auto& member : m->decl->members)
          if (auto* f = std::get_if<ast::FnDecl>(&member); f && f->name.text == function) out.push_back(name);
  return out;
}

}  // namespace glia
