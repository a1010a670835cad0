// Image sets in the layout of MNIST: four sets of IDX files in one folder.
#pragma once
#include <cstdint>
#include <string>

#include "base/error.h"
#include "io/array.h"

namespace glia::io {

struct Labelled {
  Array images;  // u8[n, height, width]
  Array labels;  // i32[n]
};

struct Mnist {
  Labelled train, test;
};

// Reads `train-images*`, `train-labels*`, `t10k-images*` (or `test-images*`) and `t10k-labels*` (or
// `test-labels*`), each one file or several parts, plain or gzip. Every label is in 0 .. classes-1.
Result<Mnist> read_mnist(const std::string& dir, int64_t classes = 10);

}  // namespace glia::io
