// Tagged sentences: one a line, `word|TAG` with spaces between.
#include "io/tagged.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/file.h"
#include "io/text.h"

namespace glia::io {
namespace {

constexpr std::string_view blanks = " \t";

Result<void> add_token(TaggedSentence& sentence, std::string_view token, char separator) {
  const size_t cut = token.rfind(separator);
  if (cut == std::string_view::npos) return fail(fmt::format("`{}` has no `{}` before a tag", token, separator));
  if (cut == 0) return fail(fmt::format("`{}` has no word before the `{}`", token, separator));
  if (cut + 1 == token.size()) return fail(fmt::format("`{}` has no tag after the `{}`", token, separator));
  sentence.forms.emplace_back(token.substr(0, cut));
  sentence.tags.emplace_back(token.substr(cut + 1));
  return {};
}

}  // namespace

Result<std::vector<TaggedSentence>> parse_tagged(std::string_view text, const std::string& path, char separator) {
  std::vector<TaggedSentence> out;
  for (const std::string_view line : split_lines(text)) {
    TaggedSentence sentence;
    for (size_t at = line.find_first_not_of(blanks); at < line.size(); at = line.find_first_not_of(blanks, at)) {
      const size_t end = std::min(line.find_first_of(blanks, at), line.size());
      if (auto ok = add_token(sentence, line.substr(at, end - at), separator); !ok)
        return fail(fmt::format("{}: {}", text_place(text, static_cast<size_t>(line.data() - text.data()) + at, path), ok.error().message),
                    fmt::format("a line is `word{0}TAG word{0}TAG`", separator));
      at = end;
    }
    if (!sentence.forms.empty()) out.push_back(std::move(sentence));
  }
  return out;
}

Result<std::vector<TaggedSentence>> read_tagged(const std::string& path, char separator) {
  const auto text = read_text(path);
  if (!text) return std::unexpected(text.error());
  return within_memory(path, [&] { return parse_tagged(*text, path, separator); });
}

}  // namespace glia::io
