// Evaluates size polynomials and solves them for the one name that is missing.
#include "interp/sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glia::interp {

using ir::Atom;
using ir::AtomId;
using ir::DimId;
using ir::TypeKind;

namespace {
int64_t floor_quotient(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

// sum of coefficient * product of atoms; nothing where a name is not bound or a number does not fit
template <class AtomValue>
std::optional<int64_t> evaluate(const ir::Polynomial& p, AtomValue&& value) {
  int64_t sum = 0;
  for (const auto& [monomial, coefficient] : p) {
    int64_t term = coefficient;
    for (AtomId a : monomial) {
      const std::optional<int64_t> v = value(a);
      if (!v || __builtin_mul_overflow(term, *v, &term)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, term, &sum)) return std::nullopt;
  }
  return sum;
}
}  // namespace

std::optional<int64_t> Sizes::operator()(DimId d) const {
  if (!d.valid()) return std::nullopt;
  if (auto known = types_->dims.known(d)) return known;
  return evaluate(types_->dims.polynomial(d), [&](AtomId a) { return atom(a); });
}

std::optional<int64_t> Sizes::atom(AtomId id) const {
  const Atom& a = types_->dims.atom(id);
  if (a.kind == Atom::quotient) {
    const auto n = (*this)(a.numerator), d = (*this)(a.denominator);
    return n && d && *d > 0 ? std::optional(floor_quotient(*n, *d)) : std::nullopt;
  }
  if (a.kind == Atom::var) {
    if (auto it = numbers_.find(id.v); it != numbers_.end()) return it->second;
  } else if (auto it = packs_.find(a.name); it != packs_.end()) {
    return element_count(it->second);
  }
  return outer_ ? outer_->atom(id) : std::nullopt;
}

std::optional<std::vector<int64_t>> Sizes::shape(std::span<const DimId> dims) const {
  std::vector<int64_t> result;
  for (DimId d : dims) {
    if (types_->dims.is_pack(d)) {
      const std::string& name = types_->dims.atom(*types_->dims.as_atom(d)).name;
      const Sizes* s = this;
      while (s && !s->packs_.contains(name)) s = s->outer_;
      if (!s) return std::nullopt;
      const auto& pack = s->packs_.at(name);
      result.insert(result.end(), pack.begin(), pack.end());
      continue;
    }
    const auto n = (*this)(d);
    if (!n || *n < 0) return std::nullopt;
    result.push_back(*n);
  }
  return result;
}

// The size with `unknown` set to `guess`, from names bound here and not further out: a function called again with
// other sizes binds its names anew.
std::optional<int64_t> Sizes::own(DimId d, AtomId unknown, int64_t guess) const {
  return evaluate(types_->dims.polynomial(d), [&](AtomId id) -> std::optional<int64_t> {
    if (id == unknown) return guess;
    const Atom& a = types_->dims.atom(id);
    if (a.kind != Atom::quotient) {
      auto it = numbers_.find(id.v);
      return it != numbers_.end() ? std::optional(it->second) : std::nullopt;
    }
    const auto n = own(a.numerator, unknown, guess), m = own(a.denominator, unknown, guess);
    return n && m && *m > 0 ? std::optional(floor_quotient(*n, *m)) : std::nullopt;
  });
}

// True where the pattern is settled: it has been solved, or has no free name and fits. A size that is linear in its one
// free name is solved from its values at 0 and 1; any other waits for another dim to bind the name.
bool Sizes::solve(DimId pattern, int64_t actual) {
  if (const auto known = types_->dims.known(pattern)) return *known == actual;
  if (any_size(pattern)) return true;
  std::optional<AtomId> unknown;
  for (AtomId a : types_->dims.atoms_of(pattern)) {
    if (types_->dims.atom(a).kind != Atom::var || numbers_.contains(a.v)) continue;
    if (unknown && *unknown != a) return false;
    unknown = a;
  }
  if (!unknown) return (*this)(pattern) == actual;
  const auto at0 = own(pattern, *unknown, 0), at1 = own(pattern, *unknown, 1);
  if (!at0 || !at1 || *at1 == *at0 || (actual - *at0) % (*at1 - *at0) != 0) return false;
  const int64_t guess = (actual - *at0) / (*at1 - *at0);
  if (guess < 0 || own(pattern, *unknown, guess) != actual) return false;
  numbers_[unknown->v] = guess;
  return true;
}

bool Sizes::any_size(DimId pattern) const {
  for (AtomId a : types_->dims.atoms_of(pattern))
    if (types_->dims.is_unknown(a)) return true;
  return false;
}

std::string Sizes::mismatch(std::span<const DimId> pattern, std::span<const int64_t> actual) const {
  const ir::Shape wanted(pattern.begin(), pattern.end());
  return fmt::format("a tensor of shape [{}] does not fit {}", fmt::join(actual, ", "), types_->print_shape(wanted));
}

std::expected<void, std::string> Sizes::bind_pack(DimId pack, std::span<const int64_t> actual) {
  const std::string& name = types_->dims.atom(*types_->dims.as_atom(pack)).name;
  std::vector<int64_t> sizes(actual.begin(), actual.end());
  auto [it, inserted] = packs_.try_emplace(name, sizes);
  if (!inserted && it->second != sizes)
    return std::unexpected(fmt::format("..{} is both [{}] and [{}]", name, fmt::join(it->second, ", "), fmt::join(sizes, ", ")));
  return {};
}

std::expected<void, std::string> Sizes::bind(std::span<const DimId> pattern, std::span<const int64_t> actual) {
  size_t packs = 0, before = pattern.size();
  for (size_t i = 0; i < pattern.size(); ++i)
    if (types_->dims.is_pack(pattern[i])) ++packs, before = i;
  if (packs > 1 || (packs == 0 && pattern.size() != actual.size()) || pattern.size() - packs > actual.size())
    return std::unexpected(mismatch(pattern, actual));
  const size_t width = packs ? actual.size() - (pattern.size() - 1) : 0;
  if (packs)
    if (auto bound = bind_pack(pattern[before], actual.subspan(before, width)); !bound) return bound;
  std::vector<std::pair<DimId, int64_t>> open;
  for (size_t i = 0; i < pattern.size(); ++i)
    if (!packs || i != before) open.emplace_back(pattern[i], actual[packs && i > before ? i - 1 + width : i]);
  for (size_t last = open.size() + 1; !open.empty() && open.size() < last;) {
    last = open.size();
    std::erase_if(open, [&](const auto& p) { return solve(p.first, p.second); });
  }
  for (const auto& [d, n] : open) {  // a size with names that nothing binds says nothing yet
    const auto value = (*this)(d);
    if (value && *value != n) return std::unexpected(mismatch(pattern, actual));
  }
  return {};
}

// Elements of a list may differ in their sizes, so they bind nothing. Of rows of a data set the sizes are the same.
std::expected<void, std::string> Sizes::bind_list(ir::TypeId elem, const Value& value) {
  const auto n = list_size(value);
  if (!n) return std::unexpected(std::string("a list is wanted"));
  if (*n == 0 || !value.is_rows()) return {};
  const ir::Type& t = (*types_)[elem];
  if (t.kind == TypeKind::tuple && value.is_rows() && value.rows().columns.size() != t.elems.size())
    return std::unexpected(std::string("the records of a data set have other fields than their type"));
  Sizes trial = *this;
  if (trial.bind(elem, list_item(value, 0))) *this = std::move(trial);
  return {};
}

std::expected<void, std::string> Sizes::bind(ir::TypeId type, const Value& value) {
  const ir::Type& t = (*types_)[type];
  switch (t.kind) {
    case TypeKind::tensor:
      if (!value.is_tensor()) return std::unexpected(std::string("a tensor is wanted"));
      if (value.tensor().dtype != t.dtype)
        return std::unexpected(fmt::format("{} is wanted, not {}", dtype_name(t.dtype), dtype_name(value.tensor().dtype)));
      return bind(t.shape, value.tensor().shape);
    case TypeKind::tuple:
      if (!value.is_tuple() || value.tuple().elems.size() != t.elems.size())
        return std::unexpected(fmt::format("a tuple of {} is wanted", t.elems.size()));
      for (size_t i = 0; i < t.elems.size(); ++i)
        if (auto bound = bind(t.elems[i], value.tuple().elems[i]); !bound) return bound;
      return {};
    case TypeKind::list:
      return bind_list(t.elems[0], value);
    case TypeKind::str:
      return value.is_text() ? std::expected<void, std::string>{} : std::unexpected(std::string("a text is wanted"));
    case TypeKind::variant:
      return value.is_variant() ? std::expected<void, std::string>{} : std::unexpected(fmt::format("a {} is wanted", t.name));
    case TypeKind::tape:
      return value.is_tape() ? std::expected<void, std::string>{} : std::unexpected(std::string("a tape is wanted"));
    case TypeKind::object:
      return value.is_object() ? std::expected<void, std::string>{} : std::unexpected(fmt::format("a {} is wanted", t.name));
    case TypeKind::fn:
    case TypeKind::poison:
      return {};
  }
  std::unreachable();
}

}  // namespace glia::interp
