// Two names for sizes that meet although nothing says they are one: `option a: dim = 8` and `option b: dim = 8` in
// `f32[a] + f32[b]`. `glia check` elaborates such a program once more with the names in place of the numbers, and looks
// only at where these names do not fit each other.
#include "parser/elaborator.h"

namespace glia {

namespace {
constexpr DiagKind equal_by_chance{"W0406", Severity::warning, "`{}` and `{}` are one size here only because both are {}"};

// The name of a size that stands for itself.
std::optional<std::string> own_name(Elaborator& e, ir::DimId d) {
  auto atom = d.valid() ? e.dims.as_atom(d) : std::nullopt;
  if (!atom || !e.warnings.by_name.contains(e.dims.atom(*atom).name)) return std::nullopt;
  return e.dims.atom(*atom).name;
}
}  // namespace

void note_named_size(Elaborator& e, const std::string& name, ast::ExprId value, const Val& size, Span at) {
  auto d = e.as_dim(size);
  auto k = d ? e.dims.known(*d) : std::nullopt;
  bool literal = value.valid() && std::holds_alternative<ast::Number>(e.unit->tree[value].node);
  if (k && literal && e.unit == &e.units.front()) e.warnings.sizes.push_back({name, *k, at});
}

void note_meeting(Elaborator& e, ir::DimId a, ir::DimId b, Span at) {
  if (e.warnings.by_name.empty()) return;
  auto first = own_name(e, a), second = own_name(e, b);
  if (first && second && *first != *second) e.warnings.meetings.push_back({*first, *second, e.call_stack.empty() ? at : e.call_stack.front()});
}

std::set<std::string> sizes_equal_by_chance(const std::vector<NamedSize>& sizes) {
  std::set<std::string> out;
  for (const NamedSize& a : sizes)
    for (const NamedSize& b : sizes)
      if (a.name != b.name && a.value == b.value) out.insert(a.name);
  return out;
}

// The second look. Its other errors are of the names, not of the program.
void Elaborator::warn_of_chance() {
  if (request.host.run || diags.has_errors() || !warnings.by_name.empty()) return;
  std::set<std::string> names = sizes_equal_by_chance(warnings.sizes);
  if (names.empty()) return;
  Diagnostics ignored;
  ir::Module other;
  Sources again;
  Elaborator second(request, again, other, ignored);
  second.warnings.by_name = names;
  second.run();
  auto size = [&](const std::string& name) { return *std::find_if(warnings.sizes.begin(), warnings.sizes.end(), [&](auto& s) { return s.name == name; }); };
  for (const SizeMeeting& m : second.warnings.meetings) {
    NamedSize a = size(m.first), b = size(m.second);
    if (b.span.begin < a.span.begin) std::swap(a, b);
    Span at = m.at;
    if (at.file != second.units.front().tree.file) continue;   // in a module: its author sees it there
    at.file = units.front().tree.file;
    diags.report(equal_by_chance, at, a.name, b.name, a.value)
        .label(a.span, fmt::format("`{}` is {}", a.name, a.value))
        .label(b.span, fmt::format("`{}` is {}", b.name, b.value))
        .help(fmt::format("use one name for one size, or tell how they depend: `let {}: dim = {}`", b.name, a.name));
  }
}

}  // namespace glia
