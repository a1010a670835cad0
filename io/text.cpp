// Text files: UTF-8, whole or by line.
#include "io/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "io/file.h"

namespace glia::io {

Result<std::string> check_text(std::string bytes, const std::string& path) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (bytes.starts_with(mark)) bytes.erase(0, mark.size());
  const auto bad = first_invalid_utf8(bytes);
  if (!bad) return bytes;
  return fail(fmt::format("{}: the byte {:02x} is not UTF-8", text_place(bytes, *bad, path), static_cast<unsigned char>(bytes[*bad])),
              "save the file as UTF-8 text");
}

Result<std::string> read_text(const std::string& path) {
  auto bytes = read_file(path);
  if (!bytes) return bytes;
  return check_text(std::move(*bytes), path);
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (end < text.size() && line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string text_place(std::string_view text, size_t offset, const std::string& path) {
  const std::string_view before = text.substr(0, offset);
  const size_t begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const auto characters = std::count_if(before.begin() + static_cast<ptrdiff_t>(begin), before.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return fmt::format("`{}`, line {}, column {}", path, lines + 1, characters + 1);
}

}  // namespace glia::io
