// Values as a person writes them.
#pragma once
#include <expected>
#include <string>
#include <string_view>

#include "interp/value.h"
#include "ir/func.h"

namespace glia::interp {

// Numbers in at most six significant digits (f64: twelve), whole numbers without a point; tensors as [[1, 2], [3, 4]],
// with `...` in the middle of long axes from 1000 elements on; tuples (a, b); lists [a, b]; texts as they are. With a
// type, records show the names of their fields: { a: 1, b: 2 }; with a module, variants those of their cases: Leaf(2, "x").
std::string format_value(const Value& v, const ir::Types* types = nullptr, ir::TypeId type = {}, const ir::Module* module = nullptr);

// By a format spec such as `.4f`, `e`, `d` or `>8`, for every number inside. The error says what is wrong with it.
std::expected<std::string, std::string> format_with(const Value& v, std::string_view spec, const ir::Types* types = nullptr,
                                                    ir::TypeId type = {}, const ir::Module* module = nullptr);

// One number of a tensor.
std::string format_element(const Tensor& t, int64_t index);

}  // namespace glia::interp
