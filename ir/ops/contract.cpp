// The sum of products: a label per axis, labels that are not in `out` are summed.
#include <algorithm>
#include <map>

#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
bool contains(const Ints& labels, int64_t label) { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

// Every label of the two sides with its size; the same label has the same size.
Complaint label_sizes(const TypeContext& c, std::map<int64_t, DimId>& sizes) {
  for (size_t k : {size_t(0), size_t(1)}) {
    const Ints& labels = c.attrs.ints(k == 0 ? AttrKey::lhs : AttrKey::rhs);
    const Shape& shape = c.shape(k);
    if (labels.size() != shape.size()) return fmt::format("has {} labels for {}", labels.size(), c.types.print(c.args[k]));
    for (size_t i = 0; i < labels.size(); ++i) {
      if (std::count(labels.begin(), labels.end(), labels[i]) > 1) return fmt::format("label {} occurs twice on one side", labels[i]);
      auto [it, fresh] = sizes.try_emplace(labels[i], shape[i]);
      if (!fresh && it->second != shape[i])
        return fmt::format("sizes {} and {} differ: {} and {}", c.types.dims.print(it->second), c.types.dims.print(shape[i]),
                           c.types.print(c.args[0]), c.types.print(c.args[1]));
    }
  }
  return std::nullopt;
}
}  // namespace

TypeRule Contract::type(const TypeContext& c) {
  std::map<int64_t, DimId> sizes;
  if (Complaint bad =
          first_of([&] { return tensors(c); }, [&] { return needs<Ints>(c, AttrKey::lhs); }, [&] { return needs<Ints>(c, AttrKey::rhs); },
                   [&] { return needs<Ints>(c, AttrKey::out); }, [&] { return label_sizes(c, sizes); }))
    return std::unexpected(*bad);
  if (c.dtype(0) != c.dtype(1)) return wrong("element types differ: {} and {}", c.types.print(c.args[0]), c.types.print(c.args[1]));
  if (!is_num(c.dtype(0))) return wrong("takes numbers, found {}", c.types.print(c.args[0]));
  const Ints& out = c.attrs.ints(AttrKey::out);
  Shape shape;
  for (int64_t label : out) {
    auto it = sizes.find(label);
    if (it == sizes.end() || std::count(out.begin(), out.end(), label) > 1)
      return wrong("label {} of the result is on neither side, or occurs twice", label);
    shape.push_back(it->second);
  }
  return c.types.with_shape(c.args[0], std::move(shape));
}

// The contraction of g with the other side; a label that only this side has was summed, so its derivative is repeated.
Value Contract::derivative(const Use& u, size_t k, Value g) {
  const Ints& mine = u.attrs().ints(k == 0 ? AttrKey::lhs : AttrKey::rhs);
  const Ints& other = u.attrs().ints(k == 0 ? AttrKey::rhs : AttrKey::lhs);
  const Ints& out = u.attrs().ints(AttrKey::out);
  Ints reached, axes;
  for (size_t i = 0; i < mine.size(); ++i)
    if (contains(out, mine[i]) || contains(other, mine[i])) reached.push_back(mine[i]), axes.push_back(static_cast<int64_t>(i));
  Value part = k == 0 ? contract(g, u.x[1], out, other, reached) : contract(u.x[0], g, other, out, reached);
  return reached.size() == mine.size() ? part : broadcast(part, Shape(u.x[k].shape()), axes);
}

// A new label for the rows in what has them: shared weights stay one matrix.
Batched Contract::batch(const Use& u, std::span<const Batched> args, DimId) {
  Ints lhs = u.attrs().ints(AttrKey::lhs), rhs = u.attrs().ints(AttrKey::rhs), out = u.attrs().ints(AttrKey::out);
  int64_t rows = 0;
  for (const Ints* labels : {&lhs, &rhs})
    for (int64_t l : *labels) rows = std::max(rows, l + 1);
  if (args[0].batched) lhs = led_by(rows, lhs);
  if (args[1].batched) rhs = led_by(rows, rhs);
  return {contract(args[0].value, args[1].value, lhs, rhs, led_by(rows, out)), true};
}

}  // namespace glia::ir
