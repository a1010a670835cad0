// Tokens by characters and words, and the joining of byte pairs.
#include "interp/vocabulary.h"

#include <algorithm>
#include <charconv>

namespace glia::interp {

std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  std::vector<std::string> out;
  for (size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
    const size_t end = text.find_first_of(spaces, at);
    out.emplace_back(text.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : text.find_first_not_of(spaces, end);
  }
  return out;
}

std::optional<int32_t> Vocabulary::id(const std::string& token) const {
  const auto it = ids.find(token);
  return it == ids.end() ? unknown : std::optional(it->second);
}

namespace {
constexpr int32_t bos_token = 1, first_byte_token = 3;
}

// The place of the pair whose joint piece has the best score; nothing where no pair is a piece.
static std::optional<std::pair<size_t, int32_t>> best_pair(const Tokenizer& t, const std::vector<int32_t>& tokens) {
  std::optional<std::pair<size_t, int32_t>> best;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto it = t.ids.find(t.table.pieces[static_cast<size_t>(tokens[i])] + t.table.pieces[static_cast<size_t>(tokens[i + 1])]);
    if (it == t.ids.end()) continue;
    const float score = t.table.scores[static_cast<size_t>(it->second)];
    if (!best || score > t.table.scores[static_cast<size_t>(best->second)]) best = {i, it->second};
  }
  return best;
}

// A text begins with a space, as in the training of these tokenisers; characters that are no piece are taken by bytes.
std::vector<int32_t> Tokenizer::encode(const std::string& text, bool bos) const {
  std::vector<int32_t> tokens;
  if (!text.empty())
    for (const std::string& c : characters_of(" " + text)) {
      if (const auto it = ids.find(c); it != ids.end()) tokens.push_back(it->second);
      else for (char byte : c) tokens.push_back(first_byte_token + static_cast<unsigned char>(byte));
    }
  while (const auto pair = best_pair(*this, tokens)) {
    tokens[pair->first] = pair->second;
    tokens.erase(tokens.begin() + static_cast<int64_t>(pair->first) + 1);
  }
  if (bos) tokens.insert(tokens.begin(), bos_token);
  return tokens;
}

std::string Tokenizer::piece(int32_t before, int32_t token) const {
  std::string text = table.pieces[static_cast<size_t>(token)];
  if (before == bos_token && text.starts_with(' ')) text.erase(0, 1);
  unsigned byte = 0;  // "<0x0A>"
  if (text.size() == 6 && text.starts_with("<0x") && text.back() == '>' &&
      std::from_chars(text.data() + 3, text.data() + 5, byte, 16).ptr == text.data() + 5)
    text = std::string(1, static_cast<char>(byte));
  return text;
}

}  // namespace glia::interp
