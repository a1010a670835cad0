// S-expressions: one pass with a stack of open lists.
#include "io/sexpr.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "io/file.h"
#include "io/text.h"

namespace glia::io {
namespace {

constexpr std::string_view breaks = " \t\r\n()";

struct Reader {
  Sexprs out;
  std::vector<uint32_t> open;

  uint32_t add(size_t begin, size_t size, bool list) {
    if (!open.empty()) ++out.nodes[open.back()].items;
    else out.roots.push_back(static_cast<uint32_t>(out.nodes.size()));
    const auto id = static_cast<uint32_t>(out.nodes.size());
    out.nodes.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(size), id + 1, 0, list});
    return id;
  }

  std::unexpected<Error> wrong(size_t at, std::string_view what) const {
    return fail(fmt::format("{}: {}", text_place(out.text, at, out.path), what));
  }

  Result<void> begin_list(size_t at) {
    if (open.size() >= sexpr_depth) return wrong(at, fmt::format("lists are nested more than {} deep", sexpr_depth));
    open.push_back(add(at, 1, true));
    return {};
  }

  Result<void> end_list(size_t at) {
    if (open.empty()) return wrong(at, "this `)` closes nothing");
    SexprNode& list = out.nodes[open.back()];
    list.size = static_cast<uint32_t>(at + 1 - list.begin);
    list.end = static_cast<uint32_t>(out.nodes.size());
    open.pop_back();
    return {};
  }

  // The byte after the atom.
  Result<size_t> atom(size_t at) {
    const size_t end = std::min(out.text.find_first_of(breaks, at), out.text.size());
    if (open.empty()) return wrong(at, fmt::format("`{}` stands outside of brackets", out.text.substr(at, std::min<size_t>(end - at, 40))));
    add(at, end - at, false);
    return end;
  }
};

}  // namespace

std::string Sexprs::where(uint32_t node) const { return text_place(text, nodes[node].begin, path); }

Result<Sexprs> parse_sexprs(std::string text, const std::string& path) {
  if (text.size() >= std::numeric_limits<uint32_t>::max()) return fail(fmt::format("`{}` is larger than 4 GiB", path), "split it into several files");
  Reader r{{path, std::move(text), {}, {}}, {}};
  for (size_t at = 0; at < r.out.text.size();) {
    const char c = r.out.text[at];
    if (c == '(' || c == ')') {
      const auto done = c == '(' ? r.begin_list(at) : r.end_list(at);
      if (!done) return std::unexpected(done.error());
      ++at;
    } else if (breaks.find(c) != std::string_view::npos) {
      ++at;
    } else {
      const auto end = r.atom(at);
      if (!end) return std::unexpected(end.error());
      at = *end;
    }
  }
  if (!r.open.empty()) return r.wrong(r.out.nodes[r.open.back()].begin, "this `(` is never closed");
  return std::move(r.out);
}

Result<Sexprs> read_sexprs(const std::string& path) {
  auto text = read_text(path);
  if (!text) return std::unexpected(text.error());
  return within_memory(path, [&] { return parse_sexprs(std::move(*text), path); });
}

}  // namespace glia::io
