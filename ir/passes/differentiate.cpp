// Reverse mode of whole functions, and the expansion of `grad` nodes.
#include "ir/passes/differentiate.h"

#include <algorithm>
#include <unordered_map>

#include "ir/ops/all.h"
#include "ir/passes/copy.h"

namespace glia::ir {

namespace {
constexpr DiagKind not_a_scalar{"E0702", Severity::error, "'grad' takes a function to one float, found {}"};
constexpr DiagKind no_vector{"E0703", Severity::error, "there is no derivative in a value of type {}"};

std::unexpected<Diagnostic> fault(const DiagKind& kind, Span at, std::string_view found) {
  return std::unexpected(Diagnostic{kind.code, kind.severity, fmt::format(fmt::runtime(kind.text), found), at, {}, {}, {}});
}

using Expanded = std::unordered_map<FuncId, FuncId>;

Differentiated<Func> expand(Module& m, const Func& f, Expanded& known);

// Nested functions without gradients inside stay as they are.
Differentiated<FuncId> expand_nested(Module& m, FuncId id, Expanded& known) {
  if (auto it = known.find(id); it != known.end()) return it->second;
  if (is_recursive(m, id)) {
    if (!reaches(m, id, [](const Node& n) { return n.op == op<Grad>; })) return known[id] = id;
    FuncId made = known[id] = reserve_like(m, id);
    auto f = expand(m, m[id], known);
    if (!f) return std::unexpected(f.error());
    m.define(made, std::move(*f));
    return made;
  }
  known.emplace(id, id);
  size_t nodes = m[id].nodes.size();
  auto f = expand(m, m[id], known);
  if (!f) return std::unexpected(f.error());
  bool changed = f->nodes.size() != nodes;
  for (size_t i = 0; i < nodes && !changed; ++i)
    changed = f->nodes[i].op != m[id].nodes[i].op || !(f->nodes[i].attrs == m[id].nodes[i].attrs);
  return known[id] = changed ? m.add(std::move(*f)) : id;
}

// f has no gradients inside. Emits its value at the parameters, and the derivatives.
struct ValueAndGrads {
  std::vector<Value> results, grads;
};

// What has a derivative, be it zero.
bool is_vector(const Types& types, TypeId type) {
  return types.is_tensor(type) || types[type].kind == TypeKind::tuple || carries_float(types, type);
}

Differentiated<ValueAndGrads> derive(Builder& b, const Func& f, std::span<const Value> params, std::span<const size_t> wrt, size_t result,
                                     Span at) {
  const Type t = b.types()[f[f.results[result]].type];
  if (t.kind != TypeKind::tensor || !t.shape.empty() || !is_float(t.dtype))
    return fault(not_a_scalar, at, b.types().print(f[f.results[result]].type));
  std::vector<ValueId> asked;
  for (size_t k : wrt) asked.push_back(f.params[k]);
  std::vector<Cotangent> seeds(f.results.size());
  seeds[result] = parts(constant(b, 1, t.dtype));
  Reverse run{b.module()};
  auto swept = reverse(run, b, f, params, asked, seeds, Effects::kept);
  if (!swept) return std::unexpected(swept.error());
  ValueAndGrads all{std::move(swept->results), {}};
  for (size_t i = 0; i < wrt.size(); ++i) {
    if (!is_vector(b.types(), params[wrt[i]].type())) return fault(no_vector, at, b.types().print(f[asked[i]].type));
    all.grads.push_back(whole(swept->bars[i], params[wrt[i]]));
  }
  return all;
}

// grad(args): a tuple of the derivatives, after the value itself where `index` is 1.
Differentiated<Value> expand_grad(Builder& b, const Node& n, FuncId of, std::span<const Value> args) {
  Func f = inline_calls(b.module(), b.module()[of]);
  std::vector<size_t> wrt;
  for (int64_t k : n.attrs.ints(AttrKey::wrt)) wrt.push_back(static_cast<size_t>(k));
  auto all = derive(b, f, args, wrt, 0, b.module().span(n.src));
  if (!all) return std::unexpected(all.error());
  b.set_src(n.src);
  bool with_value = n.attrs.has(AttrKey::index) && n.attrs.integer(AttrKey::index) == 1;
  if (with_value) all->grads.insert(all->grads.begin(), all->results[0]);
  return all->grads.size() == 1 ? all->grads[0] : tuple_as(b, n.type, all->grads);
}

Differentiated<Func> expand(Module& m, const Func& f, Expanded& known) {
  Builder b(m, f.name);
  std::vector<Value> values(f.nodes.size());
  for (ValueId p : f.params) values[p.index()] = copy_param(b, f[p]);
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    Node n = f.nodes[i];
    if (n.op == op<Param>) continue;
    for (AttrKey key : {AttrKey::func, AttrKey::other}) {
      if (!n.attrs.has(key)) continue;
      auto nested = expand_nested(m, n.attrs.func(key), known);
      if (!nested) return std::unexpected(nested.error());
      n.attrs.set(key, *nested);
    }
    std::vector<Value> args;
    for (ValueId a : n.args) args.push_back(values[a.index()]);
    if (n.op != op<Grad>) {
      values[i] = copy_node(b, n, args);
      continue;
    }
    auto grad = expand_grad(b, n, n.attrs.func(AttrKey::func), args);
    if (!grad) return std::unexpected(grad.error());
    values[i] = *grad;
  }
  for (ValueId r : f.results) b.result(values[r.index()].id);
  return b.finish();
}
}  // namespace

Differentiated<Func> expand_grads(Module& m, const Func& f) {
  if (std::all_of(f.nodes.begin(), f.nodes.end(), [](const Node& n) { return nested_funcs(n).empty(); })) return f;
  Expanded known;
  return expand(m, f, known);
}

Differentiated<FuncId> value_and_grad(Module& m, FuncId id, std::span<const size_t> wrt, size_t result) {
  auto expanded = expand_grads(m, m[id]);
  if (!expanded) return std::unexpected(expanded.error());
  Func f = inline_calls(m, *expanded);
  Builder b(m, f.name + "'");
  auto all = derive(b, f, copy_params(b, f), wrt, result, m.span(f[f.results[result]].src));
  if (!all) return std::unexpected(all.error());
  for (const Value& v : all->results) b.result(v.id);
  for (const Value& v : all->grads) b.result(v.id);
  return b.finish_into_module();
}

}  // namespace glia::ir
