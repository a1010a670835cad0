// Files and gzip: reasons, limits, damage, and that a failed write leaves the old file.
#include "io/file.h"

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

TEST(File, RoundTripWithZeroBytesAndEmpty) {
  const Scratch s;
  const std::string content("a\0b\xff\n", 5);
  ASSERT_TRUE(write_file(s.path("x"), content));
  EXPECT_EQ(*read_file(s.path("x")), content);
  ASSERT_TRUE(write_file(s.path("x"), ""));
  EXPECT_EQ(*read_file(s.path("x")), "");
}

TEST(File, SaysWhyItCannotRead) {
  const Scratch s;
  EXPECT_EQ(fault(read_file(s.path("gone"))), "cannot open `" + s.path("gone") + "`: No such file or directory");
  EXPECT_HAS(fault(read_file(s.dir.string())), "it is a directory");
  EXPECT_HAS(fault(read_file("/dev/zero")), "it is not a file");
  EXPECT_HAS(fault(read_file(std::string("a\0b", 3))), "zero byte");
}

TEST(File, ReadsFilesWhoseSizeIsNotStated) {
  const auto text = read_file("/proc/self/status");
  ASSERT_TRUE(text) << fault(text);
  EXPECT_HAS(*text, "Pid:");
}

TEST(File, LimitCountsBytesExactly) {
  const Scratch s;
  const std::string ten(10, 'x');
  s.put("x", ten), s.put("x.gz", packed(ten));
  for (const char* name : {"x", "x.gz"}) {
    EXPECT_EQ(*read_file(s.path(name), Gzip::detect, 10 + 100 * (name[1] == '.')), ten);
    EXPECT_FALSE(read_file(s.path(name), Gzip::detect, 9));
  }
  EXPECT_EQ(*gunzip(packed(ten), "p", 10), ten);
  EXPECT_HAS(fault(gunzip(packed(ten), "p", 9)), "limit of 9 bytes");
}

TEST(File, DecompressionBombStopsAtTheLimit) {
  const std::string bomb = packed(std::string(size_t{64} << 20, '\0'));
  EXPECT_LT(bomb.size(), size_t{100'000});
  EXPECT_HAS(fault(gunzip(bomb, "bomb.gz", 1 << 20)), "limit of 1048576 bytes");
}

TEST(File, GzipByNameByMagicAndNever) {
  const Scratch s;
  s.put("a.gz", packed("hello")), s.put("b", packed("hello")), s.put("plain.gz", "hello");
  EXPECT_EQ(*read_file(s.path("a.gz")), "hello");
  EXPECT_EQ(*read_file(s.path("b")), "hello");
  EXPECT_EQ(*read_file(s.path("b"), Gzip::never), packed("hello"));
  EXPECT_HAS(fault(read_file(s.path("plain.gz"))), "is not a gzip file");
}

TEST(File, GzipMembersPaddingAndTrailingBytes) {
  EXPECT_EQ(*gunzip(packed("one,") + packed("") + packed("two"), "p"), "one,two");
  EXPECT_EQ(*gunzip(packed("one") + std::string(512, '\0'), "p"), "one");
  EXPECT_HAS(fault(gunzip(packed("one") + "junk", "p")), "4 bytes after the end");
}

TEST(File, GzipLargeContentComesBackWhole) {
  std::string big;
  for (int i = 0; i < 300'000; ++i) big += std::to_string(i * int64_t{7919});
  EXPECT_TRUE(*gunzip(packed(big), "p") == big);
}

TEST(File, DamagedGzipIsAlwaysAnErrorOrTheSameContent) {
  const std::string content = "some text, some more text, some more of the same text";
  const std::string good = packed(content) + packed(content);
  for (size_t n = 0; n < good.size(); ++n) {
    const auto r = gunzip(std::string_view(good).substr(0, n), "p");
    EXPECT_TRUE(!r || n == packed(content).size()) << n;
  }
  for_damaged(packed(content), 3000, [&](const std::string& bad) {
    const auto r = gunzip(bad, "p", 1 << 16);
    EXPECT_EQ(r.value_or(content), content);  // some header fields do not matter, such as the time
  });
}

TEST(File, TruncatedGzipNamesTheFile) {
  const std::string good = packed(std::string(1000, 'a') + "b");
  EXPECT_HAS(fault(gunzip(good.substr(0, good.size() - 4), "d/x.gz")), "`d/x.gz` is truncated");
  std::string bad = good;
  bad[bad.size() - 6] ^= 1;  // the checksum
  EXPECT_HAS(fault(gunzip(bad, "d/x.gz")), "`d/x.gz` is corrupted: incorrect data check");
}

TEST(File, FailedWriteLeavesNothingBehind) {
  const Scratch s;
  EXPECT_HAS(fault(write_file(s.path("no/such/x"), "1")), "cannot write `" + s.path("no/such/x") + "`: No such file or directory");
  std::filesystem::create_directory(s.path("dir"));
  EXPECT_HAS(fault(write_file(s.path("dir"), "1")), "cannot write");
  s.put("x", "old");
  ASSERT_TRUE(write_file(s.path("x"), "new"));
  size_t entries = 0;
  for ([[maybe_unused]] const auto& e : std::filesystem::directory_iterator(s.dir)) ++entries;
  EXPECT_EQ(entries, 2u);  // dir and x: no temporary
  EXPECT_EQ(*read_file(s.path("x")), "new");
}

}  // namespace
}  // namespace glia::io
