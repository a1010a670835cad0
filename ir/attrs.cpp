// Attribute lists: lookup, equality by bits, hashing.
#include "ir/attrs.h"

#include <algorithm>
#include <bit>

namespace glia::ir {

std::string_view attr_name(AttrKey key) {
  constexpr std::string_view names[] = {"value", "values", "shape", "dtype", "axis", "axes", "perm", "starts", "stops", "steps", "low", "high",
                                        "lhs", "rhs", "out", "batch", "index", "fields", "func", "other", "wrt", "site", "order", "dim",
                                        "count", "text", "options", "name"};
  return names[static_cast<size_t>(key)];
}

void Attrs::set(AttrKey key, AttrValue value) {
  auto it = std::lower_bound(entries_.begin(), entries_.end(), key, [](const AttrEntry& e, AttrKey k) { return e.key < k; });
  if (it != entries_.end() && it->key == key) it->value = std::move(value);
  else entries_.insert(it, {key, std::move(value)});
}

const AttrValue* Attrs::find(AttrKey key) const {
  for (const AttrEntry& e : entries_)
    if (e.key == key) return &e.value;
  return nullptr;
}

namespace {
template <class... F>
struct Overload : F... { using F::operator()...; };

size_t mix(size_t h, size_t v) { return (h ^ v) * 0x9e3779b97f4a7c15ull + (h >> 29); }

size_t hash_value(const AttrValue& v) {
  auto one = [](auto x) -> size_t { return std::hash<decltype(x)>{}(x); };
  auto many = [&](const auto& list, auto f) {
    size_t h = list.size();
    for (const auto& x : list) h = mix(h, f(x));
    return h;
  };
  return std::visit(Overload{
                        [&](int64_t x) { return one(x); },
                        [&](double x) { return one(std::bit_cast<uint64_t>(x)); },
                        [&](const std::string& x) { return one(x); },
                        [&](const Ints& x) { return many(x, [&](int64_t i) { return one(i); }); },
                        [&](const Reals& x) { return many(x, [&](double d) { return one(std::bit_cast<uint64_t>(d)); }); },
                        [&](DimId x) { return one(x.v); },
                        [&](const DimList& x) { return many(x, [&](DimId d) { return one(d.v); }); },
                        [&](DType x) { return one(static_cast<int>(x)); },
                        [&](FuncId x) { return one(x.v); },
                        [&](const std::vector<std::string>& x) { return many(x, [&](const std::string& s) { return one(s); }); },
                    },
                    v);
}

bool same(const AttrValue& a, const AttrValue& b) {
  if (a.index() != b.index()) return false;
  if (auto* x = std::get_if<double>(&a)) return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(std::get<double>(b));
  if (auto* x = std::get_if<Reals>(&a)) {
    const Reals& y = std::get<Reals>(b);
    return std::equal(x->begin(), x->end(), y.begin(), y.end(),
                      [](double p, double q) { return std::bit_cast<uint64_t>(p) == std::bit_cast<uint64_t>(q); });
  }
  return a == b;
}
}  // namespace

size_t Attrs::hash() const {
  size_t h = entries_.size();
  for (const AttrEntry& e : entries_) h = mix(mix(h, static_cast<size_t>(e.key)), hash_value(e.value));
  return h;
}

bool operator==(const Attrs& a, const Attrs& b) {
  return std::equal(a.entries_.begin(), a.entries_.end(), b.entries_.begin(), b.entries_.end(),
                    [](const AttrEntry& x, const AttrEntry& y) { return x.key == y.key && same(x.value, y.value); });
}

}  // namespace glia::ir
