// Numbers written as text, read whole or not at all.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace glia::io {

std::string_view trim_spaces(std::string_view text);  // ASCII spaces and tabs

// The error's message goes on after a place and a colon: "`12,5x` is not a number". Infinities and NaN are
// not numbers here: whoever allows them says so as a missing value.
Result<float> parse_f32(std::string_view text);
Result<int32_t> parse_i32(std::string_view text);

}  // namespace glia::io
