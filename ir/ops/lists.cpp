// Type rules of lists, variants and tapes.
#include "ir/ops/lists.h"

#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
Complaint is_list(const TypeContext& c, size_t k) {
  if (k < c.args.size() && c.types[c.args[k]].kind == TypeKind::list) return std::nullopt;
  return fmt::format("takes a list, found {}", k < c.args.size() ? c.types.print(c.args[k]) : "nothing");
}

Complaint is_count(const TypeContext& c, size_t k) {
  if (c.types.is_scalar(c.args[k]) && c.dtype(k) == DType::i32) return std::nullopt;
  return fmt::format("takes an i32, found {}", c.types.print(c.args[k]));
}

TypeRule same_list(const TypeContext& c, size_t counts) {
  if (Complaint bad = is_list(c, 0)) return std::unexpected(*bad);
  for (size_t k = 1; k <= counts; ++k)
    if (Complaint bad = is_count(c, k)) return std::unexpected(*bad);
  return c.args[0];
}

Complaint fits(const TypeContext& c, TypeId wanted, TypeId found) {
  if (may_fit(c.types, wanted, found)) return std::nullopt;
  return fmt::format("puts {} where {} is wanted", c.types.print(found), c.types.print(wanted));
}
}  // namespace

TypeRule Length::type(const TypeContext& c) {
  if (Complaint bad = is_list(c, 0)) return std::unexpected(*bad);
  return c.types.tensor(DType::i32);
}

TypeRule Append::type(const TypeContext& c) {
  if (Complaint bad = is_list(c, 0)) return std::unexpected(*bad);
  if (Complaint bad = fits(c, c.types[c.args[0]].elems[0], c.args[1])) return std::unexpected(*bad);
  return c.args[0];
}

TypeRule ListConcat::type(const TypeContext& c) {
  if (Complaint bad = is_list(c, 0)) return std::unexpected(*bad);
  for (TypeId t : c.args)
    if (Complaint bad = fits(c, c.args[0], t)) return std::unexpected(*bad);
  return c.args[0];
}

TypeRule ListSlice::type(const TypeContext& c) { return same_list(c, 3); }

TypeRule ListAdd::type(const TypeContext& c) {
  if (Complaint bad = fits(c, c.args[0], c.args[4])) return std::unexpected(*bad);
  return same_list(c, 3);
}

TypeRule ListReverse::type(const TypeContext& c) { return same_list(c, 0); }

TypeRule Construct::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return needs<std::string>(c, AttrKey::name); }, [&] { return needs<int64_t>(c, AttrKey::index); }))
    return std::unexpected(*bad);
  return c.types.variant(c.attrs.text(AttrKey::name));
}

TypeRule TagOf::type(const TypeContext& c) {
  if (c.types[c.args[0]].kind != TypeKind::variant) return wrong("takes a variant, found {}", c.types.print(c.args[0]));
  return c.types.tensor(DType::i32);
}

TypeRule Pack::type(const TypeContext& c) {
  if (c.attrs.has(AttrKey::axes)) {
    if (Complaint bad = needs<Ints>(c, AttrKey::axes)) return std::unexpected(*bad);
    if (c.attrs.ints(AttrKey::axes).size() != c.args.size()) return wrong("has {} places for {} values", c.attrs.ints(AttrKey::axes).size(), c.args.size());
    for (int64_t place : c.attrs.ints(AttrKey::axes))
      if (place < 0 || place > 100'000'000) return wrong("has no place {}", place);
  }
  return c.types.tape();
}

TypeRule VecZeros::type(const TypeContext& c) { return c.args[0]; }

TypeRule VecAdd::type(const TypeContext& c) {
  if (Complaint bad = fits(c, c.args[0], c.args[1])) return std::unexpected(*bad);
  return c.args[0];
}

TypeRule VecScale::type(const TypeContext& c) {
  if (!c.types.is_scalar(c.args[1]) || !is_float(c.dtype(1))) return wrong("takes a float, found {}", c.types.print(c.args[1]));
  return c.args[0];
}

}  // namespace glia::ir
