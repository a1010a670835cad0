// The reverse sweep. Activity first: only nodes between what is asked for and the result are differentiated. Then from
// the last node to the first, each hands its cotangent on to its arguments by the derivative of its op.
#include "ir/passes/vjp.h"

#include <cmath>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/copy.h"

namespace glia::ir {

namespace {
constexpr DiagKind no_derivative_yet{"E0701", Severity::error, "no derivative of '{}' is supported yet{}"};

// Structure hands cotangents on whatever argument it is.
bool structural(const OpInfo& op) { return op.family == Family::control || op.family == Family::host; }

bool passes_on(const OpInfo& op, size_t k) {
  if (structural(op)) return true;
  return op.derivative && (!op.differentiable || op.differentiable(k));
}
}  // namespace

std::unexpected<Diagnostic> not_supported(Builder& b, const Node& node, std::string_view what) {
  std::string message =
      fmt::format(fmt::runtime(no_derivative_yet.text), info(node.op).name, what.empty() ? "" : fmt::format(": {}", what));
  return std::unexpected(
      Diagnostic{no_derivative_yet.code, no_derivative_yet.severity, std::move(message), b.module().span(node.src), {}, {}, {}});
}

std::vector<bool> depends_on(const Types& types, const Func& f, std::span<const ValueId> wrt) {
  std::vector<bool> depends(f.nodes.size());
  for (ValueId w : wrt) depends[w.index()] = carries_float(types, f[w].type);
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    const Node& n = f.nodes[i];
    const OpInfo& op = info(n.op);
    for (size_t k = 0; k < n.args.size() && !depends[i]; ++k)
      if (depends[n.args[k].index()] && passes_on(op, k)) depends[i] = carries_float(types, n.type);
  }
  return depends;
}

namespace {
struct Sweep {
  Builder& b;
  const Func& f;
  std::span<const Value> primal;
  std::vector<bool> active, asked;  // asked: where the sweep ends
  std::vector<Cotangent> bar;

  std::vector<Value> arguments(const Node& n) const {
    std::vector<Value> x;
    for (ValueId a : n.args) x.push_back(primal[a.index()]);
    return x;
  }
};

void mark_active(Sweep& s, std::span<const ValueId> wrt) {
  std::vector<bool> depends = depends_on(s.b.types(), s.f, wrt), reached(s.f.nodes.size());
  for (ValueId r : s.f.results) reached[r.index()] = true;
  for (size_t i = s.f.nodes.size(); i-- > 0;) {
    const Node& n = s.f.nodes[i];
    s.active[i] = depends[i] && reached[i];
    if (!s.active[i] || s.asked[i]) continue;
    for (size_t k = 0; k < n.args.size(); ++k)
      if (passes_on(info(n.op), k)) reached[n.args[k].index()] = true;
  }
}

// The factor on g is a known finite number.
bool finite_factor(const Node& n, std::span<const Value> x, size_t k) {
  bool scales = n.op == op<Mul> || (n.op == op<Div> && k == 0);
  if (!scales) return false;
  auto c = constant_value(x[1 - k]);
  return c && std::isfinite(n.op == op<Div> ? 1 / *c : *c);
}

// One argument of an ordinary op.
void step_argument(Sweep& s, const Use& u, size_t k, const Cotangent& g) {
  const OpInfo& op_info = info(u.node.op);
  Value part = op_info.derivative(u, k, g.value);
  if (!part.valid()) return;
  GLIA_CHECK(part.type() == u.x[k].type(), fmt::format("derivative of {} in argument {} is {}, not {}", op_info.name, k,
                                                       s.b.types().print(part.type()), s.b.types().print(u.x[k].type())));
  bool guarded = g.through_where && op_info.family == Family::elementwise && !op_info.bounded && !finite_factor(u.node, u.x, k);
  if (guarded) part = s.b.emit(op<Unless>, {g.value.id, part.id});
  bool through = g.through_where || u.node.op == op<Select> || u.node.op == op<Unless>;
  accumulate(s.bar[u.node.args[k].index()], Cotangent{part, {}, through});
}

void step_op(Sweep& s, const Node& n, Value y, const Cotangent& g) {
  std::vector<Value> x = s.arguments(n);
  Use u{s.b, n, x, y};
  for (size_t k = 0; k < n.args.size(); ++k)
    if (s.active[n.args[k].index()] && passes_on(info(n.op), k)) step_argument(s, u, k, g);
}

void step_get(Sweep& s, const Node& n, const Cotangent& g) {
  Cotangent of_tuple;
  of_tuple.elems.resize(static_cast<size_t>(n.attrs.integer(AttrKey::index)) + 1);
  of_tuple.elems.back() = g;
  accumulate(s.bar[n.args[0].index()], of_tuple);
}

void step_tuple(Sweep& s, const Node& n, const Cotangent& g) {
  for (size_t k = 0; k < n.args.size() && k < g.elems.size(); ++k)
    if (s.active[n.args[k].index()]) accumulate(s.bar[n.args[k].index()], g.elems[k]);
}

std::optional<Diagnostic> step_control(Sweep& s, const Node& n, Value y, const Cotangent& g) {
  std::vector<Value> x = s.arguments(n);
  ControlUse u{s.b, n, x, y, g, {}};
  for (ValueId a : n.args) u.active.push_back(s.active[a.index()]);
  auto parts = control_vjp(u);
  if (!parts) return parts.error();
  for (size_t k = 0; k < n.args.size(); ++k)
    if (u.active[k]) accumulate(s.bar[n.args[k].index()], (*parts)[k]);
  return std::nullopt;
}

std::optional<Diagnostic> step(Sweep& s, size_t i) {
  const Node& n = s.f.nodes[i];
  Cotangent g = std::move(s.bar[i]);
  s.b.set_src(n.src);
  if (n.op == op<Get>) step_get(s, n, g);
  else if (n.op == op<TupleOp>) step_tuple(s, n, g);
  else if (structural(info(n.op))) return step_control(s, n, s.primal[i], g);
  else step_op(s, n, s.primal[i], g);
  return std::nullopt;
}
}  // namespace

Differentiated<std::vector<Cotangent>> sweep(Builder& b, const Func& f, std::span<const Value> primal, std::span<const ValueId> wrt,
                                             std::span<const Cotangent> seeds) {
  size_t n = f.nodes.size();
  Sweep s{b, f, primal, std::vector<bool>(n), std::vector<bool>(n), std::vector<Cotangent>(n)};
  for (ValueId w : wrt) s.asked[w.index()] = true;
  mark_active(s, wrt);
  for (size_t r = 0; r < f.results.size(); ++r)
    if (s.active[f.results[r].index()]) accumulate(s.bar[f.results[r].index()], seeds[r]);
  for (size_t i = n; i-- > 0;)
    if (s.active[i] && !s.asked[i] && !s.bar[i].zero())
      if (auto error = step(s, i)) return std::unexpected(std::move(*error));
  std::vector<Cotangent> found;
  for (ValueId w : wrt) found.push_back(s.bar[w.index()]);
  return found;
}

}  // namespace glia::ir
