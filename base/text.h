// Text: UTF-8, display width, and the nearest name for suggestions.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glia {

// Byte offset of the first byte that is not valid UTF-8, or nothing.
std::optional<size_t> first_invalid_utf8(std::string_view text);

// Columns that a terminal uses for the text (East Asian wide characters 2, combining marks 0, tab 4).
size_t display_width(std::string_view text);

// Optimal string alignment distance (Damerau 1964): insert, delete, replace, swap of neighbours.
size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `name`, if it is near enough that a person would have meant it.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

// "a, b or c"
std::string join_words(std::span<const std::string> words, std::string_view last = "or");

}  // namespace glia
