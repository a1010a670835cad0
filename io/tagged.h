// Tagged sentences: one a line, `word|TAG` with spaces between.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace glia::io {

struct TaggedSentence {
  std::vector<std::string> forms, tags;  // as many of each, at least one
};

// A plain or gzip file. A token is cut at its last separator, so that a word may have it inside. Blank lines are left out.
Result<std::vector<TaggedSentence>> read_tagged(const std::string& path, char separator);
Result<std::vector<TaggedSentence>> parse_tagged(std::string_view text, const std::string& path, char separator);

}  // namespace glia::io
