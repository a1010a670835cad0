// WAV audio: one channel of PCM (8, 16, 24 or 32 bits) or 32-bit floats.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace glia::io {

struct Wav {
  int64_t rate = 0;            // samples a second
  std::vector<float> samples;  // integers are divided by their range: from -1 to below 1
};

Result<Wav> parse_wav(std::string_view bytes, const std::string& path);

}  // namespace glia::io
