// The reverse sweep. Activity first: only nodes between what is asked for and the result are differentiated. Then from
// the last node to the first, each hands its cotangent on to its arguments by the derivative of its op.
#include "ir/passes/vjp.h"

#include <cmath>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/as_fold.h"
#include "ir/passes/tape.h"

namespace glia::ir {

namespace {
constexpr DiagKind no_derivative_yet{"E0701", Severity::error, "no derivative of '{}' is supported yet{}"};

// Structure hands cotangents on whatever argument it is.
bool structural(const OpInfo& op) { return op.family == Family::control || op.family == Family::host; }

bool passes_on(OpId id, size_t k) {
  const OpInfo& op_info = info(id);
  if (id == op<VecZeros> || (id == op<Unpack> && k == 1)) return false;
  if (structural(op_info)) return true;
  return op_info.derivative && (!op_info.differentiable || op_info.differentiable(k));
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
    for (size_t k = 0; k < n.args.size() && !depends[i]; ++k)
      if (depends[n.args[k].index()] && passes_on(n.op, k)) depends[i] = carries_float(types, n.type);
  }
  return depends;
}

namespace {
struct Sweep {
  Reverse& run;
  Builder& b;
  const Func& f;
  std::vector<bool> active, asked;    // asked: where the sweep ends
  std::vector<bool> through_where;    // whether a cotangent may have come through a `where`
  std::vector<Cotangent> bar;
  std::vector<Value> primal;
  std::map<size_t, Kept> kept;        // by node

  std::vector<Value> arguments(const Node& n) const {
    std::vector<Value> x;
    for (ValueId a : n.args) x.push_back(primal[a.index()]);
    return x;
  }
  std::vector<bool> active_args(const Node& n) const {
    std::vector<bool> on;
    for (ValueId a : n.args) on.push_back(active[a.index()]);
    return on;
  }
};

bool chooses(OpId id) { return id == op<Select> || id == op<Unless>; }

void mark_active(Sweep& s, std::span<const ValueId> wrt, std::span<const Cotangent> seeds) {
  std::vector<bool> depends = depends_on(s.b.types(), s.f, wrt), reached(s.f.nodes.size());
  for (size_t r = 0; r < s.f.results.size(); ++r) {
    const size_t at = s.f.results[r].index();
    reached[at] = true;
    s.through_where[at] = s.through_where[at] || any_through_where(seeds[r]);
  }
  for (size_t i = s.f.nodes.size(); i-- > 0;) {
    const Node& n = s.f.nodes[i];
    s.active[i] = depends[i] && reached[i];
    if (!s.active[i] || s.asked[i]) continue;
    for (size_t k = 0; k < n.args.size(); ++k) {
      const size_t at = n.args[k].index();
      if (passes_on(n.op, k)) reached[at] = true;
      s.through_where[at] = s.through_where[at] || s.through_where[i] || chooses(n.op);
    }
  }
}

// The values of f, with tapes where the sweep will want them.
std::optional<Diagnostic> run_forward(Sweep& s, std::span<const Value> args, Effects effects) {
  std::optional<Diagnostic> error;
  s.primal = copy_nodes(s.b, s.f, args, effects, [&](size_t i, std::span<const Value> x) -> Value {
    const Node& n = s.f.nodes[i];
    if (error || !s.active[i] || s.asked[i] || !keeps_tape(s.b.module(), n)) return {};
    auto made = run_keeping({s.run, s.b, n, x, s.active_args(n), s.through_where[i]});
    if (!made) return error = std::move(made.error()), Value{};
    s.kept.emplace(i, std::move(made->kept));
    return made->y;
  });
  return error;
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
  accumulate(s.bar[u.node.args[k].index()], parts(part, g.through_where || chooses(u.node.op)));
}

void step_op(Sweep& s, const Node& n, Value y, const Cotangent& g) {
  std::vector<Value> x = s.arguments(n);
  Use u{s.b, n, x, y};
  for (size_t k = 0; k < n.args.size(); ++k)
    if (s.active[n.args[k].index()] && passes_on(n.op, k)) step_argument(s, u, k, g);
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

std::optional<Diagnostic> step_control(Sweep& s, size_t i, const Cotangent& g) {
  const Node& n = s.f.nodes[i];
  std::vector<Value> x = s.arguments(n);
  auto kept = s.kept.find(i);
  ControlUse u{s.run, s.b, n, x, s.primal[i], g, s.active_args(n), kept == s.kept.end() ? nullptr : &kept->second,
               [&](size_t k) { return std::exchange(s.bar[n.args[k].index()], {}); }};
  auto found = control_vjp(u);
  if (!found) return found.error();
  for (size_t k = 0; k < n.args.size(); ++k)
    if (u.active[k]) accumulate(s.bar[n.args[k].index()], (*found)[k]);
  return std::nullopt;
}

std::optional<Diagnostic> step(Sweep& s, size_t i) {
  const Node& n = s.f.nodes[i];
  Cotangent g = std::move(s.bar[i]);
  s.b.set_src(n.src);
  if (n.op == op<Get>) step_get(s, n, g);
  else if (n.op == op<TupleOp>) step_tuple(s, n, g);
  else if (structural(info(n.op))) return step_control(s, i, g);
  else step_op(s, n, s.primal[i], g);
  return std::nullopt;
}

std::optional<Diagnostic> sweep_back(Sweep& s, std::span<const Cotangent> seeds) {
  for (size_t r = 0; r < s.f.results.size(); ++r)
    if (s.active[s.f.results[r].index()]) accumulate(s.bar[s.f.results[r].index()], seeds[r]);
  for (size_t i = s.f.nodes.size(); i-- > 0;) {
    if (!s.active[i] || s.asked[i] || s.bar[i].zero()) continue;
    if (auto error = step(s, i)) return error;
    s.kept.erase(i);
  }
  for (auto& [i, kept] : s.kept) keep_nothing(s.b.module(), s.f.nodes[i], kept);
  return std::nullopt;
}
}  // namespace

Differentiated<Swept> reverse(Reverse& run, Builder& b, const Func& given, std::span<const Value> args, std::span<const ValueId> wrt,
                              std::span<const Cotangent> seeds, Effects effects, std::span<const Cotangent> sums) {
  std::vector<ValueId> asked(wrt.begin(), wrt.end());
  const Func f = lists_as_folds(b.module(), given, asked);
  const size_t n = f.nodes.size();
  Sweep s{run, b, f, std::vector<bool>(n), std::vector<bool>(n), std::vector<bool>(n), std::vector<Cotangent>(n), {}, {}};
  for (ValueId w : asked) s.asked[w.index()] = true;
  mark_active(s, asked, seeds);
  if (auto error = run_forward(s, args, effects)) return std::unexpected(std::move(*error));
  for (size_t a = 0; a < sums.size(); ++a) accumulate(s.bar[asked[a].index()], sums[a]);
  if (auto error = sweep_back(s, seeds)) return std::unexpected(std::move(*error));
  Swept swept;
  for (ValueId r : f.results) swept.results.push_back(s.primal[r.index()]);
  for (ValueId w : asked) swept.bars.push_back(s.bar[w.index()]);
  return swept;
}

}  // namespace glia::ir
