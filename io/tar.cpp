// Archives of tar: blocks of 512 bytes, a header before each file.
#include "io/tar.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace glia::io {
namespace {

constexpr size_t block = 512;

std::string_view text_field(std::string_view header, size_t at, size_t size) {
  const std::string_view field = header.substr(at, size);
  return field.substr(0, std::min(field.find('\0'), field.size()));
}

// Octal digits between blanks, ended by a blank, a zero byte or the end of the field.
std::optional<uint64_t> octal(std::string_view field) {
  const size_t begin = field.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::nullopt;
  const size_t end = std::min(field.find_first_of(std::string_view(" \0", 2), begin), field.size());
  uint64_t value = 0;
  const auto read = std::from_chars(field.data() + begin, field.data() + end, value, 8);
  if (read.ec != std::errc() || read.ptr != field.data() + end) return std::nullopt;
  return value;
}

// The sum of the header's bytes, its own field as blanks.
bool checksum_agrees(std::string_view header) {
  const auto stated = octal(header.substr(148, 8));
  uint64_t sum = 0;
  for (size_t i = 0; i < block; ++i) sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(header[i]);
  return stated == sum;
}

// The value of `path` in the records "LENGTH key=value\n" of a pax header; nothing: not there; an error: not well formed.
Result<std::optional<std::string>> pax_path(std::string_view records) {
  std::optional<std::string> found;
  while (!records.empty()) {
    size_t length = 0;
    const auto read = std::from_chars(records.data(), records.data() + records.size(), length);
    const auto digits = static_cast<size_t>(read.ptr - records.data());
    if (read.ec != std::errc() || length > records.size() || length < digits + 3 || records[digits] != ' ' || records[length - 1] != '\n')
      return fail("its extended header is broken");
    const std::string_view record = records.substr(digits + 1, length - digits - 2);
    if (record.starts_with("path=")) found = record.substr(5);
    if (record.starts_with("size=")) return fail("a file with its size in an extended header is not read");
    records.remove_prefix(length);
  }
  return found;
}

std::string name_of(std::string_view header) {
  const std::string name(text_field(header, 0, 100));
  const std::string_view prefix = header.substr(257, 6) == std::string_view("ustar\0", 6) ? text_field(header, 345, 155) : "";
  return prefix.empty() ? name : fmt::format("{}/{}", prefix, name);
}

struct Reader {
  const std::string& path;
  std::vector<TarFile> files;
  std::optional<std::string> long_name;  // of the next file

  std::unexpected<Error> broken(size_t at, std::string_view what) const {
    return fail(fmt::format("`{}`, byte {}: {}", path, at, what), "fetch or pack the archive again");
  }

  Result<void> entry(std::string_view header, std::string_view data, size_t at) {
    const char type = header[156];
    if (type == 'L') return long_name = std::string(data.substr(0, std::min(data.find('\0'), data.size()))), Result<void>{};
    if (type == 'g') return {};
    if (type == 'x') {
      auto name = pax_path(data);
      if (!name) return broken(at, name.error().message);
      if (*name) long_name = std::move(*name);
      return {};
    }
    const std::string name = long_name ? *long_name : name_of(header);
    long_name.reset();
    if (type == '5') return {};
    if (type != '0' && type != '\0') return broken(at, fmt::format("`{}` is a link or device: only files are read", name));
    if (name.empty()) return broken(at, "a file without a name");
    if (!name.ends_with('/')) files.push_back({name, data});
    return {};
  }
};

}  // namespace

Result<std::vector<TarFile>> parse_tar(std::string_view bytes, const std::string& path) {
  Reader r{path, {}, {}};
  for (size_t at = 0; at < bytes.size();) {
    if (bytes.size() - at < block) return r.broken(at, "the archive ends inside a header");
    const std::string_view header = bytes.substr(at, block);
    if (header.find_first_not_of('\0') == std::string_view::npos) return std::move(r.files);  // the end; what follows is padding
    if (!checksum_agrees(header)) return r.broken(at, at == 0 ? "not a tar archive: the sum of its header is wrong" : "the sum of the header is wrong");
    const auto size = octal(header.substr(124, 12));
    if (!size) return r.broken(at, "the header has no size");
    const size_t left = bytes.size() - at - block;
    if (*size > left) return r.broken(at, fmt::format("a file of {} bytes, but {} are left", *size, left));
    if (auto ok = r.entry(header, bytes.substr(at + block, *size), at); !ok) return std::unexpected(ok.error());
    at += block + std::min<size_t>((*size + block - 1) / block * block, left);
  }
  return r.broken(bytes.size(), "the archive has no end: the file may be truncated");
}

}  // namespace glia::io
