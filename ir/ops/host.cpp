// Type rules of text and output.
#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
Complaint texts(const TypeContext& c) {
  for (TypeId t : c.args)
    if (c.types[t].kind != TypeKind::str) return fmt::format("joins texts, found {}", c.types.print(t));
  return std::nullopt;
}
}  // namespace

TypeRule StrOp::type(const TypeContext& c) {
  if (Complaint bad = needs<std::string>(c, AttrKey::text)) return std::unexpected(*bad);
  return c.types.str();
}

TypeRule Format::type(const TypeContext& c) {
  if (Complaint bad = needs<std::string>(c, AttrKey::text)) return std::unexpected(*bad);
  return c.types.str();
}

TypeRule JoinStr::type(const TypeContext& c) {
  if (Complaint bad = texts(c)) return std::unexpected(*bad);
  return c.types.str();
}

TypeRule Print::type(const TypeContext& c) { return c.types.unit(); }

}  // namespace glia::ir
