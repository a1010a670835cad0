// Programs made by chance, given to the whole front end: lexer, parser, checker, warnings and formatter. Whatever the
// text, it ends with diagnostics or without: by no signal, no exception, in little time, with no word about the inside.
// A child process takes the programs one by one, so that a crash names its program and the rest goes on.
// GLIA_FUZZ_SECONDS sets how long (default 30), GLIA_FUZZ_SEED where it starts.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parser/elaborator.h"
#include "parser/format.h"
#include "parser/program.h"
#include "parser/stdlib.h"

namespace glia {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937;

size_t below(Random& r, size_t n) { return n ? r() % n : 0; }
template <class T>
const T& one_of(Random& r, const std::vector<T>& xs) { return xs[below(r, xs.size())]; }

std::string repeated(const std::string& s, size_t n) {
  std::string out;
  for (size_t i = 0; i < n; ++i) out += s;
  return out;
}

// ---- texts ---------------------------------------------------------------------------------------------

std::vector<std::string> originals() {
  std::vector<std::string> out;
  std::vector<fs::path> folders = {fs::path(GLIA_SOURCE_DIR) / "examples", fs::path(GLIA_SOURCE_DIR) / "stdlib"};
  for (const char* f : {"values", "errors", "messages"}) folders.push_back(fs::path(GLIA_SOURCE_DIR) / "tests/lang" / f);
  if (const char* shared = std::getenv("GLIA_SHARED")) folders.push_back(fs::path(shared) / "programs");
  for (const fs::path& folder : folders)
    if (fs::exists(folder))
      for (const auto& e : fs::directory_iterator(folder))
        if (e.path().extension() == ".ml") {
          std::ifstream in(e.path());
          out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> out;
  for (size_t i = 0; i < text.size();) {
    size_t n = 1;
    auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (word(text[i]))
      while (i + n < text.size() && word(text[i + n])) ++n;
    out.push_back(text.substr(i, n));
    i += n;
  }
  return out;
}

// Every name that a program can call without an import, and those of the modules.
std::vector<std::string> library_names() {
  std::vector<std::string> names = builtin_names();
  for (const StdlibFile& lib : stdlib_files()) {
    std::string text(lib.text), prefix = lib.name == "prelude" ? "" : std::string(lib.name) + ".";
    for (const char* word : {"\nfn ", "\nmodel ", "\noptimizer "})
      for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        size_t b = at + std::string(word).size(), e = b;
        while (e < text.size() && (std::isalnum(static_cast<unsigned char>(text[e])) || text[e] == '_')) ++e;
        names.push_back(prefix + text.substr(b, e - b));
      }
  }
  return names;
}

const std::vector<std::string>& atoms() {
  static const std::vector<std::string> list = {
      "0", "1", "-1", "2", "7", "3.5", "1e38", "-1e-45", "inf", "nan", "pi", "true", "false", "x", "y", "m", "n", "f", "xs", "r", "\"s\"", "\"{x}\"", "\"{x:.3f}\"", "()", "[]", "[1, 2]",
      "[1.0, 2.0]", "[[1.0], [2.0, 3.0]]", "[[1.0, 2.0], [3.0, 4.0]]", "zeros([0])", "zeros([2, 3])", "zeros([0, 4])", "zeros([9223372036854775807])", "ones([3000000000, 3000000000])",
      "9223372036854775807", "99999999999999999999", "1_000_000", "0xff", "{ a: 1.0, b: [2.0] }", "(1, 2.0)", "normal([2])", "sum", "nn", "optim", "data", "Net", "Net(3)", "Leaf(1.0)", "Leaf", "Tree", "f32",
      "i32", "θ", "x²", "\u200b", "é", "_", "training", "x => x", "(a, b) => a", "optim.adam(1e-3)", "nn.Dense(2, 3)", "grad(f)", "[1, \"s\"]", "[1.0, true, x]", "[(1, 2), 3]", "[sum, 1]", "[Leaf(1.0), 2]", "data.csv(\"a.csv\", x = [\"a\"], y = \"b\")"};
  return list;
}

std::string type_text(Random& r, int depth) {
  static const std::vector<std::string> simple = {"f32", "i32", "bool", "str", "f32[n]", "f32[n, m]", "f32[?]", "float[..s]", "num[n]", "dim", "u8[28, 28]", "f32[n - 1]", "f32[n // 2, 2 * m]", "'a", "Net", "Tree", "f32[99999999999]", "f32[-1]", "f64[0]"};
  if (depth > 2) return one_of(r, simple);
  switch (below(r, 6)) {
    case 0: return "[" + type_text(r, depth + 1) + "]";
    case 1: return "(" + type_text(r, depth + 1) + ", " + type_text(r, depth + 1) + ")";
    case 2: return "{ a: " + type_text(r, depth + 1) + " }";
    case 3: return "(" + type_text(r, depth + 1) + " -> " + type_text(r, depth + 1) + ")";
    default: return one_of(r, simple);
  }
}

std::string expression(Random& r, int depth) {
  if (depth > 4 || below(r, 4) == 0) return one_of(r, atoms());
  auto e = [&] { return expression(r, depth + 1); };
  static const std::vector<std::string> names = library_names();
  static const std::vector<std::string> operators = {"+", "-", "*", "/", "//", "%", "@", "^", "==", "!=", "<", ">=", "and", "or", "|>"};
  switch (below(r, 26)) {
    case 0: case 1: case 2: return "(" + e() + " " + one_of(r, operators) + " " + e() + ")";
    case 3: return "-" + e();
    case 4: return "not " + e();
    case 5: case 6: case 7: {
      std::string call = one_of(r, names) + "(";
      for (size_t k = below(r, 4), i = 0; i < k; ++i) call += (i ? ", " : "") + std::string(below(r, 6) ? "" : "axis = ") + e();
      return call + ")";
    }
    case 8: return e() + "." + std::string(one_of(r, names).substr(0, 12)) + "(" + e() + ")";
    case 9: return e() + "[" + e() + "]";
    case 10: return e() + "[" + e() + ":" + e() + ", ..]";
    case 11: return "(if " + e() + " then " + e() + " else " + e() + ")";
    case 12: return "(for i, j => x[i] + " + e() + ")";
    case 13: return "(for i < " + e() + " => " + e() + ")";
    case 14: return "(for v in " + e() + " => " + e() + ")";
    case 15: return "(loop s = " + e() + " for v in " + e() + " { " + e() + " })";
    case 16: return "(loop s = " + e() + " while " + e() + " { " + e() + " })";
    case 17: return "(scan s = " + e() + " for _ in 0.." + e() + " { " + e() + " } yield " + e() + ")";
    case 18: return "(match " + e() + " { Leaf(v) => " + e() + "; Node(a, b) => " + e() + "; 1 => " + e() + "; _ => " + e() + " })";
    case 19: return "(x => " + e() + ")(" + e() + ")";
    case 20: return "grad(" + e() + ")(" + e() + ")";
    case 21: return "{ let x = " + e() + "; " + e() + " }";
    case 22: return "{ a: " + e() + ", b: " + e() + " }";
    case 23: return "[" + e() + ", " + e() + "]";
    case 24: return e() + "." + std::string(below(r, 2) ? "0" : "a");
    default: return "f(" + e() + ", " + e() + ")";
  }
}

std::string declaration(Random& r) {
  auto e = [&] { return expression(r, 0); };
  auto t = [&] { return type_text(r, 0); };
  switch (below(r, 12)) {
    case 0: return "fn f(x: " + t() + ", y: " + t() + ") -> " + t() + " = " + e() + "\n";
    case 1: return "fn g(x: " + t() + ") = { " + e() + "; " + e() + " }\n";
    case 2: return "model Net(n: dim) {\n  param w: " + t() + " ~ glorot()\n  layer l = " + e() + "\n  state s: f32 = 0\n  fn call(x: " + t() + ") = " + e() + "\n}\n";
    case 3: return "type Tree = Leaf(v: " + t() + ") | Node(Tree, Tree)\n";
    case 4: return "option o: " + t() + " = " + e() + "\n";
    case 5: return "optimizer rule(lr: schedule = 0.1) {\n  state v = " + e() + "\n  update (p, g) { p := " + e() + " }\n}\n";
    case 6: return "train {\n  model: " + e() + "\n  data: " + e() + "\n  loss: " + e() + "\n  optimizer: " + e() + "\n}\n";
    case 7: return "test \"t\" { assert " + e() + " }\n";
    case 8: return "let (a, b) = " + e() + "\n";
    case 9: return "let n: dim = " + e() + "\n";
    case 10: return "fn b(x: f32[n]) -> f32[n] = " + e() + "\n  backward (x, y, dy) => " + e() + "\n";
    default: return "let x" + std::string(below(r, 2) ? ": " + t() : "") + " = " + e() + "\n";
  }
}

std::string generated(Random& r) {
  std::string text = "import nn, optim, data\n";
  for (size_t k = 1 + below(r, 8); k > 0; --k) text += below(r, 2) ? declaration(r) : expression(r, 0) + "\n";
  return text;
}

// A call of every library function with arguments that cannot all be right.
std::string wrong_call(Random& r) {
  static const std::vector<std::string> names = library_names();
  std::string args;
  for (size_t k = below(r, 5), i = 0; i < k; ++i) args += (i ? ", " : "") + one_of(r, atoms());
  std::string call = one_of(r, names) + "(" + args + ")";
  switch (below(r, 4)) {
    case 0: return "import nn, optim, data\nprint(" + call + "(" + one_of(r, atoms()) + "))\n";
    case 1: return "import nn, optim, data\nfn f(x: f32[n], m: i32) = " + call + "\nprint(grad(f)([1.0], 1))\n";
    default: return "import nn, optim, data\nlet x = [1.0, 2.0]\nprint(" + call + ")\n";
  }
}

// What nests, repeats or is huge.
std::string monster(Random& r) {
  static const std::vector<std::string> opens = {"(", "[", "{ ", "-", "not ", "if true then ", "x => ", "{ a: ", "f(", "grad(", "for i => ", "match x { _ => ", "\"{", "let y = { "};
  size_t n = one_of(r, std::vector<size_t>{3, 40, 200, 300, 1500, 20000});
  switch (below(r, 8)) {
    case 0: { std::string o = one_of(r, opens); return repeated(o, n) + "1" + repeated(o[0] == '(' ? ")" : o[0] == '[' ? "]" : o.find('{') != std::string::npos ? "}" : ")", n); }
    case 1: return "let x = 1" + repeated(one_of(r, std::vector<std::string>{" + 1", " |> relu", ".T", "[0]", "(0)", " @ x", " ^ 2", " and true", ", 1"}), n);
    case 2: return "let x = " + repeated("9", n) + one_of(r, std::vector<std::string>{"", ".0", "e9", "e999999999", "."});
    case 3: return "print(zeros([" + repeated("99999", n % 40) + "]))\nfn f(x: f32[" + repeated("n * ", n % 300) + "n]) = x\nprint(f(zeros([8])))";
    case 4: return "let " + repeated("é", n) + " = \"" + repeated("\\u{1F600}", n % 100) + "\"\n" + repeated("\xf0\x9f\x98\x80", n % 7);
    case 5: return repeated(one_of(r, std::vector<std::string>{"\t", "\n", "\r\n", ";", "#", "\"", "\\", "\xff", std::string(1, '\0'), "\xe2\x80\xae", "\xef\xbb\xbf"}), n % 500 + 1) + "print(1)";
    case 6: return "fn f(x: f32) -> f32 = " + repeated("f(", n % 250) + "x" + repeated(")", n % 250) + "\nprint(f(1.0))";
    default: return repeated("fn f(x: f32) = x\n", n % 100) + repeated("type A = [A]\n", n % 3) + "let n: dim = 2 " + repeated("* 4294967296 ", n % 9) + "\nprint(zeros([n]))";
  }
}

std::string mutated(Random& r) {
  static const std::vector<std::string> programs = originals();
  std::vector<std::string> t = tokens_of(one_of(r, programs));
  for (size_t k = 1 + below(r, 4); k > 0 && !t.empty(); --k) {
    size_t i = below(r, t.size()), j = below(r, t.size());
    switch (below(r, 6)) {
      case 0: t.erase(t.begin() + static_cast<std::ptrdiff_t>(i)); break;
      case 1: std::swap(t[i], t[j]); break;
      case 2: t[i] = t[j]; break;
      case 3: t[i] = expression(r, 2); break;
      case 4: t.insert(t.begin() + static_cast<std::ptrdiff_t>(i), t[j]); break;
      default: t[i] = one_of(r, atoms());
    }
  }
  std::string out;
  for (const std::string& s : t) out += s;
  return out;
}

std::string program_of(uint32_t seed) {
  Random r(seed);
  switch (seed % 5) {
    case 0: return generated(r);
    case 1: return wrong_call(r);
    case 2: return seed % 20 == 2 ? monster(r) : wrong_call(r);
    default: return mutated(r);
  }
}

// ---- one program -------------------------------------------------------------------------------------------

// A sentence about what the front end did wrong; empty where it did well.
std::string front_end(const std::string& text, const fs::path& file) {
  std::ofstream(file, std::ios::binary) << text;
  Sources sources;
  ir::Module module;
  Diagnostics diags;
  ProgramRequest request;
  request.path = file.string();
  elaborate(request, sources, module, diags);
  for (const Diagnostic& d : diags.all()) {
    std::string shown = render(d, sources);
    for (const char* word : {"internal", "std::", "GLIA_CHECK", "0x7f"})
      if (shown.find(word) != std::string::npos && text.find(word) == std::string::npos) return "speaks of the inside: " + shown;
    if (d.message.empty()) return "says nothing";
  }
  Sources again;
  Diagnostics of_format;
  FileId id = again.add("f.ml", text);
  (void)format_source(again, id, of_format);
  return {};
}

double cpu_seconds() {
  rusage u{};
  ::getrusage(RUSAGE_SELF, &u);
  auto s = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return s(u.ru_utime) + s(u.ru_stime);
}

// The programs from `seed` on, until the time is over or one goes wrong. The seed on its way stands in `progress`.
int child(uint32_t seed, double seconds, const fs::path& folder, int progress) {
  const rlimit memory{4ull << 30, 4ull << 30};
  if (!std::getenv("GLIA_FUZZ_NO_LIMIT")) ::setrlimit(RLIMIT_AS, &memory);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (; std::chrono::steady_clock::now() < end; ++seed) {
    if (::pwrite(progress, &seed, sizeof seed, 0) != sizeof seed) return 3;
    const double before = cpu_seconds();
    ::alarm(20);
    std::string wrong;
    try {
      wrong = front_end(program_of(seed), folder / "p.ml");
    } catch (const std::exception& e) {
      wrong = std::string("an exception came out: ") + e.what();
    }
    ::alarm(0);
    if (double took = cpu_seconds() - before; wrong.empty() && took > 2) wrong = "took " + std::to_string(took) + " s";
    if (wrong.empty()) continue;
    std::ofstream(folder / "wrong") << wrong;
    return 2;
  }
  return 0;
}

TEST(Fuzz, NoTextBringsTheFrontEndDown) {
  const char* set = std::getenv("GLIA_FUZZ_SECONDS");
  const char* from = std::getenv("GLIA_FUZZ_SEED");
  const double seconds = set ? std::atof(set) : 30;
  const uint32_t first = from ? static_cast<uint32_t>(std::atoi(from)) : 1;
  std::string pattern = (fs::temp_directory_path() / "glia_fuzz_XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const fs::path folder = pattern;
  std::FILE* progress = std::tmpfile();
  ASSERT_NE(progress, nullptr);
  uint32_t seed = first;
  size_t faults = 0;
  const auto start = std::chrono::steady_clock::now();
  auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  while (passed() < seconds && faults < 50) {
    pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      if (!std::freopen((folder / "stderr").c_str(), "w", stderr)) ::_exit(4);
      ::_exit(child(seed, seconds - passed(), folder, ::fileno(progress)));
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    ASSERT_EQ(::pread(::fileno(progress), &seed, sizeof seed, 0), static_cast<ssize_t>(sizeof seed));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    ++faults;
    std::string why = WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status)) + ": " : "";
    std::ifstream in(folder / (why.empty() ? "wrong" : "stderr"));
    why.append(std::istreambuf_iterator<char>(in), {});
    std::string text = program_of(seed);
    ADD_FAILURE() << "seed " << seed << ": " << why << "\n" << (text.size() < 3000 ? text : text.substr(0, 3000) + "…");
    ++seed;
  }
  std::printf("%u programs in %.0f s\n", seed - first, passed());
  EXPECT_GT(seed - first, 100u);
  std::fclose(progress);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace glia
