// Folders that hold a data set as several files.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace glia::io {

// The files of `dir` whose names begin with `prefix`, sorted by name. Where both `x` and `x.gz` are there, they hold the
// same data and `x` is taken. Empty if there are none.
Result<std::vector<std::string>> find_parts(const std::string& dir, std::string_view prefix);

// The files of one set, such as train: those with the first of the prefixes that any file has as its first word, as in
// `train.txt.gz` and `train-00000.bin` but not `trained.txt`. At least one, or an error that lists the folder.
Result<std::vector<std::string>> find_set(const std::string& dir, std::span<const std::string_view> prefixes);

// "the folder holds a, b and 3 more", for messages.
std::string folder_listing(const std::string& dir);

}  // namespace glia::io
