// What a diagnostic looks like, and what the sink keeps.
#include <gtest/gtest.h>

#include "base/diag.h"

namespace glia {

inline constexpr DiagKind shapes{"E0203", Severity::error, "shapes differ in `{}`"};
inline constexpr DiagKind unused{"W0101", Severity::warning, "`{}` is never used"};

TEST(Diag, WholeText) {
  Sources s;
  const FileId f = s.add("m.ml", "let a = 1\nlet b = 2\n\tlet c = 変 + b\nlet d = 4\n");
  Diagnostics ds;
  ds.report(shapes, {f, 29, 32}, "+")
      .label({f, 4, 5}, "f32[3] comes from here")
      .note("sizes are `m` and `n`")
      .help("write `a.T`");
  EXPECT_EQ(render_all(ds, s),
            "error[E0203]: shapes differ in `+`\n"
            " --> m.ml:3:13\n"
            "  |\n"
            "1 | let a = 1\n"
            "  |     - f32[3] comes from here\n"
            "...\n"
            "3 |     let c = 変 + b\n"
            "  |             ^^\n"
            "  = note: sizes are `m` and `n`\n"
            "  = help: write `a.T`\n\n");
}

TEST(Diag, OtherFilesAreNamed) {
  Sources s;
  const FileId a = s.add("a.ml", "f(x)"), b = s.add("b.ml", "\n\n\n\n\n\n\n\n\nfn f() = 1");
  Diagnostics ds;
  ds.report(unused, {a, 0, 1}, "f").label({b, 12, 13}, "declared here");
  EXPECT_EQ(render_all(ds, s),
            "warning[W0101]: `f` is never used\n"
            "  --> a.ml:1:1\n"
            "   |\n"
            " 1 | f(x)\n"
            "   | ^\n"
            "  ::: b.ml:10:4\n"
            "   |\n"
            "10 | fn f() = 1\n"
            "   |    - declared here\n\n");
}

TEST(Diag, NoPlace) {
  Sources s;
  Diagnostics ds;
  ds.report(unused, {}, "f").help("remove it");
  EXPECT_EQ(render_all(ds, s), "warning[W0101]: `f` is never used\n  = help: remove it\n\n");
}

TEST(Diag, RepeatedReportsAreKeptOnce) {
  Sources s;
  const FileId f = s.add("m.ml", "abc");
  Diagnostics ds;
  ds.report(shapes, {f, 0, 1}, "+").help("first");
  ds.report(shapes, {f, 0, 1}, "-").help("second").label({f, 1, 2}, "x");
  ds.report(shapes, {f, 0, 2}, "+");
  ds.report(unused, {f, 0, 1}, "a");
  EXPECT_EQ(ds.all().size(), 3u);
  EXPECT_EQ(ds.error_count(), 2u);
  EXPECT_EQ(ds.all()[0].helps, std::vector<std::string>{"first"});
  ds.clear();
  EXPECT_FALSE(ds.has_errors());
  EXPECT_TRUE(ds.all().empty());
}

TEST(Diag, ColourChangesNoText) {
  Sources s;
  const FileId f = s.add("m.ml", "abc");
  Diagnostics ds;
  ds.report(shapes, {f, 0, 1}, "+").help("h");
  const std::string coloured = render_all(ds, s, true);
  EXPECT_NE(coloured.find("\x1b[1;31m"), std::string::npos);
  std::string plain;
  for (size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b')
      i = coloured.find('m', i);
    else
      plain += coloured[i];
  }
  EXPECT_EQ(plain, render_all(ds, s, false));
}

// A file must not be able to steer the terminal, nor flood it.
TEST(Diag, HostileLines) {
  Sources s;
  const FileId f = s.add("m.ml", "a\x1b[31m\xff\xfe\n" + std::string(5000, 'x') + "yyy" + std::string(5000, 'x'));
  Diagnostics ds;
  ds.report(shapes, {f, 2, 4}, "\x1b[2J");
  ds.report(shapes, {f, 5009, 5012}, "+");
  ds.report(shapes, {f, 9, 12000}, "+");
  const std::string text = render_all(ds, s);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LT(text.size(), 2500u);
  EXPECT_NE(text.find("yyy"), std::string::npos);
}

}  // namespace glia
