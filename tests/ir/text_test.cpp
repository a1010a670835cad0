// The text form: what is printed reads back as the same, whatever else is read is an error with its line.
#include <gtest/gtest.h>

#include <set>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/differentiate.h"
#include "ir/passes/rewrite.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "ir/value.h"
#include "ir/verify.h"
#include "samples.h"

namespace glia::ir {
namespace {

TEST(Text, SampleUsesEveryOpAndEveryKindOfAttribute) {
  Module m;
  FuncId f = every_op(m);
  std::set<OpId> ops;
  std::set<size_t> kinds;
  for (const Node& n : m[f].nodes) {
    ops.insert(n.op);
    for (const AttrEntry& e : n.attrs.entries()) kinds.insert(e.value.index());
  }
  for (size_t k = 0; k < op_table().size(); ++k) EXPECT_TRUE(ops.contains(OpId(k))) << op_table()[k].name;
  EXPECT_EQ(kinds.size(), std::variant_size_v<AttrValue>);
}

TEST(Text, RoundTripInTheSameModule) {
  Module m;
  FuncId f = every_op(m);
  std::string text = print(m, f);
  auto back = parse_ir(m, text);
  ASSERT_TRUE(back) << back.error().message << "\n" << text;
  const Func &a = m[f], &b = m[*back];
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.params, b.params);
  EXPECT_EQ(a.results, b.results);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (size_t i = 0; i < a.nodes.size(); ++i) {
    EXPECT_EQ(a.nodes[i].op, b.nodes[i].op);
    EXPECT_EQ(a.nodes[i].type, b.nodes[i].type) << i;
    EXPECT_EQ(a.nodes[i].args, b.nodes[i].args);
    bool plain = nested_funcs(a.nodes[i]).empty();
    EXPECT_TRUE(!plain || a.nodes[i].attrs == b.nodes[i].attrs) << i;
    auto x = nested_funcs(a.nodes[i]), y = nested_funcs(b.nodes[i]);
    ASSERT_EQ(x.size(), y.size());
    for (size_t k = 0; k < x.size(); ++k) EXPECT_TRUE(same_func(m[x[k]], m[y[k]]));
  }
}

TEST(Text, RoundTripInANewModule) {
  Module m, other;
  std::string text = print(m, every_op(m));
  auto first = parse_ir(other, text);
  ASSERT_TRUE(first) << first.error().message;
  std::string again = print(other, *first);
  Module third;
  auto second = parse_ir(third, again);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(print(third, *second), again);
}

TEST(Text, Looks) {
  Module m;
  Sources sources;
  FileId file = sources.add("03.ml", "let y = a @ b\n");
  DimId h = m.types.dims.var("h"), n = m.types.dims.constant(784);
  Builder b(m, "loss");
  Value w = b.param(m.types.tensor(DType::f32, {h, n}), "fc1.w"), x = b.param(m.types.tensor(DType::f32, {n}));
  b.set_src(m.add(Src{{file, 8, 13}, {}}));
  b.result(contract(w, x, {0, 1}, {1}, {0}).id);
  EXPECT_EQ(print(m, b.func(), &sources),
            "func loss(%0: f32[h, 784] \"fc1.w\", %1: f32[784]) -> (f32[h]) {\n"
            "  %2: f32[h] = contract(%0, %1) lhs=[0, 1] rhs=[1] out=[0]   # 03.ml:1:9\n"
            "  return %2\n"
            "}\n");
}

// A list by its last link: nested functions refer back to the one around them.
constexpr std::string_view recursive_text =
    "variant Links = End() | Link(x: f32, rest: variant Links)\n"
    "declare total#1 -> (f32)\n"
    "declare more#3 -> (f32)\n"
    "func none#2(%0: variant Links) -> (f32) {\n"
    "  %1: f32 = const() value=0.0 shape=dims[] dtype=f32\n"
    "  return %1\n"
    "}\n"
    "func more#3(%0: variant Links) -> (f32) {\n"
    "  %1: f32 = payload(%0) axis=0 index=1\n"
    "  %2: variant Links = payload(%0) axis=1 index=1\n"
    "  %3: f32 = call(%2) func=@total#1\n"
    "  %4: f32 = add(%1, %3)\n"
    "  return %4\n"
    "}\n"
    "func total#1(%0: variant Links) -> (f32) {\n"
    "  %1: i32 = tag(%0)\n"
    "  %2: i32 = const() value=0 shape=dims[] dtype=i32\n"
    "  %3: bool = eq(%1, %2)\n"
    "  %4: f32 = if(%3, %0) func=@none#2 other=@more#3\n"
    "  return %4\n"
    "}\n";

TEST(Text, FunctionsThatCallThemselves) {
  Module m, other;
  auto first = parse_ir(m, recursive_text);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(is_recursive(m, *first));
  auto gradient = value_and_grad(m, *first, std::vector<size_t>{0});
  ASSERT_TRUE(gradient);
  const std::string text = print(m, *gradient);
  auto back = parse_ir(other, text);
  ASSERT_TRUE(back) << back.error().message << "\n" << text;
  Module third;
  auto again = parse_ir(third, print(other, *back));
  ASSERT_TRUE(again);
  EXPECT_EQ(print(third, *again), print(other, *back));
}

std::string fault(std::string_view text) {
  Module m;
  auto f = parse_ir(m, text);
  return f ? "read" : f.error().message;
}

TEST(Text, FaultsNameTheLine) {
  EXPECT_EQ(fault(""), "IR text without a function");
  EXPECT_EQ(fault("func f(%0: f32) -> (f32) {\n  return %0\n}\n"), "read");
  EXPECT_EQ(fault("func f(%0: f33) -> (f32) {\n}"), "IR text, line 1: `f33` is not a type");
  EXPECT_EQ(fault("func f(%0: f32) -> () {\n  %1: f32 = exq(%0)\n}"), "IR text, line 2: `exq` is not an op");
  EXPECT_EQ(fault("func f(%0: f32) -> () {\n  %1: f32 = exp(%0) speed=3\n}"), "IR text, line 2: `speed` is not an attribute");
  EXPECT_NE(fault("func f(%0: f32) -> () {\n  %1: i32 = exp(%0)\n}").find("has type i32, its arguments give f32"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32) -> () {\n  %1: f32 = exp(%1)\n}").find("does not come before it"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32) -> () {\n  %2: f32 = exp(%0)\n}").find("%1 is not defined"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32) -> () {\n  %0: f32 = exp(%0)\n}").find("%0 is defined twice"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32) -> (f64) {\n  return %0\n}").find("types that it states"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32) -> () {\n  return %7\n}").find("does not exist"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32) -> () {\n  %1: f32 = call(%0) func=@g#1\n}").find("not defined above"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32[(n // (0))]) -> () {\n}").find("divided by zero"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32[4611686018427387904*4]) -> () {\n}").find("too large"), std::string::npos);
  EXPECT_NE(fault("func f(%0: f32) -> () {\n  %1: f32 = sum(%0)\n}").find("lacks its attribute"), std::string::npos);
  EXPECT_NE(fault("declare g#1 -> (f32)\nfunc f(%0: f32) -> () {\n}").find("`g` is declared and not defined"), std::string::npos);
  EXPECT_NE(fault("declare g#1 -> (f32)\nfunc g#1(%0: f64) -> (f64) {\n  return %0\n}").find("the types that are declared"), std::string::npos);
  EXPECT_NE(fault("variant T = A(x f32)\nfunc f() -> () {\n}").find("line 1"), std::string::npos);
}

// Cut or changed anywhere, the text is read or refused, never a crash.
TEST(Text, AnyTextIsSafe) {
  Module m;
  std::string text = std::string(recursive_text) + print(m, every_op(m));
  for (size_t at = 0; at < text.size(); at += 37) {
    fault(text.substr(0, at));
    std::string changed = text;
    changed[at] = "%#(\"[9-{x"[at % 9];
    fault(changed);
    changed.erase(at, 1);
    fault(changed);
  }
  fault(std::string("func f(%0: ") + std::string(100000, '(') + "f32");
  fault(std::string("func f(%0: f32[") + std::string(100000, '(') + "n");
}

}  // namespace
}  // namespace glia::ir
