// Columns. Neighbouring lines whose tokens stood below each other by extra spaces keep that, at the narrowest column that
// fits; no alignment is invented. Comments behind code keep their column where the code leaves room.
#include <algorithm>
#include <map>
#include <numeric>

#include "parser/format_lines.h"

namespace glia::syntax {

namespace {

constexpr size_t most_cells = 500;  // a longer line is no table

// Sets of cells that share a column: union and find over (line, cell) flattened.
struct Groups {
  std::vector<size_t> parent;

  explicit Groups(size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), size_t{0}); }
  size_t find(size_t x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  }
  void join(size_t a, size_t b) { parent[find(a)] = find(b); }
};

uint32_t relative(const SourceLine& line, size_t i) { return line.cells[i].from - line.cells.front().from; }

uint32_t natural(const SourceLine& line, size_t i) {
  uint32_t column = 0;
  for (size_t k = 0; k <= i; ++k) column += line.cells[k].space + (k < i ? line.cells[k].padding + line.cells[k].width : 0);
  return column;
}

// Joins the cells of two neighbouring lines that stood at one column, one of them by extra spaces.
void join_pair(const SourceLine& a, size_t a_first, const SourceLine& b, size_t b_first, Groups& groups) {
  for (size_t i = 1, j = 1; i < a.cells.size() && j < b.cells.size();) {
    const uint32_t x = relative(a, i), y = relative(b, j);
    if (x == y && (a.cells[i].wide_gap || b.cells[j].wide_gap)) groups.join(a_first + i, b_first + j);
    if (x <= y) ++i;
    if (y <= x) ++j;
  }
}

}  // namespace

void keep_columns(SourceLines& lines) {
  std::vector<size_t> first(lines.size() + 1, 0);
  for (size_t l = 0; l < lines.size(); ++l) first[l + 1] = first[l] + lines[l].cells.size();
  Groups groups(first.back());
  for (size_t l = 0; l + 1 < lines.size(); ++l) {
    const size_t a = lines[l].cells.size(), b = lines[l + 1].cells.size();
    const bool plain = a > 0 && b > 0 && a < most_cells && b < most_cells;
    if (plain && lines[l].indent == lines[l + 1].indent) join_pair(lines[l], first[l], lines[l + 1], first[l + 1], groups);
  }
  // From left to right: a column depends on those before it.
  struct Member { size_t line, cell; };
  std::map<std::pair<uint32_t, size_t>, std::vector<Member>> by_column;
  for (size_t l = 0; l < lines.size(); ++l)
    for (size_t i = 1; i < lines[l].cells.size(); ++i) by_column[{relative(lines[l], i), groups.find(first[l] + i)}].push_back({l, i});
  for (const auto& [key, members] : by_column) {
    if (members.size() < 2) continue;
    uint32_t column = 0;
    for (const Member& m : members) column = std::max(column, natural(lines[m.line], m.cell));
    for (const Member& m : members) lines[m.line].cells[m.cell].padding = column - natural(lines[m.line], m.cell);
  }
}

std::vector<uint32_t> comment_columns(const SourceLines& lines) {
  constexpr uint32_t least = 2;
  std::vector<uint32_t> columns(lines.size(), 0);
  const auto trails = [&](size_t l) { return l < lines.size() && !lines[l].cells.empty() && !lines[l].comment.empty(); };
  for (size_t l = 0; l < lines.size();) {
    size_t end = l;
    uint32_t column = 0;
    for (; trails(end) && lines[end].comment_from == lines[l].comment_from; ++end)
      column = std::max({column, lines[end].comment_from, width_of(lines[end]) + least});
    for (size_t k = l; k < end; ++k) columns[k] = column;
    l = std::max(end, l + 1);
  }
  return columns;
}

}  // namespace glia::syntax
