// Polynomial arithmetic of sizes.
#include "ir/dims.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace glia::ir {

namespace {
constexpr int64_t size_limit = int64_t{1} << 62;

// a += b * c with overflow seen
bool add_product(int64_t& a, int64_t b, int64_t c) {
  int64_t p = 0, s = 0;
  if (__builtin_mul_overflow(b, c, &p) || __builtin_add_overflow(a, p, &s) || s > size_limit || s < -size_limit) return false;
  a = s;
  return true;
}

int64_t floor_quotient(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

void drop_zeros(Polynomial& p) { std::erase_if(p, [](const auto& term) { return term.second == 0; }); }
}  // namespace

DimId Dims::intern(Polynomial p) {
  drop_zeros(p);
  auto [it, inserted] = index_.try_emplace(p, DimId(polys_.size()));
  if (inserted) polys_.push_back(std::move(p));
  return it->second;
}

AtomId Dims::intern_atom(Atom a) {
  auto key = std::make_tuple(static_cast<int>(a.kind), a.name, a.numerator.v, a.denominator.v);
  auto [it, inserted] = atom_index_.try_emplace(key, AtomId(atoms_.size()));
  if (inserted) atoms_.push_back(std::move(a));
  return it->second;
}

DimId Dims::from_atom(AtomId a) { return intern({{Monomial{a}, 1}}); }

DimId Dims::constant(int64_t value) {
  if (value > size_limit || value < -size_limit) return {};
  return intern(value == 0 ? Polynomial{} : Polynomial{{Monomial{}, value}});
}

DimId Dims::var(const std::string& name, Span origin) { return from_atom(intern_atom({Atom::var, name, origin, {}, {}})); }

DimId Dims::fresh(const std::string& name, Span origin) {
  // the number is part of the key, not of the printed name
  ++fresh_;
  auto key = std::make_tuple(static_cast<int>(Atom::var), name, fresh_, fresh_);
  atom_index_.emplace(key, AtomId(atoms_.size()));
  atoms_.push_back({Atom::var, name, origin, {}, {}});
  return from_atom(AtomId(atoms_.size() - 1));
}

DimId Dims::unknown() {
  if (!unknown_) {
    unknown_ = AtomId(atoms_.size());  // apart from what a user may name so
    atoms_.push_back({Atom::var, "?", {}, {}, {}});
  }
  return from_atom(*unknown_);
}

DimId Dims::pack(const std::string& name, Span origin) { return from_atom(intern_atom({Atom::pack, name, origin, {}, {}})); }

DimId Dims::add(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return {};
  Polynomial sum = polys_[a.index()];
  for (const auto& [m, c] : polys_[b.index()])
    if (!add_product(sum[m], c, 1)) return {};
  return intern(std::move(sum));
}

DimId Dims::sub(DimId a, DimId b) { return add(a, mul(b, constant(-1))); }

DimId Dims::mul(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return {};
  Polynomial result;
  for (const auto& [ma, ca] : polys_[a.index()])
    for (const auto& [mb, cb] : polys_[b.index()]) {
      Monomial m = ma;
      m.insert(m.end(), mb.begin(), mb.end());
      std::sort(m.begin(), m.end());
      if (!add_product(result[m], ca, cb)) return {};
    }
  return intern(std::move(result));
}

DimId Dims::floordiv(DimId a, DimId b) {
  if (!a.valid() || !b.valid()) return {};
  auto ka = known(a), kb = known(b);
  if (kb && *kb == 0) return {};
  if (ka && kb) return constant(floor_quotient(*ka, *kb));
  if (a == b) return constant(1);
  if (kb) {  // a polynomial all of whose coefficients divide is divided exactly
    Polynomial q;
    bool exact = true;
    for (const auto& [m, c] : polys_[a.index()]) exact = exact && c % *kb == 0, q[m] = c / *kb;
    if (exact) return intern(std::move(q));
  }
  return from_atom(intern_atom({Atom::quotient, "", {}, a, b}));
}

DimId Dims::mod(DimId a, DimId b) {
  DimId q = floordiv(a, b);
  return q.valid() ? sub(a, mul(b, q)) : q;
}

DimId Dims::product(const std::vector<DimId>& shape) {
  DimId n = constant(1);
  for (DimId d : shape) {
    if (is_pack(d)) d = from_atom(intern_atom({Atom::pack_size, atoms_[as_atom(d)->index()].name, {}, {}, {}}));
    n = mul(n, d);
  }
  return n;
}

std::optional<int64_t> Dims::known(DimId d) const {
  if (!d.valid()) return std::nullopt;
  const Polynomial& p = polys_[d.index()];
  if (p.empty()) return 0;
  if (p.size() == 1 && p.begin()->first.empty()) return p.begin()->second;
  return std::nullopt;
}

Compare Dims::compare(DimId a, DimId b) const {
  if (a == b) return Compare::equal;
  if (!a.valid() || !b.valid()) return Compare::unknown;
  Polynomial diff = polys_[a.index()];
  for (const auto& [m, c] : polys_[b.index()]) diff[m] -= c;
  drop_zeros(diff);
  if (diff.empty()) return Compare::equal;
  bool constant_only = diff.size() == 1 && diff.begin()->first.empty();
  return constant_only ? Compare::different : Compare::unknown;
}

bool Dims::is_pack(DimId d) const {
  auto a = as_atom(d);
  return a && atoms_[a->index()].kind == Atom::pack;
}

std::optional<AtomId> Dims::as_atom(DimId d) const {
  if (!d.valid()) return std::nullopt;
  const Polynomial& p = polys_[d.index()];
  if (p.size() != 1 || p.begin()->second != 1 || p.begin()->first.size() != 1) return std::nullopt;
  return p.begin()->first[0];
}

DimId Dims::substitute(DimId d, const Bindings& with) {
  if (!d.valid() || with.empty()) return d;
  DimId sum = constant(0);
  const Polynomial poly = polys_[d.index()];  // a copy: interning grows the vector
  for (const auto& [monomial, coefficient] : poly) {
    DimId term = constant(coefficient);
    for (AtomId a : monomial) {
      const Atom atom = atoms_[a.index()];
      auto it = with.find(a.v);
      if (it != with.end()) term = mul(term, it->second);
      else if (atom.kind == Atom::quotient) term = mul(term, floordiv(substitute(atom.numerator, with), substitute(atom.denominator, with)));
      else term = mul(term, from_atom(a));
    }
    sum = add(sum, term);
  }
  return sum;
}

std::optional<DimId> Dims::solve(DimId pattern, DimId actual, AtomId unknown) {
  int64_t coefficient = 0;
  Polynomial rest;
  for (const auto& [m, c] : polys_[pattern.index()]) {
    auto count = std::count(m.begin(), m.end(), unknown);
    if (count == 0) rest[m] = c;
    else if (count == 1 && m.size() == 1) coefficient = c;
    else return std::nullopt;
  }
  if (coefficient == 0) return std::nullopt;
  DimId difference = sub(actual, intern(std::move(rest)));
  if (!difference.valid()) return std::nullopt;
  Polynomial solved;
  for (const auto& [m, c] : polys_[difference.index()]) {
    if (c % coefficient != 0) return std::nullopt;
    solved[m] = c / coefficient;
  }
  return intern(std::move(solved));
}

std::vector<AtomId> Dims::atoms_of(DimId d) const {
  std::vector<AtomId> found;
  if (!d.valid()) return found;
  for (const auto& [m, c] : polys_[d.index()])
    for (AtomId a : m) {
      const Atom& atom = atoms_[a.index()];
      if (atom.kind != Atom::quotient) {
        found.push_back(a);
        continue;
      }
      for (AtomId inner : atoms_of(atom.numerator)) found.push_back(inner);
      for (AtomId inner : atoms_of(atom.denominator)) found.push_back(inner);
    }
  return found;
}

namespace {
// A sum or product in parentheses, so that it reads as one operand.
std::string operand(const Dims& dims, DimId d) {
  auto atom = dims.as_atom(d);
  bool alone = dims.known(d) || (atom && dims.atom(*atom).kind != Atom::quotient);
  return alone ? dims.print(d) : "(" + dims.print(d) + ")";
}

// 3 * (n // 2) and 3 * n // 2 differ: a quotient that is a factor stands in parentheses.
std::string print_atom(const Dims& dims, const Atom& a, bool factor) {
  switch (a.kind) {
    case Atom::var: return a.name;
    case Atom::pack: return ".." + a.name;
    case Atom::pack_size: return "size(.." + a.name + ")";
    case Atom::quotient: return fmt::format("{}{} // {}{}", factor ? "(" : "", operand(dims, a.numerator), operand(dims, a.denominator), factor ? ")" : "");
  }
  return "?";
}
}  // namespace

std::string Dims::print(DimId d) const {
  if (!d.valid()) return "too large";
  std::string text;
  const Polynomial& p = polys_[d.index()];
  for (auto it = p.rbegin(); it != p.rend(); ++it) {  // names first, the constant last
    auto [m, c] = *it;
    text += text.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
    int64_t magnitude = c < 0 ? -c : c;
    if (magnitude != 1 || m.empty()) text += std::to_string(magnitude) + (m.empty() ? "" : "*");
    bool factor = c != 1 || m.size() > 1;
    for (size_t i = 0; i < m.size(); ++i) text += (i ? "*" : "") + print_atom(*this, atoms_[m[i].index()], factor);
  }
  return text.empty() ? "0" : text;
}

}  // namespace glia::ir
