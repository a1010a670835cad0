// The formatter: what it makes regular, what it keeps, and its laws over every program of the project.
#include "parser/format.h"

#include "tests/parser/syntax_support.h"

namespace glia::tests {
namespace {

std::string formatted(const std::string& text) {
  Sources sources;
  Diagnostics diags;
  const auto out = format_source(sources, sources.add("t.ml", text), diags);
  EXPECT_TRUE(out) << render_all(diags, sources);
  return out.value_or("");
}

TEST(Format, SpacesAroundOperatorsAndAfterCommas) {
  EXPECT_EQ(formatted("let x=1+2*-3"), "let x = 1 + 2 * -3\n");
  EXPECT_EQ(formatted("print( a ,b,c )"), "print(a, b, c)\n");
  EXPECT_EQ(formatted("let y = x [ 1 : ] [ :,0 ]"), "let y = x[1:][:, 0]\n");
  EXPECT_EQ(formatted("fn f( x:f32[ n ] )->f32=x^-2"), "fn f(x: f32[n]) -> f32 = x ^ -2\n");
  EXPECT_EQ(formatted("let s={a:1,b:{c:2}}"), "let s = { a: 1, b: { c: 2 } }\n");
  EXPECT_EQ(formatted("loop s=0 for i in 1 .. 6 {s+i}"), "loop s = 0 for i in 1..6 { s + i }\n");
  EXPECT_EQ(formatted("f(x=>x , axis=-1)"), "f(x => x, axis = -1)\n");
  EXPECT_EQ(formatted("let z = State{..s,b:1}"), "let z = State { ..s, b: 1 }\n");
  EXPECT_EQ(formatted("let u = update (a, 1)"), "let u = update(a, 1)\n");
  EXPECT_EQ(formatted("optimizer o(a: f32){update(p,g){p:=p-g}}"), "optimizer o(a: f32) { update (p, g) { p := p - g } }\n");
}

TEST(Format, IndentsByBracketsAndBodies) {
  EXPECT_EQ(formatted("fn f(x) {\nlet y = x\n    y\n}"), "fn f(x) {\n  let y = x\n  y\n}\n");
  EXPECT_EQ(formatted("fn f(x) =\nfor i =>\nx[i] +\n1"), "fn f(x) =\n  for i =>\n    x[i] +\n    1\n");
  EXPECT_EQ(formatted("let y = x\n|> a\n      |> b"), "let y = x\n  |> a\n  |> b\n");
  EXPECT_EQ(formatted("let y = f(a,\n b)"), "let y = f(a,\n          b)\n");
  EXPECT_EQ(formatted("let y = f(\na,\nb\n)"), "let y = f(\n  a,\n  b\n)\n");
}

TEST(Format, BranchesStandBelowTheirCondition) {
  EXPECT_EQ(formatted("let y = if a then b\nelse c"), "let y = if a then b\n        else c\n");
  EXPECT_EQ(formatted("let y = if a then b\nelse if c then d\nelse e"),
            "let y = if a then b\n        else if c then d\n        else e\n");
  EXPECT_EQ(formatted("let y = (for i in x if i > 1 => if a then b\nelse c)"), formatted("let y = (for i in x if i > 1 => if a then b\n  else c)"));
}

TEST(Format, KeepsCommentsAndOneBlankLine) {
  EXPECT_EQ(formatted("## doc\n\n\n\n#a\nlet x = 1 # b\n\n\n# end\n\n"), "## doc\n\n#a\nlet x = 1  # b\n\n# end\n");
  EXPECT_EQ(formatted("fn f() {\n\n# first\n1\n# last\n\n}"), "fn f() {\n  # first\n  1\n  # last\n}\n");
  EXPECT_EQ(formatted("let a = 1     # x\nlet b = 22    # y"), "let a = 1     # x\nlet b = 22    # y\n");
  EXPECT_EQ(formatted("let aaa=1 # x\nlet b=22 # y"), "let aaa = 1  # x\nlet b = 22  # y\n");
}

TEST(Format, KeepsColumnsThatTheAuthorMade) {
  EXPECT_EQ(formatted("train {\n    a:   1\n    bcd: 2\n}"), "train {\n  a:   1\n  bcd: 2\n}\n");
  EXPECT_EQ(formatted("let a   = 1\nlet bc  = 2"), "let a  = 1\nlet bc = 2\n") << "no wider than needed";
  EXPECT_EQ(formatted("let a  = 1\nlet bcd = 2"), "let a = 1\nlet bcd = 2\n") << "not in line: no column";
  EXPECT_EQ(formatted("let  a=1\nlet  bcd=2"), "let a = 1\nlet bcd = 2\n");
}

TEST(Format, RefusesWhatDoesNotParse) {
  Sources sources;
  Diagnostics diags;
  EXPECT_FALSE(format_source(sources, sources.add("t.ml", "let x = (1"), diags));
  EXPECT_TRUE(diags.has_errors());
}

TEST(Format, LineEndsBomAndTabsBecomeRegular) { EXPECT_EQ(formatted("\xEF\xBB\xBFlet x\t=\u00A01\r\n\tprint(x)\r"), "let x = 1\nprint(x)\n"); }

std::vector<std::filesystem::path> every_program() {
  std::vector<std::filesystem::path> out = programs();
  for (const char* folder : {"stdlib", "examples", "tests"})
    for (const auto& f : std::filesystem::recursive_directory_iterator(std::filesystem::path(GLIA_SOURCE_DIR) / folder))
      if (f.path().extension() == ".ml") out.push_back(f.path());
  return out;
}

// Without the author's spaces at the start of lines, and with all of them doubled: the same meaning, and stable.
TEST(Format, KeepsTheMeaningOfEveryProgramAndIsStable) {
  int count = 0;
  for (const auto& path : every_program()) {
    const std::string text = read(path);
    if (Parsed(text).diags.has_errors()) continue;  // programs that are wrong on purpose
    std::string flat;
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] != ' ' || (i > 0 && text[i - 1] != '\n' && text[i - 1] != ' ')) flat += text[i];
    for (const std::string& t : {text, flat}) {
      const std::string once = formatted(t);
      EXPECT_EQ(tree_of(once), tree_of(t)) << path;
      EXPECT_EQ(formatted(once), once) << path;
    }
    ++count;
  }
  EXPECT_GE(count, 10);
}

// The library and the examples are in the style.
TEST(Format, TheLibraryAndTheExamplesAreFormatted) {
  for (const char* folder : {"stdlib", "examples"})
    for (const auto& f : std::filesystem::recursive_directory_iterator(std::filesystem::path(GLIA_SOURCE_DIR) / folder))
      if (f.path().extension() == ".ml") { EXPECT_EQ(formatted(read(f.path())), read(f.path())) << f.path(); }
}

}  // namespace
}  // namespace glia::tests
