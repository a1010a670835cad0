// What `for`, `loop` and `scan` run over: ranges, tensors, lists known one by one, lists of the run, and zips of them.
#include "parser/elaborator.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind not_iterable{"E0243", Severity::error, "`for` cannot run over {}"};
constexpr DiagKind not_a_count{"E0245", Severity::error, "a range goes between whole numbers, found {}"};
constexpr DiagKind zip_lengths{"E0246", Severity::error, "`zip` pairs things of one length, found {} and {}"};
}  // namespace

Iterable Elaborator::range_source(const Val& from, const Val& to, Span span) {
  Iterable s;
  auto a = as_dim(from), z = as_dim(to);
  if (a && z) {
    s.size = dims.sub(*z, *a);
    if (auto k = dims.known(s.size); k && *k < 0) s.size = dims.constant(0);
    if (dims.known(*a) == 0) {
      s.item = [](const Val& i, std::span<const Val>) { return i; };
      return s;
    }
  } else {
    Value n = value(to, DType::i32) - value(from, DType::i32);
    s.count = node(select(n > 0.0, n, 0.0), span);
  }
  s.item = [this, from, span](const Val& i, std::span<const Val>) {
    auto k = known_int(i), first = known_int(from);
    if (k && first) return Val{dims.constant(*k + *first), {}, span};
    if (first && *first == 0) return i;
    return node(value(i) + value(from, DType::i32), span);
  };
  return s;
}

std::optional<Iterable> Elaborator::source_of(const ast::ForClause& c, const ScopePtr& scope) {
  Span at = unit->tree[c.bound].span;
  auto whole = [&](const Val& v, Span where) {
    bool ok = as_dim(v) || (is_numeric(v) && shape_of(v).empty() && dtype_of(v) == DType::i32);
    if (!ok && !v.poison()) report(not_a_count, where, "`" + describe(v) + "`");
    return ok;
  };
  if (c.kind == ast::ForClause::below) {
    Val n = expr(c.bound, scope);
    if (!whole(n, at)) return std::nullopt;
    return range_source(Val{dims.constant(0), {}, at}, n, at);
  }
  if (auto* r = std::get_if<ast::Range>(&unit->tree[c.bound].node)) {
    Val from = expr(r->begin, scope), to = expr(r->end, scope);
    if (!whole(from, unit->tree[r->begin].span) || !whole(to, unit->tree[r->end].span)) return std::nullopt;
    return range_source(from, to, at);
  }
  Val xs = expr(c.bound, scope);
  return xs.poison() ? std::nullopt : source_of_value(xs, at);
}

std::optional<Iterable> Elaborator::source_of_value(const Val& xs, Span span) {
  Iterable s;
  if (auto* z = xs.zip()) return zip_source(*z, span);
  if (auto* l = xs.list()) {
    s.items = *l, s.over_list = true;
    return s;
  }
  Val open = open_structure(xs);
  if (auto* t = open.structure(); t && t->fields.empty() && !t->model) {
    s.items = t->elems, s.over_list = true;
    return s;
  }
  if (is_list(xs)) {
    s.count = list_length(xs, span);
    s.lists = {xs};
    s.item = [](const Val&, std::span<const Val> items) { return items[0]; };
    s.over_list = true;
    return s;
  }
  if (!is_numeric(xs) || shape_of(xs).empty()) return report(not_iterable, span, "`" + describe(xs) + "`"), std::nullopt;
  s.size = shape_of(xs)[0];
  s.item = [this, xs, span](const Val& i, std::span<const Val>) { return node(gather(value(xs), value(i)), span); };
  return s;
}

Val Elaborator::count_of(const Iterable& s, Span span) {
  if (s.items) return Val{dims.constant(static_cast<int64_t>(s.items->size())), {}, span};
  return s.size.valid() ? Val{s.size, {}, span} : s.count;
}

// Lengths are compared now where both are known, else when the program runs.
bool Elaborator::same_length(const Val& a, const Val& b2, Span span) {
  auto x = as_dim(a), y = as_dim(b2);
  if (x && y) {
    if (dims.compare(*x, *y) == Compare::equal) return true;
    if (dims.compare(*x, *y) == Compare::different || (!is_runtime(*x) && !is_runtime(*y)))
      return report(zip_lengths, span, dims.print(*x), dims.print(*y)), false;
  }
  Value same = value(a, DType::i32) == value(b2, DType::i32);
  std::string text = fmt::format("`{}` pairs things of one length", sources.text(span));
  b().emit(op<Assert>, {same.id}, {{AttrKey::text, text}, {AttrKey::order, int64_t{effects++}}}, types.unit());
  return true;
}

namespace {
Val tuple_of(std::vector<Val> elems, Span span) {
  Structure s;
  s.elems = std::move(elems);
  return Val{std::make_shared<const Structure>(std::move(s)), {}, span};
}

// Each part gives its item by number.
Val numbered_item(Elaborator& e, const Iterable& s, int64_t i, Span span) {
  if (s.items) return (*s.items)[static_cast<size_t>(i)];
  Val at{e.dims.constant(i), {}, span};
  std::vector<Val> items;
  for (const Val& l : s.lists) items.push_back(e.list_item(l, constant_int(e.b(), i, DType::i32), span));
  return s.item(at, items);
}
}  // namespace

std::optional<Iterable> Elaborator::zip_source(const Zip& z, Span span) {
  std::vector<Iterable> parts;
  const Iterable* known = nullptr;
  for (const Val& v : z.parts) {
    auto s = source_of_value(v, span);
    if (!s) return std::nullopt;
    parts.push_back(std::move(*s));
  }
  for (const Iterable& s : parts)
    if (s.items) known = &s;
  for (size_t k = 1; k < parts.size(); ++k)
    if (!same_length(count_of(parts[0], span), count_of(parts[k], span), span)) return std::nullopt;
  Iterable all;
  for (const Iterable& s : parts) all.over_list = all.over_list || s.over_list;
  if (known) {
    all.items.emplace();
    for (size_t i = 0; i < known->items->size(); ++i) {
      std::vector<Val> elems;
      for (const Iterable& s : parts) elems.push_back(numbered_item(*this, s, static_cast<int64_t>(i), span));
      all.items->push_back(tuple_of(std::move(elems), span));
    }
    return all;
  }
  bool sized = std::all_of(parts.begin(), parts.end(), [](const Iterable& s) { return s.size.valid(); });
  if (sized) all.size = parts[0].size;
  else all.count = node(value(count_of(parts[0], span), DType::i32), span);
  for (const Iterable& s : parts) all.lists.insert(all.lists.end(), s.lists.begin(), s.lists.end());
  all.item = [parts, span](const Val& i, std::span<const Val> items) {
    std::vector<Val> elems;
    for (const Iterable& s : parts) {
      elems.push_back(s.item(i, items.first(s.lists.size())));
      items = items.subspan(s.lists.size());
    }
    return tuple_of(std::move(elems), span);
  };
  return all;
}

}  // namespace glia
