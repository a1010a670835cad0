// The text form of functions: complete, so that parse.h reads back the same program.
//
//   func loss(%0: f32[h, 784] "fc1.w", %1: f32[784]) -> (f32[h]) {
//     %2: f32[h] = contract(%0, %1) lhs=[0, 1] rhs=[1] out=[0]   # 03.ml:14:5
//     return %2
//   }
//
// Functions that it refers to come before it, named `func body#4`, and are referred to as @body#4. Before these come the
// variants, and what functions give that call themselves:
//
//   variant Tree = Leaf(x: f32) | Node(left: variant Tree, right: variant Tree)
//   declare walk#7 -> (f32)
#pragma once
#include <string>

#include "base/source.h"
#include "ir/func.h"

namespace glia::ir {

// With sources, each line ends in where the node comes from.
std::string print(const Module& module, const Func& func, const Sources* sources = nullptr);
std::string print(const Module& module, FuncId func, const Sources* sources = nullptr);

// Parts, in the same form.
std::string print_text_type(const Types& types, TypeId type);
std::string print_text_dim(const Dims& dims, DimId dim);
std::string print_text_attr(const Module& module, const AttrValue& value);

// A name as it stands in the text: bare where it is a plain word of no other meaning, else in quotes.
std::string print_text_name(std::string_view name);
std::string quoted(std::string_view text);

}  // namespace glia::ir
