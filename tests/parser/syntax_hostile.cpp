// Limits, garbage, truncated and mutilated programs: a message each, never a crash, never a flood.
#include <random>

#include "tests/parser/syntax_support.h"

namespace glia::tests {

std::string times(std::string_view part, size_t n) {
  std::string out;
  out.reserve(part.size() * n);
  for (size_t i = 0; i < n; ++i) out += part;
  return out;
}

constexpr size_t many = 100'000;
constexpr size_t most_messages = 30;

// Wrong text of any kind: at least one message, not a flood, and each message can be shown.
void expect_refused(const std::string& text, std::string_view code = {}) {
  Parsed p(text);
  ASSERT_TRUE(p.diags.has_errors()) << text.substr(0, 80);
  EXPECT_LE(p.diags.error_count(), most_messages) << text.substr(0, 80);
  EXPECT_FALSE(p.messages().empty());
  if (code.empty()) return;
  EXPECT_EQ(p.diags.all().back().code, code) << text.substr(0, 80) << p.messages().substr(0, 400);
}

TEST(SyntaxLimits, DeepNestingIsRefused) {
  expect_refused(times("(", many) + "1" + times(")", many), "E0104");
  expect_refused(times("[", many) + "1" + times("]", many), "E0104");
  expect_refused(times("{", many) + "1" + times("}", many), "E0104");
  expect_refused(times("{ a: ", many) + "1" + times("}", many), "E0104");
  expect_refused(times("f(", many) + "1" + times(")", many), "E0104");
  for (const char* part : {"(", "[", "{", "f(", "A { a: ", "([{", "match x { "}) expect_refused(times(part, many), "E0107");
  for (const char* part : {"-", "not ", "2 ^ ", "if a then ", "if a then b else ", "x => ", "(x) => ", "for i => ", "loop x = "})
    expect_refused(times(part, many) + "1", "E0104");
  expect_refused("let x: " + times("(", many) + "a" + times(")", many) + " = 1", "E0104");
  expect_refused("let x: " + times("a -> ", many) + "a = 1", "E0104");
  expect_refused("let " + times("(", many) + "a" + times(")", many) + " = 1", "E0104");
}

TEST(SyntaxLimits, LongChainsAreRefused) {
  for (const char* part : {" + 1", " |> f", " and b", ".b", "(1)", "[0]", " - 1", " < 1"}) expect_refused("a" + times(part, many), "E0105");
}

TEST(SyntaxLimits, StringsInStringsAreRefused) {
  expect_refused("\"" + times("{", many) + "\"", "E0106");
  expect_refused(times("\"{", many), "E0106");
  expect_refused("\"" + times("{a", many) + "\"", "E0106");
}

TEST(SyntaxLimits, WhatIsBelowTheLimitParses) {
  tree_of(times("(", 250) + "1" + times(")", 250));
  tree_of("1" + times(" + 1", 999));
  tree_of(times("if a then b else ", 200) + "c");
  tree_of("\"" + times("{\"", 7) + "x" + times("\"}", 7) + "\"");
  std::string nested = "x";
  for (int i = 0; i < 14; ++i) nested = "\"{" + times("(", 30) + nested + times(")", 30) + "}\"";
  tree_of(nested);
}

TEST(SyntaxLimits, LongFlatTextsParse) {
  EXPECT_EQ(Parsed(times("let x = 1\n", 20'000)).tree.items.size(), 20'000u);
  EXPECT_EQ(Parsed(times("\n", many)).diags.error_count(), 0u);
  tree_of("[" + times("1, ", 20'000) + "1]");
  tree_of("\"" + times("a", many) + "\"");
  tree_of("let " + times("a", many) + " = 1");
  tree_of("type T = A" + times(" | A", 10'000));
}

TEST(SyntaxHostile, NotText) {
  expect_refused("let x = 1\n\xff\xfe", "E0101");
  expect_refused("\xc0\xaf", "E0101");          // overlong
  expect_refused("\xed\xa0\x80", "E0101");      // a surrogate
  expect_refused("\xf4\x90\x80\x80", "E0101");  // above U+10FFFF
  expect_refused("let \xe2\x82", "E0101");      // cut
  expect_refused(std::string("let x = 1\0", 10), "E0102");
  expect_refused(times(std::string_view("\0\1", 2), many), "E0102");
  EXPECT_EQ(Parsed(std::string("\x7f" "ELF\x01\x02\0\0", 8)).diags.error_count(), 1u);
}

TEST(SyntaxHostile, FloodsAreCapped) {
  expect_refused(times("let x = 1 1\n", many), "E0103");
  expect_refused(times("$\n", many), "E0103");
  expect_refused(times("\"{a\n", many), "E0103");
  expect_refused("fn f() {\n" + times("let = 1\n", 1000) + "}");
  expect_refused(times(")", many));
  expect_refused("f(" + times(",", many) + ")");
  expect_refused(times("@", many));
  expect_refused(times("'", many));
  expect_refused(times("1", many), "E0123");
}

TEST(SyntaxHostile, RandomBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string text(random() % 200, '\0');
    for (char& c : text) c = static_cast<char>(random());
    Parsed p(text);
    EXPECT_LE(p.diags.error_count(), most_messages);
    p.messages();
  }
}

TEST(SyntaxHostile, RandomPrintable) {
  std::mt19937 random(2);
  constexpr std::string_view pieces[] = {"(", ")", "[", "]", "{", "}", "\"", "a", "B", "1", "2.5", ".", "..", ",", ":", "=", "=>", "->",
                                         "\n", " ", "#", "##", "let ", "fn ", "if ", "then ", "else ", "for ", "in ", "match ", "model ",
                                         "train ", "loop ", "-", "+", "^", "|", "|>", "_", "'a", "not ", "type ", "backward ", "θ", "\\"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t n = random() % 40; n > 0; --n) text += pieces[random() % std::size(pieces)];
    Parsed p(text);
    EXPECT_LE(p.diags.error_count(), most_messages) << text;
    p.messages();
    p.printed();
  }
}

TEST(SyntaxHostile, TruncatedPrograms) {
  const auto files = programs();
  if (files.empty()) GTEST_SKIP() << "no programs in " << shared_folder();
  for (const auto& f : files) {
    const std::string text = read(f);
    for (size_t n = 0; n < text.size(); n += 7) {
      Parsed p(text.substr(0, n));
      EXPECT_LE(p.diags.error_count(), 8u) << f << " cut at " << n << "\n" << p.messages();
      p.printed();
    }
  }
}

TEST(SyntaxHostile, ProgramsWithPiecesTakenOut) {
  const auto files = programs();
  if (files.empty()) GTEST_SKIP() << "no programs in " << shared_folder();
  std::mt19937 random(3);
  for (const auto& f : files) {
    const std::string whole = read(f);
    for (int round = 0; round < 40; ++round) {
      std::string text = whole;
      for (int k = 0; k < 3; ++k) text.erase(random() % text.size(), 1 + random() % 4);
      Parsed p(text);
      EXPECT_LE(p.diags.error_count(), most_messages) << f;
      p.messages();
      p.printed();
    }
  }
}

// Whatever is refused is refused with a place inside the file.
TEST(SyntaxHostile, PlacesAreInsideTheFile) {
  std::mt19937 random(4);
  const std::string whole = "fn f(x: f32) -> f32 {\n  let a = \"v {x:.2f}\"\n  match x { 1 => 2\n _ => [1, 2] }\n}\n";
  for (int round = 0; round < 1000; ++round) {
    std::string text = whole;
    for (int k = 0; k < 2; ++k) text[random() % text.size()] = "(){}[]\",.:=1a \n"[random() % 15];
    Parsed p(text);
    for (const Diagnostic& d : p.diags.all()) {
      ASSERT_TRUE(d.span.valid()) << text;
      EXPECT_LE(d.span.begin, d.span.end) << text;
      EXPECT_LE(d.span.end, text.size() + 1) << text;
    }
  }
}

}  // namespace glia::tests
