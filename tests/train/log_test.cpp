// What runs say, for programs and for people.
#include "train/log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace glia::train {
namespace {

std::vector<std::string> lines_of(const std::function<Log(std::FILE*)>& make, const std::vector<Event>& events) {
  std::FILE* f = std::tmpfile();
  const Log log = make(f);
  for (const Event& e : events) log.event(e);
  std::rewind(f);
  std::vector<std::string> lines;
  char text[4096];
  while (std::fgets(text, sizeof text, f)) lines.emplace_back(text);
  std::fclose(f);
  return lines;
}

Started start() {
  Started s;
  s.file = "a\"b\xff.ml", s.metrics = {"accuracy"}, s.parameters = 10, s.examples = 5, s.batch = 2, s.epochs = 3, s.steps = 9,
  s.options = {{"lr", "0.1"}};
  return s;
}

TEST(JsonLog, EveryLineIsAnObject) {
  const Scores bad{std::nan(""), {INFINITY}};
  const auto lines = lines_of(json_log, {start(), StepDone{1, 1, 0.5, 0.5, 2, 0, 0, {}, {}}, EpochDone{1, 3, {0.25, {0.5}}, bad, 100, 0.1},
                                         Ended{1, 3, {0.25, {0.5}}, {}, 0.1, "w"}});
  ASSERT_EQ(lines.size(), 4u);
  std::vector<nlohmann::json> j;
  for (const std::string& l : lines) j.push_back(nlohmann::json::parse(l));
  EXPECT_EQ(j[0]["event"], "start");
  EXPECT_EQ(j[0]["options"]["lr"], "0.1");
  EXPECT_EQ(j[1]["loss"], 0.5);
  EXPECT_EQ(j[2]["metrics"]["accuracy"], 0.5);
  EXPECT_TRUE(j[2]["validate"]["loss"].is_null());
  EXPECT_TRUE(j[2]["validate"]["accuracy"].is_null());
  EXPECT_EQ(j[3]["out"], "w");
}

TEST(PlainLog, OneLineAnEpochAndTheLastScores) {
  const auto lines = lines_of(plain_log, {start(), EpochDone{1, 3, {0.25, {0.5}}, Scores{0.125, {0.75}}, 100, 0.1},
                                          Ended{1, 3, {0.25, {0.5}}, Scores{0.125, {0.75}}, 0.1, "w.st"}});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1], "epoch 1/3  loss 0.2500  accuracy 0.5000  |  validate: loss 0.1250  accuracy 0.7500  |  100 examples/s  0.1 s\n");
  EXPECT_EQ(lines[2].find("validate: loss 0.1250  accuracy 0.7500"), 0u);
  EXPECT_EQ(lines[3], "weights written to w.st\n");
}

TEST(Bar, NeverWiderThanTheTerminal) {
  Started run = start();
  run.metrics = {"größe", "准确率"};
  const StepDone e{4, 2, 0.5, 0.5, 2, 12, 1000, {0.5, 0.25}, {}};
  for (size_t width = 1; width < 140; ++width) {
    const std::string text = bar_text(run, e, width);
    EXPECT_LE(display_width(text), width);
    EXPECT_FALSE(first_invalid_utf8(text).has_value()) << width;
  }
  EXPECT_NE(bar_text(run, e, 139).find("█"), std::string::npos);
}

TEST(Duration, ReadsLikeAClock) {
  EXPECT_EQ(duration_text(0.25), "0.2 s");
  EXPECT_EQ(duration_text(59), "59 s");
  EXPECT_EQ(duration_text(187), "3:07");
  EXPECT_EQ(duration_text(3723), "1:02:03");
  EXPECT_EQ(duration_text(std::nan("")), "?");
  EXPECT_EQ(duration_text(INFINITY), "?");
}

}  // namespace
}  // namespace glia::train
