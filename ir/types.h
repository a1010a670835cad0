// Types: interned, so that equality is == on the id.
#pragma once
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "base/ids.h"
#include "ir/dims.h"

namespace glia::ir {

using TypeId = Id<struct TypeTag>;
using Shape = std::vector<DimId>;

enum class TypeKind : uint8_t {
  tensor,   // dtype and shape; a scalar has rank 0
  tuple,    // elems; with field names it is a record, with a name a nominal record or model; empty: unit
  list,     // elems[0], length known at run time
  variant,  // a name; its cases are in the module
  fn,       // elems: parameters, then the result
  str,
  tape,     // what a forward pass keeps for the backward pass
  object,   // of the host, by name: opaque
  poison,   // already reported: say nothing more
};

struct Type {
  TypeKind kind = TypeKind::poison;
  DType dtype = DType::f32;
  Shape shape;
  std::string name;
  std::vector<std::string> fields;
  std::vector<TypeId> elems;
  friend auto operator<=>(const Type&, const Type&) = default;
};

class Types {
 public:
  Dims dims;

  TypeId tensor(DType dtype, Shape shape = {});
  TypeId tuple(std::vector<TypeId> elems);
  TypeId record(std::vector<std::string> fields, std::vector<TypeId> elems, std::string name = {});
  TypeId list(TypeId elem);
  TypeId fn(std::vector<TypeId> params, TypeId result);
  TypeId variant(std::string name);
  TypeId str();
  TypeId tape();
  TypeId object(std::string name);
  TypeId unit() { return tuple({}); }
  TypeId poison();

  const Type& operator[](TypeId id) const { return types_[id.index()]; }
  bool is_tensor(TypeId id) const { return types_[id.index()].kind == TypeKind::tensor; }
  bool is_scalar(TypeId id) const { return is_tensor(id) && types_[id.index()].shape.empty(); }
  bool is_poison(TypeId id) const { return types_[id.index()].kind == TypeKind::poison; }
  DType dtype(TypeId id) const { return types_[id.index()].dtype; }
  const Shape& shape(TypeId id) const { return types_[id.index()].shape; }
  TypeId with_shape(TypeId id, Shape shape) { return tensor(dtype(id), std::move(shape)); }
  TypeId with_dtype(TypeId id, DType dtype) { return tensor(dtype, Shape(shape(id))); }

  TypeId substitute(TypeId id, const Dims::Bindings& with);  // sizes; a pack must be bound elsewhere
  std::string print(TypeId id) const;                        // as the user writes it: f32[m, 2*n]
  std::string print_shape(const Shape& s) const;             // [m, 2*n]

 private:
  TypeId intern(Type t);
  std::deque<Type> types_;  // references stay valid while more are made
  std::map<Type, TypeId> index_;
};

// Whether a value of the one type may be one of the other: equal but for sizes, of which no two are known to differ.
bool may_fit(const Types& types, TypeId a, TypeId b);

}  // namespace glia::ir
