// Numbers written as text, over std::from_chars: no locale, no partial reads.
#include "io/numbers.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace glia::io {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// A long cell is cut, between characters, so that a message stays a line.
std::string shown(std::string_view text) {
  constexpr size_t longest = 60;
  if (text.size() <= longest) return fmt::format("`{}`", text);
  size_t end = longest;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("`{}...`", text.substr(0, end));
}

std::string hint(std::string_view text) {
  const size_t comma = text.find(',');
  const bool one = comma != std::string_view::npos && text.find(',', comma + 1) == std::string_view::npos;
  if (one && comma > 0 && digit(text[comma - 1])) {
    std::string fixed(text);
    fixed[comma] = '.';
    if (parse_f32(fixed)) return fmt::format("a decimal point is written `.`, not `,`: `{}`", fixed);
  }
  if (one && comma > 0 && digit(text[comma - 1])) return "a number holds digits and one point, such as 12.5; mark a missing value with an empty cell or `?`";
  if (text.find('_') != std::string_view::npos || comma != std::string_view::npos) return "digits are not grouped: 1234567.5";
  return "a missing value is an empty cell or one of the markers: ?, NA, NaN";
}

std::unexpected<Error> not_a(std::string_view what, std::string_view text) {
  return fail(fmt::format("{} is not {}", shown(text), what), hint(text));
}

// from_chars takes no plus sign; we take one, before a digit or a point.
std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && (digit(text[1]) || text[1] == '.');
  return plus ? text.substr(1) : text;
}

// Keeps out "inf", "nan" and "infinity", which from_chars reads.
bool begins_like_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && (digit(text[0]) || text[0] == '.');
}

}  // namespace

std::string_view trim_spaces(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

Result<float> parse_f32(std::string_view cell) {
  const std::string_view text = trim_spaces(cell), digits = without_plus(text);
  if (!begins_like_number(digits)) return not_a("a number", text);
  float value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, value);
  if (stop != end || code == std::errc::invalid_argument) return not_a("a number", text);
  if (code == std::errc{} && std::isfinite(value)) return value;
  double wide = 0;  // too small for f32 rounds to 0 or a subnormal, as it would in arithmetic; too large is a fault
  if (std::from_chars(digits.data(), end, wide).ec == std::errc{} && std::abs(wide) < 1) return static_cast<float>(wide);
  return fail(fmt::format("{} is out of the range of f32", shown(text)), "the largest f32 is 3.4028235e38");
}

Result<int32_t> parse_i32(std::string_view cell) {
  const std::string_view text = trim_spaces(cell), digits = without_plus(text);
  int32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, value);
  if (stop == end && code == std::errc{}) return value;
  if (stop == end && code == std::errc::result_out_of_range)
    return fail(fmt::format("{} is out of the range of i32", shown(text)), "an i32 is in -2147483648 .. 2147483647");
  if (parse_f32(text)) return fail(fmt::format("{} is not an integer", shown(text)), "read the column as numbers");
  return not_a("an integer", text);
}

}  // namespace glia::io
