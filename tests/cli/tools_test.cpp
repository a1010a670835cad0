// The verbs around the language: fmt, test, explain, doc, and diagnostics as JSON.
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "parser/doc.h"
#include "tests/cli/glia_run.h"

namespace glia::cli {
namespace {

struct Tools : Command {};

TEST_F(Tools, FmtRewritesInPlaceAndKeepsPermissions) {
  put("a.ml", "let x=1 # one\nprint( x )\n");
  ::chmod((dir / "a.ml").c_str(), 0640);
  const Said s = glia("fmt a.ml");
  EXPECT_EQ(s.status, 0) << s.err;
  EXPECT_EQ(s.out, "");
  EXPECT_EQ(text_of("a.ml"), "let x = 1  # one\nprint(x)\n");
  struct stat info {};
  ASSERT_EQ(::stat((dir / "a.ml").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir), {}), 3) << "a.ml, out.txt, err.txt: nothing is left beside it";
}

TEST_F(Tools, FmtCheckListsAndChangesNothing) {
  put("good.ml", "let x = 1\n");
  put("bad.ml", "let x=1\n");
  Said s = glia("fmt --check good.ml bad.ml");
  EXPECT_EQ(s.status, 1);
  EXPECT_EQ(s.out, "bad.ml\n");
  EXPECT_EQ(text_of("bad.ml"), "let x=1\n");
  EXPECT_EQ(glia("fmt --check good.ml").status, 0);
}

TEST_F(Tools, FmtReadsStandardInput) {
  put("a.ml", "let x=1\n");
  const Said s = glia("fmt - < a.ml");
  EXPECT_EQ(s.status, 0) << s.err;
  EXPECT_EQ(s.out, "let x = 1\n");
}

TEST_F(Tools, FmtLeavesWhatIsWrongAlone) {
  put("a.ml", "let x=(1\n");
  const Said s = glia("fmt a.ml missing.ml");
  EXPECT_EQ(s.status, 1);
  EXPECT_TRUE(holds(s.err, "error[E0107]")) << s.err;
  EXPECT_TRUE(holds(s.err, "missing.ml")) << s.err;
  EXPECT_EQ(text_of("a.ml"), "let x=(1\n");
}

TEST_F(Tools, DiagnosticsAsJson) {
  put("a.ml", "let x = [1.0, 2.0]\nlet y = x + [1.0, 2.0, 3.0]\n");
  for (const char* verb : {"check", "run", "train"}) {
    const Said s = glia(std::string(verb) + " a.ml --diagnostics json");
    EXPECT_EQ(s.status, 1);
    const auto d = nlohmann::json::parse(s.err.substr(0, s.err.find('\n')));
    EXPECT_EQ(d["code"], "E0220");
    EXPECT_EQ(d["severity"], "error");
    EXPECT_EQ(d["file"], "a.ml");
    EXPECT_EQ(d["line"], 2);
    EXPECT_EQ(d["column"], 9);
    EXPECT_EQ(d["end"]["line"], 2);
    EXPECT_GE(d["labels"].size(), 1u);
    EXPECT_TRUE(d["notes"].is_array() && d["help"].is_array());
  }
  put("syntax.ml", "let x = (\n");
  EXPECT_EQ(nlohmann::json::parse(glia("run syntax.ml --diagnostics json").err)["code"], "E0107");
  EXPECT_TRUE(nlohmann::json::parse(glia("check missing.ml --diagnostics json").err)["file"].is_null());
}

TEST_F(Tools, TestRunsTheBlocksAndCounts) {
  put("t.ml", "let n = [1.0, 2.0]\nfn twice(x: f32) -> f32 = 2 * x\n"
              "test \"good\" { assert twice(n[1]) == 4 }\n"
              "test \"bad\" {\n  let x = twice(n[0])\n  assert x == 3\n}\n"
              "test \"draws\" { assert sum(uniform([4])) < 4 }\n");
  const Said s = glia("test t.ml");
  EXPECT_EQ(s.status, 1);
  EXPECT_EQ(s.out, "ok     good\nFAILED bad\nok     draws\n2 passed, 1 failed\n");
  EXPECT_TRUE(holds(s.err, "t.ml:6")) << s.err;
  EXPECT_FALSE(holds(s.err, "t.ml:3")) << s.err;
}

TEST_F(Tools, TestFailsForAFileThatDoesNotRun) {
  put("t.ml", "assert 1 == 2\ntest \"a\" { assert true }\n");
  EXPECT_EQ(glia("test t.ml").status, 1);
  put("none.ml", "print(1)\n");
  const Said s = glia("test none.ml");
  EXPECT_EQ(s.status, 0);
  EXPECT_EQ(s.out, "1\nnone.ml has no tests\n0 passed, 0 failed\n");
}

TEST_F(Tools, TheSameAssertionFailsInEachTest) {
  put("t.ml", "fn same(a: f32, b: f32) {\n  assert a == b\n}\ntest \"a\" { same(1.0, 2.0) }\ntest \"b\" { same(2.0, 3.0) }\n");
  const Said s = glia("test t.ml");
  EXPECT_EQ(s.out, "FAILED a\nFAILED b\n0 passed, 2 failed\n");
  EXPECT_NE(s.err.find("error"), s.err.rfind("error")) << s.err;
}

TEST_F(Tools, TestKnowsTheStandardLibrary) {
  const Said s = glia("test nn");
  EXPECT_EQ(s.status, 0) << s.err;
  EXPECT_TRUE(holds(s.out, "0 failed")) << s.out;
}

TEST_F(Tools, ExplainShowsThePage) {
  for (const char* args : {"explain E0203", "explain e0203", "explain 0203"}) {
    const Said s = glia(args);
    EXPECT_EQ(s.status, 0);
    EXPECT_EQ(s.out.rfind("# E0203: ", 0), 0u) << s.out;
  }
  const Said all = glia("explain");
  EXPECT_EQ(all.status, 0);
  EXPECT_TRUE(holds(all.out, "E0220: shapes differ\n")) << all.out;
  const Said none = glia("explain E2203");
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(holds(none.err, "did you mean `E0203`?")) << none.err;
}

TEST_F(Tools, DocShowsSignatureAndComment) {
  Said s = glia("doc silu");
  EXPECT_EQ(s.status, 0) << s.err;
  EXPECT_EQ(s.out.rfind("fn silu(x: float[..s]) -> float[..s]\n\nx * sigmoid(x)", 0), 0u) << s.out;
  s = glia("doc nn.Dense");
  EXPECT_EQ(s.out.rfind("model Dense(inputs: dim, outputs: dim", 0), 0u) << s.out;
  EXPECT_TRUE(holds(s.out, "fn call(x: f32[inputs]) -> f32[outputs]")) << s.out;
  EXPECT_EQ(glia("doc Dense").out, "# in nn\n" + s.out);
  EXPECT_EQ(glia("doc optim.adam").out.rfind("optimizer adam(", 0), 0u);
  EXPECT_EQ(glia("doc sum").out.rfind("sum(", 0), 0u);
  EXPECT_TRUE(holds(glia("doc data.lines").out, "The lines of a UTF-8 file"));
  for (const char* part : {"  nn ", "  optim ", "prelude", "softmax", "cumsum"}) EXPECT_TRUE(holds(glia("doc").out + glia("doc prelude").out, part)) << part;
}

TEST_F(Tools, DocReadsAFile) {
  put("a.ml", "## A file.\n\n## Half of it.\nfn half(x: f32,\n        y: f32 = 1) = x / 2\nmodel M {\n  param w: f32 = 0  ## the slope\n}\n");
  EXPECT_EQ(glia("doc a.ml:half").out, "fn half(x: f32, y: f32 = 1)\n\nHalf of it.\n");
  EXPECT_EQ(glia("doc a.ml:M").out, "model M\n\n  param w: f32 = 0  ## the slope\n");
  EXPECT_TRUE(holds(glia("doc a.ml").out, "A file."));
  const Said s = glia("doc a.ml:hlaf");
  EXPECT_EQ(s.status, 1);
  EXPECT_TRUE(holds(s.err, "did you mean `half`?")) << s.err;
  EXPECT_TRUE(holds(glia("doc nn.Dens").err, "did you mean `nn.Dense`?"));
  EXPECT_EQ(glia("doc missing.ml:f").status, 1);
}

TEST_F(Tools, EveryBuiltInFunctionSaysWhatItDoes) {
  for (const std::string& name : builtin_doc_names()) {
    const auto entry = builtin_doc(name);
    ASSERT_TRUE(entry) << name;
    EXPECT_FALSE(entry->doc.empty()) << name;
    EXPECT_TRUE(entry->signature.starts_with(name + "(")) << entry->signature;
  }
}

}  // namespace
}  // namespace glia::cli
