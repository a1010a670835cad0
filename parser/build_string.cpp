// String literals: escapes, and interpolations parsed where they stand in the file.
#include <charconv>

#include "parser/builder.h"

namespace glia::syntax {

inline constexpr DiagKind bad_escape{"E0134", Severity::error, "`{}` is not an escape"};
inline constexpr DiagKind bad_code_point{"E0135", Severity::error, "`{}` is not a character of Unicode"};
inline constexpr DiagKind empty_interpolation{"E0136", Severity::error, "the braces in this string are empty"};
inline constexpr DiagKind stray_brace{"E0137", Severity::error, "`}}` in a string closes nothing"};
inline constexpr DiagKind interpolation_here{"E0138", Severity::error, "this string is read before anything runs: it cannot hold values"};

namespace {

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// Where the string that begins at `at` (a quote) ends: one past its closing quote. The lexer has seen that it does.
size_t skip_string(std::string_view text, size_t at);

// Where the brace that opens at `at` closes, and the first `:` outside brackets in it (npos: none).
struct Hole {
  size_t close, colon;
};

Hole find_hole(std::string_view text, size_t at) {
  size_t depth = 0, colon = std::string_view::npos;
  for (size_t i = at + 1; i < text.size(); ++i) {
    const char c = text[i];
    const bool in_format = colon != std::string_view::npos;
    if (c == '"') {
      i = skip_string(text, i) - 1;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == '}' && (depth == 0 || in_format)) {
      return {i, colon};
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth > 0) --depth;
    } else if (c == ':' && depth == 0 && !in_format) {
      colon = i;
    }
  }
  return {text.size(), colon};
}

size_t skip_string(std::string_view text, size_t at) {
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == '"') return i + 1;
    else if (text[i] == '{') i = find_hole(text, i).close;
  }
  return text.size();
}

// Reads one literal; positions in `body` map to the file by adding `offset`.
class StringReader {
 public:
  StringReader(const Text& text, Span token, Diagnostics& diags, ast::Tree& tree)
      : text_(text), diags_(diags), tree_(tree), file_(token.file), offset_(token.begin + 1),
        body_(text.all.substr(token.begin + 1, token.end - token.begin - 2)) {}

  ast::String read() {
    for (size_t i = 0; i < body_.size();) {
      const char c = body_[i];
      if (c == '\\') i = escape(i);
      else if (c == '{') i = hole(i);
      else literal_ += c, i += 1 + stray(i);
    }
    if (!literal_.empty() || out_.pieces.empty()) out_.pieces.push_back({std::move(literal_), {}, {}});
    return std::move(out_);
  }

 private:
  Span place(size_t begin, size_t end) const {
    return {file_, static_cast<uint32_t>(offset_ + begin), static_cast<uint32_t>(offset_ + end)};
  }

  size_t stray(size_t i) {
    if (body_[i] == '}') diags_.report(stray_brace, place(i, i + 1)).help("a plain brace is written `\\}`");
    return 0;
  }

  size_t escape(size_t i) {
    const char c = i + 1 < body_.size() ? body_[i + 1] : '\0';
    switch (c) {
      case 'n': literal_ += '\n'; return i + 2;
      case 't': literal_ += '\t'; return i + 2;
      case '"': case '\\': case '{': case '}': literal_ += c; return i + 2;
      case 'u': return unicode(i);
      default: break;
    }
    size_t end = i + 2;  // the whole character, not a part of it
    while (end < body_.size() && (static_cast<unsigned char>(body_[end]) & 0xC0) == 0x80) ++end;
    diags_.report(bad_escape, place(i, end), body_.substr(i, end - i))
        .note("the escapes are \\n \\t \\\" \\\\ \\{ \\} and \\u{…}")
        .help("a backslash itself is written `\\\\`");
    return end;
  }

  size_t unicode(size_t i) {
    const size_t close = body_.find('}', i);
    const bool braces = i + 2 < body_.size() && body_[i + 2] == '{' && close != std::string_view::npos;
    if (!braces) {
      diags_.report(bad_escape, place(i, i + 2), "\\u").help("write the code point in braces: `\\u{3b8}`");
      return i + 2;
    }
    const std::string_view digits = body_.substr(i + 3, close - i - 3);
    uint32_t code = 0;
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    const bool all = wrong == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
    if (!all || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
      diags_.report(bad_code_point, place(i, close + 1), body_.substr(i, close + 1 - i)).note("hexadecimal, at most 10ffff");
    else
      append_utf8(literal_, code);
    return close + 1;
  }

  size_t hole(size_t i) {
    const Hole h = find_hole(body_, i);
    const size_t end = h.colon == std::string_view::npos ? h.close : h.colon;
    if (body_.substr(i + 1, end - i - 1).find_first_not_of(" \t") == std::string_view::npos) {
      diags_.report(empty_interpolation, place(i, h.close + 1)).help("plain braces are written `\\{` and `\\}`");
      return h.close + 1;
    }
    if (!literal_.empty()) out_.pieces.push_back({std::move(literal_), {}, {}});
    literal_.clear();
    const Span inside = place(i + 1, end);
    const ast::ExprId value = parse_interpolation(text_, inside.begin, inside.end, diags_, tree_);
    std::string format(h.colon == std::string_view::npos ? "" : body_.substr(h.colon + 1, h.close - h.colon - 1));
    if (value.valid()) out_.pieces.push_back({"", value, std::move(format)});
    return h.close + 1;
  }

  const Text& text_;
  Diagnostics& diags_;
  ast::Tree& tree_;
  FileId file_;
  size_t offset_;
  std::string_view body_;
  ast::String out_;
  std::string literal_;
};

}  // namespace

ast::ExprId Builder::string(Span token) {
  ast::String s = StringReader(text_, token, diags_, tree_).read();
  return add(token, std::move(s));
}

std::string Builder::plain_string(Span token) {
  const ast::String s = StringReader(text_, token, diags_, tree_).read();
  for (const ast::StringPiece& p : s.pieces)
    if (p.expr.valid()) diags_.report(interpolation_here, token).help("a plain `{` is written `\\{`");
  return s.pieces.front().text;
}

}  // namespace glia::syntax
