// Access to lists in their two forms.
#include "interp/value.h"

namespace glia::interp {

std::optional<int64_t> list_size(const Value& v) {
  if (v.is_list()) return static_cast<int64_t>(v.list().elems.size());
  if (v.is_rows()) return v.rows().count;
  return std::nullopt;
}

Value list_item(const Value& v, int64_t i) {
  GLIA_CHECK(i >= 0 && i < list_size(v).value_or(0), "an item inside the list");
  if (v.is_list()) return v.list().elems[static_cast<size_t>(i)];
  const auto element = [i](const Value& column) { return column.is_tensor() ? Value(row(column.tensor(), i)) : list_item(column, i); };
  if (v.rows().fields.empty()) return element(v.rows().columns[0]);
  Tuple record;
  for (const Value& column : v.rows().columns) record.elems.push_back(element(column));
  return record;
}

namespace {
void collect(const Value& v, std::vector<const Tensor*>& out) {
  if (v.is_tensor()) out.push_back(&v.tensor());
  else if (v.is_tuple())
    for (const Value& e : v.tuple().elems) collect(e, out);
  else if (v.is_list())
    for (const Value& e : v.list().elems) collect(e, out);
  else if (v.is_rows())
    for (const Value& e : v.rows().columns) collect(e, out);
}
}  // namespace

std::vector<const Tensor*> leaves(const Value& v) {
  std::vector<const Tensor*> out;
  collect(v, out);
  return out;
}

}  // namespace glia::interp
