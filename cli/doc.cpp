// glia doc: comment and signature of what the standard library, a file or the language declares.
#include "cli/doc.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "cli/verbs.h"
#include "parser/doc.h"
#include "parser/parse.h"
#include "parser/stdlib.h"

namespace glia::cli {

namespace {
struct Module {
  std::string name, doc;
  std::vector<DocEntry> entries;
};

Module read_module(Sources& sources, FileId file, std::string name) {
  Diagnostics ignored;  // what could be read is shown
  const ast::Tree tree = parse(sources, file, ignored);
  return {std::move(name), tree.doc, docs_of(sources, tree)};
}

// Beside the binary, where it may have been changed, else embedded.
std::vector<Module> library() {
  Sources sources;
  std::vector<Module> out;
  for (const StdlibFile& f : stdlib_files()) {
    const std::string name(f.name);
    std::ifstream in(stdlib_folder() + "/" + name + ".ml", std::ios::binary);
    std::string text = !stdlib_folder().empty() && in ? std::string(std::istreambuf_iterator<char>(in), {}) : std::string(f.text);
    out.push_back(read_module(sources, sources.add(name + ".ml", std::move(text)), name));
  }
  return out;
}

std::string first_line(const std::string& doc) { return doc.substr(0, doc.find('\n')); }

std::string page_of(const DocEntry& entry, const Module& module) {
  std::string out = entry.signature + "\n";
  if (!entry.doc.empty()) out += "\n" + entry.doc + "\n";
  std::string members;
  for (const DocEntry& e : module.entries)
    if (e.member && e.name.rfind(entry.name + ".", 0) == 0) members += "  " + e.signature + (e.doc.empty() ? "" : "  ## " + first_line(e.doc)) + "\n";
  return members.empty() ? out : out + "\n" + members;
}

bool hidden(const DocEntry& e) { return e.member || e.name[0] == '_'; }

std::string list_of(const Module& module) {
  size_t width = 0;
  for (const DocEntry& e : module.entries)
    if (!hidden(e)) width = std::max(width, display_width(e.name));
  std::string out = module.doc.empty() ? "" : module.doc + "\n\n";
  for (const DocEntry& e : module.entries)
    if (!hidden(e)) out += e.name + (e.doc.empty() ? "" : std::string(width - display_width(e.name), ' ') + "  " + first_line(e.doc)) + "\n";
  return out;
}

std::optional<std::string> in_module(const Module& module, const std::string& name) {
  for (const DocEntry& e : module.entries)
    if (e.name == name) return page_of(e, module);
  return std::nullopt;
}

std::string modules_text() {
  std::string out = "modules (`glia doc NAME` lists one):\n";
  for (const Module& m : library()) out += fmt::format("  {:<10}{}\n", m.name, first_line(m.doc));
  std::vector<std::string> names = builtin_doc_names();
  std::erase_if(names, [](const std::string& n) { return n[0] == '_'; });
  out += "\nfunctions of the language:\n ";
  size_t column = 1;
  for (const std::string& n : names) {
    if (column + n.size() > 78) out += "\n ", column = 1;
    out += " " + n, column += n.size() + 1;
  }
  return out + "\n";
}

std::unexpected<std::string> unknown(const std::string& name, const std::vector<std::string>& names) {
  const auto near = nearest(name, names);
  return std::unexpected(fmt::format("there is no `{}`\nhelp: {}", name, near ? fmt::format("did you mean `{}`?", *near) : "`glia doc` lists what there is"));
}

std::expected<std::string, std::string> in_library(const std::string& name) {
  const std::vector<Module> modules = library();
  std::vector<std::string> names = builtin_doc_names();
  for (const Module& m : modules) {
    if (m.name == name) return list_of(m);
    const bool open = m.name == "prelude";  // its names stand alone
    for (const DocEntry& e : m.entries) names.push_back(open ? e.name : m.name + "." + e.name);
    if (!open && name.rfind(m.name + ".", 0) == 0)
      if (auto found = in_module(m, name.substr(m.name.size() + 1))) return *found;
    if (open)
      if (auto found = in_module(m, name)) return *found;
    names.push_back(m.name);
  }
  if (const auto b = builtin_doc(name)) return b->signature + "\n" + (b->doc.empty() ? "" : "\n" + b->doc + "\n");
  for (const Module& m : modules)  // `Dense` for nn.Dense
    if (auto found = in_module(m, name)) return fmt::format("# in {}\n{}", m.name, *found);
  return unknown(name, names);
}

std::expected<std::string, std::string> in_file(const std::string& path, const std::string& name) {
  Sources sources;
  const auto file = sources.load(path);
  if (!file) return std::unexpected(file.error().message);
  const Module module = read_module(sources, *file, path);
  if (name.empty()) return list_of(module);
  if (auto found = in_module(module, name)) return *found;
  std::vector<std::string> names;
  for (const DocEntry& e : module.entries) names.push_back(e.name);
  return unknown(name, names);
}
}  // namespace

std::expected<std::string, std::string> doc_text(const std::string& name) {
  if (name.empty()) return modules_text();
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) return in_file(name, "");
  const size_t colon = name.rfind(':');
  if (colon != std::string::npos) return in_file(name.substr(0, colon), name.substr(colon + 1));
  return in_library(name);
}

int show_doc(const CommandLine& c) {
  const auto text = doc_text(c.files.empty() ? "" : c.files[0]);
  if (text) return fmt::print("{}", *text), done;
  fmt::print(stderr, "glia: {}\n", text.error());
  return program_wrong;
}

}  // namespace glia::cli
