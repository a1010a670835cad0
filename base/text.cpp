// UTF-8 validation, display width, and the nearest name.
#include "base/text.h"

#include <algorithm>
#include <numeric>

#include <utf8proc.h>

namespace glia {

namespace {

// One code point at `at`, and how many bytes it takes; 0 bytes where the text is not UTF-8 (also for
// overlong forms, surrogates and values over U+10FFFF, which utf8proc refuses).
struct Decoded {
  utf8proc_int32_t code = 0;
  size_t bytes = 0;
};

Decoded decode(std::string_view text, size_t at) {
  Decoded d;
  const auto* p = reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at);
  const auto n = utf8proc_iterate(p, static_cast<utf8proc_ssize_t>(text.size() - at), &d.code);
  d.bytes = n > 0 ? static_cast<size_t>(n) : 0;
  return d;
}

size_t width_of(utf8proc_int32_t code) {
  if (code == '\t') return 4;
  return static_cast<size_t>(std::max(utf8proc_charwidth(code), 0));
}

// Code points, so that one mistyped letter of any script counts as one.
std::vector<utf8proc_int32_t> code_points(std::string_view text) {
  std::vector<utf8proc_int32_t> out;
  for (size_t i = 0; i < text.size();) {
    const Decoded d = decode(text, i);
    out.push_back(d.bytes ? d.code : static_cast<unsigned char>(text[i]));
    i += std::max<size_t>(d.bytes, 1);
  }
  return out;
}

}  // namespace

std::optional<size_t> first_invalid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const Decoded d = decode(text, i);
    if (d.bytes == 0) return i;
    i += d.bytes;
  }
  return std::nullopt;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size();) {
    const Decoded d = decode(text, i);
    width += d.bytes ? width_of(d.code) : 1;
    i += std::max<size_t>(d.bytes, 1);
  }
  return width;
}

size_t edit_distance(std::string_view a_text, std::string_view b_text) {
  const auto a = code_points(a_text), b = code_points(b_text);
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  const size_t length = code_points(name).size();
  const size_t limit = std::max<size_t>(1, length / 3);
  std::optional<std::string> best;
  size_t best_distance = limit + 1;
  for (const std::string& c : candidates) {
    const size_t bytes_apart = c.size() > name.size() ? c.size() - name.size() : 0;
    if (c == name || c.empty() || bytes_apart > 4 * limit) continue;
    const size_t d = edit_distance(name, c);
    // A distance of the whole word is another word.
    if (d < best_distance && d < std::max(length, code_points(c).size())) best = c, best_distance = d;
  }
  return best;
}

std::string join_words(std::span<const std::string> words, std::string_view last) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
    out += words[i];
  }
  return out;
}

}  // namespace glia
