// Folders of labelled sound clips: WAV files in folders or in tar archives.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/array.h"

namespace glia::io {

struct ClipSet {
  Array waves;   // f32[n, samples]
  Array labels;  // i32[n]
};

struct Clips {
  ClipSet train, test;
  std::vector<std::string> classes;  // the text of each label
};

// All `.wav` files of `dir`, of its folders and of its archives (`.tar`, `.tar.gz`, `.tgz`), in the order of their paths. A
// folder `train` or `test` says which set a file is of, and otherwise the end of its archive's name. The label is the
// file's name up to the first `_`; classes are numbered in order (numbers by value, otherwise by bytes). Clips are cut, or
// filled with zeros, at their end; a rate other than `rate` is an error.
Result<Clips> read_clips(const std::string& dir, int64_t rate, int64_t samples);

}  // namespace glia::io
