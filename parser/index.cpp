// Indexing: x[i], x[1:], x[:, 0], x[idx].
#include "parser/advice.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind not_indexable{"E0230", Severity::error, "{} has no elements to index"};
constexpr DiagKind too_many{"E0231", Severity::error, "{} indexes for {} axes"};
constexpr DiagKind outside{"E0232", Severity::error, "index {} is outside 0 to {}"};
constexpr DiagKind not_an_index{"E0233", Severity::error, "an index is a whole number, found {}"};
constexpr DiagKind ranges_differ{"E0234", Severity::error, "`{}` runs over {} here, but over {} elsewhere"};
constexpr DiagKind slice_bounds{"E0235", Severity::error, "the bounds of a slice must be known sizes"};
}  // namespace

// The bare index of a `for` sets the range that it runs over.
void Elaborator::set_range(Binding& index, DimId size, Span at, const std::string& name, const std::string& from) {
  IndexRange& r = *index.index;
  if (!r.size.valid()) {
    r = {size, at, from};
  } else if (dims.compare(r.size, size) != Compare::equal) {
    report(ranges_differ, at, name, dims.print(size), dims.print(r.size))
        .label(at, fmt::format("this axis of `{}` has {}", from, dims.print(size)))
        .label(r.set_by, fmt::format("this axis of `{}` has {}", r.set_from, dims.print(r.size)))
        .help(fmt::format("give the range: `for {} < n => …`", name));
  }
}

std::optional<DimId> Elaborator::slice_bound(ast::ExprId id, DimId size, DimId missing, const ScopePtr& scope) {
  if (!id.valid()) return missing;
  Val v = expr(id, scope);
  if (v.poison()) return std::nullopt;
  auto d = as_dim(v);
  if (!d) return report(slice_bounds, unit->tree[id].span).help("use `for i < n => x[start + i]` for bounds that vary"), std::nullopt;
  auto k = dims.known(*d);
  DimId bound = k && *k < 0 ? dims.add(size, *d) : *d;
  auto at_least = dims.known(bound), room = dims.known(dims.sub(size, bound));
  if ((at_least && *at_least < 0) || (room && *room < 0)) {
    report(outside, unit->tree[id].span, dims.print(*d), dims.print(size)).note("bounds never clamp");
    return std::nullopt;
  }
  return bound;
}

// One index along `axis` of x; axes that go away are counted by the caller.
std::optional<Value> Elaborator::index_axis(Value x, size_t& axis, const ast::IndexItem& item, const Val& base, const ScopePtr& scope) {
  DimId size = x.shape()[axis];
  DimId zero = dims.constant(0), one = dims.constant(1);
  auto cut = [&](DimId from, DimId to, int64_t step) {
    DimList starts(x.rank(), zero), stops = x.shape();
    Ints steps(x.rank(), 1);
    starts[axis] = from, stops[axis] = to, steps[axis] = step;
    return slice(x, starts, stops, steps);
  };
  if (item.is_slice) {
    auto from = slice_bound(item.start, size, zero, scope), to = slice_bound(item.stop, size, size, scope);
    if (!from || !to) return std::nullopt;
    int64_t step = 1;
    if (item.step.valid()) {
      auto k = known_int(expr(item.step, scope));
      if (!k || *k < 1) return report(slice_bounds, item.span).help("a step is a known whole number of at least 1"), std::nullopt;
      step = *k;
    }
    if (auto n = dims.known(dims.sub(*to, *from)); n && *n < 0) return report(outside, item.span, dims.print(*from), dims.print(*to)), std::nullopt;
    Value y = cut(*from, *to, step);
    ++axis;
    return y;
  }
  const ast::Expr& e = unit->tree[item.index];
  if (auto* n = std::get_if<ast::NameRef>(&e.node))
    if (Binding* bound = scope->find(n->name); bound && bound->index)
      set_range(*bound, size, item.span, n->name, std::string(sources.text(base.origin.valid() ? base.origin : item.span)));
  Val i = expr(item.index, scope);
  if (i.poison()) return std::nullopt;
  if (auto k = known_int(i)) {
    auto n = dims.known(size);
    int64_t at = *k;
    if (n && (at >= *n || at < -*n)) return report(outside, item.span, at, *n - 1).note(fmt::format("this axis has size {}", *n)), std::nullopt;
    DimId from = at < 0 ? dims.add(size, dims.constant(at)) : dims.constant(at);
    Value y = cut(from, dims.add(from, one), 1);
    Shape less = x.shape();
    less.erase(less.begin() + axis);
    return reshape(y, less);
  }
  if (!is_numeric(i) || !is_int(dtype_of(i))) return report(not_an_index, item.span, "`" + describe(i) + "`"), std::nullopt;
  Value idx = value(i);
  Value y = gather(x, idx, static_cast<int64_t>(axis));
  axis += idx.rank();
  return y;
}

Val Elaborator::index(const ast::Index& x, Span span, const ScopePtr& scope) {
  Val base = expr(x.base, scope);
  if (base.poison()) return base;
  if (auto* l = base.list(); l && x.items.size() == 1 && !x.items[0].is_slice) {
    Val i = expr(x.items[0].index, scope);
    if (i.poison()) return i;
    if (auto k = known_int(i)) {
      int64_t n = static_cast<int64_t>(l->size()), at = *k < 0 ? *k + n : *k;
      if (at >= 0 && at < n) return (*l)[static_cast<size_t>(at)];
      auto& d = report(outside, span, *k, n - 1);
      return d.note(n ? fmt::format("the list has {} element{}", n, n == 1 ? "" : "s") : "the list is empty"), poison();
    }
  }
  if (is_list(base) || (base.list() && is_data(base))) return index_list(base.list() ? as_list(base, span) : base, x, span, scope);
  if (!is_numeric(base) || shape_of(base).empty()) return label_origin(*this, report(not_indexable, span, quoted(*this, base)), base, span), poison();
  if (x.items.size() > shape_of(base).size()) {
    report(too_many, span, x.items.size(), shape_of(base).size()).note(fmt::format("it is `{}`", describe(base)));
    return poison();
  }
  Value v = value(base);
  size_t axis = 0;
  Val named = base;
  named.origin = unit->tree[x.base].span;
  for (const ast::IndexItem& item : x.items) {
    auto next = index_axis(v, axis, item, named, scope);
    if (!next) return poison();
    v = *next;
  }
  return node(v, span);
}

}  // namespace glia
