// Sound: samples of each format, archives, sets and labels of clips, damage.
#include "io/clips.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/tar.h"
#include "io/wav.h"
#include "tests/io/scratch.h"

namespace glia::io {
namespace {

std::string le(uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
  return out;
}

struct WavSpec {
  int kind = 1, channels = 1, bits = 16, rate = 8000;
};

std::string wav(const std::string& data, WavSpec s = {}, const std::string& before = "") {
  const std::string format = le(static_cast<uint64_t>(s.kind), 2) + le(static_cast<uint64_t>(s.channels), 2) + le(static_cast<uint64_t>(s.rate), 4) +
                             le(static_cast<uint64_t>(s.rate * s.bits / 8), 4) + le(static_cast<uint64_t>(s.bits / 8 * s.channels), 2) +
                             le(static_cast<uint64_t>(s.bits), 2);
  const std::string body = "WAVEfmt " + le(16, 4) + format + before + "data" + le(data.size(), 4) + data;
  return "RIFF" + le(body.size(), 4) + body;
}

std::string tar_entry(const std::string& name, const std::string& data, char type = '0') {
  std::string h(512, '\0');
  h.replace(0, name.size(), name);
  h.replace(124, 11, fmt::format("{:011o}", data.size()));
  h[156] = type;
  h.replace(257, 8, std::string("ustar\00000", 8));
  h.replace(148, 8, "        ");
  unsigned sum = 0;
  for (unsigned char c : h) sum += c;
  h.replace(148, 7, fmt::format("{:06o}", sum) + '\0');
  return h + data + std::string((512 - data.size() % 512) % 512, '\0');
}

const std::string tar_end(1024, '\0');
using Floats = std::vector<float>;

TEST(Wav, ReadsEveryFormat) {
  EXPECT_EQ(parse_wav(wav(le(0x8000, 2) + le(0x4000, 2)), "p")->samples, (Floats{-1, 0.5}));
  EXPECT_EQ(parse_wav(wav(bytes_of({0, 128, 192}), {1, 1, 8}), "p")->samples, (Floats{-1, 0, 0.5}));
  EXPECT_EQ(parse_wav(wav(le(0xc00000, 3) + le(0x400000, 3), {1, 1, 24}), "p")->samples, (Floats{-0.5, 0.5}));
  EXPECT_EQ(parse_wav(wav(le(0xc0000000, 4), {1, 1, 32}), "p")->samples, (Floats{-0.5}));
  EXPECT_EQ(parse_wav(wav(le(0x3e800000, 4), {3, 1, 32}), "p")->samples, (Floats{0.25}));
  const auto odd = parse_wav(wav(le(0x4000, 2), {1, 1, 16, 44100}, "LIST" + le(3, 4) + "abc" + std::string(1, '\0')), "p");
  ASSERT_TRUE(odd) << fault(odd);
  EXPECT_EQ(odd->rate, 44100);
  EXPECT_EQ(odd->samples, (Floats{0.5}));
}

TEST(Wav, SaysWhatIsWrong) {
  EXPECT_HAS(fault(parse_wav("RIFX", "a.wav")), "`a.wav` is not a WAV file");
  EXPECT_HAS(fault(parse_wav(wav("xx", {1, 2, 16}), "a")), "has 2 channels");
  EXPECT_HAS(fault(parse_wav(wav("x", {2, 1, 8}), "a")), "format 2 with 8 bits are not read");
  EXPECT_HAS(fault(parse_wav(wav("x"), "a")), "no whole number of samples");
  EXPECT_HAS(fault(parse_wav(wav(le(0x7fc00000, 4), {3, 1, 32}), "a")), "sample 1 is not a number");
  const std::string good = wav("abcd");
  EXPECT_HAS(fault(parse_wav(good.substr(0, good.size() - 1), "a")), "the chunk at byte 36 has 4 bytes, but 3 are left");
  EXPECT_HAS(fault(parse_wav(good.substr(0, 36), "a")), "no chunk `data`");
  EXPECT_HAS(fault(parse_wav(good.substr(0, 12), "a")), "no chunk `fmt `");
}

TEST(Wav, DamageIsFoundOrHarmless) {
  const std::string good = wav("abcdefgh", {}, "LIST" + le(2, 4) + "ab");
  for_damaged(good, 20000, [&](const std::string& bad) {
    const auto w = parse_wav(bad, "p");
    if (w) {
      ASSERT_LE(w->samples.size(), 8u);
    }
    if (bad.size() < good.size()) {
      EXPECT_FALSE(w) << bad.size();
    }
  });
}

TEST(Tar, ReadsFilesAndLongNames) {
  const std::string name(150, 'n'), pax_name(120, 'p'), record = fmt::format("129 path={}\n", pax_name);
  ASSERT_EQ(record.size(), 130u);
  const std::string bytes = tar_entry("d/", "", '5') + tar_entry("d/a", "hello") + tar_entry("././@LongLink", name + '\0', 'L') + tar_entry("cut", "x") +
                            tar_entry("pax", "130" + record.substr(3), 'x') + tar_entry("cut", "") + tar_end;
  const auto files = parse_tar(bytes, "p");
  ASSERT_TRUE(files) << fault(files);
  ASSERT_EQ(files->size(), 3u);
  EXPECT_EQ((*files)[0].name, "d/a");
  EXPECT_EQ((*files)[0].bytes, "hello");
  EXPECT_EQ((*files)[1].name, name);
  EXPECT_EQ((*files)[1].bytes, "x");
  EXPECT_EQ((*files)[2].name, pax_name);
}

TEST(Tar, SaysWhatIsWrong) {
  EXPECT_HAS(fault(parse_tar(std::string(512, 'x'), "a.tar")), "`a.tar`, byte 0: not a tar archive");
  EXPECT_HAS(fault(parse_tar(tar_entry("a", "hi"), "a.tar")), "has no end");
  EXPECT_HAS(fault(parse_tar("", "a.tar")), "has no end");
  EXPECT_HAS(fault(parse_tar(tar_entry("l", "", '2') + tar_end, "a.tar")), "`l` is a link or device");
  EXPECT_HAS(fault(parse_tar(tar_entry("a", std::string(600, 'x')).substr(0, 700), "a.tar")), "a file of 600 bytes, but 188 are left");
  EXPECT_HAS(fault(parse_tar(tar_entry("x", "99 path=a\n", 'x') + tar_end, "a.tar")), "extended header is broken");
}

TEST(Tar, DamageIsFoundOrHarmless) {
  const std::string good = tar_entry("pax", "11 path=ab\n", 'x') + tar_entry("a", "hello") + tar_end;
  for_damaged(good, 5000, [&](const std::string& bad) {
    const auto files = parse_tar(bad, "p");
    for (const TarFile& f : files ? *files : std::vector<TarFile>{}) ASSERT_LE(f.bytes.size(), bad.size());
  });
}

TEST(Clips, ReadsFoldersAndArchives) {
  const Scratch s;
  std::filesystem::create_directory(s.path("train"));
  s.put("train/10_ann_0.wav", wav(le(0x4000, 2))), s.put("train/2_bob_0.wav", wav(std::string(20, '\0') + le(0x4000, 2)));
  s.put("set-test.tar.gz", packed(tar_entry("x/10_cy_1.wav", wav(le(0xc000, 2))) + tar_entry("x/readme", "hi") + tar_end));
  s.put("notes.txt", "");
  const auto c = read_clips(s.dir.string(), 8000, 4);
  ASSERT_TRUE(c) << fault(c);
  EXPECT_EQ(c->classes, (std::vector<std::string>{"2", "10"}));
  EXPECT_EQ(c->train.waves.shape, (std::vector<int64_t>{2, 4}));
  const auto train = c->train.waves.as<float>();
  EXPECT_EQ(Floats(train.begin(), train.end()), (Floats{0.5, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(c->train.labels.as<int32_t>()[0], 1);
  EXPECT_EQ(c->test.waves.as<float>()[0], -0.5f);
  EXPECT_EQ(c->test.labels.as<int32_t>()[0], 1);
}

TEST(Clips, SaysWhatIsWrong) {
  const Scratch s;
  EXPECT_HAS(fault(read_clips(s.dir.string(), 8000, 4)), "has no `.wav` files of the set `train`; the folder is empty");
  EXPECT_HAS(fault(read_clips(s.path("gone"), 8000, 4)), "cannot open the folder");
  const std::string lost = s.put("a_1.wav", wav(""));
  EXPECT_HAS(fault(read_clips(s.dir.string(), 8000, 4)), "`" + lost + "` is in no set");
  std::filesystem::remove(lost);
  std::filesystem::create_directory(s.path("train")), std::filesystem::create_directory(s.path("test"));
  s.put("train/a_1.wav", wav("", {1, 1, 16, 16000}));
  EXPECT_HAS(fault(read_clips(s.dir.string(), 8000, 4)), "has 16000 samples a second, not 8000");
  s.put("train/a_1.wav", wav("")), s.put("test/b_1.wav", wav(""));
  EXPECT_HAS(fault(read_clips(s.dir.string(), 8000, 4)), "no training clip has the label `b`");
  s.put("test/b.wav", wav(""));
  EXPECT_HAS(fault(read_clips(s.dir.string(), 8000, 4)), "has no label");
}

TEST(Clips, TheRealSet) {
  const std::string dir = shared_data("fsdd");
  if (dir.empty()) GTEST_SKIP() << "no data";
  const auto c = read_clips(dir, 8000, 8000);
  ASSERT_TRUE(c) << fault(c);
  EXPECT_EQ(c->train.waves.shape, (std::vector<int64_t>{420, 8000}));
  EXPECT_EQ(c->test.waves.rows(), 300);
  ASSERT_EQ(c->classes.size(), 10u);
  EXPECT_EQ(c->classes[7], "7");
  const auto labels = c->test.labels.as<int32_t>();
  EXPECT_EQ(std::count(labels.begin(), labels.end(), 3), 30);
}

}  // namespace
}  // namespace glia::io
