// Vocabularies and tokenisers: objects of the host that turn text into numbers and back.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "interp/value.h"
#include "io/tokens.h"

namespace glia::interp {

// The tokens of a text and their numbers: `end` first, then `unknown`, then the others.
struct Vocabulary : HostObject {
  bool characters = false;  // a token is a character; otherwise a word
  std::vector<std::string> tokens;
  std::unordered_map<std::string, int32_t> ids;
  std::optional<int32_t> unknown, end;

  std::optional<int32_t> id(const std::string& token) const;  // that of `unknown` where there is one; else nothing
};

// Byte pairs of llama2.c: the pair of neighbours with the best score is joined until there is none.
struct Tokenizer : HostObject {
  io::TokenPieces table;
  std::unordered_map<std::string, int32_t> ids;

  std::vector<int32_t> encode(const std::string& text, bool bos) const;
  std::string piece(int32_t before, int32_t token) const;  // the text that `token` adds after `before`
};

std::vector<std::string> characters_of(std::string_view text);  // UTF-8, one string each
std::vector<std::string> words_of(std::string_view text);       // between spaces and ends of lines

}  // namespace glia::interp
