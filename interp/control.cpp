// Control in the reference evaluator: calls, branches, loops, and structure. ir/ops/control.h says what each op means.
#include <fmt/format.h>

#include "interp/frame.h"
#include "ir/ops/all.h"

namespace glia::interp {

using ir::AttrKey;
using ir::Func;
using ir::TypeKind;

namespace {
const Func& nested(const Step& s, AttrKey key) { return s.run.module[s.attrs().func(key)]; }

Evaluated call_and_bundle(const Step& s, const Func& f, std::vector<Value> args) {
  auto results = call_nested(s, f, std::move(args));
  if (!results) return std::unexpected(std::move(results.error()));
  return bundle(std::move(*results));
}

std::vector<Value> taken(std::span<Value> args) { return {std::make_move_iterator(args.begin()), std::make_move_iterator(args.end())}; }

Evaluated run_call(const Step& s) {
  ++s.run.calls;
  auto v = call_and_bundle(s, nested(s, AttrKey::func), taken(s.args));
  --s.run.calls;
  return v;
}

// Out of a tuple that nobody else holds, the element is taken.
Evaluated run_get(const Step& s) {
  const auto k = static_cast<size_t>(s.attrs().integer(AttrKey::index));
  if (auto* own = s.args[0].own_elems()) return std::move(own->at(k));
  return s.args[0].tuple().elems.at(k);
}

std::expected<int64_t, Fault> trip_count(const Step& s) {
  const auto d = s.attrs().get<ir::DimId>(AttrKey::count);
  const auto n = s.sizes(d);
  if (!n || *n < 0) return s.fault(fmt::format("the count {} is not known here", s.run.types().dims.print(d)));
  if (*n > std::numeric_limits<int32_t>::max()) return s.fault(fmt::format("{} iterations are too many for an i32 counter", *n));
  return *n;
}

std::expected<Value, std::string> stack_tensors(const Step& s, ir::TypeId type, std::span<const Value> items) {
  std::vector<const Tensor*> rows;
  for (const Value& v : items) rows.push_back(&v.tensor());
  std::vector<int64_t> row_shape;
  if (!rows.empty()) {
    row_shape = rows[0]->shape;
  } else {
    const ir::Shape& shape = s.run.types().shape(type);
    const auto known = s.sizes.shape(std::span(shape).subspan(1));
    if (!known) return std::unexpected(fmt::format("the sizes {} of no rows are not known", s.run.types().print_shape(shape)));
    row_shape = *known;
  }
  auto stacked = stack(rows, s.run.types().dtype(type), row_shape);
  if (!stacked) return std::unexpected(stacked.error());
  return Value(std::move(*stacked));
}

// Values of equal structure as one value of `type` with a new leading axis: tensors stack, tuples by element; where a
// list is wanted they are its elements.
std::expected<Value, std::string> stack_values(const Step& s, ir::TypeId type, std::span<const Value> items) {
  const ir::Type& t = s.run.types()[type];
  if (t.kind == TypeKind::tensor) return stack_tensors(s, type, items);
  if (t.kind == TypeKind::list) return Value(List{{items.begin(), items.end()}});
  if (t.kind != TypeKind::tuple) return std::unexpected(fmt::format("{} has no rows", s.run.types().print(type)));
  Tuple result;
  for (size_t k = 0; k < t.elems.size(); ++k) {
    std::vector<Value> column;
    for (const Value& v : items) column.push_back(v.tuple().elems[k]);
    auto stacked = stack_values(s, t.elems[k], column);
    if (!stacked) return stacked;
    result.elems.push_back(std::move(*stacked));
  }
  return Value(std::move(result));
}

Evaluated stacked_or_fault(const Step& s, std::span<const Value> items) {
  auto v = stack_values(s, s.node.type, items);
  if (!v) return s.fault(v.error());
  return std::move(*v);
}

Evaluated run_if(const Step& s) {
  const bool holds = s.args[0].tensor().as<bool>()[0];
  return call_and_bundle(s, nested(s, holds ? AttrKey::func : AttrKey::other), taken(s.args.subspan(1)));
}

Evaluated run_map(const Step& s) {
  const auto count = trip_count(s);
  if (!count) return std::unexpected(count.error());
  const Func& f = nested(s, AttrKey::func);
  std::vector<Value> items;
  for (int64_t i = 0; i < *count; ++i) {
    std::vector<Value> args{counter_value(s, f, i)};
    args.insert(args.end(), s.args.begin(), s.args.end());
    auto v = call_and_bundle(s, f, std::move(args));
    if (!v) return v;
    items.push_back(std::move(*v));
  }
  return stacked_or_fault(s, items);
}

size_t state_count(const Step& s) {
  const size_t n = s.attrs().has(AttrKey::wrt) ? static_cast<size_t>(s.attrs().ints(AttrKey::wrt)[0]) : s.args.size();
  GLIA_CHECK(n <= s.args.size(), "the states of a loop are among its arguments");
  return n;
}

// The states after `f` of (i where there is a counter, the states, what does not change).
std::expected<void, Fault> advance(const Step& s, const Func& f, std::optional<int64_t> i, std::vector<Value>& states) {
  std::vector<Value> args;
  if (i) args.push_back(counter_value(s, f, *i));
  args.insert(args.end(), std::make_move_iterator(states.begin()), std::make_move_iterator(states.end()));
  args.insert(args.end(), s.args.begin() + static_cast<std::ptrdiff_t>(states.size()), s.args.end());
  auto next = call_nested(s, f, std::move(args));
  if (!next) return std::unexpected(std::move(next.error()));
  GLIA_CHECK(next->size() == states.size(), "a loop body gives as many states as it takes");
  states = std::move(*next);
  return {};
}

Evaluated run_loop(const Step& s) {
  const auto count = trip_count(s);
  if (!count) return std::unexpected(count.error());
  std::vector<Value> states = taken(s.args.first(state_count(s)));
  for (int64_t i = 0; i < *count; ++i)
    if (auto done = advance(s, nested(s, AttrKey::func), i, states); !done) return std::unexpected(std::move(done.error()));
  return bundle(std::move(states));
}

Evaluated run_scan(const Step& s) {
  const auto count = trip_count(s);
  if (!count) return std::unexpected(count.error());
  std::vector<Value> states = taken(s.args.first(state_count(s)));
  std::vector<Value> items;
  for (int64_t i = 0; i < *count; ++i) {
    if (auto done = advance(s, nested(s, AttrKey::func), i, states); !done) return std::unexpected(std::move(done.error()));
    items.push_back(bundle(states));
  }
  return stacked_or_fault(s, items);
}

Evaluated run_while(const Step& s) {
  std::vector<Value> states = taken(s.args.first(state_count(s)));
  for (;;) {
    std::vector<Value> args = states;
    args.insert(args.end(), s.args.begin() + static_cast<std::ptrdiff_t>(states.size()), s.args.end());
    auto holds = call_and_bundle(s, nested(s, AttrKey::other), std::move(args));
    if (!holds) return holds;
    if (!holds->tensor().as<bool>()[0]) return bundle(std::move(states));
    if (auto done = advance(s, nested(s, AttrKey::func), std::nullopt, states); !done) return std::unexpected(std::move(done.error()));
  }
}

Evaluated run_assert(const Step& s) {
  if (s.args[0].tensor().as<bool>()[0]) return Value();
  std::string message;
  for (const Value& v : s.args.subspan(1)) message += (message.empty() ? "" : " ") + v.text();
  return s.fault(message.empty() ? "the assertion does not hold" : std::move(message));
}
}  // namespace

AllEvaluated call_nested(const Step& s, const Func& f, std::vector<Value> args) {
  return run_func(s.run, f, std::move(args), &s.sizes, s.node.src);
}

Value bundle(std::vector<Value> results) {
  if (results.size() == 1) return std::move(results[0]);
  return Tuple{std::move(results)};
}

Value counter_value(const Step& s, const Func& f, int64_t i) {
  if (s.run.types().dtype(f[f.params[0]].type) == DType::i64) return Tensor::scalar<int64_t>(i);
  return Tensor::scalar<int32_t>(static_cast<int32_t>(i));
}

Evaluated run_control(const Step& s) {
  if (s.node.op == ir::op<ir::TupleOp>) return Value(Tuple{taken(s.args)});
  if (s.node.op == ir::op<ir::Get>) return run_get(s);
  if (s.node.op == ir::op<ir::CallOp> || s.node.op == ir::op<ir::Recompute>) return run_call(s);
  if (s.node.op == ir::op<ir::Fold>) return run_fold(s);
  if (s.node.op == ir::op<ir::If>) return run_if(s);
  if (s.node.op == ir::op<ir::Map>) return run_map(s);
  if (s.node.op == ir::op<ir::Loop>) return run_loop(s);
  if (s.node.op == ir::op<ir::Scan>) return run_scan(s);
  if (s.node.op == ir::op<ir::While>) return run_while(s);
  if (s.node.op == ir::op<ir::Assert>) return run_assert(s);
  if (s.node.op == ir::op<ir::Grad>) return s.fault("differentiate first: the evaluator takes no `grad`");
  return run_dynamic(s);
}

}  // namespace glia::interp
