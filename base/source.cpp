// Source files: line starts, places by display column, reading from disk.
#include "base/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "base/text.h"

namespace glia {

Span join(Span a, Span b) {
  if (!a.valid()) return b;
  if (!b.valid() || a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

SourceFile::SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    const bool lone_return = text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n');
    if (text_[i] == '\n' || lone_return) starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

Place SourceFile::place(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<uint32_t>(after - starts_.begin());
  const uint32_t start = starts_[line - 1];
  return {line, static_cast<uint32_t>(display_width(std::string_view(text_).substr(start, offset - start))) + 1};
}

std::string_view SourceFile::line(uint32_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const size_t begin = starts_[number - 1];
  const size_t end = number < starts_.size() ? starts_[number] : text_.size();
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

uint32_t SourceFile::line_start(uint32_t number) const {
  return number == 0 || number > starts_.size() ? static_cast<uint32_t>(text_.size()) : starts_[number - 1];
}

FileId Sources::add(std::string path, std::string text) {
  files_.emplace_back(std::move(path), std::move(text));
  return FileId(files_.size() - 1);
}

std::expected<FileId, Error> Sources::load(const std::string& path) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) return fail(fmt::format("cannot read `{}`: it is a folder", path));
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(fmt::format("cannot read `{}`: {}", path, std::strerror(errno)));
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad() || (text.fail() && in.tellg() > 0)) return fail(fmt::format("cannot read `{}`: {}", path, std::strerror(errno)));
  std::string all = std::move(text).str();
  if (all.size() >= std::numeric_limits<uint32_t>::max() / 2) return fail(fmt::format("`{}` is too large for a program", path));
  return add(path, std::move(all));
}

std::string Sources::where(Span s) const {
  if (!s.valid()) return "(no place)";
  const Place p = file(s.file).place(s.begin);
  return fmt::format("{}:{}:{}", file(s.file).path(), p.line, p.column);
}

}  // namespace glia
