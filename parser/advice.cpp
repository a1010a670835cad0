// See advice.h.
#include "parser/advice.h"

#include "ir/ops/all.h"

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

std::string quoted(Elaborator& e, const Val& v) {
  std::string text = e.describe(v);
  return text.find('`') == std::string::npos && !text.starts_with("a ") && !text.starts_with("an ") ? "`" + text + "`" : text;
}

Span declared_at(Elaborator& e, const std::string& type, const std::string& part) {
  for (const Unit& u : e.units)
    for (const ast::Item& it : u.tree.items) {
      auto* t = std::get_if<ast::TypeDecl>(&it.node);
      if (!t || t->name.text != type || u.library) continue;
      for (const ast::VariantCase& c : t->cases)
        if (c.name.text == part) return c.name.span;
      auto* r = t->alias.valid() ? std::get_if<ast::RecordType>(&u.tree[t->alias].node) : nullptr;
      for (const ast::Name& n : r ? r->names : std::vector<ast::Name>{})
        if (n.text == part) return n.span;
      return t->name.span;
    }
  return {};
}

Diagnostic& label_origin(Elaborator& e, Diagnostic& d, const Val& v, Span at) {
  if (v.origin.valid() && !(v.origin == at)) d.label(v.origin, fmt::format("`{}` comes from here", e.describe(v)));
  return d;
}

void label_value(Elaborator& e, Diagnostic& d, const Val& v, Span at) {
  d.label(at, "`" + e.describe(v) + "`");
  label_origin(e, d, v, at);
}

namespace {
// A node of a function under construction.
struct NodePlace {
  const Frame* frame;
  ValueId id;
  const Node& node() const { return frame->b.func()[id]; }
};

// A parameter of an inner frame stands for a value of an outer one.
std::optional<NodePlace> outside(Elaborator& e, const NodePlace& p) {
  for (const auto& [key, param] : p.frame->imported)
    if (param == p.id && key.first != global_frame)
      for (const auto& f : e.frames)
        if (f->number == key.first) return NodePlace{f.get(), ValueId(key.second)};
  return std::nullopt;
}

// The argument that the node has its size from; of none, where `any`, the first tensor.
std::optional<NodePlace> came_from(Elaborator& e, const NodePlace& p, DimId size, bool any) {
  if (p.node().op == op<Param>) return outside(e, p);
  for (ValueId a : p.node().args) {
    TypeId t = p.frame->b.func()[a].type;
    if (!e.types.is_tensor(t) || e.types.is_scalar(t)) continue;
    const Shape& s = e.types.shape(t);
    if (any || std::find(s.begin(), s.end(), size) != s.end()) return NodePlace{p.frame, a};
  }
  return std::nullopt;
}

// The place in the user's text: of a node of the library, the call that led there.
Span user_span(Elaborator& e, SrcId src) {
  while (src.valid() && e.is_library(e.module.src(src).span.file)) src = e.module.src(src).caller;
  return e.module.span(src);
}
}  // namespace

void label_size_source(Elaborator& e, Diagnostic& d, const Val& v, DimId size) {
  auto* n = v.get<NodeRef>();
  std::optional<NodePlace> at;
  for (const auto& f : e.frames)
    if (n && f->number == n->frame) at = NodePlace{f.get(), n->id};
  if (!at) return;
  auto follow = [&](bool any) {
    for (int steps = 0; steps < 200; ++steps)
      if (auto next = came_from(e, *at, size, any)) at = next;
      else break;
  };
  follow(false);
  auto labelled = [&](Span s) { return !s.valid() || s == d.span || std::any_of(d.labels.begin(), d.labels.end(), [&](const Label& l) { return l.span == s; }); };
  Span arose = user_span(e, at->node().src);
  if (!labelled(arose)) d.label(arose, fmt::format("the size {} comes from here", e.dims.print(size)));
  if (at->node().op == op<Param>) return;
  follow(true);
  Span first = user_span(e, at->node().src);
  if (at->node().op == op<Param> && !labelled(first)) d.label(first, fmt::format("`{}` comes in here", e.types.print(at->node().type)));
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

namespace {
// A name in the declared type that stands for a plain value in the program is not that value: it is a size of its own.
void explain_plain_lets(Elaborator& e, Diagnostic& d, ast::TypeExprId type, const ScopePtr& scope) {
  auto* n = e.unit->library ? nullptr : std::get_if<ast::NamedType>(&e.unit->tree[type].node);
  for (const ast::DimItem& item : n ? n->dims : std::vector<ast::DimItem>{}) {
    auto* name = item.kind == ast::DimItem::expr ? std::get_if<ast::NameRef>(&e.unit->tree[item.dim].node) : nullptr;
    Binding* bound = name ? scope->find(name->name) : nullptr;
    if (!bound || !e.is_numeric(bound->val) || bound->val.get<DimId>()) continue;
    d.label(bound->span, fmt::format("this `{}` is a number of the run, no size", name->name));
    d.help(fmt::format("to use it as a size, declare it as one: `let {}: dim = …`", name->name));
  }
}
}  // namespace

void advise_mismatch(Elaborator& e, Diagnostic& d, TypeId pattern, ast::TypeExprId type, const Val& v, const ScopePtr& scope, Span at) {
  const Type p = e.types[pattern];
  if (p.kind != TypeKind::tensor) return;
  if (d.message.starts_with("this value")) explain_plain_lets(e, d, type, scope);   // of a `let`
  std::string text(e.sources.text(at));
  if (v.list() || e.is_list(v)) {
    d.note("a list is no tensor where its elements differ in shape");
    d.help(fmt::format("go over its elements: `for item in {} => …`", text));
    return;
  }
  if (!e.is_numeric(v)) return;
  auto* literal = v.get<Number>();
  if (literal && literal->weak && p.shape.size() > 0) {
    d.help(fmt::format("to fill a tensor with it, write `full({}, {})`", e.types.print_shape(p.shape), text));
  } else if (p.dtype != e.dtype_of(v) && !is_generic(p.dtype) && !(literal && literal->weak && !literal->is_real() && is_float(p.dtype))) {
    d.help(fmt::format("write `{}({})` to convert", dtype_name(p.dtype), text));
  } else if (auto more = with_ones(e, p.shape, e.shape_of(v), at)) {
    d.help(fmt::format("give it the axis that it lacks: `{}`", *more));
  } else if (auto less = without_ones(e, e.shape_of(v), p.shape, at)) {
    d.help(fmt::format("drop the axis of size 1: `{}`", *less));
  }
}

}  // namespace glia
