// Cotangents: what a small change of a value changes the result by. Zeros are symbolic: nothing is made for them.
#pragma once
#include "ir/value.h"

namespace glia::ir {

struct Cotangent {
  // One value with the structure of what it belongs to: a tensor, list, variant or tape. Invalid where it is zero for
  // every input, and of a tuple, which is always in parts.
  Value value;
  // By part: of a tuple by element, of a variant by field of the case `which`, of a tape by place. Of variants and tapes
  // both are added. Empty where all are zero.
  std::vector<Cotangent> elems;
  int64_t which = 0;
  // Came through a `where`: a zero in it may stand for "not taken", and wins over an infinite factor.
  bool through_where = false;

  bool zero() const;
};

// True of floats and of what holds them: only these have cotangents.
bool carries_float(const Types& types, TypeId type);

void accumulate(Cotangent& into, const Cotangent& more);
// As one value of the type, zeros filled in. `primal` is the value that it belongs to; without it nothing is given where
// the zeros of a type depend on the value: its lists have lengths, its variants cases.
std::optional<Value> whole(Builder& b, const Cotangent& c, TypeId type, Value primal = {});
Value whole(const Cotangent& c, Value primal);
// The other way round.
Cotangent parts(Value whole, bool through_where = false);
bool any_through_where(const Cotangent& c);

// The value under another type that it has as well: sizes may go by other names.
Value retyped(Value v, TypeId type);
// The sum of two values of one structure.
Value sum_of(Value a, Value b);

}  // namespace glia::ir
