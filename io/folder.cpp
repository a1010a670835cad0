// Folders that hold a data set as several files: looking up, and what to say where nothing is found.
#include "io/folder.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glia::io {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool begins_with_word(const std::string& path, std::string_view word) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.size() == word.size() || !is_word(name[word.size()]);
}

}  // namespace

Result<std::vector<std::string>> find_parts(const std::string& dir, std::string_view prefix) {
  namespace fs = std::filesystem;
  std::error_code code;
  std::set<std::string> names;
  fs::directory_iterator it(dir, code), end;
  for (; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    if (name.starts_with(prefix) && !it->is_directory(ignored)) names.insert(name);
  }
  if (code) return fail(fmt::format("cannot open the folder `{}`: {}", dir, code.message()));
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    const bool plain_twin = name.ends_with(".gz") && names.contains(name.substr(0, name.size() - 3));
    if (!plain_twin) paths.push_back((fs::path(dir) / name).string());
  }
  return paths;
}

Result<std::vector<std::string>> find_set(const std::string& dir, std::span<const std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes) {
    auto paths = find_parts(dir, prefix);
    if (!paths) return paths;
    std::erase_if(*paths, [&](const std::string& path) { return !begins_with_word(path, prefix); });
    if (!paths->empty()) return paths;
  }
  return fail(fmt::format("`{}` has no file named `{}*`; {}", dir, fmt::join(prefixes, "*` or `"), folder_listing(dir)));
}

std::string folder_listing(const std::string& dir) {
  std::set<std::string> names;
  std::error_code code;
  std::filesystem::directory_iterator it(dir, code), end;
  for (; !code && it != end; it.increment(code)) names.insert(it->path().filename().string());
  if (names.empty()) return "the folder is empty";
  constexpr size_t shown = 8;
  const std::vector<std::string> first(names.begin(), std::next(names.begin(), static_cast<ptrdiff_t>(std::min(shown, names.size()))));
  const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  return fmt::format("the folder holds {}{}", fmt::join(first, ", "), more);
}

}  // namespace glia::io
