// Lines and the progress bar.
#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "base/text.h"
#include "train/log.h"

namespace glia::train {

namespace {
using Clock = std::chrono::steady_clock;
constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr size_t default_width = 80;

std::string epoch_line(const Started& run, const EpochDone& e) {
  std::string line = fmt::format("epoch {}/{}  {}", e.epoch, run.epochs, scores_text(e.train, run.metrics));
  if (e.validate) line += fmt::format("  |  validate: {}", scores_text(*e.validate, run.metrics));
  return line + fmt::format("  |  {:.0f} examples/s  {}", e.examples_per_s, duration_text(e.seconds));
}

std::string validated_line(const Started& run, const StepDone& e) {
  return fmt::format("step {}  validate: {}", e.step, scores_text(*e.validate, run.metrics));
}

std::string first_line(const Started& run) {
  return fmt::format("training {}: {} parameters, {} examples, batch {}, {} epochs, seed {}", run.model.empty() ? run.file : run.model,
                     run.parameters, run.examples, run.batch, run.epochs, run.seed);
}

std::string last_line(const Started& run, const Ended& e) {
  const Scores& s = e.validate ? *e.validate : e.train;
  std::string line = fmt::format("{}: {}  ({} steps in {})", e.validate ? "validate" : "train", scores_text(s, run.metrics), e.steps,
                                 duration_text(e.seconds));
  if (!e.out.empty()) line += fmt::format("\nweights written to {}", e.out);
  return line;
}

void put(std::FILE* f, const std::string& line) {
  std::fputs((line + "\n").c_str(), f);
  std::fflush(f);
}

size_t terminal_width(std::FILE* f) {
  winsize w{};
  return ::ioctl(::fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : default_width;
}

// The line that is redrawn. It holds its last text, so that lines can be printed above it.
struct Bar {
  std::FILE* terminal;
  std::FILE* out;
  Started run;
  Clock::time_point drawn{};

  void erase() const { std::fputs("\r\x1b[K", terminal), std::fflush(terminal); }
  void draw(const StepDone& e) {
    drawn = Clock::now();
    std::fputs(("\r" + bar_text(run, e, terminal_width(terminal) - 1) + "\x1b[K").c_str(), terminal);
    std::fflush(terminal);
  }
  void above(const std::string& line) const { erase(), put(out, line); }
};
}  // namespace

std::string scores_text(const Scores& s, const std::vector<std::string>& metrics) {
  std::string text = fmt::format("loss {:.4f}", s.loss);
  for (size_t i = 0; i < metrics.size() && i < s.metrics.size(); ++i) text += fmt::format("  {} {:.4f}", metrics[i], s.metrics[i]);
  return text;
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  const auto s = static_cast<int64_t>(std::min(seconds, 1e9));
  if (s < 60) return seconds < 10 ? fmt::format("{:.1f} s", seconds) : fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string bar_text(const Started& run, const StepDone& e, size_t width) {
  const double done = run.steps == 0 ? 1 : static_cast<double>(e.step) / static_cast<double>(run.steps);
  const double left = done > 0 ? e.seconds / done * (1 - done) : NAN;
  std::string text = fmt::format("epoch {}/{}  step {}/{}  {}  {:.0f} examples/s  {} left", e.epoch, run.epochs, e.step, run.steps,
                                 scores_text({e.mean_loss, e.metrics}, run.metrics), e.examples_per_s, duration_text(left));
  constexpr size_t bar = 20;
  const size_t used = display_width(text);
  if (used + bar + 2 <= width) {
    const auto full = std::min(bar, static_cast<size_t>(done * static_cast<double>(bar)));
    std::string drawn;
    for (size_t i = 0; i < bar; ++i) drawn += i < full ? "█" : "░";
    return drawn + "  " + text;
  }
  while (!text.empty() && display_width(text) > width) {  // whole characters go, not bytes
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
    text.pop_back();
  }
  return text;
}

Log plain_log(std::FILE* out) {
  auto event = [out, run = Started()](const Event& e) mutable {
    if (const auto* s = std::get_if<Started>(&e)) put(out, first_line(run = *s));
    if (const auto* s = std::get_if<StepDone>(&e); s && s->validate) put(out, validated_line(run, *s));
    if (const auto* s = std::get_if<EpochDone>(&e)) put(out, epoch_line(run, *s));
    if (const auto* s = std::get_if<Ended>(&e)) put(out, last_line(run, *s));
  };
  return {[](int64_t) { return false; }, event};
}

Log progress_log(std::FILE* terminal, std::FILE* out) {
  auto bar = std::make_shared<Bar>(Bar{terminal, out, {}, {}});
  auto event = [bar](const Event& e) {
    if (const auto* s = std::get_if<Started>(&e)) put(bar->out, first_line(bar->run = *s));
    if (const auto* s = std::get_if<StepDone>(&e)) {
      if (s->validate) bar->above(validated_line(bar->run, *s));
      bar->draw(*s);
    }
    if (const auto* s = std::get_if<EpochDone>(&e)) bar->above(epoch_line(bar->run, *s));
    if (const auto* s = std::get_if<Ended>(&e)) bar->above(last_line(bar->run, *s));
  };
  return {[bar](int64_t) { return Clock::now() - bar->drawn >= redraw_interval; }, event};
}

}  // namespace glia::train
