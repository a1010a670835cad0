// Tokenisers of llama2.c.
#include "io/tokens.h"

#include <cmath>

#include <fmt/format.h>

#include "io/bytes.h"
#include "io/file.h"

namespace glia::io {
namespace {

std::unexpected<Error> broken(const std::string& path, std::string_view what) {
  return fail(fmt::format("`{}` is not a tokeniser of llama2.c: {}", path, what));
}

}  // namespace

Result<TokenPieces> parse_token_pieces(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 4) return broken(path, fmt::format("it has {} bytes", bytes.size()));
  const auto longest = little_endian<int32_t>(bytes, 0);
  if (longest <= 0) return broken(path, fmt::format("its longest piece has {} bytes", longest));
  TokenPieces out;
  for (size_t at = 4; at < bytes.size();) {
    const size_t token = out.pieces.size(), left = bytes.size() - at;
    if (left < 8) return broken(path, fmt::format("it ends inside token {} (byte {})", token, at));
    const auto score = little_endian<float>(bytes, at);
    const auto size = little_endian<int32_t>(bytes, at + 4);
    if (!std::isfinite(score)) return broken(path, fmt::format("the score of token {} (byte {}) is not a number", token, at));
    if (size < 0 || static_cast<size_t>(size) > left - 8) return broken(path, fmt::format("token {} (byte {}) has {} bytes, but {} are left", token, at, size, left - 8));
    if (size > longest) return broken(path, fmt::format("token {} (byte {}) has {} bytes, but the longest should have {}", token, at, size, longest));
    out.pieces.emplace_back(bytes.substr(at + 8, static_cast<size_t>(size)));
    out.scores.push_back(score);
    at += 8 + static_cast<size_t>(size);
  }
  if (out.pieces.empty()) return broken(path, "it has no tokens");
  return out;
}

Result<TokenPieces> read_token_pieces(const std::string& path) {
  const auto bytes = read_file(path, Gzip::never);
  if (!bytes) return std::unexpected(bytes.error());
  return within_memory(path, [&] { return parse_token_pieces(*bytes, path); });
}

}  // namespace glia::io
