// Interning and printing of types.
#include "ir/types.h"

namespace glia::ir {

TypeId Types::intern(Type t) {
  auto [it, inserted] = index_.try_emplace(t, TypeId(types_.size()));
  if (inserted) types_.push_back(std::move(t));
  return it->second;
}

TypeId Types::tensor(DType dtype, Shape shape) { return intern({TypeKind::tensor, dtype, std::move(shape), {}, {}, {}}); }
TypeId Types::tuple(std::vector<TypeId> elems) { return intern({TypeKind::tuple, {}, {}, {}, {}, std::move(elems)}); }
TypeId Types::record(std::vector<std::string> fields, std::vector<TypeId> elems, std::string name) {
  return intern({TypeKind::tuple, {}, {}, std::move(name), std::move(fields), std::move(elems)});
}
TypeId Types::list(TypeId elem) { return intern({TypeKind::list, {}, {}, {}, {}, {elem}}); }
TypeId Types::fn(std::vector<TypeId> params, TypeId result) {
  params.push_back(result);
  return intern({TypeKind::fn, {}, {}, {}, {}, std::move(params)});
}
TypeId Types::variant(std::string name) { return intern({TypeKind::variant, {}, {}, std::move(name), {}, {}}); }
TypeId Types::str() { return intern({TypeKind::str, {}, {}, {}, {}, {}}); }
TypeId Types::tape() { return intern({TypeKind::tape, {}, {}, {}, {}, {}}); }
TypeId Types::object(std::string name) { return intern({TypeKind::object, {}, {}, std::move(name), {}, {}}); }
TypeId Types::poison() { return intern({TypeKind::poison, {}, {}, {}, {}, {}}); }

TypeId Types::substitute(TypeId id, const Dims::Bindings& with) {
  Type t = types_[id.index()];
  for (DimId& d : t.shape) d = dims.substitute(d, with);
  for (TypeId& e : t.elems) e = substitute(e, with);
  return intern(std::move(t));
}

bool may_fit(const Types& types, TypeId a, TypeId b) {
  if (a == b) return true;
  const Type &x = types[a], &y = types[b];
  if (x.kind != y.kind || x.elems.size() != y.elems.size() || x.fields != y.fields) return false;
  if (x.kind == TypeKind::tensor && (x.dtype != y.dtype || x.shape.size() != y.shape.size())) return false;
  bool named_apart = x.name != y.name && x.kind != TypeKind::tuple;  // a record may be told by its fields alone
  if (named_apart) return false;
  for (size_t i = 0; i < x.shape.size(); ++i)
    if (types.dims.compare(x.shape[i], y.shape[i]) == Compare::different) return false;
  for (size_t i = 0; i < x.elems.size(); ++i)
    if (!may_fit(types, x.elems[i], y.elems[i])) return false;
  return true;
}

std::string Types::print_shape(const Shape& s) const {
  std::string text = "[";
  for (size_t i = 0; i < s.size(); ++i) text += (i ? ", " : "") + dims.print(s[i]);
  return text + "]";
}

namespace {
std::string print_fields(const Types& types, const Type& t) {
  bool named = !t.fields.empty();
  std::string text = named ? "{ " : "(";
  for (size_t i = 0; i < t.elems.size(); ++i) {
    if (i) text += ", ";
    if (named) text += t.fields[i] + ": ";
    text += types.print(t.elems[i]);
  }
  return text + (named ? " }" : ")");
}

std::string print_fn(const Types& types, const Type& t) {
  std::string params;
  size_t n = t.elems.size() - 1;
  for (size_t i = 0; i < n; ++i) params += (i ? ", " : "") + types.print(t.elems[i]);
  bool bare = n == 1 && types[t.elems[0]].kind != TypeKind::tuple;
  return (bare ? params : "(" + params + ")") + " -> " + types.print(t.elems[n]);
}
}  // namespace

std::string Types::print(TypeId id) const {
  const Type& t = types_[id.index()];
  switch (t.kind) {
    case TypeKind::tensor: return std::string(dtype_name(t.dtype)) + (t.shape.empty() ? "" : print_shape(t.shape));
    case TypeKind::tuple: return t.name.empty() ? print_fields(*this, t) : t.name;
    case TypeKind::list: return "[" + print(t.elems[0]) + "]";
    case TypeKind::variant: return t.name;
    case TypeKind::fn: return print_fn(*this, t);
    case TypeKind::str: return "str";
    case TypeKind::tape: return "tape";
    case TypeKind::object: return t.name;
    case TypeKind::poison: return "?";
  }
  return "?";
}

}  // namespace glia::ir
