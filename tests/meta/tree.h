// The project's own files, as the tests about the project read them.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace glia::meta {

namespace fs = std::filesystem;

inline const fs::path root = GLIA_SOURCE_DIR;

inline std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Files below the folders (relative to the root) with one of the endings, sorted; relative paths.
inline std::vector<std::string> files(const std::vector<std::string>& folders, const std::vector<std::string>& endings) {
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file() && std::find(endings.begin(), endings.end(), entry.path().extension().string()) != endings.end())
        found.push_back(fs::relative(entry.path(), root).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

inline const std::vector<std::string> rooms = {"base", "io", "ir", "parser", "interp", "train", "cli"};

}  // namespace glia::meta
