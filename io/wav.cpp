// WAV audio: the chunks `fmt ` and `data` of a RIFF file; others are passed over.
#include "io/wav.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "io/bytes.h"

namespace glia::io {
namespace {

constexpr uint16_t pcm = 1, ieee_float = 3, extensible = 0xfffe;

std::unexpected<Error> broken(const std::string& path, std::string_view what) { return fail(fmt::format("`{}`: {}", path, what)); }

struct Format {
  uint16_t kind = 0, channels = 0, bits = 0;
  uint32_t rate = 0;
};

Result<Format> parse_format(std::string_view chunk, const std::string& path) {
  if (chunk.size() < 16) return broken(path, fmt::format("the chunk `fmt ` has {} bytes, at least 16 are needed", chunk.size()));
  Format f{little_endian<uint16_t>(chunk, 0), little_endian<uint16_t>(chunk, 2), little_endian<uint16_t>(chunk, 14),
           little_endian<uint32_t>(chunk, 4)};
  if (f.kind == extensible) {
    if (chunk.size() < 26) return broken(path, "the chunk `fmt ` ends before its sub-format");
    f.kind = little_endian<uint16_t>(chunk, 24);
  }
  const bool known = f.kind == pcm ? f.bits == 8 || f.bits == 16 || f.bits == 24 || f.bits == 32 : f.kind == ieee_float && f.bits == 32;
  if (!known) return broken(path, fmt::format("samples of format {} with {} bits are not read: only PCM and 32-bit floats are", f.kind, f.bits));
  if (f.channels != 1) return fail(fmt::format("`{}` has {} channels: one is read", path, f.channels), "mix it down to one channel");
  if (f.rate == 0) return broken(path, "a rate of 0 samples a second");
  if (little_endian<uint16_t>(chunk, 12) != f.bits / 8)
    return broken(path, fmt::format("a sample has {} bits but takes {} bytes", f.bits, little_endian<uint16_t>(chunk, 12)));
  return f;
}

float sample(std::string_view data, size_t at, const Format& f) {
  switch (f.bits) {
    case 8: return static_cast<float>(static_cast<unsigned char>(data[at]) - 128) / 128.0f;
    case 16: return static_cast<float>(little_endian<int16_t>(data, at)) / 32768.0f;
    case 24: {
      const auto low = little_endian<uint16_t>(data, at);
      return static_cast<float>(static_cast<int8_t>(data[at + 2]) * 65536 + low) / 8388608.0f;
    }
    default: break;
  }
  if (f.kind == ieee_float) return little_endian<float>(data, at);
  return static_cast<float>(little_endian<int32_t>(data, at)) / 2147483648.0f;
}

Result<Wav> parse_samples(std::string_view data, const Format& f, const std::string& path) {
  const size_t size = f.bits / 8;
  if (data.size() % size != 0) return broken(path, fmt::format("{} bytes of samples are no whole number of samples of {} bytes", data.size(), size));
  Wav out{f.rate, {}};
  out.samples.reserve(data.size() / size);
  for (size_t at = 0; at < data.size(); at += size) {
    const float x = sample(data, at, f);
    if (!std::isfinite(x)) return broken(path, fmt::format("sample {} is not a number", at / size + 1));
    out.samples.push_back(x);
  }
  return out;
}

}  // namespace

Result<Wav> parse_wav(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 12 || !bytes.starts_with("RIFF") || bytes.substr(8, 4) != "WAVE")
    return fail(fmt::format("`{}` is not a WAV file: it does not begin with RIFF … WAVE", path));
  std::optional<Format> format;
  for (size_t at = 12; bytes.size() - at >= 8;) {
    const std::string_view name = bytes.substr(at, 4);
    const size_t size = little_endian<uint32_t>(bytes, at + 4), left = bytes.size() - at - 8;
    if (size > left) return broken(path, fmt::format("the chunk at byte {} has {} bytes, but {} are left: the file may be truncated", at, size, left));
    const std::string_view chunk = bytes.substr(at + 8, size);
    if (name == "fmt ") {
      auto parsed = parse_format(chunk, path);
      if (!parsed) return std::unexpected(parsed.error());
      format = *parsed;
    } else if (name == "data") {
      if (!format) return broken(path, "its samples come before their format");
      return parse_samples(chunk, *format, path);
    }
    at += std::min(8 + size + size % 2, bytes.size() - at);
  }
  return broken(path, format ? "it has no samples: no chunk `data`" : "it has no format: no chunk `fmt `");
}

}  // namespace glia::io
