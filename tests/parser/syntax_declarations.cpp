// Golden parses: declarations, doc comments, the rules of newlines, and the programs.
#include <algorithm>

#include "tests/parser/syntax_support.h"

namespace glia::tests {

TEST(SyntaxPrograms, AllParse) {
  const auto files = programs();
  if (files.empty()) GTEST_SKIP() << "no programs in " << shared_folder();
  EXPECT_GE(files.size(), 15u);
  for (const auto& f : files) {
    Parsed p(read(f));
    EXPECT_EQ(p.messages(), "") << f;
    EXPECT_GE(p.tree.items.size(), 3u) << f;
    EXPECT_FALSE(p.tree.doc.empty()) << f;
  }
}

TEST(SyntaxDeclarations, Functions) {
  EXPECT_EQ(tree_of("fn f(x: f32, fs...) -> f32 = x"), "(fn f (x:f32 fs...) -> f32 x)");
  EXPECT_EQ(tree_of("fn f((a, b): (f32, f32), k: i32 = 3) { a }"), "(fn f ((tuple a b):(tuple f32 f32) k:i32=3) (block a))");
  EXPECT_EQ(tree_of("fn f(x: f32) -> f32 = round(x)\n  backward (x, y, dy) => dy"),
            "(fn f (x:f32) -> f32 (call round x) (backward (x y dy) dy))");
}

TEST(SyntaxDeclarations, Models) {
  EXPECT_EQ(tree_of("model M(n: dim) {\n"
                    "  param w: f32[n] ~ glorot()\n"
                    "  param b: f32[n] = 0\n"
                    "  param c: f32\n"
                    "  state s: f32 = 0; layer l = nn.Dense(n, n)\n"
                    "  fn call(x: f32[n]) = l(w * x)\n"
                    "}"),
            "(model M (n:dim) (param w:[f32 n] ~(call glorot)) (param b:[f32 n] 0) (param c:f32) (state s:f32 0) "
            "(layer l (call (. nn Dense) n n)) (fn call (x:[f32 n]) (call l (* w x))))");
  EXPECT_EQ(tree_of("model M {}"), "(model M ())");
}

TEST(SyntaxDeclarations, OptimizersOptionsImportsTests) {
  EXPECT_EQ(tree_of("optimizer o(lr: schedule = 0.1) {\n  state v = zeros_like(p)\n  update (p, g) { p := p - lr * g }\n}"),
            "(optimizer o (lr:schedule=0.1) (state v (call zeros_like p)) (update (p g) (block (:= p (- p (* lr g))))))");
  EXPECT_EQ(tree_of("option lr: f32 = 0.1"), "(option lr:f32 0.1)");
  EXPECT_EQ(tree_of("import nn, optim as o"), "(import nn optim=o)");
  EXPECT_EQ(tree_of("from a.nn import Dense, relu as r"), "(from a.nn Dense relu=r)");
  EXPECT_EQ(tree_of("test \"a \\\"b\\\"\" { assert x }"), "(test \"a \\\"b\\\"\" (block (assert x)))");
}

TEST(SyntaxDeclarations, TrainBlocks) {
  EXPECT_EQ(tree_of("train {\n  model: M()\n  loss: f, batch: all; if: 3\n  backward: 1\n}"),
            "(train model:(call M) loss:f batch:all if:3 backward:1)");
  EXPECT_EQ(tree_of("train big { model: M }"), "(train big model:M)");
  EXPECT_EQ(tree_of("train Big { model: M }"), "(train Big model:M)");
}

TEST(SyntaxDeclarations, ContextualWordsAreNames) {
  EXPECT_EQ(tree_of("let model = train(state, layer.update)"), "(let model (call train state (. layer update)))");
  EXPECT_EQ(tree_of("update(ks, pos)"), "(call update ks pos)");
  EXPECT_EQ(tree_of("test(1)"), "(call test 1)");
  EXPECT_EQ(tree_of("train.x"), "(. train x)");
}

TEST(SyntaxDeclarations, DocComments) {
  EXPECT_EQ(tree_of("## The file.\n## Second line.\nlet x = 1"), "##\"The file.\\nSecond line.\"\n(let x 1)");
  EXPECT_EQ(tree_of("# no doc\n\nlet x = 1   ## beside\n## above\n# plain\nlet y = 2\nlet z = 3"),
            "(let x 1 ##\"beside\")\n(let y 2 ##\"above\")\n(let z 3)");
  EXPECT_EQ(tree_of("## file\n\n## x\nlet x = 1"), "##\"file\"\n(let x 1 ##\"x\")");
  EXPECT_EQ(tree_of("option a: f32 = 1  ## one\noption b: f32 = 2  ## two"), "(option a:f32 1 ##\"one\")\n(option b:f32 2 ##\"two\")");
  EXPECT_EQ(tree_of("model M {\n  layer a = f  ## first\n  ## second\n  layer b = g\n}"),
            "(model M () (layer a f ##\"first\") (layer b g ##\"second\"))");
}

TEST(SyntaxNewlines, EndStatements) {
  EXPECT_EQ(tree_of("a\n- b"), "a\n(neg b)");
  EXPECT_EQ(tree_of("f\n(x)"), "f\nx");
  EXPECT_EQ(tree_of("f\n[x]"), "f\n(list x)");
  EXPECT_EQ(tree_of("a; b;\n\n;c"), "a\nb\nc");
  EXPECT_EQ(tree_of("\r\na\r\nb\r\n"), "a\nb");
  EXPECT_EQ(tree_of("a\rb"), "a\nb");
  EXPECT_EQ(tree_of(""), "");
  EXPECT_EQ(tree_of("\n# only a comment"), "");
  EXPECT_EQ(tree_of("\xEF\xBB\xBFlet x = 1"), "(let x 1)");
}

TEST(SyntaxNewlines, ContinueInsideRoundAndSquareBrackets) {
  EXPECT_EQ(tree_of("f(a\n  , b\n)"), "(call f a b)");
  EXPECT_EQ(tree_of("[1\n,2\n]"), "(list 1 2)");
  EXPECT_EQ(tree_of("f(a\n- b)"), "(call f (- a b))");
  EXPECT_EQ(tree_of("f({ a\n- b })"), "(call f (block a (neg b)))");
  EXPECT_EQ(tree_of("f(x => {\n  let a = x\n  a\n})"), "(call f (=> (x) (block (let a x) a)))");
}

TEST(SyntaxNewlines, ContinueAfterWhatCannotEnd) {
  for (const char* op : {"+", "-", "*", "/", "//", "%", "@", "^", "==", "!=", "<", "<=", ">", ">=", "and", "or", "|>"})
    EXPECT_EQ(tree_of(fmt::format("a {}\n  b", op)), fmt::format("({} a b)", op));
  EXPECT_EQ(tree_of("let x =\n  1"), "(let x 1)");
  EXPECT_EQ(tree_of("if\na then\nb else\nc"), "(if a b c)");
  EXPECT_EQ(tree_of("x =>\n\n  # comment\n  x"), "(=> (x) x)");
  EXPECT_EQ(tree_of("let f:\nf32 ->\nf32 = g"), "(let f:(-> f32 f32) g)");
  EXPECT_EQ(tree_of("for x in\nxs =>\nx"), "(for (in x xs) => x)");
  EXPECT_EQ(tree_of("not\na"), "(not a)");
}

TEST(SyntaxNewlines, ContinueBeforeLinesThatCannotBegin) {
  EXPECT_EQ(tree_of("x\n  |> f\n\n  # then\n  |> g"), "(|> (|> x f) g)");
  EXPECT_EQ(tree_of("x\n  .f()\n  .g"), "(. (call (. x f)) g)");
  EXPECT_EQ(tree_of("if a\nthen b\nelse c"), "(if a b c)");
  EXPECT_EQ(tree_of("a\nand b\nor c"), "(or (and a b) c)");
  EXPECT_EQ(tree_of("loop x = 1\n  while x < 3 { x }"), "(loop x 1 (while (< x 3)) (block x))");
  EXPECT_EQ(tree_of("scan x = 1 for i in xs { x }\n  yield x"), "(scan x 1 (in i xs) (block x) yield x)");
}

}  // namespace glia::tests
