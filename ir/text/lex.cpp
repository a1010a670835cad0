// The scanner of the text form.
#include "ir/text/lex.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace glia::ir {

namespace {
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
}  // namespace

void Lexer::skip() {
  while (at_ < text_.size()) {
    char c = text_[at_];
    bool comment = c == '#' && (at_ == 0 || text_[at_ - 1] == ' ' || text_[at_ - 1] == '\n');
    if (comment) while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') ++at_;
    else return;
  }
}

std::string_view Lexer::word() const {
  std::string_view r = rest();
  if (r.empty() || !is_letter(r[0])) return {};
  size_t n = 1;
  // a point belongs to the word unless a second one follows: `..s` begins a pack
  while (n < r.size() && (is_letter(r[n]) || is_digit(r[n]) || (r[n] == '.' && n + 1 < r.size() && r[n + 1] != '.'))) ++n;
  return r.substr(0, n);
}

void Lexer::fail(std::string message) {
  if (!ok()) return;
  auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(std::min(at_, text_.size())), '\n');
  error_ = fmt::format("line {}: {}", line, message);
  at_ = text_.size();
}

bool Lexer::at_end() { return skip(), at_ >= text_.size(); }

bool Lexer::peek(std::string_view symbol) {
  skip();
  if (std::string_view w = word(); !w.empty()) return w == symbol;
  return rest().starts_with(symbol);
}

bool Lexer::take(std::string_view symbol) {
  if (!ok() || !peek(symbol)) return false;
  at_ += symbol.size();
  return true;
}

void Lexer::expect(std::string_view symbol) {
  if (take(symbol) || !ok()) return;
  std::string_view found = rest().substr(0, std::min<size_t>(rest().find('\n'), 20));
  fail(fmt::format("expected `{}`, found `{}`", symbol, found));
}

bool Lexer::peek_quote() { return skip(), rest().starts_with('"'); }
bool Lexer::peek_name() { return peek_quote() || !word().empty(); }

std::string Lexer::name() {
  if (peek_quote()) return quote();
  std::string w(word());
  if (w.empty()) fail("expected a name");
  at_ += w.size();
  return w;
}

std::string Lexer::quote() {
  expect("\"");
  std::string out;
  while (ok() && at_ < text_.size() && text_[at_] != '"') {
    char c = text_[at_++];
    if (c != '\\') {
      out += c;
      continue;
    }
    char kind = at_ < text_.size() ? text_[at_++] : 0;
    int code = 0;
    if (kind == 'n') out += '\n';
    else if (kind == '"' || kind == '\\') out += kind;
    else if (kind == 'x' && at_ + 2 <= text_.size() &&
             std::from_chars(text_.data() + at_, text_.data() + at_ + 2, code, 16).ptr == text_.data() + at_ + 2) out += static_cast<char>(code), at_ += 2;
    else fail("an escape that is not known");
  }
  if (ok() && at_ >= text_.size()) fail("a text without its closing quote");
  if (ok()) ++at_;
  return out;
}

int64_t Lexer::integer() {
  skip();
  int64_t v = 0;
  std::string_view r = rest();
  auto [end, fault] = std::from_chars(r.data(), r.data() + r.size(), v);
  if (fault != std::errc() || r[0] == '-') return fail("expected a whole number"), 0;
  at_ += static_cast<size_t>(end - r.data());
  return v;
}

std::optional<double> Lexer::real() {
  skip();
  std::string_view r = rest();
  size_t sign = r.starts_with('-') ? 1 : 0;
  if (r.substr(sign).starts_with("inf")) return at_ += sign + 3, (sign ? -1 : 1) * std::numeric_limits<double>::infinity();
  if (r.starts_with("nan(0x") && r.size() >= 23) {
    uint64_t bits = 0;
    std::from_chars(r.data() + 6, r.data() + 22, bits, 16);
    double d = std::bit_cast<double>(bits);
    if (d == d || r[22] != ')') return std::nullopt;
    return at_ += 23, d;
  }
  if (r.starts_with("nan")) return at_ += 3, std::numeric_limits<double>::quiet_NaN();
  size_t n = sign;
  while (n < r.size() && (is_digit(r[n]) || r[n] == '.' || r[n] == 'e' || (n > 0 && (r[n] == '-' || r[n] == '+') && r[n - 1] == 'e'))) ++n;
  if (n == sign || r.substr(0, n).find_first_of(".e") == std::string_view::npos) return std::nullopt;
  double d = 0;
  auto [end, fault] = std::from_chars(r.data(), r.data() + n, d);
  if (fault != std::errc() || end != r.data() + n) return std::nullopt;
  return at_ += n, d;
}

}  // namespace glia::ir
