// Lists, variants, folds and tapes in the reference evaluator. An argument that nobody else needs is changed in place, so
// that a loop that grows a list takes linear time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interp/frame.h"
#include "ir/ops/all.h"

namespace glia::interp {

using ir::AttrKey;

namespace {
int64_t number(const Value& v) { return element_int(v.tensor(), 0); }
Value number_value(int64_t n) { return Tensor::scalar<int32_t>(static_cast<int32_t>(n)); }

// The items, taken where nobody else holds the list.
std::vector<Value> items_of(Value& v) {
  if (auto* own = v.is_list() ? v.own_elems() : nullptr) return std::move(*own);
  std::vector<Value> items;
  const int64_t n = *list_size(v);
  for (int64_t i = 0; i < n; ++i) items.push_back(list_item(v, i));
  return items;
}

Evaluated run_length(const Step& s) {
  const int64_t n = *list_size(s.args[0]);
  if (n > std::numeric_limits<int32_t>::max()) return s.fault(fmt::format("a list of {} items is too long to count in an i32", n));
  return number_value(n);
}

Evaluated run_item(const Step& s) {
  const int64_t n = *list_size(s.args[0]), i = number(s.args[1]);
  if (i < 0 || i >= n) return s.fault(fmt::format("there is no item {} in a list of {}", i, n));
  return list_item(s.args[0], i);
}

Evaluated run_append(const Step& s) {
  if (auto* own = s.args[0].is_list() ? s.args[0].own_elems() : nullptr) {
    own->push_back(std::move(s.args[1]));
    return std::move(s.args[0]);
  }
  std::vector<Value> items = items_of(s.args[0]);
  items.push_back(std::move(s.args[1]));
  return Value(List{std::move(items)});
}

Evaluated run_list_concat(const Step& s) {
  std::vector<Value> all = items_of(s.args[0]);
  for (Value& list : s.args.subspan(1))
    for (Value& item : items_of(list)) all.push_back(std::move(item));
  return Value(List{std::move(all)});
}

// The places that a slice names, in order.
struct Places {
  int64_t start, stop, step;

  int64_t count() const { return start == stop ? 0 : (stop - start - 1) / std::abs(step) + 1; }
  int64_t operator[](int64_t k) const { return step > 0 ? start + k * step : stop - 1 + k * step; }
};

std::expected<Places, Fault> places(const Step& s, int64_t n) {
  const Places p{number(s.args[1]), number(s.args[2]), number(s.args[3])};
  if (p.step == 0) return s.fault("a slice in steps of 0");
  if (p.start < 0 || p.start > p.stop || p.stop > n) return s.fault(fmt::format("there is no slice from {} to {} of a list of {}", p.start, p.stop, n));
  return p;
}

Evaluated run_list_slice(const Step& s) {
  const auto p = places(s, *list_size(s.args[0]));
  if (!p) return std::unexpected(p.error());
  if (auto* own = s.args[0].is_list() ? s.args[0].own_elems() : nullptr; own && p->start == 0 && p->step == 1) {
    own->resize(static_cast<size_t>(p->stop));
    return std::move(s.args[0]);
  }
  List result;
  for (int64_t k = 0; k < p->count(); ++k) result.elems.push_back(list_item(s.args[0], (*p)[k]));
  return Value(std::move(result));
}

Evaluated run_list_add(const Step& s) {
  const auto p = places(s, *list_size(s.args[0]));
  if (!p) return std::unexpected(p.error());
  if (*list_size(s.args[4]) != p->count()) return s.fault(fmt::format("{} values are added to {} items", *list_size(s.args[4]), p->count()));
  List result{items_of(s.args[0])};
  for (int64_t k = 0; k < p->count(); ++k) {
    Value& at = result.elems[static_cast<size_t>((*p)[k])];
    Evaluated sum = add_values(s, std::move(at), list_item(s.args[4], k));
    if (!sum) return sum;
    at = std::move(*sum);
  }
  return Value(std::move(result));
}

Evaluated run_list_reverse(const Step& s) {
  std::vector<Value> items = items_of(s.args[0]);
  std::reverse(items.begin(), items.end());
  return Value(List{std::move(items)});
}

Evaluated run_stack(const Step& s) {
  const std::vector<Value> items = items_of(s.args[0]);
  const ir::Shape& shape = s.run.types().shape(s.node.type);
  std::vector<int64_t> row_shape;
  if (!items.empty()) row_shape = items[0].tensor().shape;
  else if (const auto known = s.sizes.shape(std::span(shape).subspan(1))) row_shape = *known;
  else return s.fault("a list without items has no size to stack");
  std::vector<const Tensor*> rows;
  for (size_t i = 0; i < items.size(); ++i) {
    const Tensor& t = items[i].tensor();
    if (t.shape != row_shape)
      return s.fault(fmt::format("item {} has the shape [{}], item 0 has [{}]", i, fmt::join(t.shape, ", "), fmt::join(row_shape, ", ")));
    rows.push_back(&t);
  }
  auto stacked = stack(rows, s.run.types().dtype(s.node.type), row_shape);
  if (!stacked) return s.fault(stacked.error());
  return Value(std::move(*stacked));
}

Evaluated run_unstack(const Step& s) {
  const Tensor& t = s.args[0].tensor();
  if (t.rank() == 0) return s.fault("a number has no rows");
  List rows;
  for (int64_t i = 0; i < t.shape[0]; ++i) rows.elems.push_back(row(t, i));
  return Value(std::move(rows));
}

Evaluated run_construct(const Step& s) {
  return Value(Variant{static_cast<int32_t>(s.attrs().integer(AttrKey::index)),
                       {std::make_move_iterator(s.args.begin()), std::make_move_iterator(s.args.end())}});
}

std::string case_name(const Step& s, const std::string& type, int64_t tag) {
  const auto known = s.run.module.variants.find(type);
  if (known == s.run.module.variants.end() || tag < 0 || tag >= static_cast<int64_t>(known->second.size())) return fmt::format("case {}", tag);
  return known->second[static_cast<size_t>(tag)].name;
}

Evaluated run_payload(const Step& s) {
  const int64_t wanted = s.attrs().integer(AttrKey::index), k = s.attrs().integer(AttrKey::axis);
  const Variant& v = s.args[0].variant();
  const std::string& type = s.run.types()[s.arg_type(0)].name;
  if (v.tag != wanted) return s.fault(fmt::format("this is {}, not {}", case_name(s, type, v.tag), case_name(s, type, wanted)));
  if (k < 0 || k >= static_cast<int64_t>(v.elems.size())) return s.fault(fmt::format("{} has no field {}", case_name(s, type, wanted), k));
  if (auto* own = s.args[0].own_elems()) return std::move((*own)[static_cast<size_t>(k)]);
  return v.elems[static_cast<size_t>(k)];
}

Evaluated run_pack(const Step& s) {
  Tape tape;
  const ir::Ints* at = s.attrs().has(AttrKey::axes) ? &s.attrs().ints(AttrKey::axes) : nullptr;
  for (size_t k = 0; k < s.args.size(); ++k) {
    const size_t place = at ? static_cast<size_t>((*at)[k]) : k;
    if (tape.elems.size() <= place) tape.elems.resize(place + 1);
    tape.elems[place] = std::move(s.args[k]);
  }
  return Value(std::move(tape));
}

Evaluated run_unpack(const Step& s) {
  const auto& elems = s.args[0].tape().elems;
  const auto place = static_cast<size_t>(s.attrs().integer(AttrKey::index));
  const bool missing = place >= elems.size() || (elems[place].is_tuple() && elems[place].tuple().elems.empty());
  if (missing && s.args.size() > 1) return zeros_of(s, s.args[1]);
  if (place >= elems.size()) return s.fault(fmt::format("the tape has no place {}", place));
  return elems[place];
}
}  // namespace

Evaluated run_dynamic(const Step& s) {
  switch (s.node.op.v) {
    case ir::op<ir::Length>.v: return run_length(s);
    case ir::op<ir::Item>.v: return run_item(s);
    case ir::op<ir::Append>.v: return run_append(s);
    case ir::op<ir::ListConcat>.v: return run_list_concat(s);
    case ir::op<ir::ListSlice>.v: return run_list_slice(s);
    case ir::op<ir::ListAdd>.v: return run_list_add(s);
    case ir::op<ir::ListReverse>.v: return run_list_reverse(s);
    case ir::op<ir::Stack>.v: return run_stack(s);
    case ir::op<ir::Unstack>.v: return run_unstack(s);
    case ir::op<ir::Construct>.v: return run_construct(s);
    case ir::op<ir::TagOf>.v: return number_value(s.args[0].variant().tag);
    case ir::op<ir::Payload>.v: return run_payload(s);
    case ir::op<ir::Pack>.v: return run_pack(s);
    case ir::op<ir::Unpack>.v: return run_unpack(s);
    default: return run_vector_op(s);
  }
}

// ---- fold -----------------------------------------------------------------------------------------

Evaluated run_fold(const Step& s) {
  const ir::Func& f = s.run.module[s.attrs().func(AttrKey::func)];
  const ir::Ints& wrt = s.attrs().ints(AttrKey::wrt);
  const auto n_states = static_cast<size_t>(wrt[0]), n_lists = static_cast<size_t>(wrt[1]);
  const int64_t count = number(s.args[0]);
  auto from = s.args.begin() + 1;
  std::vector<Value> states(std::make_move_iterator(from), std::make_move_iterator(from + static_cast<std::ptrdiff_t>(n_states)));
  const std::span<Value> lists = s.args.subspan(1 + n_states, n_lists), shared = s.args.subspan(1 + n_states + n_lists);
  if (count < 0) return s.fault(fmt::format("a fold of {} steps", count));
  for (const Value& list : lists)
    if (*list_size(list) < count) return s.fault(fmt::format("a list of {} items where {} are read", *list_size(list), count));
  std::vector<List> outs(f.results.size() - n_states);
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Value> args{counter_value(s, f, i)};
    args.insert(args.end(), std::make_move_iterator(states.begin()), std::make_move_iterator(states.end()));
    for (const Value& list : lists) args.push_back(list_item(list, i));
    args.insert(args.end(), shared.begin(), shared.end());
    auto next = call_nested(s, f, std::move(args));
    if (!next) return std::unexpected(std::move(next.error()));
    for (size_t k = 0; k < outs.size(); ++k) outs[k].elems.push_back(std::move((*next)[n_states + k]));
    next->resize(n_states);
    states = std::move(*next);
  }
  for (List& out : outs) states.push_back(std::move(out));
  return bundle(std::move(states));
}

}  // namespace glia::interp
