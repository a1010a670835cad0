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
//   data.cifar10 dir                       { train, test } of rows { image, label }
//   data.wav     dir                       { train, test } of rows { wave, label }; rate=N, samples=N
//   data.text, data.lines                  path: a text, a list of its lines
//   data.sexpr   dir                       { train, dev, test }: lists of trees, of the variant type that the result holds
//   data.tagged  dir                       { train, dev, test }: lists of { form, tag }; separator=CHAR
//   data.windows tokens, length            a tuple of rows of tokens; part=NAME\x1fFRACTION once for each
//   data.llama2c path                      a tuple of weights; param=NAME once for each
//   data.vocab   any value with texts      a vocabulary; level=char|word, min_count=N, unknown=TEXT, end=TEXT
//   data.tokenizer path                    a tokeniser
//   rows         tensors                   rows of them; field=NAME once for each
//   vocabulary.* and tokenizer.*           the object, then the arguments of the method
//   data.csv     path                      rows; missing=error|drop|nan, header=true|false, separator=CHAR, trim=true|false,
//                                          column=NAME\x1fnumber|integer|text|classes\x1flist|one\x1fCOLUMN… once for each field
//   split        a list                    a tuple of lists; part=NAME\x1fFRACTION once for each, seed=N
//   standardize  rows or a tuple of rows   the same; column=NAME once for each f32 column, fit=INDEX of the part that is measured
//   column       rows                      the column as a list, or as a tensor where that is the type; name=FIELD, index=ITS PLACE
HostFunctions data_functions(Note note);

}  // namespace glia::interp
