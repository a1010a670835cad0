// IDX: every element type, every fault of a header, parts, and damage.
#include "io/idx.h"

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

std::string idx_u8(std::initializer_list<int> sizes, const std::string& data) {
  std::string out = bytes_of({0, 0, 8, static_cast<int>(sizes.size())});
  for (int n : sizes) out += bytes_of({n >> 24 & 255, n >> 16 & 255, n >> 8 & 255, n & 255});
  return out + data;
}

TEST(Idx, ReadsEveryElementType) {
  const auto header = [](int type, int n) { return bytes_of({0, 0, type, 1, 0, 0, 0, n}); };
  EXPECT_EQ(parse_idx(header(0x08, 2) + bytes_of({0, 255}), "p")->as<uint8_t>()[1], 255);
  EXPECT_EQ(parse_idx(header(0x09, 2) + bytes_of({0, 255}), "p")->as<int8_t>()[1], -1);
  const auto i16 = *parse_idx(header(0x0b, 3) + bytes_of({0x01, 0x02, 0xff, 0xfe, 0x80, 0x00}), "p");
  EXPECT_EQ(i16.dtype, DType::i32);
  EXPECT_EQ(i16.as<int32_t>()[0], 258);
  EXPECT_EQ(i16.as<int32_t>()[1], -2);
  EXPECT_EQ(i16.as<int32_t>()[2], -32768);
  EXPECT_EQ(parse_idx(header(0x0c, 1) + bytes_of({0xff, 0xff, 0xff, 0x00}), "p")->as<int32_t>()[0], -256);
  EXPECT_EQ(parse_idx(header(0x0d, 1) + bytes_of({0x3f, 0xc0, 0, 0}), "p")->as<float>()[0], 1.5f);
  EXPECT_EQ(parse_idx(header(0x0e, 1) + bytes_of({0xc0, 0x04, 0, 0, 0, 0, 0, 0}), "p")->as<double>()[0], -2.5);
}

TEST(Idx, KeepsShapeAndEmptySets) {
  EXPECT_EQ(parse_idx(idx_u8({2, 3}, "abcdef"), "p")->shape, (std::vector<int64_t>{2, 3}));
  const auto none = parse_idx(idx_u8({0, 28, 28}, ""), "p");
  ASSERT_TRUE(none);
  EXPECT_EQ(none->size(), 0);
}

TEST(Idx, SaysWhatIsWrong) {
  EXPECT_HAS(fault(parse_idx("abcd", "d/x")), "`d/x` is not an IDX file: it begins with 61 62 63 64");
  EXPECT_HAS(fault(parse_idx("", "d/x")), "it has 0 bytes");
  EXPECT_HAS(fault(parse_idx(bytes_of({0, 0, 0x0a, 1, 0, 0, 0, 0}), "p")), "is not an IDX file");
  EXPECT_HAS(fault(parse_idx(bytes_of({0, 0, 8, 0}), "p")), "rank 0");
  EXPECT_HAS(fault(parse_idx(idx_u8({2, 3}, "abcde"), "p")), "truncated: sizes [2, 3] need 6 bytes of data, found 5");
  EXPECT_HAS(fault(parse_idx(idx_u8({2, 3}, "abcdefg"), "p")), "too long: sizes [2, 3] need 6 bytes of data, found 7");
  EXPECT_HAS(fault(parse_idx(bytes_of({0, 0, 8, 3, 0, 0}), "p")), "a header with 3 sizes needs 16 bytes, found 6");
}

TEST(Idx, HugeSizesAreRefusedWithoutMemory) {
  EXPECT_HAS(fault(parse_idx(idx_u8({-1, -1, -1, -1}, ""), "p")), "impossible");
  EXPECT_HAS(fault(parse_idx(idx_u8({-1}, ""), "p")), "need 4294967295 bytes of data, found 0");
  EXPECT_HAS(fault(parse_idx(idx_u8({0, -1, -1, -1}, ""), "p")), "impossible");
  EXPECT_FALSE(parse_idx(bytes_of({0, 0, 8, 255}) + std::string(4 * 255, '\xff'), "p"));
}

TEST(Idx, DamageNeverPassesForMoreData) {
  const std::string good = idx_u8({2, 2}, "abcd");
  for_damaged(good, 3000, [&](const std::string& bad) {
    const auto r = parse_idx(bad, "p");
    if (r) {
      ASSERT_EQ(r->bytes.size(), static_cast<size_t>(*byte_count(r->dtype, r->shape)));
    }
    if (bad.size() < good.size()) {
      EXPECT_FALSE(r);
    }
  });
}

TEST(Idx, JoinsPartsByName) {
  const Scratch s;
  s.put("set-b.gz", packed(idx_u8({1, 2}, "ef"))), s.put("set-a", idx_u8({2, 2}, "abcd"));
  s.put("set-a.gz", packed(idx_u8({2, 2}, "abcd")));  // the same data once more: not counted twice
  s.put("other", "junk");
  std::vector<IdxPart> parts;
  const auto all = read_idx_parts(s.dir.string(), "set", &parts);
  ASSERT_TRUE(all) << fault(all);
  EXPECT_EQ(all->shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(all->bytes.data()), 6), "abcdef");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].path, s.path("set-b.gz"));
  EXPECT_EQ(parts[1].rows, 1);
}

TEST(Idx, PartsThatDoNotFit) {
  const Scratch s;
  s.put("set-a", idx_u8({2, 2}, "abcd")), s.put("set-b", idx_u8({1, 3}, "efg"));
  EXPECT_HAS(fault(read_idx_parts(s.dir.string(), "set")), "holds u8[2, 2] and `" + s.path("set-b") + "` holds u8[1, 3]");
  EXPECT_HAS(fault(read_idx_parts(s.dir.string(), "none")), "has no file whose name begins with `none`");
  EXPECT_HAS(fault(read_idx_parts(s.path("gone"), "set")), "cannot open the folder");
}

}  // namespace
}  // namespace glia::io
