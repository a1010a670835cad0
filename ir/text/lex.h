// Words of the text form. A fault stops the reading: the first one is kept, with its line, and everything after it reads
// as the end of the text.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace glia::ir {

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  bool at_end();
  bool peek(std::string_view symbol);          // does the symbol or word come next?
  bool take(std::string_view symbol);          // if so, steps over it
  void expect(std::string_view symbol);
  bool peek_name();
  std::string name();                          // a word, or a text in quotes
  bool peek_quote();
  std::string quote();
  int64_t integer();                           // without a sign
  std::optional<double> real();                // a number with a point, an exponent, or one of inf and nan; signed
  void fail(std::string message);

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

 private:
  void skip();
  std::string_view rest() const { return text_.substr(at_); }
  std::string_view word() const;

  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace glia::ir
