// S-expressions: nesting, places, limits, damage.
#include "io/sexpr.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

// Written again, with one space between items.
std::string shown(const Sexprs& s, uint32_t node) {
  if (!s.nodes[node].list) return std::string(s.of(node));
  std::string out = "(";
  uint32_t at = node + 1;
  for (uint32_t k = 0; k < s.nodes[node].items; ++k, at = s.nodes[at].end) out += (k > 0 ? " " : "") + shown(s, at);
  EXPECT_EQ(at, s.nodes[node].end);
  return out + ")";
}

TEST(Sexpr, NestsAndKeepsOddAtoms) {
  const auto s = parse_sexprs("(3 (2 It)\t(4 's ;\"))\n\n()(a\n(b))", "p");
  ASSERT_TRUE(s) << fault(s);
  ASSERT_EQ(s->roots.size(), 3u);
  EXPECT_EQ(shown(*s, s->roots[0]), "(3 (2 It) (4 's ;\"))");
  EXPECT_EQ(shown(*s, s->roots[1]), "()");
  EXPECT_EQ(shown(*s, s->roots[2]), "(a (b))");
  EXPECT_EQ(s->of(s->roots[2]), "(a\n(b))");
  EXPECT_EQ(s->where(s->roots[2] + 2), "`p`, line 4, column 1");
  EXPECT_TRUE(parse_sexprs("", "p")->roots.empty());
}

TEST(Sexpr, SaysWhatIsWrongAndWhere) {
  EXPECT_HAS(fault(parse_sexprs("(a)\n (b", "t")), "`t`, line 2, column 2: this `(` is never closed");
  EXPECT_HAS(fault(parse_sexprs("(a))", "t")), "line 1, column 4: this `)` closes nothing");
  EXPECT_HAS(fault(parse_sexprs("(a)\nb (c)", "t")), "line 2, column 1: `b` stands outside of brackets");
  EXPECT_HAS(fault(parse_sexprs(std::string(1'000'000, '('), "t")), "column 1001: lists are nested more than 1000 deep");
  const std::string deep = std::string(1000, '(') + std::string(1000, ')');
  EXPECT_TRUE(parse_sexprs(deep, "t"));
}

TEST(Sexpr, DamageIsFoundOrStillATree) {
  const std::string good = "(3 (2 It) (4 (4 works) (2 .)))";
  for_damaged(good, 5000, [&](const std::string& bad) {
    const auto s = parse_sexprs(bad, "p");
    for (const uint32_t root : s ? s->roots : std::vector<uint32_t>{}) shown(*s, root);
    if (bad.size() < good.size() && !bad.empty()) {
      EXPECT_FALSE(s) << bad;
    }
  });
}

TEST(Sexpr, TheRealTrees) {
  for (const auto& [name, trees, nodes] : {std::tuple("train", 8544u, 318582), std::tuple("dev", 1101u, 41447), std::tuple("test", 2210u, 82600)}) {
    const std::string path = shared_data(fmt::format("sst/{}.txt.gz", name));
    if (path.empty()) GTEST_SKIP() << "no data";
    const auto s = read_sexprs(path);
    ASSERT_TRUE(s) << fault(s);
    EXPECT_EQ(s->roots.size(), trees);
    EXPECT_EQ(std::count_if(s->nodes.begin(), s->nodes.end(), [](const SexprNode& n) { return n.list; }), nodes);
  }
}

}  // namespace
}  // namespace glia::io
