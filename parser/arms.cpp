// Which values the arms of a match leave over, and which arms none reach.
#include "parser/arms.h"

#include <algorithm>

namespace glia {

namespace {
bool same_head(const ArmPattern& a, const ArmPattern& b) { return a.open ? a.name == b.name : a.which == b.which; }

size_t arity(const ArmPattern& head) { return head.open ? 0 : head.all[head.which].arity; }

// The row behind a first column that is `head`; nothing where it is another.
std::optional<ArmRow> behind(const ArmRow& row, const ArmPattern& head) {
  const ArmPattern& first = row.front();
  if (!first.any && !same_head(first, head)) return std::nullopt;
  ArmRow rest = first.any ? ArmRow(arity(head)) : first.parts;
  rest.insert(rest.end(), row.begin() + 1, row.end());
  return rest;
}

std::vector<ArmRow> behind(const std::vector<ArmRow>& rows, const ArmPattern& head) {
  std::vector<ArmRow> out;
  for (const ArmRow& r : rows)
    if (auto rest = behind(r, head)) out.push_back(std::move(*rest));
  return out;
}

// The rows that take anything in the first column, without it.
std::vector<ArmRow> anything(const std::vector<ArmRow>& rows) {
  std::vector<ArmRow> out;
  for (const ArmRow& r : rows)
    if (r.front().any) out.emplace_back(r.begin() + 1, r.end());
  return out;
}

// One pattern for each constructor in the first column.
std::vector<ArmPattern> heads(const std::vector<ArmRow>& rows) {
  std::vector<ArmPattern> out;
  for (const ArmRow& r : rows)
    if (!r.front().any && std::none_of(out.begin(), out.end(), [&](const ArmPattern& h) { return same_head(h, r.front()); })) out.push_back(r.front());
  return out;
}

bool complete(const std::vector<ArmPattern>& found) { return !found.empty() && !found[0].open && found.size() == found[0].all.size(); }

std::string shown(const CaseShape& shape, const std::vector<std::string>& parts) {
  if (shape.arity == 0) return shape.name.empty() ? "()" : shape.name;
  bool record = !shape.fields.empty() && shape.name.empty();
  std::string text = shape.name + (record ? "{ " : "(");
  for (size_t i = 0; i < parts.size(); ++i) text += (i ? ", " : "") + (record ? shape.fields[i] + ": " : "") + parts[i];
  return text + (record ? " }" : ")");
}

using Witness = std::optional<std::vector<std::string>>;

Witness witness(const std::vector<ArmRow>& rows, size_t width) {
  if (width == 0) return rows.empty() ? Witness(std::in_place) : std::nullopt;
  std::vector<ArmPattern> found = heads(rows);
  if (complete(found)) {
    for (const ArmPattern& head : found) {
      Witness w = witness(behind(rows, head), arity(head) + width - 1);
      if (!w) continue;
      std::vector<std::string> parts(w->begin(), w->begin() + static_cast<std::ptrdiff_t>(arity(head)));
      w->erase(w->begin(), w->begin() + static_cast<std::ptrdiff_t>(arity(head)));
      w->insert(w->begin(), shown(head.all[head.which], parts));
      return w;
    }
    return std::nullopt;
  }
  Witness w = witness(anything(rows), width - 1);
  if (!w) return w;
  std::string first = "_";
  if (!found.empty() && !found[0].open)
    for (size_t k = 0; k < found[0].all.size(); ++k)
      if (std::none_of(found.begin(), found.end(), [&](const ArmPattern& h) { return h.which == k; })) {
        first = shown(found[0].all[k], std::vector<std::string>(found[0].all[k].arity, "_"));
        break;
      }
  w->insert(w->begin(), first);
  return w;
}
}  // namespace

std::optional<std::string> missing_case(const std::vector<ArmRow>& rows) {
  Witness w = witness(rows, 1);
  return w ? std::optional(w->front()) : std::nullopt;
}

bool reachable(const std::vector<ArmRow>& before, const ArmRow& row) {
  if (row.empty()) return before.empty();
  if (!row.front().any) return reachable(behind(before, row.front()), *behind(row, row.front()));
  std::vector<ArmPattern> found = heads(before);
  if (!complete(found)) return reachable(anything(before), ArmRow(row.begin() + 1, row.end()));
  return std::any_of(found.begin(), found.end(), [&](const ArmPattern& h) { return reachable(behind(before, h), *behind(row, h)); });
}

}  // namespace glia
