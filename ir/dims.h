// Sizes: polynomials with integer coefficients in dim names, in normal form and interned, so that two equal
// sizes have one id: (a+b)+c = a+(b+c), 2*n = n+n. A floor division is an atom.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/source.h"

namespace glia::ir {

using DimId = Id<struct DimTag>;
using AtomId = Id<struct AtomTag>;

// What a polynomial is made of.
struct Atom {
  enum Kind : uint8_t {
    var,        // a named size
    pack,       // `..s`: any number of dims; stands alone in a shape, never inside a polynomial
    pack_size,  // the product of the dims of a pack
    quotient,   // floor(numerator / denominator)
  } kind;
  std::string name;            // var, pack, pack_size
  Span origin;                 // where the user named it
  DimId numerator, denominator;  // quotient
};

// A product of atoms, sorted; the empty product is the constant 1.
using Monomial = std::vector<AtomId>;
using Polynomial = std::map<Monomial, int64_t>;  // no zero coefficients

enum class Compare : uint8_t { equal, different, unknown };  // for all sizes, for no size, it depends

class Dims {
 public:
  DimId constant(int64_t value);
  DimId var(const std::string& name, Span origin = {});   // the same name gives the same size
  DimId fresh(const std::string& name, Span origin = {}); // a size different from all others
  DimId pack(const std::string& name, Span origin = {});
  DimId unknown();                                        // `?`: any size, each time another
  bool is_unknown(AtomId a) const { return unknown_ == a; }

  DimId add(DimId a, DimId b);
  DimId sub(DimId a, DimId b);
  DimId mul(DimId a, DimId b);
  DimId floordiv(DimId a, DimId b);
  DimId mod(DimId a, DimId b);
  DimId product(const std::vector<DimId>& shape);  // number of elements

  std::optional<int64_t> known(DimId d) const;  // the value of a constant
  Compare compare(DimId a, DimId b) const;
  bool is_pack(DimId d) const;
  std::optional<AtomId> as_atom(DimId d) const;       // the polynomial is this one atom

  const Polynomial& polynomial(DimId d) const { return polys_[d.index()]; }
  const Atom& atom(AtomId a) const { return atoms_[a.index()]; }
  size_t atom_count() const { return atoms_.size(); }

  // Replaces atoms; an atom not in the map stays. A quotient is replaced inside.
  using Bindings = std::unordered_map<uint32_t, DimId>;  // by AtomId
  DimId substitute(DimId d, const Bindings& with);
  // The value of `unknown` that makes pattern = actual, where the pattern is linear in it with a known
  // coefficient that divides exactly: 2*k + 1 = 7 gives 3.
  std::optional<DimId> solve(DimId pattern, DimId actual, AtomId unknown);
  DimId of_atom(AtomId a) { return from_atom(a); }
  std::vector<AtomId> atoms_of(DimId d) const;  // vars and packs, also inside quotients

  std::string print(DimId d) const;

 private:
  DimId intern(Polynomial p);
  DimId from_atom(AtomId a);
  AtomId intern_atom(Atom a);

  std::deque<Polynomial> polys_;  // references stay valid while more are made
  std::map<Polynomial, DimId> index_;
  std::deque<Atom> atoms_;
  std::map<std::tuple<int, std::string, uint32_t, uint32_t>, AtomId> atom_index_;
  uint32_t fresh_ = 0;
  std::optional<AtomId> unknown_;
};

}  // namespace glia::ir
