// Where a session's lines come from: a terminal through libedit, a script, or a pipe.
#include <fmt/format.h>
#include <histedit.h>
#include <sys/stat.h>

#include <cctype>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "cli/repl.h"

namespace glia::cli {

namespace {
// ~/.local/state/glia/history, or where the user keeps such files; empty where there is no home.
std::string history_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state && *state) folder = state;
  else if (home && *home) folder = std::filesystem::path(home) / ".local" / "state";
  else return {};
  folder /= "glia";
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return {};
  return (folder / "history").string();
}

// What precedes the cursor and can be completed: a name, or names with dots.
std::string word_before(const LineInfo* line) {
  const char* at = line->cursor;
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || (c & 0x80); };
  while (at > line->buffer && part(at[-1])) --at;
  return {at, line->cursor};
}

std::string common_start(const std::vector<std::string>& words) {
  std::string start = words[0];
  for (const std::string& w : words) {
    size_t n = 0;
    while (n < start.size() && n < w.size() && start[n] == w[n]) ++n;
    start.resize(n);
  }
  return start;
}

class Terminal {
 public:
  explicit Terminal(const Repl& repl) : repl_(repl), file_(history_file()), history_(::history_init()) {
    std::setlocale(LC_CTYPE, "");
    edit_ = ::el_init("glia", stdin, stdout, stderr);
    ::el_set(edit_, EL_CLIENTDATA, this);
    ::el_set(edit_, EL_PROMPT, &Terminal::prompt);
    ::el_set(edit_, EL_EDITOR, "emacs");
    ::el_set(edit_, EL_SIGNAL, 0);
    ::el_set(edit_, EL_SETTY, "-d", "-isig", nullptr);  // while a line is edited Ctrl-C is a key
    ::el_set(edit_, EL_ADDFN, "glia-drop", "drops the input", &Terminal::drop);
    ::el_set(edit_, EL_BIND, "^C", "glia-drop", nullptr);
    HistEvent event;
    ::history(history_, &event, H_SETSIZE, 10000);
    ::history(history_, &event, H_SETUNIQUE, 1);
    if (!file_.empty()) ::history(history_, &event, H_LOAD, file_.c_str());
    ::el_set(edit_, EL_HIST, ::history, history_);
    ::el_set(edit_, EL_ADDFN, "glia-complete", "completes a name", &Terminal::complete);
    ::el_set(edit_, EL_BIND, "^I", "glia-complete", nullptr);
    ::el_source(edit_, nullptr);  // the user's ~/.editrc
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    ::el_end(edit_);
    ::history_end(history_);
  }

  ReadLine next(const std::string& prompt) {
    prompt_ = prompt;
    dropped_ = false;
    int count = 0;
    const char* line = ::el_gets(edit_, &count);
    if (dropped_) return {ReadLine::interrupted, {}};
    if (!line || count <= 0) {
      std::cout << "\n";
      return {};
    }
    std::string text(line, static_cast<size_t>(count));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    remember(text);
    return {ReadLine::text, std::move(text)};
  }

 private:
  static Terminal& self(EditLine* e) {
    void* data = nullptr;
    ::el_get(e, EL_CLIENTDATA, &data);
    return *static_cast<Terminal*>(data);
  }
  static char* prompt(EditLine* e) { return self(e).prompt_.data(); }

  static unsigned char complete(EditLine* e, int) {
    const std::string word = word_before(::el_line(e));
    const std::vector<std::string> found = self(e).repl_.completions(word);
    if (found.empty()) return CC_ERROR;
    const std::string start = common_start(found);
    if (start.size() > word.size()) return ::el_insertstr(e, start.c_str() + word.size()) == 0 ? CC_REFRESH : CC_ERROR;
    if (found.size() == 1) return CC_REFRESH;
    std::cout << "\n";
    for (const std::string& f : found) std::cout << f << "  ";
    std::cout << "\n" << std::flush;
    return CC_REDISPLAY;
  }

  static unsigned char drop(EditLine* e, int) {
    self(e).dropped_ = true;
    std::cout << "^C" << std::flush;
    return CC_NEWLINE;
  }

  void remember(const std::string& line) {
    if (line.find_first_not_of(" \t") == std::string::npos) return;
    HistEvent event;
    ::history(history_, &event, H_ENTER, line.c_str());
    if (file_.empty()) return;
    const mode_t before = ::umask(077);  // what was typed is the user's own
    ::history(history_, &event, H_SAVE, file_.c_str());
    ::umask(before);
  }

  const Repl& repl_;
  std::string file_, prompt_;
  bool dropped_ = false;
  History* history_;
  EditLine* edit_ = nullptr;
};

std::optional<std::string> read_line(std::istream& in) {
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}
}  // namespace

LineSource terminal_lines(const Repl& repl) {
  auto terminal = std::make_shared<Terminal>(repl);
  return [terminal](const std::string& prompt) { return terminal->next(prompt); };
}

LineSource script_lines(std::string text) {
  auto in = std::make_shared<std::istringstream>(std::move(text));
  return [in](const std::string& prompt) -> ReadLine {
    const auto line = read_line(*in);
    if (!line) return {};
    std::cout << (line->empty() ? prompt.substr(0, prompt.find_last_not_of(' ') + 1) : prompt + *line) << "\n" << std::flush;
    return {ReadLine::text, *line};
  };
}

LineSource plain_lines() {
  return [](const std::string&) -> ReadLine {
    const auto line = read_line(std::cin);
    return line ? ReadLine{ReadLine::text, *line} : ReadLine{};
  };
}

}  // namespace glia::cli
