// One form for two values: what the branches of an `if` have in common, or the state of a loop before and after a step.
// A form is a val whose leaves hold just their types.
#include "parser/elaborator.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind changes_type{"E0219", Severity::error, "{} changes its type"};

bool weak(const Val& v) {
  auto* n = v.get<Number>();
  return n && n->weak && n->dtype != DType::boolean;
}
}  // namespace

DimId Elaborator::runtime_size(Span at) {
  DimId d = dims.fresh("?", at);
  runtime_.insert(dims.as_atom(d)->v);
  return d;
}

bool Elaborator::is_runtime(DimId d) const {
  if (d == dims.unknown()) return true;
  for (AtomId a : dims.atoms_of(d))
    if (runtime_.contains(a.v)) return true;
  return false;
}

// The sizes of a list's elements have no names outside it, so only the type itself is opened.
TypeId Elaborator::opened(TypeId id) {
  const Type t = types[id];
  if (t.kind == TypeKind::tensor) {
    Shape shape = t.shape;
    for (DimId& d : shape)
      if (d == dims.unknown()) d = runtime_size();
    return types.tensor(t.dtype, shape);
  }
  if (t.kind != TypeKind::tuple) return id;
  std::vector<TypeId> elems;
  for (TypeId e : t.elems) elems.push_back(opened(e));
  return t.fields.empty() ? types.tuple(elems) : types.record(t.fields, elems, t.name);
}

TypeId Elaborator::erased(TypeId id) {
  const Type t = types[id];
  if (t.kind == TypeKind::tensor) {
    Shape shape = t.shape;
    for (DimId& d : shape)
      if (is_runtime(d)) d = dims.unknown();
    return types.tensor(t.dtype, shape);
  }
  std::vector<TypeId> elems;
  for (TypeId e : t.elems) elems.push_back(erased(e));
  if (t.kind == TypeKind::list) return types.list(elems[0]);
  if (t.kind != TypeKind::tuple) return id;
  return t.fields.empty() ? types.tuple(elems) : types.record(t.fields, elems, t.name);
}

// The least type that holds both: sizes that differ become `?`.
std::optional<TypeId> Elaborator::join_types(TypeId a, TypeId b) {
  if (a == b || types.is_poison(b)) return a;
  if (types.is_poison(a)) return b;
  const Type x = types[a], y = types[b];
  if (x.kind != y.kind) return std::nullopt;
  if (x.kind == TypeKind::tensor) {
    if (x.dtype != y.dtype || x.shape.size() != y.shape.size()) return std::nullopt;
    Shape shape = x.shape;
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] != y.shape[i] || is_runtime(shape[i])) shape[i] = dims.unknown();
    return types.tensor(x.dtype, shape);
  }
  if (x.elems.size() != y.elems.size() || x.fields != y.fields || x.name != y.name) return std::nullopt;
  std::vector<TypeId> elems;
  for (size_t i = 0; i < x.elems.size(); ++i) {
    auto e = join_types(x.elems[i], y.elems[i]);
    if (!e) return std::nullopt;
    elems.push_back(*e);
  }
  if (x.kind == TypeKind::list) return types.list(elems[0]);
  if (x.kind != TypeKind::tuple) return std::nullopt;
  return x.fields.empty() ? types.tuple(elems) : types.record(x.fields, elems, x.name);
}

namespace {
bool same_function(const Val& a, const Val& b) {
  if (a.of.index() != b.of.index()) return false;
  if (auto* c = a.get<std::shared_ptr<const Closure>>()) return *c == *b.get<std::shared_ptr<const Closure>>();
  if (auto* f = a.get<const Builtin*>()) return *f == *b.get<const Builtin*>();
  if (auto* f = a.get<std::shared_ptr<const Partial>>()) return *f == *b.get<std::shared_ptr<const Partial>>();
  if (auto* f = a.get<std::shared_ptr<const Transformed>>()) return *f == *b.get<std::shared_ptr<const Transformed>>();
  return false;
}

// Tensors of one element type: equal, or with a size that only the run knows.
std::optional<Val> join_tensors(Elaborator& e, const Val& a, const Val& b, std::string& why) {
  if (weak(a) && weak(b)) return a.get<Number>()->is_real() ? a : b;
  const Val& typed = weak(a) ? b : a;
  const Val& other = weak(a) ? a : b;
  DType t = e.dtype_of(typed);
  bool literal = weak(other);
  if (literal ? (t == DType::boolean || (other.get<Number>()->is_real() && !is_float(t))) : e.dtype_of(other) != t) return std::nullopt;
  Shape x = e.shape_of(typed), y = literal ? Shape{} : e.shape_of(other);
  if (x.size() != y.size()) return std::nullopt;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i] && !e.is_runtime(x[i])) continue;
    if (!e.is_runtime(x[i]) && !e.is_runtime(y[i])) return why = fmt::format("axis {} is {} and {}", i, e.dims.print(x[i]), e.dims.print(y[i])), std::nullopt;
    x[i] = e.dims.unknown();
  }
  return e.form_leaf(e.types.tensor(t, x), typed.origin);
}
}  // namespace

std::optional<Val> Elaborator::join(const Val& a0, const Val& b0, std::string& why) {
  Val a = open_structure(a0), b = open_structure(b0);
  if (a.poison()) return b;
  if (b.poison()) return a;
  auto *s = a.structure(), *t = b.structure();
  if (s && t) {
    bool same = s->elems.size() == t->elems.size() && s->fields == t->fields && !s->model == !t->model && (!s->model || s->model->decl == t->model->decl);
    if (!same) return std::nullopt;
    auto copy = std::make_shared<Structure>(*s);
    if (copy->name.empty()) copy->name = t->name;
    for (size_t i = 0; i < s->elems.size(); ++i) {
      auto e = join(s->elems[i], t->elems[i], why);
      if (!e) return std::nullopt;
      copy->elems[i] = *e;
    }
    return Val{std::shared_ptr<const Structure>(copy), {}, a.origin};
  }
  auto *l = a.list(), *m = b.list();
  if (l && m && l->size() == m->size() && !l->empty()) {
    auto copy = std::make_shared<std::vector<Val>>(*l);
    bool all = true;
    for (size_t i = 0; i < l->size() && all; ++i) {
      auto e = join((*l)[i], (*m)[i], why);
      if ((all = e.has_value())) (*copy)[i] = *e;
    }
    if (all) return Val{std::shared_ptr<const std::vector<Val>>(copy), {}, a.origin};
  }
  if (is_numeric(a) && is_numeric(b)) return join_tensors(*this, a, b, why);
  if (is_data(a) && is_data(b)) {
    TypeId x = type_of(a), y = type_of(b);
    if (l && is_numeric(b) && !shape_of(b).empty()) y = type_of(as_list(b, b.origin));
    if (m && is_numeric(a) && !shape_of(a).empty()) x = type_of(as_list(a, a.origin));
    auto both = join_types(erased(x), erased(y));
    return both ? std::optional(form_leaf(*both, a.origin)) : std::nullopt;
  }
  return same_function(a, b) ? std::optional(a) : std::nullopt;
}

Val Elaborator::settled_form(const Val& form) {
  std::vector<Val> parts, settled;
  leaves(form, parts);
  for (const Val& p : parts) {
    Val q = default_number(p);
    settled.push_back(form_leaf(opened(type_of(q)), p.origin));
  }
  size_t next = 0;
  return rebuild(form, settled, next);
}

// The value as one of this type, where a size may be less known there.
Value Elaborator::as_type(const Val& v, TypeId t) {
  const Type type = types[t];
  if (type.kind == TypeKind::tensor) return value(is_list(v) || v.list() ? as_tensor(v, v.origin) : v, type.dtype);
  if (type.kind == TypeKind::list) {
    Val l = v.list() ? v : as_list(v, v.origin);
    if (!l.list()) return value(l);
    std::vector<ValueId> ids;
    for (const Val& e : *l.list()) ids.push_back(as_type(e, type.elems[0]).id);
    return b().emit(op<MakeList>, ids, {}, t);
  }
  if (type.kind == TypeKind::tuple && v.structure()) {
    std::vector<ValueId> ids;
    for (size_t i = 0; i < type.elems.size(); ++i) ids.push_back(as_type(v.structure()->elems[i], type.elems[i]).id);
    Attrs attrs;
    if (!type.fields.empty()) attrs.set(AttrKey::fields, type.fields);
    if (!type.name.empty()) attrs.set(AttrKey::name, type.name);
    return b().emit(op<TupleOp>, ids, attrs);
  }
  return value(v);
}

// The value in this form: literals adapt, lists known one by one become lists of the run where the form has one.
Val Elaborator::fit(const Val& v0, const Val& form, Span span, const std::string& what) {
  Val v = form.structure() ? open_structure(v0) : v0;
  if (v.poison() || form.poison()) return poison();
  auto inside = [&](const Val& e, const Val& f) { return fit(e, f, span, what); };
  if (auto *s = v.structure(), *f = form.structure(); s && f && s->elems.size() == f->elems.size()) {
    auto copy = std::make_shared<Structure>(*s);
    copy->name = f->name;
    for (size_t i = 0; i < s->elems.size(); ++i)
      if ((copy->elems[i] = inside(s->elems[i], f->elems[i])).poison()) return poison();
    return Val{std::shared_ptr<const Structure>(copy), {}, v.origin};
  }
  if (auto *l = v.list(), *f = form.list(); l && f && l->size() == f->size()) {
    auto copy = std::make_shared<std::vector<Val>>(*l);
    for (size_t i = 0; i < l->size(); ++i)
      if (((*copy)[i] = inside((*l)[i], (*f)[i])).poison()) return poison();
    return Val{std::shared_ptr<const std::vector<Val>>(copy), {}, v.origin};
  }
  if (!is_data(form)) return v;
  std::string why;
  auto both = form.structure() || form.list() ? std::nullopt : join(v, form, why);
  bool fits = both && join_types(erased(type_of(settled_form(*both))), erased(form.type)) == erased(form.type);
  if (fits) return node(as_type(v, form.type), v.origin);
  auto& d = report(changes_type, span, what).note(fmt::format("it is `{}`, the new value is `{}`", describe(form), describe(v)));
  if (!why.empty()) d.note(why);
  return poison();
}

}  // namespace glia
