// One object a line.
#include <cmath>
#include <nlohmann/json.hpp>

#include "train/log.h"

namespace glia::train {

namespace {
using Json = nlohmann::ordered_json;
constexpr int64_t step_interval = 100;  // a fixed count, so that two runs of one seed log the same steps

// JSON has no NaN and no infinity.
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json metrics_json(std::span<const double> values, const std::vector<std::string>& names) {
  Json j = Json::object();
  for (size_t i = 0; i < values.size() && i < names.size(); ++i) j[names[i]] = number(values[i]);
  return j;
}

Json scores_json(const Scores& s, const std::vector<std::string>& names) {
  Json j = metrics_json(s.metrics, names);
  Json all = Json::object();
  all["loss"] = number(s.loss);
  all.update(j);
  return all;
}

void add_scores(Json& j, const Scores& s, const std::optional<Scores>& validate, const std::vector<std::string>& names) {
  j["loss"] = number(s.loss);
  j["metrics"] = metrics_json(s.metrics, names);
  if (validate) j["validate"] = scores_json(*validate, names);
}

Json to_json(const Started& e) {
  Json options = Json::object();
  for (const auto& [name, value] : e.options) options[name] = value;
  return {{"event", "start"},       {"file", e.file},       {"model", e.model},   {"parameters", e.parameters},
          {"examples", e.examples}, {"batch", e.batch},     {"epochs", e.epochs}, {"steps", e.steps},
          {"seed", e.seed},         {"threads", e.threads}, {"options", options}};
}

Json to_json(const StepDone& e, const std::vector<std::string>& names) {
  Json j = {{"event", "step"}, {"step", e.step}, {"epoch", e.epoch}, {"loss", number(e.loss)}};
  if (e.validate) j["validate"] = scores_json(*e.validate, names);
  return j;
}

Json to_json(const EpochDone& e, const std::vector<std::string>& names) {
  Json j = {{"event", "epoch"}, {"epoch", e.epoch}, {"step", e.step}};
  add_scores(j, e.train, e.validate, names);
  j["examples_per_s"] = number(e.examples_per_s);
  j["seconds"] = number(e.seconds);
  return j;
}

Json to_json(const Ended& e, const std::vector<std::string>& names) {
  Json j = {{"event", "end"}, {"epoch", e.epochs}, {"step", e.steps}};
  add_scores(j, e.train, e.validate, names);
  j["seconds"] = number(e.seconds);
  j["out"] = e.out.empty() ? Json(nullptr) : Json(e.out);
  return j;
}
}  // namespace

std::string scores_line(const Scores& s, const std::vector<std::string>& metrics) {
  Json j = {{"event", "eval"}};
  add_scores(j, s, std::nullopt, metrics);
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Log json_log(std::FILE* out) {
  auto write = [out, names = std::vector<std::string>()](const Event& event) mutable {
    if (const auto* s = std::get_if<Started>(&event)) names = s->metrics;
    const Json j = std::visit(
        [&]<class E>(const E& e) {
          if constexpr (std::is_same_v<E, Started>) return to_json(e);
          else return to_json(e, names);
        },
        event);
    // Text that is not UTF-8 (a path) is replaced rather than refused.
    const std::string line = j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    std::fputs(line.c_str(), out);
    std::fflush(out);
  };
  return {[](int64_t step) { return step % step_interval == 0; }, write};
}

}  // namespace glia::train
