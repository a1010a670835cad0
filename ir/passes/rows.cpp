// Values with and without the axis of the rows.
#include "ir/passes/rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/ops/table.h"
#include "ir/passes/copy.h"

namespace glia::ir {

Rows as_rows(Value v, TypeId type, bool batched) {
  const Type t = v.b->types()[type];
  Rows r{v, batched, type, {}};
  if (t.kind != TypeKind::tuple) return r;
  r.value = {}, r.batched = false;
  for (size_t i = 0; i < t.elems.size(); ++i) r.elems.push_back(as_rows(get(v, static_cast<int64_t>(i)), t.elems[i], batched));
  return r;
}

bool any_batched(const Rows& r) { return r.batched || std::any_of(r.elems.begin(), r.elems.end(), any_batched); }

Value settled(Builder& b, const Rows& r, bool batched, DimId rows) {
  if (b.types()[r.type].kind != TypeKind::tuple) return batched ? with_rows(Batched{r.value, r.batched}, rows) : r.value;
  std::vector<Value> elems;
  for (const Rows& e : r.elems) elems.push_back(settled(b, e, batched, rows));
  return tuple_as(b, r.type, elems);
}

namespace {
constexpr DiagKind cannot_batch{"E0711", Severity::error, "'{}' cannot run over a batch: {}"};

bool sees_within(const Module& m, const Node& n, std::vector<FuncId>& seen) {
  if (info(n.op).sees_batch) return true;
  for (FuncId f : nested_funcs(n)) {
    if (std::find(seen.begin(), seen.end(), f) != seen.end()) continue;
    seen.push_back(f);
    for (const Node& inner : m[f].nodes)
      if (sees_within(m, inner, seen)) return true;
  }
  return false;
}
}  // namespace

bool sees_batch(const Module& m, const Node& n) {
  std::vector<FuncId> seen;
  return sees_within(m, n, seen);
}

std::unexpected<Diagnostic> not_batched(Builder& b, const Node& n, std::string_view why) {
  std::string message = fmt::format(fmt::runtime(cannot_batch.text), info(n.op).name, why);
  return std::unexpected(Diagnostic{cannot_batch.code, cannot_batch.severity, std::move(message), b.module().span(n.src), {}, {}, {}});
}

}  // namespace glia::ir
