// Access to lists in their two forms, and the end of deep structures.
#include "interp/value.h"

#include <algorithm>

namespace glia::interp {

namespace {
template <class V, class F>
auto with_structure(V& v, F&& f) -> decltype(f(std::get<std::shared_ptr<Tuple>>(v))) {
  if (auto* t = std::get_if<std::shared_ptr<Tuple>>(&v)) return f(*t);
  if (auto* l = std::get_if<std::shared_ptr<List>>(&v)) return f(*l);
  if (auto* o = std::get_if<std::shared_ptr<Variant>>(&v)) return f(*o);
  if (auto* t = std::get_if<std::shared_ptr<Tape>>(&v)) return f(*t);
  return nullptr;
}
}  // namespace

std::vector<Value>* Value::own_elems() {
  return with_structure(v_, [](auto& p) { return p && p.use_count() == 1 ? &p->elems : nullptr; });
}

const std::vector<Value>* Value::elems() const {
  return with_structure(v_, [](const auto& p) { return p ? &std::as_const(p->elems) : nullptr; });
}

// Elements that end with this value and have elements themselves are taken out first, so that none ends inside another.
Value::~Value() {
  std::vector<Value>* mine = own_elems();
  if (!mine) return;
  std::vector<Value> open;
  auto take = [&open](std::vector<Value>& elems) {
    for (Value& e : elems)
      if (auto* inner = e.own_elems(); inner && !inner->empty()) open.push_back(std::move(e));
  };
  take(*mine);
  while (!open.empty()) {
    Value v = std::move(open.back());
    open.pop_back();
    take(*v.own_elems());
  }
}

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
const std::vector<Value>* parts_of(const Value& v) { return v.is_rows() ? &v.rows().columns : v.elems(); }
}  // namespace

std::vector<const Tensor*> leaves(const Value& v) {
  std::vector<const Tensor*> out;
  std::vector<const Value*> open{&v};
  while (!open.empty()) {
    const Value& next = *open.back();
    open.pop_back();
    if (next.is_tensor()) out.push_back(&next.tensor());
    else if (const auto* parts = parts_of(next))
      for (size_t i = parts->size(); i-- > 0;) open.push_back(&(*parts)[i]);
  }
  return out;
}

}  // namespace glia::interp
