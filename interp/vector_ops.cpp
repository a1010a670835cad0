// Values as vectors: every float in a structure, leaf by leaf. What has no floats comes from the first value.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "interp/frame.h"
#include "ir/ops/all.h"

namespace glia::interp {

namespace {
bool is_float_tensor(const Value& v) { return v.is_tensor() && is_float(v.tensor().dtype); }

// Rows as a list of values: cotangents are added to each.
Value plain(Value v) {
  if (!v.is_rows()) return v;
  List items;
  for (int64_t i = 0, n = *list_size(v); i < n; ++i) items.elems.push_back(list_item(v, i));
  return Value(std::move(items));
}

Value same_structure(const Value& like, std::vector<Value> elems) {
  if (like.is_tuple()) return Tuple{std::move(elems)};
  if (like.is_list()) return List{std::move(elems)};
  if (like.is_variant()) return Variant{like.variant().tag, std::move(elems)};
  return Tape{std::move(elems)};
}

std::unexpected<Fault> too_deep(const Step& s) { return s.fault("a value is nested too deep"); }

// The value with `leaf` of every tensor of floats in it.
template <class Leaf>
Evaluated each_leaf(const Step& s, Value v, Leaf&& leaf) {
  if (stack_is_short(s.run)) return too_deep(s);
  v = plain(std::move(v));
  if (is_float_tensor(v)) return leaf(v.tensor());
  if (!v.elems()) return v;
  std::vector<Value> elems;
  for (const Value& e : *v.elems()) {
    Evaluated made = each_leaf(s, e, leaf);
    if (!made) return made;
    elems.push_back(std::move(*made));
  }
  return same_structure(v, std::move(elems));
}

template <class F>
Tensor zipped(const Tensor& a, const Tensor& b, F&& f) {
  Tensor out = Tensor::zeros(a.dtype, a.shape);
  with_element(a.dtype, [&]<class T>() {
    const auto x = a.as<T>(), y = b.as<T>();
    auto z = out.as<T>();
    for (size_t i = 0; i < z.size(); ++i) z[i] = static_cast<T>(f(static_cast<double>(x[i]), static_cast<double>(y[i])));
  });
  return out;
}

std::unexpected<Fault> differ(const Step& s, const Value& a, const Value& b) {
  auto name = [](const Value& v) -> std::string {
    if (v.is_tensor()) return fmt::format("{}[{}]", dtype_name(v.tensor().dtype), fmt::join(v.tensor().shape, ", "));
    if (v.is_list()) return fmt::format("a list of {}", v.list().elems.size());
    if (v.is_variant()) return fmt::format("case {}", v.variant().tag);
    if (v.is_tuple()) return fmt::format("a tuple of {}", v.tuple().elems.size());
    return "another value";
  };
  return s.fault(fmt::format("values of different structure: {} and {}", name(a), name(b)));
}

bool same_kind(const Value& a, const Value& b) {
  if (a.is_tensor() || b.is_tensor())
    return a.is_tensor() && b.is_tensor() && a.tensor().dtype == b.tensor().dtype && (!is_float(a.tensor().dtype) || a.tensor().shape == b.tensor().shape);
  if (a.is_variant() && b.is_variant() && a.variant().tag != b.variant().tag) return false;
  const bool alike = a.is_tuple() == b.is_tuple() && a.is_list() == b.is_list() && a.is_variant() == b.is_variant() && a.is_tape() == b.is_tape();
  return alike && (a.is_tape() || !a.elems() || a.elems()->size() == b.elems()->size());
}

bool is_missing(const Value& v) { return v.is_tuple() && v.tuple().elems.empty(); }

Evaluated scaled(const Step& s, Value v, double factor) {
  return each_leaf(s, std::move(v), [&](const Tensor& t) -> Value { return zipped(t, t, [&](double x, double) { return x * factor; }); });
}

std::expected<double, Fault> dot(const Step& s, const Value& x, const Value& y) {
  if (stack_is_short(s.run)) return too_deep(s);
  const Value a = plain(x), b = plain(y);
  if (is_missing(a) || is_missing(b)) return 0.0;
  if (!same_kind(a, b)) return differ(s, a, b);
  double sum = 0;
  if (is_float_tensor(a))
    for (int64_t i = 0; i < a.tensor().size(); ++i) sum += element_real(a.tensor(), i) * element_real(b.tensor(), i);
  if (!a.elems()) return sum;
  for (size_t i = 0; i < std::min(a.elems()->size(), b.elems()->size()); ++i) {
    const auto part = dot(s, (*a.elems())[i], (*b.elems())[i]);
    if (!part) return part;
    sum += *part;
  }
  return sum;
}

// The longer tape of two; a place that one of them lacks is the other's.
Evaluated add_elems(const Step& s, const Value& a, const Value& b) {
  const auto &x = *a.elems(), &y = *b.elems();
  std::vector<Value> elems;
  for (size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
    if (i >= x.size() || i >= y.size() || is_missing(x[i]) || is_missing(y[i])) {
      elems.push_back(i >= x.size() || (i < y.size() && is_missing(x[i])) ? y[i] : x[i]);
      continue;
    }
    Evaluated sum = add_values(s, x[i], y[i]);
    if (!sum) return sum;
    elems.push_back(std::move(*sum));
  }
  return same_structure(a, std::move(elems));
}

Evaluated run_dot(const Step& s) {
  const auto sum = dot(s, s.args[0], s.args[1]);
  if (!sum) return std::unexpected(sum.error());
  Tensor out = Tensor::zeros(s.run.types().dtype(s.node.type), {});
  with_element(out.dtype, [&]<class T>() { out.as<T>()[0] = static_cast<T>(*sum); });
  return Value(std::move(out));
}
}  // namespace

Evaluated zeros_of(const Step& s, Value v) {
  return each_leaf(s, std::move(v), [](const Tensor& t) -> Value { return Tensor::zeros(t.dtype, t.shape); });
}

Evaluated add_values(const Step& s, Value a, Value b) {
  if (stack_is_short(s.run)) return too_deep(s);
  a = plain(std::move(a)), b = plain(std::move(b));
  if (!same_kind(a, b)) return differ(s, a, b);
  if (is_float_tensor(a)) return Value(zipped(a.tensor(), b.tensor(), [](double x, double y) { return x + y; }));
  return a.elems() ? add_elems(s, a, b) : Evaluated(std::move(a));
}

Evaluated run_vector_op(const Step& s) {
  switch (s.node.op.v) {
    case ir::op<ir::VecZeros>.v: return zeros_of(s, std::move(s.args[0]));
    case ir::op<ir::VecAdd>.v: return add_values(s, std::move(s.args[0]), std::move(s.args[1]));
    case ir::op<ir::VecScale>.v: return scaled(s, std::move(s.args[0]), element_real(s.args[1].tensor(), 0));
    case ir::op<ir::VecDot>.v: return run_dot(s);
    default: internal_error(__FILE__, __LINE__, "an op that the evaluator knows", s.func.name);
  }
}

}  // namespace glia::interp
