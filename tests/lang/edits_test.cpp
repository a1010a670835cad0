// Single slips in programs that are right: a misspelt name, two axes swapped, an argument left out. The first error must
// point at the line of the slip, or name that line as where a side comes from, and no slip may give a flood of errors.
// The programs are those of the specification; skipped where they are not there (GLIA_SHARED names their folder).
// GLIA_EDITS asks for more than 200, GLIA_SHOW_MISSES=1 shows what the messages miss.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include <unistd.h>

#include <gtest/gtest.h>

#include "parser/program.h"

namespace glia {
namespace {

namespace fs = std::filesystem;

struct Token {
  enum Kind { word, number, mark } kind;
  std::string text;
  size_t begin, end;
};

struct Edit {
  size_t begin, end;
  std::string with;
  std::string kind;
};

std::vector<Token> lex(const std::string& s) {
  std::vector<Token> out;
  auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); };
  for (size_t i = 0; i < s.size();) {
    if (s[i] == '#') {
      while (i < s.size() && s[i] != '\n') ++i;
    } else if (s[i] == '"') {
      for (++i; i < s.size() && s[i] != '"'; ++i) i += s[i] == '\\';
      ++i;
    } else if (letter(s[i])) {
      size_t b = i;
      bool digit = std::isdigit(static_cast<unsigned char>(s[i]));
      while (i < s.size() && (letter(s[i]) || (digit && s[i] == '.' && i + 1 < s.size() && std::isdigit(static_cast<unsigned char>(s[i + 1]))))) ++i;
      out.push_back({digit ? Token::number : Token::word, s.substr(b, i - b), b, i});
    } else {
      if (!std::isspace(static_cast<unsigned char>(s[i]))) out.push_back({Token::mark, s.substr(i, 1), i, i + 1});
      ++i;
    }
  }
  return out;
}

// The commas and the end of the bracket that opens at token `open`: what stands between them are its parts.
std::vector<std::pair<size_t, size_t>> parts_of(const std::vector<Token>& t, size_t open) {
  std::vector<std::pair<size_t, size_t>> parts;
  int depth = 0;
  size_t from = open + 1;
  for (size_t i = open; i < t.size(); ++i) {
    if (t[i].text == "(" || t[i].text == "[" || t[i].text == "{") ++depth;
    bool closes = t[i].text == ")" || t[i].text == "]" || t[i].text == "}";
    if ((closes && depth == 1) || (t[i].text == "," && depth == 1)) {
      if (i > from) parts.push_back({t[from].begin, t[i - 1].end});
      from = i + 1;
    }
    if (closes && --depth == 0) break;
  }
  return parts;
}

bool keyword(const std::string& w) {
  static const char* const words[] = {"fn", "let", "type", "import", "match", "if", "then", "else", "for", "in", "loop", "while", "scan", "yield", "assert", "train", "model",
                                      "param", "layer", "option", "test", "optimizer", "update", "state", "and", "or", "not", "true", "false", "backward", "recompute", "on", "dim", "from", "as"};
  return std::find(std::begin(words), std::end(words), w) != std::end(words);
}

// Every slip that the generator knows at token i.
std::vector<Edit> slips_at(const std::string& s, const std::vector<Token>& t, size_t i) {
  std::vector<Edit> out;
  const Token& k = t[i];
  auto swapped = [&](const std::pair<size_t, size_t>& a, const std::pair<size_t, size_t>& b, const char* kind) {
    std::string first = s.substr(a.first, a.second - a.first), second = s.substr(b.first, b.second - b.first);
    if (first != second) out.push_back({a.first, b.second, second + s.substr(a.second, b.first - a.second) + first, kind});
  };
  if (k.kind == Token::word && k.text.size() > 2 && !keyword(k.text)) {
    std::string misspelt = k.text;
    std::swap(misspelt[misspelt.size() / 2 - 1], misspelt[misspelt.size() / 2]);
    if (misspelt != k.text) out.push_back({k.begin, k.end, misspelt, "misspelt name"});
  }
  if (k.kind == Token::word && (k.text == "f32" || k.text == "i32")) out.push_back({k.begin, k.end, k.text == "f32" ? "i32" : "f32", "other element type"});
  if (k.kind == Token::number && k.text.find('.') == std::string::npos) out.push_back({k.begin, k.end, std::to_string(std::atoi(k.text.c_str()) + 1), "wrong number"});
  if (k.kind == Token::number) out.push_back({k.begin, k.end, "\"" + k.text + "\"", "text for a number"});
  if (k.text == "@") out.push_back({k.begin, k.end, "*", "wrong operator"});
  if (k.text == "+") out.push_back({k.begin, k.end, "@", "wrong operator"});
  if (k.text == "T" && i > 0 && t[i - 1].text == ".") out.push_back({t[i - 1].begin, k.end, "", "transpose left out"});
  bool call = i > 0 && k.text == "(" && t[i - 1].kind == Token::word && !keyword(t[i - 1].text);
  bool type = i > 0 && k.text == "[" && (t[i - 1].text == "f32" || t[i - 1].text == "u8" || t[i - 1].text == "i32");
  if (call || type) {
    auto parts = parts_of(t, i);
    if (call && !parts.empty()) {
      size_t from = parts.size() > 1 ? parts[parts.size() - 2].second : parts.back().first;
      out.push_back({from, parts.back().second, "", "argument left out"});
      out.push_back({parts.back().second, parts.back().second, ", 1", "argument too many"});
    }
    if (parts.size() > 1) swapped(parts[0], parts[1], type ? "axes swapped" : "arguments swapped");
    if (type && !parts.empty()) out.push_back({parts.back().second, parts.back().second, ", 1", "axis too many"});
    if (type && parts.size() > 1) out.push_back({parts[0].first, parts[1].first, "", "axis left out"});
  }
  if (k.text == ")" || k.text == "]") out.push_back({k.begin, k.end, "", "bracket left out"});
  return out;
}

struct Outcome {
  size_t errors = 0;
  bool points = false;
  std::string rendered;
};

Outcome check(const fs::path& file, uint32_t first_line, uint32_t last_line) {
  Sources sources;
  ir::Module module;
  Diagnostics diags;
  ProgramRequest request;
  request.path = file.string();
  elaborate(request, sources, module, diags);
  Outcome out;
  auto on_line = [&](Span s) {
    if (!s.valid() || sources.file(s.file).path() != request.path) return false;
    uint32_t from = sources.file(s.file).place(s.begin).line, to = sources.file(s.file).place(s.end).line;
    return first_line != 0 && from <= last_line && (from >= first_line || (to >= first_line && to - from <= 1));
  };
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::error) continue;
    if (out.errors++ > 0) continue;
    out.points = on_line(d.span) || std::any_of(d.labels.begin(), d.labels.end(), [&](const Label& l) { return on_line(l.span); });
  }
  out.rendered = render_all(diags, sources);
  return out;
}

// The slips of a program in an order that mixes kinds and places, the same in every run.
std::vector<Edit> slips_of(const std::string& text) {
  const std::vector<Token> tokens = lex(text);
  std::map<std::string, std::vector<Edit>> by_kind;
  for (size_t i = 0; i < tokens.size(); ++i)
    for (Edit& e : slips_at(text, tokens, i)) by_kind[e.kind].push_back(e);
  std::vector<Edit> out;
  for (size_t round = 0;; ++round) {
    size_t before = out.size();
    for (auto& [kind, edits] : by_kind)
      if (round < edits.size()) out.push_back(edits[(round * 7919 + 13) % edits.size()]);
    if (out.size() == before) return out;
  }
}

std::string read(const fs::path& p) {
  std::ifstream in(p);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Program {
  fs::path path;
  std::string text;
  std::vector<Edit> slips;
  size_t next = 0;
};

std::vector<Program> accepted_programs(const fs::path& folder) {
  std::vector<Program> out;
  for (const auto& e : fs::directory_iterator(folder))
    if (e.path().extension() == ".ml" && check(e.path(), 0, 0).errors == 0) out.push_back({e.path(), read(e.path()), {}, 0});
  std::sort(out.begin(), out.end(), [](const Program& a, const Program& b) { return a.path < b.path; });
  for (Program& p : out) p.slips = slips_of(p.text);
  return out;
}

TEST(Edits, TheFirstErrorPointsAtTheSlip) {
  const char* named = std::getenv("GLIA_SHARED");
  const fs::path folder = fs::path(named ? named : GLIA_SOURCE_DIR "/../shared") / "programs";
  if (!fs::exists(folder)) GTEST_SKIP() << "no " << folder;
  std::vector<Program> programs = accepted_programs(folder);
  const fs::path file = fs::temp_directory_path() / ("glia_edit_" + std::to_string(::getpid()) + ".ml");
  const char* count = std::getenv("GLIA_EDITS");
  size_t wanted = count ? std::strtoul(count, nullptr, 10) : 200, refused = 0, pointed = 0, most = 0;
  std::string misses;
  for (bool more = true; more && refused < wanted;) {
    more = false;
    for (Program& p : programs) {
      if (refused == wanted || p.next == p.slips.size()) continue;
      more = true;
      const Edit& e = p.slips[p.next++];
      auto line_of = [&](size_t at) { return 1 + static_cast<uint32_t>(std::count(p.text.begin(), p.text.begin() + static_cast<std::ptrdiff_t>(at), '\n')); };
      std::ofstream(file) << p.text.substr(0, e.begin) << e.with << p.text.substr(e.end);
      Outcome got = check(file, line_of(e.begin), line_of(e.end));
      if (got.errors == 0) continue;   // still a program
      ++refused;
      pointed += got.points;
      most = std::max(most, got.errors);
      if (!got.points || got.errors > 2)
        misses += fmt::format("---- {}:{}: {}, `{}` became `{}`, {} errors\n{}", p.path.filename().string(), line_of(e.begin), e.kind, p.text.substr(e.begin, e.end - e.begin), e.with, got.errors, got.rendered);
    }
  }
  fs::remove(file);
  std::printf("%zu slips in %zu programs: the first error points at %zu of them; at most %zu errors for one\n", refused, programs.size(), pointed, most);
  if (std::getenv("GLIA_SHOW_MISSES")) std::printf("%s", misses.c_str());
  EXPECT_EQ(refused, wanted);
  EXPECT_GE(pointed * 10, refused * 9) << misses;
  EXPECT_LE(most, 2u) << misses;
}

}  // namespace
}  // namespace glia
