// CIFAR-10 in its binary form: records of one label byte and 3072 bytes of pixels, plane by plane.
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"
#include "io/mnist.h"

namespace glia::io {

struct Cifar {
  Labelled train, test;  // images u8[n, 3, 32, 32]
};

// Reads `train*` or `data_batch*`, and `test*`, each one file or several, plain or gzip.
Result<Cifar> read_cifar(const std::string& dir, int classes = 10);

// Adds the records of one file.
Result<void> append_cifar(Labelled& to, std::string_view bytes, const std::string& path, int classes = 10);

}  // namespace glia::io
