// Laws of elementwise operations. Those that hold for a number on one side only, such as x * 1, are applied as values are
// made (peephole.h).
#include "ir/fold.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/simplify.h"
#include "ir/peephole.h"

namespace glia::ir {

namespace {
const Node& node(Value v) { return v.b->func()[v.id]; }

// ---- what patterns do not say -----------------------------------------------------------------------

// unless_zero(x, y) of a number x is y, or zeros.
Value known_factor(const Site& s) {
  auto factor = number_of(node(s.x[0]));
  if (!factor) return {};
  return is_number(*factor, 0) ? zeros_like(s.y) : s.x[1];
}

Value known_factor_sample(Builder& b) {
  Shape shape{b.dims().constant(3)};
  Value x = b.param(b.types().tensor(DType::f32, shape));
  return b.emit(op<Unless>, {constant_like(x, 2).id, x.id});
}

// What an argument repeats, if it is a repetition or a number.
struct Repeated {
  Shape small;
  Ints axes;
};

std::optional<Repeated> repeated(Value v) {
  const Node& n = node(v);
  if (n.op != op<Broadcast>) return std::nullopt;
  return Repeated{v.b->shape(n.args[0]), n.attrs.ints(AttrKey::axes)};
}

// An elementwise operation on repetitions of one shape is the repetition of the operation.
Value before_repeating(const Site& s) {
  std::optional<Repeated> same;
  for (Value v : s.x) {
    auto r = repeated(v);
    if (!r && !number_of(node(v))) return {};
    if (r && same && (r->axes != same->axes || r->small != same->small)) return {};
    if (r) same = r;
  }
  if (!same) return {};
  std::vector<Value> small;
  for (Value v : s.x) {
    const Node& n = node(v);
    if (n.op == op<Broadcast>) {
      small.push_back(v.b->value(n.args[0]));
      continue;
    }
    Attrs attrs = n.attrs;
    attrs.set(AttrKey::shape, same->small);
    small.push_back(v.b->emit(op<Const>, {}, std::move(attrs)));
  }
  const Attrs attrs = s.attrs();
  Shape shape = s.y.shape();
  return broadcast(make(*s.y.b, s.node().op, small, attrs), shape, same->axes);
}

Value repeated_param(Builder& b) {
  Value x = b.param(b.types().tensor(DType::f32, {b.dims().constant(3)}));
  return broadcast(x, {b.dims().constant(2), b.dims().constant(3)}, {1});
}

std::vector<Rule> repetition_rules() {
  std::vector<Rule> rules;
  for (size_t i = 0; i < op_table().size(); ++i) {
    const OpInfo& op_info = op_table()[i];
    bool each = op_info.family == Family::elementwise || OpId(i) == op<Cast>;
    if (each) rules.push_back({"before-repeating", true, OpId(i), before_repeating, {}});
  }
  for (Rule& r : rules)
    if (r.root == op<Mul>) r.sample = [](Builder& b) {
      Value x = repeated_param(b), y = repeated_param(b);
      return b.emit(op<Mul>, {x.id, y.id});
    };
  return rules;
}

std::vector<Rule> make_rules() {
  const Term x(Term::any, 0), y(Term::any, 1), z(Term::any, 2), c(Term::known, 3), d(Term::known, 4);
  std::vector<Rule> rules = {
      law("mul-minus-one", x * -1.0, -x),
      law("div-minus-one", x / -1.0, -x),
      law("mul-neg", -x * y, -(x * y)),
      law("div-neg", -x / y, -(x / y)),
      law("div-by-neg", x / -y, -(x / y)),
      law("add-neg", x + -y, x - y),
      law("sub-neg", x - -y, x + y),
      law("square", pow(x, 2.0), x * x),
      law("select-not", select(!x, y, z), select(x, z, y)),
      law("neg-of-scaled", -(c * x), (-c) * x),
      law("scale-scaled", c * (d * x), (c * d) * x, false),
      law("scale-divided", c * (x / d), (c / d) * x, false),
      law("divide-scaled", (c * x) / d, (c / d) * x, false),
      law("divide-divided", (x / c) / d, x / (c * d), false),
      {"known-factor", true, op<Unless>, known_factor, known_factor_sample},
  };
  for (Rule& r : repetition_rules()) rules.push_back(std::move(r));
  return rules;
}
}  // namespace

std::span<const Rule> algebra_rules() {
  static const std::vector<Rule> rules = make_rules();
  return rules;
}

}  // namespace glia::ir
