// Every syntax error in the words that a user reads.
#include "tests/parser/syntax_support.h"

namespace glia::tests {

struct Fault {
  const char* text;
  const char* code;
  const char* where;    // the text that is underlined
  const char* message;  // part of the headline
  const char* help;     // part of the first help; "" where there is none
};

void expect_faults(std::initializer_list<Fault> faults) {
  for (const Fault& f : faults) {
    Parsed p(f.text);
    ASSERT_EQ(p.diags.error_count(), 1u) << f.text << "\n" << p.messages();
    const Diagnostic& d = p.diags.all()[0];
    EXPECT_EQ(d.code, f.code) << f.text << "\n" << p.messages();
    EXPECT_EQ(p.sources.text(d.span), f.where) << f.text << "\n" << p.messages();
    EXPECT_NE(d.message.find(f.message), std::string::npos) << f.text << "\n" << p.messages();
    const std::string help = d.helps.empty() ? "" : d.helps[0];
    EXPECT_TRUE(*f.help ? help.find(f.help) != std::string::npos : help.empty()) << f.text << "\n" << p.messages();
  }
}

TEST(SyntaxMessages, WholeText) {
  EXPECT_EQ(Parsed("let a = 1\n\tlet b = (θ < b\n").messages(),
            "error[E0107]: `(` is never closed\n"
            " --> t.ml:2:13\n"
            "  |\n"
            "2 |     let b = (θ < b\n"
            "  |             ^\n"
            "  = note: the file ends before it is closed\n"
            "  = help: add `)`\n\n");
  EXPECT_EQ(Parsed("fn f() {\n  let x = (1 + 2\n  x\n}\n").messages(),
            "error[E0107]: `(` is never closed\n"
            " --> t.ml:2:11\n"
            "  |\n"
            "2 |   let x = (1 + 2\n"
            "  |           ^\n"
            "...\n"
            "4 | }\n"
            "  | - found `}` instead\n"
            "  = help: add `)`\n\n");
  EXPECT_EQ(Parsed("let b = a < b < c").messages(),
            "error[E0122]: comparisons do not chain\n"
            " --> t.ml:1:15\n"
            "  |\n"
            "1 | let b = a < b < c\n"
            "  |               ^\n"
            "  |           - the first comparison\n"
            "  = help: write `a < b and b < c`\n\n");
}

TEST(SyntaxMessages, FoundAndExpected) {
  expect_faults({
      {"f(a b)", "E0110", "b", "found `b`, expected `)` or `,`", ""},
      {"x y", "E0110", "y", "expected a new line", ""},
      {"let x = ", "E0110", "", "found the end of the file, expected an expression", ""},
      {"let x: f32\nlet y = 1", "E0110", "", "found the end of the line, expected `=`", ""},
      {"let x: = 1", "E0110", "=", "expected a type", ""},
      {"let 1 + 2", "E0110", "+", "expected `:` or `=`", ""},
      {"let = 1", "E0110", "=", "expected a pattern", ""},
      {"f(,)", "E0110", ",", "found `,`, expected an expression", ""},
      {"let t: f32[m n] = 3", "E0110", "n", "expected `]` or `,`", ""},
      {"model M {\n  3\n}", "E0110", "3", "expected `param`, `state`, `layer` or `fn`", ""},
      {"type T = Aa | b", "E0110", "b", "expected a capitalised name", ""},
      {"let s = \"v {a b} w\"", "E0110", "b", "found `b`, expected `}`", ""},
      {"let s = \"v {a + } w\"", "E0110", "}", "found `}`, expected an expression", ""},
  });
}

TEST(SyntaxMessages, Brackets) {
  expect_faults({
      {"print(1, 2", "E0107", "(", "never closed", "add `)`"},
      {"let a = [1, 2)", "E0108", ")", "the bracket open here is `[`", "close it with `]`"},
      {"}", "E0109", "}", "closes nothing", "remove it"},
      {"fn f(a, b { a }\nfn g() = 2", "E0107", "(", "never closed", "add `)`"},
      {"fn f() {\n  let b = )\n}", "E0109", ")", "closes nothing", "remove it"},
  });
}

TEST(SyntaxMessages, StringsAndNumbers) {
  expect_faults({
      {"let s = \"abc\nlet x = 1", "E0111", "\"abc", "never closed", "close it"},
      {"let s = \"a {} b\"", "E0136", "{}", "empty", "`\\{`"},
      {"let s = \"a \\q\"", "E0134", "\\q", "not an escape", "`\\\\`"},
      {"let s = \"a \\u{110000}\"", "E0135", "\\u{110000}", "not a character", ""},
      {"let s = \"a \\u{d800}\"", "E0135", "\\u{d800}", "not a character", ""},
      {"let s = \"a } b\"", "E0137", "}", "closes nothing", "`\\}`"},
      {"test \"a {b}\" { 1 }", "E0138", "\"a {b}\"", "cannot hold values", "`\\{`"},
      {"let x = 1abc", "E0112", "1abc", "not a number", "letter"},
      {"let x = 1__0", "E0112", "1__0", "not a number", "single `_`"},
      {"let x = 0xzz", "E0112", "0xzz", "not a number", "0-9 and a-f"},
      {"let x = 99999999999999999999", "E0123", "99999999999999999999", "too large", ""},
      {"let x = 1e999", "E0123", "1e999", "too large", ""},
      {"let x = 2.", "E0115", "2.", "both sides of the point", "write `2.0`"},
      {"let x = (2. + 1)", "E0115", "2.", "both sides of the point", "write `2.0`"},
      {"let x = .5 + 2", "E0115", ".5", "both sides of the point", "write `0.5`"},
      {"let x = s.0x1", "E0124", "0x1", "not a tuple index", "plain digits"},
      {"let x = 1 $ 2", "E0113", "$", "has no meaning", ""},
      {"let x = 'abc'", "E0110", "'abc", "expected an expression", "double quotes"},
  });
}

TEST(SyntaxMessages, Misspelt) {
  expect_faults({
      {"modle Foo {\n  param w: f32 = 0\n}", "E0116", "modle", "does not begin anything", "`model`"},
      {"trian {\n  model: Foo\n}", "E0116", "trian", "does not begin anything", "`train`"},
      {"lte x = 1", "E0116", "lte", "does not begin anything", "`let`"},
      {"let x = if a tehn b else c", "E0110", "tehn", "expected `then`", "`then`"},
      {"let x = if a then b els c", "E0110", "els", "`else`", "`else`"},
      {"model M {\n  parm w: f32 = 0\n}", "E0110", "parm", "expected `param`", "`param`"},
  });
}

TEST(SyntaxMessages, HabitsFromOtherLanguages) {
  expect_faults({
      {"let y = 2 ** 3", "E0114", "**", "not an operator", "`^`"},
      {"let y = a & b", "E0114", "&", "not an operator", "`and`"},
      {"let y = a && b", "E0114", "&&", "not an operator", "`and`"},
      {"let y = a || b", "E0114", "||", "not an operator", "`or`"},
      {"let y = !a", "E0114", "!", "not an operator", "`not`"},
      {"let y = a | b", "E0110", "|", "expected a new line", "`or`"},
      {"x += 1", "E0114", "+=", "not an operator", "`let x = x + …`"},
      {"x **= 2", "E0114", "**=", "not an operator", "`let x = x ^ …`"},
      {"x[None]", "E0125", "None", "cannot be `None`", "reshape"},
      {"def f(x):\n  x", "E0116", "def", "does not begin", "`fn name"},
      {"let f = lambda x: x + 1", "E0116", "lambda", "does not begin", "`x => e`"},
      {"let f = if a then b elif c then d else e", "E0110", "elif", "`else`", "`else if`"},
      {"fn f(x: f32) -> f32 {\n  return x\n}", "E0116", "return", "does not begin", "leave `return` out"},
      {"x = 3", "E0110", "=", "expected a new line", "`let x = …`"},
      {"if x = 1 then print(2)", "E0110", "=", "expected `then`", "`==`"},
      {"let x == 3", "E0110", "==", "expected `:` or `=`", "`=` defines"},
      {"let x = a ? b : c", "E0110", "?", "expected a new line", "if c then"},
      {"let x = a if b else c", "E0110", "if", "expected a new line", "if c then"},
      {"for x in xs:\n  print(x)", "E0110", ":", "`=>`", "for x in xs =>"},
      {"for x in xs { print(x) }", "E0110", "{", "`=>`", "loop s = s0"},
      {"while c { x }", "E0110", "while", "expected a declaration or a statement", "loop s = s0 while"},
      {"if a { b } else { c }", "E0110", "{", "expected `then`", "if c then"},
      {"let f = x -> x", "E0110", "->", "expected a new line", "`=>`"},
      {"fn f(x) => x", "E0110", "=>", "expected `{` or `=`", "follows `=`"},
      {"print \"hello\"", "E0110", "\"hello\"", "found a string", "`print(…)`"},
      {"let x = f(y: 3)", "E0110", ":", "expected `)` or `,`", "named with `=`"},
      {"import \"nn\"", "E0110", "\"nn\"", "expected a name", "without quotes"},
      {"from nn import *", "E0110", "*", "expected a name", "from nn import Dense"},
  });
}

TEST(SyntaxMessages, RulesOfTheLanguage) {
  expect_faults({
      {"let in = 3", "E0110", "in", "expected a pattern", "is a keyword"},
      {"param w: f32 = 0", "E0110", "w", "expected a new line", "braces of a `model`"},
      {"test foo { 1 }", "E0110", "foo", "expected a new line", "`test \"…\""},
      {"option x = 3", "E0110", "=", "expected `:`", "an option has a type"},
      {"fn f(x f32) = 1", "E0110", "f32", "`:`", "`x: f32`"},
      {"fn f() {\n  fn g() = 1\n  g()\n}", "E0110", "fn", "", "let f = x => e"},
      {"let x = 1 + not a", "E0110", "not", "expected an expression", "(not …)"},
      {"let x = 1 + for i => i", "E0110", "for", "expected an expression", "(for …)"},
      {"match e {\n  A => 1,\n  B => 2\n}", "E0110", ",", "a new line", "new lines or `;`"},
      {"fn f() { a: 1 }", "E0110", ":", "", "{ { a: e } }"},
      {"let x = {a, b}", "E0110", ",", "", "a tuple is written"},
      {"f(a,,b)", "E0120", ",", "between two commas", "remove"},
      {"a + b => c", "E0121", "a + b", "a parameter", "`(x, y) => …`"},
      {"let b = a == b == c", "E0122", "==", "do not chain", "`a == b and b == c`"},
      {"State { a: 1, ..s }", "E0126", "..s", "stands first", "..s"},
      {"f(x).State { a: 1 }", "E0127", "f(x)", "follow the name of a type", ""},
      {"f(a = 1, b)", "E0128", "b", "after a named one", "positional arguments first"},
      {"for i in a |> b..3 => i", "E0129", "a |> b", "a sum", "(a |> b).."},
      {"for (a, b) => 1", "E0130", "(a, b)", "a name or `_`", "for (a, b) in xs"},
      {"f(x) := 3", "E0131", "f(x)", "the name of a state", "`:=` updates"},
      {"fn f(a..., b) = 1", "E0132", "a...", "only the last", ""},
      {"optimizer o(lr: f32) {\n  state v = 0\n}", "E0133", "o", "has none", "update (p, g)"},
  });
}

// One fault costs one statement: the others are still read, and told of.
TEST(SyntaxMessages, SeveralAFile) {
  Parsed p("let q = 3 3\n"
           "let a = 1\n"
           "model M {\n"
           "  parm w: f32 = 0\n"
           "  layer a = f(1, 2\n)\n"
           "  fn call(x: f32) {\n"
           "    let y = 3 3\n"
           "    let z = * 2\n"
           "    y + z\n"
           "  }\n"
           "}\n"
           "let b = 2\n");
  EXPECT_EQ(p.codes(), "E0110 E0110 E0110 E0110") << p.messages();
  EXPECT_EQ(p.printed(), "(let a 1)\n(model M () (layer a (call f 1 2)) (fn call (x:f32) (block (+ y z))))\n(let b 2)\n");
}

TEST(SyntaxMessages, AnUnclosedBraceDoesNotTakeTheRest) {
  Parsed p("fn f() {\n  let x = 1\n\nfn g() = 2 2\n\nlet b = 3\n");
  EXPECT_EQ(p.codes(), "E0107 E0110") << p.messages();
}

}  // namespace glia::tests
