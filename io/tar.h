// Archives of tar: the regular files inside.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace glia::io {

struct TarFile {
  std::string name;        // with its folders
  std::string_view bytes;  // inside the archive
};

// POSIX ustar, with the long names of GNU and pax. Folders are passed over; links and devices are an error.
Result<std::vector<TarFile>> parse_tar(std::string_view bytes, const std::string& path);

}  // namespace glia::io
