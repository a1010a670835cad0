// Arithmetic on numbers known when the program is made, by the same `eval` that the reference evaluator runs.
#pragma once
#include <optional>
#include <span>
#include <variant>

#include "ir/func.h"

namespace glia::ir {

using Number = std::variant<int64_t, double>;  // int64_t for integers and bools, double for floats

double as_double(const Number& n);
bool is_number(const Number& n, double value);  // by value: -0 is 0 here
bool same_bits(const Number& a, const Number& b);

// The number as an element of the type holds it: rounded, saturated. Nothing for the types that are not folded.
std::optional<Number> convert(const Number& n, DType to);
// The elementwise op of numbers of one element type; nothing where it is not folded (an integer division by zero is the
// program's to report).
std::optional<Number> fold(OpId op, DType type, std::span<const Number> x);
// What fills the node, where it is a constant.
std::optional<Number> number_of(const Node& node);

}  // namespace glia::ir
