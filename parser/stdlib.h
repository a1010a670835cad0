// The standard library as text inside the binary (written by cmake/embed.cmake from stdlib/*.ml).
#pragma once
#include <string_view>
#include <vector>

namespace glia {

struct StdlibFile {
  std::string_view name;  // "nn" for stdlib/nn.ml
  std::string_view text;
};

const std::vector<StdlibFile>& stdlib_files();

}  // namespace glia
