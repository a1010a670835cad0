// Tokens as plain values between the lexer, the newline filter and the parser. Read only by the files that
// know ANTLR: parse.cpp, lexemes.cpp, newline_filter.cpp, nesting.cpp, syntax_*.cpp and build_*.cpp.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "GliaParser.h"
#include "base/diag.h"

namespace glia::syntax {

using Kind = GliaParser;  // names the token kinds: Kind::COMMA

struct Lexeme {
  size_t kind = 0;
  uint32_t begin = 0, end = 0;  // bytes of the file
  uint32_t line = 0;
};

struct DocComment {
  std::string text;    // without `##`
  uint32_t begin = 0;  // byte of the first `#`
  uint32_t line = 0;
  bool own_line = false;  // nothing else stands before it on its line
  bool of_file = false;   // of the first run of lines, before anything else
};

struct Lexed {
  std::vector<Lexeme> tokens;  // ends with EOF
  std::vector<DocComment> docs;
};

// The file at hand, for everyone who needs the text of a token or a place to blame.
struct Text {
  const Sources& sources;
  FileId file;
  std::string_view all;

  std::string_view of(const Lexeme& t) const { return all.substr(t.begin, t.end - t.begin); }
  Span span(const Lexeme& t) const { return {file, t.begin, t.end}; }
};

// Bytes [begin, end) of the text as tokens. The text is valid UTF-8. Comments are dropped, newlines kept.
Lexed lex(const Text& text, uint32_t begin, uint32_t end);

// At most about forty bytes of it, for messages.
std::string shortened(std::string_view source);

bool is_word(size_t kind);    // a name or any keyword
bool opens(size_t kind);      // a bracket, retyped or not
bool is_brace(size_t kind);   // one that opens
bool closes(size_t kind);

}  // namespace glia::syntax
