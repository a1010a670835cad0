// Tokenisers of llama2.c: the pieces of text by token, each with the score by which pieces are joined.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace glia::io {

struct TokenPieces {
  std::vector<std::string> pieces;  // by token
  std::vector<float> scores;        // as many
};

// A number (the longest piece), then for every token its score, its length and its bytes.
Result<TokenPieces> read_token_pieces(const std::string& path);
Result<TokenPieces> parse_token_pieces(std::string_view bytes, const std::string& path);

}  // namespace glia::io
