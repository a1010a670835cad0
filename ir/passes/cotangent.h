// Cotangents: what a small change of a value changes the result by. Zeros are symbolic: nothing is made for them.
#pragma once
#include "ir/value.h"

namespace glia::ir {

struct Cotangent {
  Value value;                   // of a tensor; invalid where it is zero for every input
  std::vector<Cotangent> elems;  // of a tuple, one per element; empty where all are zero
  // Came through a `where`: a zero in it may stand for "not taken", and wins over an infinite factor.
  bool through_where = false;

  bool zero() const;
};

// True of floats and of what holds them: only these have cotangents.
bool carries_float(const Types& types, TypeId type);

void accumulate(Cotangent& into, const Cotangent& more);
// As one value of the type, zeros filled in. Types other than tensors and tuples of them have none.
std::optional<Value> whole(Builder& b, const Cotangent& c, TypeId type);
// The other way round.
Cotangent parts(Value whole, bool through_where = false);
bool any_through_where(const Cotangent& c);

}  // namespace glia::ir
