// Rebuilds the function with sizes replaced, checking each type rule before the builder would insist on it.
#include "ir/passes/specialise.h"

#include <map>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/copy.h"
#include "ir/peephole.h"

namespace glia::ir {

namespace {
constexpr DiagKind size_does_not_fit{"E0731", Severity::error, "'{}' {}"};

template <class... F>
struct Overload : F... { using F::operator()...; };

struct Specialiser {
  Module& m;
  const Dims::Bindings& sizes;
  std::map<FuncId, FuncId> done;  // nested functions
  std::optional<Diagnostic> fault;

  std::optional<Func> func(const Func& f);
  FuncId nested(FuncId id);
  AttrValue attr(const AttrValue& value);
  Attrs attrs(const Attrs& old);
  bool fits(Builder& b, const Node& n, std::span<const Value> x, const Attrs& attrs);
  Value node(Builder& b, const Node& n, std::span<const Value> x);
};

// A function that calls itself becomes one that calls its new self.
FuncId Specialiser::nested(FuncId id) {
  if (auto known = done.find(id); known != done.end()) return known->second;
  if (is_recursive(m, id)) {
    FuncId made = done[id] = reserve_like(m, id, [&](TypeId t) { return m.types.substitute(t, sizes); });
    if (auto body = func(m[id])) m.define(made, std::move(*body));
    return made;
  }
  done[id] = id;
  if (auto made = func(m[id])) done[id] = m.add(std::move(*made));
  return done[id];
}

AttrValue Specialiser::attr(const AttrValue& value) {
  Dims& dims = m.types.dims;
  return std::visit(Overload{
                        [&](DimId d) -> AttrValue { return dims.substitute(d, sizes); },
                        [&](const DimList& list) -> AttrValue {
                          DimList out;
                          for (DimId d : list) out.push_back(dims.substitute(d, sizes));
                          return out;
                        },
                        [&](FuncId id) -> AttrValue { return nested(id); },
                        [](const auto& other) -> AttrValue { return other; },
                    },
                    value);
}

Attrs Specialiser::attrs(const Attrs& old) {
  Attrs made;
  for (const AttrEntry& e : old.entries()) made.set(e.key, attr(e.value));
  return made;
}

bool Specialiser::fits(Builder& b, const Node& n, std::span<const Value> x, const Attrs& attrs) {
  const OpInfo& op_info = info(n.op);
  std::string wrong;
  for (const AttrEntry& e : attrs.entries()) {
    auto* d = std::get_if<DimId>(&e.value);
    auto count = d ? m.types.dims.known(*d) : std::nullopt;
    if (d && !d->valid()) wrong = "has a size that is too large";
    if (count && *count < 0) wrong = fmt::format("has the negative size {}", *count);
  }
  if (wrong.empty() && op_info.type) {
    std::vector<TypeId> types;
    for (Value v : x) types.push_back(v.type());
    TypeRule ruled = op_info.type(TypeContext{b.types(), types, attrs});
    if (!ruled) wrong = ruled.error();
  }
  if (wrong.empty()) return true;
  fault = Diagnostic{size_does_not_fit.code, Severity::error, fmt::format(fmt::runtime(size_does_not_fit.text), op_info.name, wrong), m.span(n.src), {}, {}, {}};
  return false;
}

Value Specialiser::node(Builder& b, const Node& n, std::span<const Value> x) {
  Attrs made = attrs(n.attrs);
  if (fault || !fits(b, n, x, made)) return {};
  b.set_src(n.src);
  return make(b, n.op, x, std::move(made), m.types.substitute(n.type, sizes));
}

std::optional<Func> Specialiser::func(const Func& f) {
  Builder b(m, f.name);
  std::vector<Value> copies(f.nodes.size());
  for (ValueId p : f.params) copies[p.index()] = copy_param(b, f[p], m.types.substitute(f[p].type, sizes));
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    if (f.nodes[i].op == op<Param>) continue;
    std::vector<Value> x;
    for (ValueId a : f.nodes[i].args) x.push_back(copies[a.index()]);
    copies[i] = node(b, f.nodes[i], x);
    if (fault) return std::nullopt;
  }
  for (ValueId r : f.results) b.result(copies[r.index()].id);
  return inline_calls(m, b.finish());
}
}  // namespace

std::expected<Func, Diagnostic> specialise(Module& m, const Func& f, const Dims::Bindings& sizes) {
  Specialiser s{m, sizes, {}, {}};
  auto made = s.func(f);
  if (!made) return std::unexpected(std::move(*s.fault));
  return std::move(*made);
}

}  // namespace glia::ir
