// Source files and spans. A span names a byte range of one file; everything that can be blamed for a
// diagnostic carries one.
#pragma once
#include <deque>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"

namespace glia {

using FileId = Id<struct FileTag>;

// Bytes [begin, end) of a file. An invalid file means "no place" (a value made by the compiler).
struct Span {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool valid() const { return file.valid(); }
  friend bool operator==(const Span&, const Span&) = default;
};

Span join(Span a, Span b);  // the smallest span that covers both (of one file)

// Line and column count from 1; the column counts display cells, as an editor shows them.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
};

class SourceFile {
 public:
  SourceFile(std::string path, std::string text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  Place place(uint32_t offset) const;
  std::string_view line(uint32_t number) const;  // without its newline
  uint32_t line_start(uint32_t number) const;    // byte offset of the line's first byte
  uint32_t line_count() const { return static_cast<uint32_t>(starts_.size()); }

 private:
  std::string path_;
  std::string text_;
  std::vector<uint32_t> starts_;
};

class Sources {
 public:
  FileId add(std::string path, std::string text);
  std::expected<FileId, Error> load(const std::string& path);  // reads the file; does not check UTF-8
  const SourceFile& file(FileId id) const { return files_[id.index()]; }
  std::string_view text(Span s) const { return file(s.file).text().substr(s.begin, s.end - s.begin); }
  std::string where(Span s) const;  // "path:line:column"

 private:
  std::deque<SourceFile> files_;
};

}  // namespace glia
