// Types as written, and the solving of their sizes against the values given.
#include "parser/advice.h"

#include <cmath>

#include "base/text.h"
#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind unknown_type{"E0201", Severity::error, "there is no type `{}`"};
constexpr DiagKind not_a_size{"E0202", Severity::error, "{} is not a size"};
constexpr DiagKind size_too_large{"E0204", Severity::error, "this size is too large or divides by zero"};
}  // namespace

std::optional<DimId> Elaborator::as_dim(const Val& v) {
  if (auto* d = v.get<DimId>()) return *d;
  auto* n = v.get<Number>();
  if (!n || n->is_real() || n->dtype == DType::boolean) return std::nullopt;
  DimId d = dims.constant(std::get<int64_t>(n->value));
  return d.valid() ? std::optional(d) : std::nullopt;   // a number beyond all sizes
}

std::optional<Shape> Elaborator::as_shape(const Val& v, Span span) {
  std::vector<Val> items;
  if (auto* n = v.get<NodeRef>(); n && n->frame == frame().number) {  // [3, 4] was taken for a tensor of integers
    const Node& made = b().func()[n->id];
    if (made.op == op<Literal> && is_int(types.dtype(made.type))) {
      Shape literal;
      for (double d : made.attrs.get<Reals>(AttrKey::values)) {
        literal.push_back(std::fabs(d) < 9e15 ? dims.constant(static_cast<int64_t>(d)) : DimId{});
        if (!literal.back().valid()) return report(size_too_large, span), std::nullopt;
      }
      if (!dims.product(literal).valid()) return report(size_too_large, span), std::nullopt;
      for (DimId d : literal)
        if (*dims.known(d) < 0) return report(not_a_size, span, dims.print(d)).help("a size is not negative"), std::nullopt;
      return literal;
    }
  }
  if (auto* l = v.list()) items = *l;
  else if (auto* s = v.structure(); s && s->fields.empty()) items = s->elems;
  else items = {v};
  Shape shape;
  for (const Val& item : items) {
    if (item.poison()) return std::nullopt;
    auto d = as_dim(item);
    auto* whole = item.get<Number>();
    if (!d && whole && !whole->is_real() && whole->dtype != DType::boolean) return report(size_too_large, span), std::nullopt;
    if (!d) {
      auto& d = report(not_a_size, span, "`" + std::string(sources.text(span)) + "`");
      if (is_numeric(item) && is_int(dtype_of(item)))
        d.note("a size is known before the program runs, and this is a number of the run").help("declare what it is made of with `: dim`: as `let n: dim = …`, `option n: dim = …` or a parameter `n: dim`");
      else d.note(fmt::format("it is `{}`", describe(item))).help("a shape is a list of sizes, such as [3, h]");
      return std::nullopt;
    }
    if (auto k = dims.known(*d); k && *k < 0) return report(not_a_size, span, dims.print(*d)).help("a size is not negative"), std::nullopt;
    shape.push_back(*d);
  }
  if (!dims.product(shape).valid()) return report(size_too_large, span), std::nullopt;
  return shape;
}

// A name not bound yet in a signature is quantified there: unknown until an argument tells.
std::optional<DimId> Elaborator::dim_expr(ast::ExprId id, const ScopePtr& scope, SizeScope* sizes) {
  const ast::Expr& e = unit->tree[id];
  if (auto* n = std::get_if<ast::NameRef>(&e.node)) {
    Binding* known = scope->find(n->name);
    bool size = known && known->val.get<DimId>();  // a plain `let` never binds a size
    if (!size && sizes) {
      for (auto& [atom, name] : sizes->unknown)
        if (name == n->name) return dims.of_atom(AtomId(atom));
      DimId d = dims.fresh(n->name, e.span);
      if (sizes->declare) sizes->scope->bind(n->name, Val{d, {}, e.span}, e.span), sizes->scope->names[n->name].used = true;
      else sizes->unknown[dims.as_atom(d)->v] = n->name;
      return d;
    }
  }
  if (auto* bin = std::get_if<ast::Binary>(&e.node)) {
    auto l = dim_expr(bin->left, scope, sizes), r = dim_expr(bin->right, scope, sizes);
    if (!l || !r) return std::nullopt;
    DimId d;
    switch (bin->op) {
      case ast::BinaryOp::add: d = dims.add(*l, *r); break;
      case ast::BinaryOp::sub: d = dims.sub(*l, *r); break;
      case ast::BinaryOp::mul: d = dims.mul(*l, *r); break;
      case ast::BinaryOp::floordiv: d = dims.floordiv(*l, *r); break;
      case ast::BinaryOp::mod: d = dims.mod(*l, *r); break;
      default: report(not_a_size, e.span, "this expression").help("sizes are made with + - * // %"); return std::nullopt;
    }
    if (!d.valid()) return report(size_too_large, e.span), std::nullopt;
    return d;
  }
  Val v = expr(id, scope);
  if (v.poison()) return std::nullopt;
  auto d = as_dim(v);
  if (!d) {
    auto& diag = report(not_a_size, e.span, "`" + std::string(sources.text(e.span)) + "`").note(fmt::format("it is `{}`", describe(v)));
    label_origin(*this, diag, v, e.span);
    diag.help("a size is a whole number that is known before the program runs: declare it with `: dim`");
    return std::nullopt;
  }
  if (auto k = dims.known(*d); k && *k < 0) {
    report(not_a_size, e.span, std::to_string(*k)).help("a size is not negative");
    return std::nullopt;
  }
  return d;
}

bool Elaborator::is_dim_type(ast::TypeExprId id) {
  if (!id.valid()) return false;
  auto* n = std::get_if<ast::NamedType>(&unit->tree[id].node);
  return n && n->path.size() == 1 && n->path[0].text == "dim" && !n->has_args;
}

int Elaborator::dim_tuple(ast::TypeExprId id) {
  auto* n = std::get_if<ast::NamedType>(&unit->tree[id].node);
  if (!n || n->path[0].text != "dim" || !n->has_dims || n->dims.size() != 1 || n->dims[0].kind != ast::DimItem::expr) return 0;
  auto* count = std::get_if<ast::Number>(&unit->tree[n->dims[0].dim].node);
  return count && count->i > 0 && count->i < 9 ? static_cast<int>(count->i) : 0;
}

std::optional<ModelRef> Elaborator::model_type(ast::TypeExprId id, const ScopePtr& scope) {
  if (!id.valid()) return std::nullopt;
  auto* n = std::get_if<ast::NamedType>(&unit->tree[id].node);
  if (!n || n->has_dims) return std::nullopt;
  Binding* found = scope->find(n->path[0].text);
  if (!found) return std::nullopt;
  Val v = found->val;
  for (size_t i = 1; i < n->path.size(); ++i) {
    auto* u = v.get<UnitRef>();
    Binding* inner = u ? u->unit->scope->find(n->path[i].text) : nullptr;
    if (!inner) return std::nullopt;
    v = inner->val;
  }
  if (auto* m = v.get<ModelRef>()) return *m;
  return std::nullopt;
}

namespace {
// The second of two types of one name has a mark behind it.
bool named_like(const std::string& type, const std::string& name) { return type.substr(0, type.find('\'')) == name; }
}  // namespace

TypeId Elaborator::named_type(const ast::NamedType& t, Span span, const ScopePtr& scope, SizeScope* sizes) {
  const std::string& name = t.path[0].text;
  if (name == "str" && !t.has_dims) return types.str();
  if (name == "dim") return types.tensor(DType::i32);
  auto dtype = t.path.size() == 1 ? dtype_from_name(name) : std::nullopt;
  if (!dtype) {
    Binding* alias = scope->find(name);
    Val named = alias ? alias->val : poison();
    for (size_t i = 1; i < t.path.size() && !named.poison(); ++i) named = field(named, t.path[i], t.path[i].span, true);
    if (auto* type = named.get<TypeRef>(); type && !t.has_args) return type->type;
    // a case with the name of its type: the name means both
    if (auto* c = named.get<ConstructorRef>(); c && !t.has_args && named_like(types[c->type].name, t.path.back().text)) return c->type;
    if (auto* maker = named.get<TypeMaker>()) return make_type(*maker, t.args, span, scope);
    if (auto* m = named.get<ModelRef>()) return types.record({}, {}, m->decl->name.text);  // known by its name
    std::vector<std::string> names = {"str", "dim"};
    for (int i = 0; i <= static_cast<int>(DType::any_num); ++i) names.emplace_back(dtype_name(static_cast<DType>(i)));
    scope->collect(names);
    if (!unit->library && !unknown_names_.insert(name).second) return types.poison();
    auto& d = report(unknown_type, span, name);
    if (auto near = nearest(name, names); near && scope->find(*near) && !is_library(scope->find(*near)->span.file)) d.label(scope->find(*near)->span, fmt::format("`{}` is declared here", *near));
    if (auto near = nearest(name, names)) d.help(fmt::format("did you mean `{}`?", *near));
    return types.poison();
  }
  Shape shape;
  for (const ast::DimItem& item : t.dims) {
    if (item.kind == ast::DimItem::unknown) {
      shape.push_back(dims.unknown());
      continue;
    }
    if (item.kind == ast::DimItem::pack) {
      Binding* bound = scope->find(".." + item.pack_name.text);
      if (bound) {
        for (const Val& d : *bound->val.list()) shape.push_back(*as_dim(d));
        continue;
      }
      shape.push_back(dims.pack(item.pack_name.text, item.span));
      continue;
    }
    auto d = dim_expr(item.dim, scope, sizes);
    if (!d) return types.poison();
    shape.push_back(*d);
  }
  if (sizes && is_generic(*dtype) && !sizes->declare) {
    auto& chosen = *dtype == DType::any_float ? sizes->any_float : *dtype == DType::any_int ? sizes->any_int : sizes->any_num;
    if (chosen) dtype = chosen;
  }
  return types.tensor(*dtype, shape);
}

TypeId Elaborator::type_expr(ast::TypeExprId id, const ScopePtr& scope, SizeScope* sizes) {
  const ast::TypeExpr& t = unit->tree[id];
  auto all = [&](const std::vector<ast::TypeExprId>& ids) {
    std::vector<TypeId> out;
    for (ast::TypeExprId e : ids) out.push_back(type_expr(e, scope, sizes));
    return out;
  };
  if (auto* n = std::get_if<ast::NamedType>(&t.node)) return named_type(*n, t.span, scope, sizes);
  if (auto* n = std::get_if<ast::TupleType>(&t.node)) return types.tuple(all(n->elems));
  if (auto* n = std::get_if<ast::ListType>(&t.node)) return types.list(type_expr(n->elem, scope, sizes));
  if (auto* n = std::get_if<ast::RecordType>(&t.node)) {
    std::vector<std::string> names;
    for (const ast::Name& f : n->names) names.push_back(f.text);
    return types.record(names, all(n->elems));
  }
  if (auto* n = std::get_if<ast::FnType>(&t.node)) return types.fn(all(n->params), type_expr(n->result, scope, sizes));
  const std::string& name = std::get<ast::TypeVar>(t.node).name.text;
  if (!sizes) return types.object("'" + name);
  auto [it, fresh] = sizes->type_vars.try_emplace(name, types.poison());
  if (fresh && sizes->declare) it->second = types.object("'" + name);  // any type: nothing is known of it
  return types.is_poison(it->second) ? types.object("'" + name) : it->second;
}

// ---- solving ----------------------------------------------------------------------------------------

bool Elaborator::unify_shape(const Shape& pattern, const Shape& actual, SizeScope& sizes, std::string& why, const Val& v) {
  size_t pack = pattern.size();
  for (size_t i = 0; i < pattern.size(); ++i)
    if (dims.is_pack(pattern[i]) && !sizes.declare) pack = i;
  bool has_pack = pack < pattern.size();
  if (has_pack ? actual.size() + 1 < pattern.size() : actual.size() != pattern.size()) {
    why = fmt::format("it has {} {}, not {}", actual.size(), actual.size() == 1 ? "axis" : "axes", pattern.size() - has_pack);
    return false;
  }
  Shape flat, rest = actual;
  if (has_pack) {
    size_t taken = actual.size() + 1 - pattern.size();
    Shape inside(actual.begin() + pack, actual.begin() + pack + taken);
    uint32_t atom = dims.as_atom(pattern[pack])->v;
    auto [it, fresh] = sizes.packs.try_emplace(atom, inside);
    if (!fresh && it->second != inside) {
      why = fmt::format("`..{}` is {} elsewhere", dims.atom(AtomId(atom)).name, types.print_shape(it->second));
      return false;
    }
    rest.erase(rest.begin() + pack, rest.begin() + pack + taken);
  }
  for (size_t i = 0; i < pattern.size(); ++i)
    if (!has_pack || i != pack) flat.push_back(pattern[i]);
  for (size_t i = 0; i < flat.size(); ++i) {
    DimId p = dims.substitute(flat[i], sizes.found);
    if (p == rest[i] || flat[i] == dims.unknown()) continue;
    AtomId unknown;
    for (AtomId a : dims.atoms_of(p))
      if (sizes.unknown.contains(a.v) && !sizes.found.contains(a.v)) unknown = a;
    if (unknown.valid()) {
      if (auto solved = dims.solve(p, rest[i], unknown)) {
        Dims::Bindings one{{unknown.v, *solved}};  // an earlier solution may name this one
        for (auto& [atom, size] : sizes.found) size = dims.substitute(size, one);
        sizes.found[unknown.v] = *solved;
        sizes.found_at[unknown.v] = v.origin;
        continue;
      }
      if (dims.atoms_of(p).size() > 1) {  // another argument may tell
        sizes.open.push_back({p, rest[i], {}, {}, {}});
        continue;
      }
    }
    Compare c = dims.compare(p, rest[i]);
    if (c == Compare::equal) continue;
    warnings.differ = {p, rest[i]};
    why = fmt::format("axis {} is {}, not {}", i, dims.print(rest[i]), dims.print(flat[i]));
    if (p != flat[i]) why += fmt::format(", and {} is {}", dims.print(flat[i]), dims.print(p));
    return false;
  }
  return true;
}

// A list against a list: the elements of the run have types, those known one by one are values.
bool Elaborator::unify_list(TypeId elem, const Val& v, SizeScope& sizes, std::string& why) {
  if (v.list()) {
    for (const Val& e : *v.list())
      if (!unify(elem, e, sizes, why)) return false;
    return true;
  }
  if (is_numeric(v) && !shape_of(v).empty()) {
    const Shape shape = shape_of(v);
    return unify(elem, form_leaf(types.tensor(dtype_of(v), Shape(shape.begin() + 1, shape.end())), v.origin), sizes, why);
  }
  if (!is_list(v)) return why = "", false;
  TypeId found = types[v.type].elems[0];
  return types.is_poison(found) || unify(elem, form_leaf(found, v.origin), sizes, why);
}

// A type variable is what it first meets.
bool Elaborator::unify_variable(const std::string& name, const Val& v, SizeScope& sizes, std::string& why) {
  if (!is_data(v)) return true;  // functions and models have no type to compare
  TypeId found = type_of(default_number(v));
  auto [it, fresh] = sizes.type_vars.try_emplace(name, found);
  if (fresh || types.is_poison(it->second)) return it->second = found, true;
  return it->second == found || (why = fmt::format("`'{}` is `{}` in this call", name, types.print(it->second)), false);
}

bool Elaborator::unify(TypeId pattern, const Val& v0, SizeScope& sizes, std::string& why) {
  const Type p = types[pattern];
  if (p.kind == TypeKind::poison) return true;
  if (p.kind == TypeKind::fn) return v0.callable() || (why = "it is not a function", false);
  if (p.kind == TypeKind::object && p.name[0] == '\'') return unify_variable(p.name.substr(1), v0, sizes, why);
  if (p.kind == TypeKind::list) return unify_list(p.elems[0], v0, sizes, why);
  const bool form = v0.get<NodeRef>() && v0.get<NodeRef>()->frame == global_frame;
  if (p.kind == TypeKind::tuple && form && types[v0.type].kind == TypeKind::tuple) {
    const Type found = types[v0.type];
    if (found.elems.size() != p.elems.size() || found.fields != p.fields || (!p.name.empty() && p.name != found.name)) return why = "its fields are others", false;
    for (size_t i = 0; i < p.elems.size(); ++i)
      if (!unify(p.elems[i], form_leaf(found.elems[i], v0.origin), sizes, why)) return false;
    return true;
  }
  Val v = p.kind == TypeKind::tuple && !form ? open_structure(v0) : v0;
  if (p.kind == TypeKind::tuple && v.structure() && v.structure()->model && p.elems.empty()) return v.structure()->name == p.name;
  if (p.kind == TypeKind::tuple && v.structure()) {
    const Structure& s = *v.structure();
    if (!p.name.empty() && p.name != s.name) return why = fmt::format("it is no `{}`", p.name), false;
    if (s.elems.size() != p.elems.size() || s.fields != p.fields) return why = "its fields are others", false;
    for (size_t i = 0; i < s.elems.size(); ++i)
      if (!unify(p.elems[i], s.elems[i], sizes, why)) return false;
    return true;
  }
  if (p.kind != TypeKind::tensor) return type_of(v) == pattern || (why = "", false);
  if (!is_numeric(v)) return why = "", false;
  DType actual = dtype_of(v), want = p.dtype;
  auto* n = v.get<Number>();
  if (n && n->weak && n->dtype != DType::boolean) {
    if (n->is_real() && !is_float(want) && want != DType::any_num) return why = "a number with a point is no whole number", false;
    if (is_generic(want)) {
      auto& chosen = want == DType::any_float ? sizes.any_float : want == DType::any_int ? sizes.any_int : sizes.any_num;
      if (!chosen) chosen = n->is_real() || want == DType::any_float ? DType::f32 : DType::i32;
    } else if (want == DType::boolean) {
      return why = "a number is no bool", false;
    }
    return unify_shape(p.shape, {}, sizes, why, v);
  }
  if (is_generic(want) && !sizes.declare) {
    bool fits = want == DType::any_float ? is_float(actual) : want == DType::any_int ? is_int(actual) : is_num(actual);
    auto& chosen = want == DType::any_float ? sizes.any_float : want == DType::any_int ? sizes.any_int : sizes.any_num;
    if (!fits || (chosen && *chosen != actual)) {
      why = chosen ? fmt::format("`{}` is {} in this call", dtype_name(want), dtype_name(*chosen)) : "";
      return false;
    }
    chosen = actual;
  } else if (want != actual) {
    return why = "", false;
  }
  return unify_shape(p.shape, shape_of(v), sizes, why, v);
}

namespace {
// "declared" and "given" as two lines of equal width
}  // namespace

}  // namespace glia
