// Diagnostics as a terminal shows them.
#include "base/diag.h"

#include <algorithm>

#include "base/text.h"

namespace glia {

namespace {

// Lines longer than this are shown around the span only: a minified file must not flood the terminal.
constexpr size_t widest_line = 160;

struct Paint {
  bool on;
  std::string operator()(std::string_view code, std::string_view text) const {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
};

// Tabs as four spaces; control characters and broken bytes as `?`, so that a file cannot steer the terminal.
std::string printable(std::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const bool c1_control = c == 0xC2 && i + 1 < line.size() && static_cast<unsigned char>(line[i + 1]) < 0xA0;
    if (c == '\t') {
      out += "    ";
    } else if (c < 0x20 || c == 0x7F) {
      out += '?';
    } else if (c1_control) {
      out += '?', ++i;
    } else {
      out += line[i];
    }
  }
  return first_invalid_utf8(out) ? std::string(display_width(line), '?') : out;
}

bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The part of a line that is shown: the whole line, or a window around [begin, end).
struct Window {
  std::string_view text;
  size_t begin, end;  // of the span, within text
  bool cut_left = false, cut_right = false;
};

Window window(std::string_view line, size_t begin, size_t end) {
  if (line.size() <= widest_line) return {line, begin, end};
  size_t from = begin > 40 ? begin - 40 : 0;
  while (from > 0 && continuation(line[from])) --from;
  size_t to = std::min(line.size(), from + widest_line);
  while (to < line.size() && continuation(line[to])) ++to;
  return {line.substr(from, to - from), begin - from, std::min(end, to) - from, from > 0, to < line.size()};
}

struct Excerpt {
  uint32_t line;
  std::string shown;
  std::string underline;
};

Excerpt excerpt(const SourceFile& file, Span span, char mark) {
  const uint32_t number = file.place(span.begin).line;
  const std::string_view line = file.line(number);
  const uint32_t start = file.line_start(number);
  const size_t begin = std::min<size_t>(span.begin - start, line.size());
  const size_t end = std::clamp<size_t>(span.end > start ? span.end - start : 0, begin, line.size());
  const Window w = window(line, begin, end);
  const size_t indent = display_width(w.text.substr(0, w.begin)) + (w.cut_left ? 3 : 0);
  const size_t width = std::max<size_t>(1, display_width(w.text.substr(w.begin, w.end - w.begin)));
  return {number, (w.cut_left ? "..." : "") + printable(w.text) + (w.cut_right ? "..." : ""),
          std::string(indent, ' ') + std::string(width, mark)};
}

std::string headline(const Diagnostic& d, const Paint& paint) {
  const bool error = d.severity == Severity::error;
  const std::string head = fmt::format("{}[{}]", error ? "error" : "warning", d.code);
  return fmt::format("{}{}\n", paint(error ? "1;31" : "1;33", head), paint("1", ": " + printable(d.message)));
}

struct Shown {
  Span span;
  std::string text;
  char mark;
};

}  // namespace

Diagnostic& Diagnostics::add(Diagnostic d) {
  if (d.severity == Severity::error) ++faults_;
  const auto same = [&](const Diagnostic& other) { return other.code == d.code && other.span == d.span; };
  if (d.span.valid() && std::any_of(list_.begin(), list_.end(), same)) return repeated_ = Diagnostic{};
  if (d.severity == Severity::error) ++errors_;
  return list_.emplace_back(std::move(d));
}

std::string render(const Diagnostic& d, const Sources& sources, bool color) {
  const Paint paint{color};
  std::vector<Shown> places;
  if (d.span.valid()) places.push_back({d.span, "", '^'});
  for (const Label& l : d.labels) places.push_back({l.span, l.text, '-'});
  // The file of the fault first, its lines from top to bottom; then other files as they were named.
  const auto above = [&](const Shown& a, const Shown& b) {
    const bool a_here = a.span.file == d.span.file, b_here = b.span.file == d.span.file;
    if (a_here != b_here) return a_here;
    return a_here && sources.file(d.span.file).place(a.span.begin).line < sources.file(d.span.file).place(b.span.begin).line;
  };
  std::stable_sort(places.begin(), places.end(), above);

  size_t gutter = 1;
  for (const Shown& p : places)
    gutter = std::max(gutter, fmt::formatted_size("{}", sources.file(p.span.file).place(p.span.begin).line));
  const std::string margin(gutter, ' ');
  const std::string bar = paint("1;34", "|");

  std::string out = headline(d, paint);
  FileId shown_file;
  uint32_t shown_line = 0;
  for (const Shown& p : places) {
    const SourceFile& file = sources.file(p.span.file);
    const Excerpt e = excerpt(file, p.span, p.mark);
    if (p.span.file != shown_file)
      out += fmt::format("{}{} {}\n{} {}\n", margin, paint("1;34", shown_file.valid() ? ":::" : "-->"), sources.where(shown_file.valid() || !d.span.valid() ? p.span : d.span), margin, bar);
    else if (e.line != shown_line + 1 && e.line != shown_line)
      out += paint("1;34", "...") + "\n";
    if (p.span.file != shown_file || e.line != shown_line)
      out += fmt::format("{} {} {}\n", paint("1;34", fmt::format("{:>{}}", e.line, gutter)), bar, e.shown);
    out += fmt::format("{} {} {}{}{}\n", margin, bar, paint(p.mark == '^' ? "1;31" : "1;34", e.underline), p.text.empty() ? "" : " ", p.text);
    shown_file = p.span.file, shown_line = e.line;
  }
  for (const std::string& n : d.notes) out += fmt::format("{} {} {}\n", margin, paint("1", "= note:"), n);
  for (const std::string& h : d.helps) out += fmt::format("{} {} {}\n", margin, paint("1;32", "= help:"), h);
  return out;
}

std::string render_all(const Diagnostics& ds, const Sources& sources, bool color) {
  std::string out;
  for (const Diagnostic& d : ds.all()) out += render(d, sources, color) + "\n";
  return out;
}

}  // namespace glia
