// safetensors: files made by others, our own round trip, and every way a header can lie.
#include "io/safetensors.h"

#include <cstring>

#include "io/file.h"
#include "tests/io/scratch.h"

namespace glia::io {
namespace {

std::string file_of(const std::string& header, const std::string& data = "") {
  uint64_t n = header.size();
  std::string out(8, '\0');
  std::memcpy(out.data(), &n, 8);
  return out + header + data;
}

std::string refused(const std::string& header, const std::string& data = "") {
  return fault(parse_safetensors(file_of(header, data), "w"));
}

Array filled(DType dtype, std::vector<int64_t> shape, int first) {
  Array a = make_array(dtype, std::move(shape));
  for (size_t i = 0; i < a.bytes.size(); ++i) a.bytes[i] = static_cast<std::byte>(dtype == DType::boolean ? i % 2 : first + i);
  return a;
}

const std::string good_header = R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                R"("b":{"dtype":"U8","shape":[],"data_offsets":[8,9]}}  )";
const std::string good_data("\0\0\x80\x3f\0\0\0\xc0\x07", 9);

TEST(SafeTensors, ReadsAFileMadeByHand) {
  const auto r = parse_safetensors(file_of(good_header, good_data), "w");
  ASSERT_TRUE(r) << fault(r);
  EXPECT_EQ(r->metadata.at("format"), "pt");
  ASSERT_EQ(r->arrays.size(), 2u);
  EXPECT_EQ(r->arrays[0].array.as<float>()[0], 1.0f);
  EXPECT_EQ(r->arrays[0].array.as<float>()[1], -2.0f);
  EXPECT_EQ(r->arrays[1].array.shape, std::vector<int64_t>{});
  EXPECT_EQ(r->arrays[1].array.as<uint8_t>()[0], 7);
  EXPECT_TRUE(parse_safetensors(file_of("{}"), "w"));
}

TEST(SafeTensors, ReadsARealFile) {
  const std::string path = shared_data("weights/silero_vad/silero_vad_16k.safetensors");
  if (path.empty()) GTEST_SKIP() << "no data";
  const auto r = read_safetensors(path);
  ASSERT_TRUE(r) << fault(r);
  EXPECT_EQ(r->arrays.size(), 15u);
  EXPECT_EQ(r->arrays[0].name, "stft_conv.weight");
  EXPECT_EQ(r->arrays[0].array.shape, (std::vector<int64_t>{258, 1, 256}));
  int64_t total = 0;
  for (const NamedArray& a : r->arrays) total += a.array.size();
  EXPECT_EQ(total, 309633);
}

TEST(SafeTensors, RoundTripOfEveryType) {
  const Scratch s;
  std::vector<NamedArray> arrays = {{"z.é\"\\\n", filled(DType::u8, {3}, 1)}, {"flag", filled(DType::boolean, {2, 2}, 0)},
                                    {"w", filled(DType::f32, {2, 3}, 5)},      {"none", filled(DType::f32, {0, 4}, 0)},
                                    {"d", filled(DType::f64, {}, 9)},          {"h", filled(DType::f16, {3}, 2)},
                                    {"bh", filled(DType::bf16, {1}, 3)},       {"l", filled(DType::i64, {1}, 4)},
                                    {"i", filled(DType::i32, {2}, 8)},         {"c", filled(DType::i8, {5}, 6)}};
  ASSERT_TRUE(write_safetensors(s.path("w"), arrays, {{"step", "12"}, {"note", "ü"}}));
  const auto r = read_safetensors(s.path("w"));
  ASSERT_TRUE(r) << fault(r);
  EXPECT_EQ(r->metadata.at("note"), "ü");
  ASSERT_EQ(r->arrays.size(), arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_EQ(r->arrays[i].name, arrays[i].name);
    EXPECT_EQ(r->arrays[i].array.dtype, arrays[i].array.dtype);
    EXPECT_EQ(r->arrays[i].array.shape, arrays[i].array.shape);
    EXPECT_EQ(r->arrays[i].array.bytes, arrays[i].array.bytes);
  }
  ASSERT_TRUE(write_safetensors(s.path("v"), r->arrays, r->metadata));
  EXPECT_EQ(*read_file(s.path("v"), Gzip::never), *read_file(s.path("w"), Gzip::never));
}

TEST(SafeTensors, WritesTheDocumentedBytes) {
  const Scratch s;
  const std::vector<NamedArray> arrays = {{"b", filled(DType::u8, {1}, 7)}, {"a", filled(DType::f32, {1}, 1)}};
  ASSERT_TRUE(write_safetensors(s.path("w"), arrays));
  std::string header = R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[4,5]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  EXPECT_EQ(*read_file(s.path("w"), Gzip::never), file_of(header, "\x01\x02\x03\x04\x07"));
}

TEST(SafeTensors, RefusesNamesItCannotWrite) {
  const Scratch s;
  const auto named = [](std::string a, std::string b) {
    return std::vector<NamedArray>{{std::move(a), filled(DType::u8, {1}, 0)}, {std::move(b), filled(DType::u8, {1}, 0)}};
  };
  EXPECT_HAS(fault(write_safetensors(s.path("w"), named("a", "a"))), "two tensors are named `a`");
  EXPECT_HAS(fault(write_safetensors(s.path("w"), named("a", ""))), "cannot be named ``");
  EXPECT_HAS(fault(write_safetensors(s.path("w"), named("a", "__metadata__"))), "cannot be named");
  EXPECT_HAS(fault(write_safetensors(s.path("w"), named("a", "\xff"))), "not valid UTF-8");
  EXPECT_HAS(fault(write_safetensors(s.path("no/w"), named("a", "b"))), "No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(s.path("w")));
}

TEST(SafeTensors, HeaderLengthsAreBounded) {
  EXPECT_HAS(fault(parse_safetensors("1234567", "w")), "it has 7 bytes");
  EXPECT_HAS(fault(parse_safetensors(std::string(8, '\xff'), "w")), "its header would be 18446744073709551615 bytes long");
  EXPECT_HAS(fault(parse_safetensors(bytes_of({100, 0, 0, 0, 0, 0, 0, 0}) + "{}", "w")), "100 bytes long, but only 2 follow");
  EXPECT_HAS(refused(""), "does not begin with `{`");
}

TEST(SafeTensors, HeadersThatLie) {
  const auto tensor = [](const std::string& body) { return "{\"a\":{" + body + "}}"; };
  EXPECT_HAS(refused("{\"a\":}"), "not valid JSON");
  EXPECT_HAS(refused("{} x"), "not valid JSON");
  EXPECT_HAS(refused("{\"\xff\":1}"), "not valid JSON");
  EXPECT_HAS(refused("{\"a\":1}"), "tensor `a` is not described by");
  EXPECT_HAS(refused(tensor(R"("dtype":"I16","shape":[1],"data_offsets":[0,2])"), "xx"), "element type `I16`, which is not supported");
  EXPECT_HAS(refused(tensor(R"("dtype":3,"shape":[1],"data_offsets":[0,2])"), "xx"), "dtype that is not text");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[-1],"data_offsets":[0,2])"), "xx"), "not a list of sizes");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[1.0],"data_offsets":[0,1])"), "x"), "not a list of sizes");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,1])"), "x"), "not a list of sizes");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0])")), "impossible shape");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[1],"data_offsets":[0,1,2])"), "x"), "not two places");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[1],"data_offsets":[1,0])"), "x"), "ends before it begins");
  EXPECT_HAS(refused(tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,4])"), "xxxx"), "that is 8 bytes, but 4 bytes of data");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[2],"data_offsets":[0,2])"), "x"), "the file may be truncated");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[1],"data_offsets":[0,1])"), "xy"), "1 bytes at its end belong to no tensor");
  EXPECT_HAS(refused(tensor(R"("dtype":"U8","shape":[1],"data_offsets":[1,2])"), "xy"), "nothing covers the bytes from byte 0");
  EXPECT_HAS(refused(tensor(R"("dtype":"BOOL","shape":[1],"data_offsets":[0,1])"), "\x02"), "other than 0 and 1");
  EXPECT_HAS(refused(R"({"__metadata__":{"a":1}})"), "is not text");
  EXPECT_HAS(refused(R"({"__metadata__":[]})"), "is not an object");
}

TEST(SafeTensors, OverlapsAndRepeatedKeys) {
  const std::string a = R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]})";
  const std::string b = R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]})";
  EXPECT_HAS(refused("{" + a + "," + b + "}", "xyz"), "tensor `b` begins at byte 1 of the data, but the one before ends at byte 2");
  EXPECT_HAS(refused("{" + a + "," + a + "}", "xy"), "`a` is in its header twice");
  EXPECT_HAS(refused(R"({"a":{"dtype":"U8","dtype":"I8","shape":[2],"data_offsets":[0,2]}})", "xy"), "`dtype` is in its header twice");
}

TEST(SafeTensors, DeepNestingDoesNotOverflow) {
  const std::string deep(5'000'000, '[');
  EXPECT_HAS(refused("{\"a\":" + deep), "nested too deep");
  EXPECT_HAS(refused("{\"a\":" + deep + std::string(deep.size(), ']') + "}"), "nested too deep");
  std::string objects = "{";
  for (int i = 0; i < 300'000; ++i) objects += "\"a\":{";
  EXPECT_FALSE(parse_safetensors(file_of(objects), "w"));
}

TEST(SafeTensors, DamageIsFoundOrHarmless) {
  const std::string good = file_of(good_header, good_data);
  for_damaged(good, 20000, [&](const std::string& bad) {
    const auto r = parse_safetensors(bad, "w");
    if (bad.size() < good.size()) {
      EXPECT_FALSE(r) << bad.size();
    }
    for (const NamedArray& a : r ? r->arrays : std::vector<NamedArray>{})
      ASSERT_EQ(a.array.bytes.size(), static_cast<size_t>(*byte_count(a.array.dtype, a.array.shape)));
  });
}

}  // namespace
}  // namespace glia::io
