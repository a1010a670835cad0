// glia fmt: formats files in place. A file is written beside its place and renamed, so that it is never half written.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/verbs.h"
#include "parser/format.h"

namespace glia::cli {

namespace {
inline constexpr DiagKind not_read{"E0627", Severity::error, "{}"};
inline constexpr DiagKind not_written{"E0628", Severity::error, "cannot write `{}`"};

// Through links to the file itself; its permissions stay.
bool replace_file(const std::string& path, const std::string& text) {
  std::error_code failed;
  const std::filesystem::path target = std::filesystem::canonical(path, failed);
  if (failed || ::access(target.c_str(), W_OK) != 0) return false;
  std::string made = target.string() + ".XXXXXX";
  const int descriptor = ::mkstemp(made.data());
  if (descriptor < 0) return false;
  struct stat info {};
  bool ok = ::stat(target.c_str(), &info) == 0 && ::fchmod(descriptor, info.st_mode & 07777) == 0;
  for (size_t at = 0; ok && at < text.size();) {
    const ssize_t n = ::write(descriptor, text.data() + at, text.size() - at);
    ok = n > 0;
    if (ok) at += static_cast<size_t>(n);
  }
  ok = ::close(descriptor) == 0 && ok && std::rename(made.c_str(), target.c_str()) == 0;
  if (!ok) ::unlink(made.c_str());
  return ok;
}

std::expected<FileId, Error> load(Sources& sources, const std::string& path) {
  if (path != "-") return sources.load(path);
  return sources.add("<stdin>", std::string(std::istreambuf_iterator<char>(std::cin), {}));
}

int format_one(const CommandLine& c, const std::string& path) {
  Sources sources;
  Diagnostics diags;
  std::optional<std::string> text;
  bool changed = false;
  if (const auto file = load(sources, path)) {
    text = format_source(sources, *file, diags);
    changed = text && *text != sources.file(*file).text();
  } else {
    auto& d = diags.report(not_read, Span{}, file.error().message);
    if (!file.error().help.empty()) d.help(file.error().help);
  }
  if (text && c.only_check && changed) fmt::print("{}\n", path);
  if (text && !c.only_check && path == "-") fmt::print("{}", *text);
  if (changed && !c.only_check && path != "-" && !replace_file(path, *text)) diags.report(not_written, Span{}, path);
  print_diagnostics(diags, sources);
  return diags.has_errors() || (c.only_check && changed) ? program_wrong : done;
}
}  // namespace

int format_files(const CommandLine& c) {
  int status = done;
  for (const std::string& path : c.files) status = std::max(status, format_one(c, path));
  return status;
}

}  // namespace glia::cli
