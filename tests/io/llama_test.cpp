// Checkpoints and tokenisers of llama2.c: layout, faults, damage.
#include "io/llama2c.h"
#include "io/tokens.h"

#include <numeric>

#include "tests/io/scratch.h"

namespace glia::io {
namespace {

std::string numbers(std::initializer_list<int32_t> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(int32_t)};
}

// dim 4, hidden 3, 2 layers, 2 heads, 1 of keys, 5 tokens, 6 positions; weight i is i.
std::string checkpoint(bool shared) {
  const int count = 5 * 4 + 2 * (4 + 16 + 8 + 8 + 16 + 4 + 12 + 12 + 12) + 4 + 2 * 6 + (shared ? 0 : 20);
  std::vector<float> weights(static_cast<size_t>(count));
  std::iota(weights.begin(), weights.end(), 0.0f);
  return numbers({4, 3, 2, 2, 1, shared ? 5 : -5, 6}) + std::string(reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float));
}

TEST(Llama2c, ReadsTheWeightsInTheirPlaces) {
  const auto m = parse_llama2c(checkpoint(false), "p");
  ASSERT_TRUE(m) << fault(m);
  EXPECT_EQ(m->vocabulary, 5);
  EXPECT_FALSE(m->shared);
  ASSERT_EQ(m->weights.size(), 12u);
  EXPECT_EQ(m->weights[3].name, "wk");
  EXPECT_EQ(m->weights[3].array.shape, (std::vector<int64_t>{2, 2, 4}));
  EXPECT_EQ(m->weights[3].array.as<float>()[0], 20 + 8 + 32);
  EXPECT_EQ(m->weights[10].name, "rms_final");
  EXPECT_EQ(m->weights[10].array.as<float>()[3], 20 + 2 * 92 + 3);
  EXPECT_EQ(m->weights[11].name, "wcls");
  EXPECT_EQ(m->weights[11].array.as<float>()[0], 20 + 2 * 92 + 4 + 12);
  const auto shared = parse_llama2c(checkpoint(true), "p");
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->shared);
  EXPECT_EQ(shared->weights.size(), 11u);
}

TEST(Llama2c, SaysWhatIsWrong) {
  EXPECT_HAS(fault(parse_llama2c("abc", "m.bin")), "`m.bin` is not a checkpoint of llama2.c (version 0): it has 3 bytes");
  EXPECT_HAS(fault(parse_llama2c(checkpoint(true) + "x", "m")), "1 bytes at its end");
  EXPECT_HAS(fault(parse_llama2c(checkpoint(true).substr(0, 200), "m")), "it ends inside `wq`");
  EXPECT_HAS(fault(parse_llama2c(numbers({4, 3, 0, 2, 1, 5, 6}), "m")), "its `n_layers` is 0");
  EXPECT_HAS(fault(parse_llama2c(numbers({4, 3, 2, 3, 1, 5, 6}), "m")), "`dim` 4 and `n_heads` 3 do not agree");
  EXPECT_HAS(fault(parse_llama2c(numbers({1 << 24, 1 << 24, 1 << 24, 2, 2, 1 << 24, 6}), "m")), "it ends inside `token_embedding`");
  EXPECT_HAS(fault(parse_llama2c(numbers({4, 3, 2, 2, 1, -2147483647 - 1, 6}), "m")), "its `vocab_size` is 2147483648");
}

TEST(Llama2c, DamageIsFoundOrHarmless) {
  const std::string good = checkpoint(true);
  for_damaged(good, 5000, [&](const std::string& bad) {
    const auto m = parse_llama2c(bad, "p");
    if (bad.size() < good.size()) {
      EXPECT_FALSE(m) << bad.size();
    }
  });
  for_damaged(good.substr(0, 28), 5000, [&](const std::string& head) { (void)parse_llama2c(head + good.substr(28), "p"); });
}

TEST(Llama2c, TheRealModel) {
  const std::string dir = shared_data("weights/stories260K");
  if (dir.empty()) GTEST_SKIP() << "no data";
  const auto m = read_llama2c(dir + "/stories260K.bin");
  ASSERT_TRUE(m) << fault(m);
  EXPECT_EQ(m->layers, 5);
  EXPECT_EQ(m->hidden, 172);
  EXPECT_TRUE(m->shared);
  const auto words = read_token_pieces(dir + "/tok512.bin");
  ASSERT_TRUE(words) << fault(words);
  ASSERT_EQ(words->pieces.size(), 512u);
  EXPECT_EQ(words->pieces[3], "<0x00>");
  EXPECT_EQ(words->scores[506], -247.0f);
}

std::string piece(float score, const std::string& text) {
  return std::string(reinterpret_cast<const char*>(&score), 4) + numbers({static_cast<int32_t>(text.size())}) + text;
}

TEST(Tokens, ReadsPiecesToTheEnd) {
  const auto t = parse_token_pieces(numbers({3}) + piece(0, "") + piece(-1.5, "abc"), "p");
  ASSERT_TRUE(t) << fault(t);
  EXPECT_EQ(t->pieces, (std::vector<std::string>{"", "abc"}));
  EXPECT_EQ(t->scores, (std::vector<float>{0, -1.5}));
}

TEST(Tokens, SaysWhatIsWrong) {
  EXPECT_HAS(fault(parse_token_pieces("", "t")), "`t` is not a tokeniser of llama2.c: it has 0 bytes");
  EXPECT_HAS(fault(parse_token_pieces(numbers({3}), "t")), "it has no tokens");
  EXPECT_HAS(fault(parse_token_pieces(numbers({0}), "t")), "longest piece has 0 bytes");
  EXPECT_HAS(fault(parse_token_pieces(numbers({3}) + piece(0, "abcd"), "t")), "token 0 (byte 4) has 4 bytes, but the longest should have 3");
  EXPECT_HAS(fault(parse_token_pieces(numbers({3}) + piece(0, "a") + numbers({0, 9}), "t")), "token 1 (byte 13) has 9 bytes, but 0 are left");
  EXPECT_HAS(fault(parse_token_pieces(numbers({3, 0x7fc00000, 0}), "t")), "the score of token 0 (byte 4) is not a number");
}

TEST(Tokens, DamageIsFoundOrHarmless) {
  const std::string good = numbers({3}) + piece(0, "ab") + piece(-1, "abc") + piece(-2, "c");
  for_damaged(good, 10000, [&](const std::string& bad) {
    const auto t = parse_token_pieces(bad, "p");
    if (t) {
      ASSERT_EQ(t->pieces.size(), t->scores.size());
    }
  });
}

}  // namespace
}  // namespace glia::io
