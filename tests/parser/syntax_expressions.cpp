// Golden parses: precedence, every form of expression, patterns, types.
#include "tests/parser/syntax_support.h"

namespace glia::tests {

struct Case {
  const char* text;
  const char* tree;
};

void expect_trees(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(tree_of(c.text), c.tree) << c.text;
}

TEST(SyntaxExpressions, Precedence) {
  expect_trees({
      {"-x ^ 2", "(neg (^ x 2))"},
      {"2 ^ 2 ^ 3", "(^ 2 (^ 2 3))"},
      {"2 ^ -1", "(^ 2 (neg 1))"},
      {"2 ^ -x ^ 2", "(^ 2 (neg (^ x 2)))"},
      {"2 * -3", "(* 2 (neg 3))"},
      {"--x", "(neg (neg x))"},
      {"a - b - c", "(- (- a b) c)"},
      {"a + b * c @ d", "(+ a (@ (* b c) d))"},
      {"a // b % c / d", "(/ (% (// a b) c) d)"},
      {"a + b < c * d", "(< (+ a b) (* c d))"},
      {"not a == b", "(not (== a b))"},
      {"not not a and b", "(and (not (not a)) b)"},
      {"a or b and not c", "(or a (and b (not c)))"},
      {"a or b |> f", "(|> (or a b) f)"},
      {"x |> f |> g", "(|> (|> x f) g)"},
      {"x => y => x + y", "(=> (x) (=> (y) (+ x y)))"},
      {"x => x |> f", "(=> (x) (|> x f))"},
      {"-f(x).y[0]", "(neg (index (. (call f x) y) 0))"},
      {"(a + b) * c", "(* (+ a b) c)"},
      {"x + (for i => i)", "(+ x (for i => i))"},
      {"if a then b else if c then d else e", "(if a b (if c d e))"},
      {"if a then if b then c else d", "(if a (if b c d) -)"},
      {"if a then b + 1 else c + 1", "(if a (+ b 1) (+ c 1))"},
  });
}

TEST(SyntaxExpressions, CallsIndicesFields) {
  expect_trees({
      {"f()", "(call f)"},
      {"f(_, 2)", "(call f _ 2)"},
      {"f(a, b = 1, in = 2, test = 3,)", "(call f a b=1 in=2 test=3)"},
      {"grad(x => x ^ 2)(3.0)", "(call (call grad (=> (x) (^ x 2))) 3.0)"},
      {"x[1:, :, a:b:c, ::2, -1]", "(index x (slice 1 - -) (slice - - -) (slice a b c) (slice - - 2) (neg 1))"},
      {"s.0.0", "(. (. s 0) 0)"},
      {"s.0.0.f", "(. (. (. s 0) 0) f)"},
      {"a.if.T", "(. (. a if) T)"},
      {"x.map(f)", "(call (. x map) f)"},
      {"f(x, for i => i, y)", "(call f x (for i => i) y)"},
  });
}

TEST(SyntaxExpressions, LambdasTuplesLists) {
  expect_trees({
      {"(x, y) => x", "(=> (x y) x)"},
      {"() => 1", "(=> () 1)"},
      {"(x: f32[n], (a, b) = (1, 2)) => x", "(=> (x:[f32 n] (tuple a b)=(tuple 1 2)) x)"},
      {"_ => 1", "(=> (_) 1)"},
      {"f((x) => x, (y))", "(call f (=> (x) x) y)"},
      {"()", "(tuple)"},
      {"(x)", "x"},
      {"(x,)", "(tuple x)"},
      {"(x, y,)", "(tuple x y)"},
      {"[]", "(list)"},
      {"[1, [2, 3],]", "(list 1 (list 2 3))"},
      {"step => model => train(model)", "(=> (step) (=> (model) (call train model)))"},
  });
}

TEST(SyntaxExpressions, BlocksAndRecords) {
  expect_trees({
      {"let x = { let a = 1; a }", "(let x (block (let a 1) a))"},
      {"let x = { a: 1, if: 2 }", "(let x (record a:1 if:2))"},
      {"let x = { a: 1, b }", "(let x (record a:1 b:b))"},
      {"let x = {}", "(let x (block))"},
      {"let x = { a }", "(let x (block a))"},
      {"let x = { ..s, b: e }", "(let x (record ..s b:e))"},
      {"State { angle: 1.0, speed }", "(new State angle:1.0 speed:speed)"},
      {"State { speed }", "(new State speed:speed)"},
      {"m.State { ..s }", "(new m.State ..s)"},
      {"fn f() { { a: 1 } }", "(fn f () (block (record a:1)))"},
      {"fn f(x: Tree) -> Tree { x }", "(fn f (x:Tree) -> Tree (block x))"},
      {"let f = x => { x }", "(let f (=> (x) (block x)))"},
      {"s := s + 1", "(:= s (+ s 1))"},
  });
}

TEST(SyntaxExpressions, Loops) {
  expect_trees({
      {"for i, j => x[i, j]", "(for i j => (index x i j))"},
      {"for i < n, j < 5 => i", "(for (< i n) (< j 5) => i)"},
      {"for i < n => x => x", "(for (< i n) => (=> (x) x))"},
      {"for i in 2..n + 1 => i", "(for (in i (.. 2 (+ n 1))) => i)"},
      {"for (a, b) in zip(x, y) if a > 0 => b", "(for (in (tuple a b) (call zip x y)) if (> a 0) => b)"},
      {"for _ < 3 => 1", "(for (< _ 3) => 1)"},
      {"loop p = 1 for i in 1..6 { p * i }", "(loop p 1 (in i (.. 1 6)) (block (* p i)))"},
      {"loop r: f32 = 1.0 while r < 2 { r + 1 }", "(loop r:f32 1.0 (while (< r 2)) (block (+ r 1)))"},
      {"scan s = 0 for x in xs { s + x } yield s * 2", "(scan s 0 (in x xs) (block (+ s x)) yield (* s 2))"},
      {"scan s = S { a: 1 } for x in xs { s }", "(scan s (new S a:1) (in x xs) (block s))"},
      {"loop s = 1 for x in Xs { x }", "(loop s 1 (in x Xs) (block x))"},
      {"match e { A(x, _) if x > 0 => x; B => -1 }", "(match e ((A x _) if (> x 0) => x) ((B) => (neg 1)))"},
      {"match e {\n  (a, b) => a\n  -1 => 2\n  \"s\" => 3\n  { a, b: (c, true) } => c\n}",
       "(match e ((tuple a b) => a) ((neg 1) => 2) (\"s\" => 3) ((record a:a b:(tuple c true)) => c))"},
      {"match E { A => 1 }", "(match E ((A) => 1))"},
      {"on device(0) { f(x) }", "(on (call device 0) (block (call f x)))"},
      {"recompute { cached { x } }", "(recompute (block (cached (block x))))"},
  });
}

TEST(SyntaxExpressions, Numbers) {
  expect_trees({
      {"1_000", "1000"},
      {"0xff", "255"},
      {"0xFF_ff", "65535"},
      {"1e-3", "0.001"},
      {"1.5e3", "1500.0"},
      {"1e-999", "0.0"},
      {"9223372036854775807", "9223372036854775807"},
      {"for i in 1..6 => i", "(for (in i (.. 1 6)) => i)"},
  });
}

TEST(SyntaxExpressions, Strings) {
  expect_trees({
      {R"("a\tb\n\"\\\{\}")", "\"a\tb\\n\\\"\\\\{}\""},
      {R"("\u{3b8}\u{1F600}")", "\"θ😀\""},
      {R"("a {x} b {l:.4f}")", "(string \"a \" x \" b \" (format l \".4f\"))"},
      {R"("{x[1:2]} {f(y = "in {z} {"deep"}")}")", R"((string (index x (slice 1 2 -)) " " (call f y=(string "in " z " " "deep"))))"},
      {R"("")", "\"\""},
  });
}

TEST(SyntaxExpressions, Types) {
  expect_trees({
      {"let x: f32[m, 2 * h + 1, ..s, ?] = e", "(let x:[f32 m (+ (* 2 h) 1) ..s ?] e)"},
      {"let f: (a, b) -> c -> d = e", "(let f:(-> a b (-> c d)) e)"},
      {"let f: ((a, b)) -> c = e", "(let f:(-> (tuple a b) c) e)"},
      {"let f: () -> () = e", "(let f:(-> (tuple)) e)"},
      {"let f: [(f32, 'a)] = e", "(let f:(list (tuple f32 'a)) e)"},
      {"let f: 'a -> 'b = e", "(let f:(-> 'a 'b) e)"},
      {"let m: nn.Dense(3, h) = e", "(let m:(nn.Dense 3 h) e)"},
      {"let r: { s: (f32[h], f32), type: i32 } = e", "(let r:(record s:(tuple [f32 h] f32) type:i32) e)"},
      {"type T = Leaf(label: i32, word: str) | Node(T, T) | Nil", "(type T (Leaf label:i32 word:str) (Node T T) (Nil))"},
      {"type T =\n  | A\n  | B(f32)", "(type T (A) (B f32))"},
      {"type State = { angle: f32 }", "(type State (record angle:f32))"},
      {"type Cache = [(f32[n], f32)]", "(type Cache (list (tuple [f32 n] f32)))"},
      {"type F = f32 -> f32", "(type F (-> f32 f32))"},
      {"type Cell = nn.LstmCell(3)", "(type Cell (nn.LstmCell 3))"},
      {"type Pair('a, n) = { x: 'a }", "(type Pair ('a n) (record x:'a))"},
  });
}

TEST(SyntaxExpressions, NamesAreComparedInNfkc) {
  // U+2126 OHM SIGN is U+03A9; U+FB01 is the ligature of f and i; e with a combining acute is one letter.
  EXPECT_EQ(tree_of("let \u2126 = 1"), "(let \u03a9 1)");
  EXPECT_EQ(tree_of("let \ufb01x = e\u0301"), "(let fix \u00e9)");
  EXPECT_EQ(tree_of("let 変数 = μ_1"), "(let 変数 μ_1)");
}

TEST(SyntaxExpressions, SpansAreExact) {
  Parsed p("let θ = αβ + f(x)");
  ASSERT_EQ(p.diags.error_count(), 0u);
  const auto& let = std::get<ast::LetDecl>(p.tree.items.at(0).node).let;
  const auto& sum = p.tree[let.value];
  EXPECT_EQ(p.sources.text(sum.span), "αβ + f(x)");
  const auto& binary = std::get<ast::Binary>(sum.node);
  EXPECT_EQ(p.sources.text(binary.op_span), "+");
  EXPECT_EQ(p.sources.text(p.tree[binary.left].span), "αβ");
  EXPECT_EQ(p.sources.text(p.tree[binary.right].span), "f(x)");
}

TEST(SyntaxExpressions, SpansInsideStringsAreOfTheFile) {
  Parsed p("let s = \"θ {f(value)} {g:.2f}\"");
  ASSERT_EQ(p.diags.error_count(), 0u);
  const auto& let = std::get<ast::LetDecl>(p.tree.items.at(0).node).let;
  const auto& pieces = std::get<ast::String>(p.tree[let.value].node).pieces;
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(p.sources.text(p.tree[pieces[1].expr].span), "f(value)");
  EXPECT_EQ(p.sources.text(p.tree[pieces[3].expr].span), "g");
}

}  // namespace glia::tests
