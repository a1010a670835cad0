// Functions of the host that make and shape data sets: readers, splitting, standardising. What they read is checked
// against the type that the program was given for it.
#pragma once
#include <functional>
#include <string>

#include "interp/evaluate.h"

namespace glia::interp {

// Notes for the person who runs the program, such as rows dropped.
using Note = std::function<void(const std::string&)>;

// By name; arguments; options ("key=value" in the attribute `options`, \x1f between the parts of a value):
//   data.mnist   dir                       { train, test } of rows { image, label }
//   data.csv     path                      rows; missing=error|drop|nan, header=true|false, separator=CHAR, trim=true|false,
//                                          column=NAME\x1fnumber|integer|text|classes\x1flist|one\x1fCOLUMN… once for each field
//   split        a list                    a tuple of lists; part=NAME\x1fFRACTION once for each, seed=N
//   standardize  rows or a tuple of rows   the same; column=NAME once for each f32 column, fit=INDEX of the part that is measured
//   column       rows                      the column as a list, or as a tensor where that is the type; name=FIELD
HostFunctions data_functions(Note note);

}  // namespace glia::interp
