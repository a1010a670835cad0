// Training through the command: logs, weights, and what a person sees.
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/glia_run.h"

namespace glia::cli {
namespace {

struct TrainCommand : Command {
  void SetUp() override { Command::SetUp(), put_line(); }
};

TEST_F(TrainCommand, JsonLinesTellTheRun) {
  const Said s = glia("train line.ml --log json --lr 0.2 --seed 3 --train.epochs 40 --out w.safetensors");
  ASSERT_EQ(s.status, 0) << s.err;
  std::vector<nlohmann::json> events;
  std::istringstream lines(s.out);
  for (std::string l; std::getline(lines, l);) events.push_back(nlohmann::json::parse(l));
  ASSERT_EQ(events.size(), 1u + 40u + 1u + 1u);  // start, epochs, step 100, end
  EXPECT_EQ(events[0]["event"], "start");
  EXPECT_EQ(events[0]["seed"], 3);
  EXPECT_EQ(events[0]["examples"], 16);
  EXPECT_EQ(events[0]["parameters"], 2);
  EXPECT_EQ(events[0]["options"]["lr"], "0.2");
  const nlohmann::json& end = events.back();
  EXPECT_EQ(end["event"], "end");
  EXPECT_EQ(end["step"], 160);
  EXPECT_LT(end["validate"]["loss"].get<double>(), 1e-3);
  EXPECT_LT(end["validate"]["error"].get<double>(), 0.05);
  EXPECT_EQ(end["out"], "w.safetensors");
}

TEST_F(TrainCommand, EvalMeasuresWhatTrainingSaved) {
  const Said trained = glia("train line.ml --out w.safetensors");
  ASSERT_EQ(trained.status, 0) << trained.err;
  const Said s = glia("eval line.ml --weights w.safetensors");
  ASSERT_EQ(s.status, 0) << s.err;
  EXPECT_TRUE(holds(trained.out, "validate: " + s.out.substr(0, s.out.size() - 1))) << trained.out << s.out;
}

TEST_F(TrainCommand, WeightsOfAnotherModelAreRefused) {
  ASSERT_EQ(glia("train line.ml --out w.safetensors").status, 0);
  std::string other = line_program;
  other.replace(other.find("param b"), 7, "param c");
  other.replace(other.find("+ b"), 3, "+ c");
  put("other.ml", other);
  const Said s = glia("eval other.ml --weights w.safetensors");
  EXPECT_EQ(s.status, 1);
  EXPECT_TRUE(holds(s.err, "no parameter `c`")) << s.err;
  EXPECT_TRUE(holds(s.err, "a parameter `b`, which the model does not have")) << s.err;
  put("junk", "not weights");
  EXPECT_EQ(glia("eval line.ml --weights junk").status, 1);
  EXPECT_EQ(glia("eval line.ml --weights missing").status, 1);
}

TEST_F(TrainCommand, SameSeedSameFileForAnyNumberOfThreadsAndBothBackendsAgree) {
  ASSERT_EQ(glia("train line.ml --threads 1 --out a").status, 0);
  ASSERT_EQ(glia("train line.ml --threads 3 --out b").status, 0);
  EXPECT_EQ(text_of("a"), text_of("b"));
  ASSERT_EQ(glia("train line.ml --seed 9 --out b").status, 0);
  EXPECT_NE(text_of("a"), text_of("b"));
  const Said plan = glia("eval line.ml --weights a --log json"), oracle = glia("eval line.ml --weights a --log json --backend interp");
  ASSERT_EQ(oracle.status, 0) << oracle.err;
  EXPECT_NEAR(nlohmann::json::parse(plan.out)["loss"].get<double>(), nlohmann::json::parse(oracle.out)["loss"].get<double>(), 1e-6);
}

TEST_F(TrainCommand, StopsAtNumbersThatAreNotFinite) {
  const Said s = glia("train line.ml --lr 1e6 --out w.safetensors");
  EXPECT_EQ(s.status, 1);
  EXPECT_TRUE(holds(s.err, "training stopped at step ")) << s.err;
  EXPECT_TRUE(holds(s.err, "line.ml:14:")) << s.err;
  EXPECT_FALSE(std::filesystem::exists(dir / "w.safetensors"));
}

TEST_F(TrainCommand, WhereTheWeightsGoIsLookedAtFirst) {
  const Said s = glia("train line.ml --out missing/w.safetensors");
  EXPECT_EQ(s.status, 1);
  EXPECT_EQ(s.out, "");
  EXPECT_TRUE(holds(s.err, "there is no folder `missing`")) << s.err;
  EXPECT_EQ(glia("train line.ml --out .").status, 1);
}

TEST_F(TrainCommand, RowsThatAreDroppedAreTold) {
  put("line.csv", "x,y\n1,3\n2,\n3,7\n4,9\n5,11\n6,13\n");
  std::string dropping = line_program;
  dropping.replace(dropping.find("y = \"y\""), 7, "y = \"y\", missing = \"drop\"");
  put("line.ml", dropping);
  const Said s = glia("train line.ml --lr 0.01");
  EXPECT_EQ(s.status, 0) << s.err;
  EXPECT_TRUE(holds(s.err, "1 row dropped for missing values")) << s.err;
}

TEST_F(TrainCommand, AProgramWithoutATrainBlockCannotTrain) {
  put("p.ml", "print(1)\n");
  for (const char* verb : {"train", "summary", "ir"}) {
    const Said s = glia(std::string(verb) + " p.ml");
    EXPECT_EQ(s.status, 1) << verb;
    EXPECT_TRUE(holds(s.err, "has no train block")) << s.err;
  }
}

TEST_F(TrainCommand, SeveralBlocksAreChosenByName) {
  std::string two = line_program;
  const size_t at = two.find("train {");
  std::string second = two.substr(at);
  two.replace(at, 7, "train first {");
  second.replace(0, 7, "train second {");
  put("two.ml", two + second);
  const Said s = glia("train two.ml");
  EXPECT_EQ(s.status, 1);
  EXPECT_TRUE(holds(s.err, "first and second")) << s.err;
  EXPECT_EQ(glia("train two.ml --block second").status, 0);
  EXPECT_TRUE(holds(glia("train two.ml --block secnd").err, "did you mean `second`?"));
}

TEST_F(TrainCommand, SummaryAndIrShowTheModel) {
  const Said summary = glia("summary line.ml");
  EXPECT_EQ(summary.status, 0) << summary.err;
  EXPECT_TRUE(holds(summary.out, "parameters  2 (2 trained)")) << summary.out;
  EXPECT_TRUE(holds(summary.out, "f32[1]")) << summary.out;
  const Said step = glia("ir line.ml");
  EXPECT_EQ(step.status, 0) << step.err;
  EXPECT_EQ(step.out.find("func train_step("), 0u) << step.out;
  const Said all = glia("ir line.ml --after all");
  EXPECT_TRUE(holds(all.out, "# after simplify")) << all.err;
  EXPECT_EQ(glia("ir line.ml:nothing").status, 1);
}

}  // namespace
}  // namespace glia::cli
