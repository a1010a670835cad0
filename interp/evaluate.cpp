// One node after the other: kernels for tensor ops; control.cpp and host.cpp for the rest.
#include "interp/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "interp/frame.h"
#include "interp/kernels/kernel.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::interp {

using ir::Func;
using ir::Node;
using ir::ValueId;

namespace {
std::vector<std::vector<ValueId>> find_last_uses(const Func& f) {
  std::vector<std::vector<ValueId>> dead(f.nodes.size());
  std::vector<bool> needed(f.nodes.size(), false);
  for (ValueId r : f.results) needed[r.index()] = true;
  for (size_t i = f.nodes.size(); i-- > 0;) {
    if (!needed[i]) dead[i].push_back(ValueId(i));  // nobody reads it at all
    for (ValueId a : f.nodes[i].args)
      if (!needed[a.index()]) needed[a.index()] = true, dead[i].push_back(a);
  }
  return dead;
}

// The first size in the attributes that is not known, if there is one.
std::optional<ir::DimId> unknown_size(const Step& s) {
  for (const ir::AttrEntry& e : s.attrs().entries()) {
    if (const auto* d = std::get_if<ir::DimId>(&e.value); d && !s.sizes(*d)) return *d;
    if (const auto* list = std::get_if<ir::DimList>(&e.value); list && !s.sizes.shape(*list)) {
      for (ir::DimId d : *list)
        if (!s.run.types().dims.is_pack(d) && !s.sizes(d)) return d;
    }
  }
  return std::nullopt;
}

// The memory of an argument that nobody else needs, where the op may write over it.
std::optional<Tensor> reused(const Step& s, std::span<const int64_t> shape) {
  const bool elementwise = ir::info(s.node.op).family == ir::Family::elementwise;
  if (!elementwise && s.node.op != ir::op<ir::AddAt>) return std::nullopt;
  for (size_t k = 0; k < (elementwise ? s.args.size() : 1); ++k) {
    const Tensor& t = s.args[k].tensor();
    if (t.data.use_count() == 1 && t.dtype == s.run.types().dtype(s.node.type) && std::ranges::equal(t.shape, shape)) return t;
  }
  return std::nullopt;
}

Evaluated run_tensor_op(const Step& s) {
  if (const auto d = unknown_size(s)) return s.fault(fmt::format("the size {} is not known here", s.run.types().dims.print(*d)));
  const ir::Shape& pattern = s.run.types().shape(s.node.type);
  auto shape = s.sizes.shape(pattern);
  if (!shape) return s.fault(fmt::format("no tensor has the shape {} with the sizes of this run", s.run.types().print_shape(pattern)));
  std::expected<Tensor, std::string> out;
  if (auto mine = reused(s, *shape)) out = std::move(*mine);
  else out = Tensor::allocate(s.run.types().dtype(s.node.type), std::move(*shape));
  if (!out) return s.fault(out.error());
  std::vector<View> views;
  for (const Value& a : s.args) views.push_back(view(a.tensor()));
  const Kernel kernel = kernel_for(s.node.op);
  if (auto done = kernel(KernelCall{s.node.op, s.attrs(), views, view(*out), s.sizes}); !done) return s.fault(done.error());
  return Value(std::move(*out));
}

Evaluated run_node(const Step& s) {
  switch (ir::info(s.node.op).family) {
    case ir::Family::control:
      return run_control(s);
    case ir::Family::host:
      return run_host(s);
    case ir::Family::elementwise:
    case ir::Family::linear:
    case ir::Family::reduce:
    case ir::Family::contract:
    case ir::Family::constant:
    case ir::Family::random:
      return run_tensor_op(s);
  }
  std::unreachable();
}

// Twice, so that a size which only a later parameter settles is checked too.
std::expected<void, Fault> bind_params(const Func& f, std::span<const Value> args, Sizes& sizes) {
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < args.size(); ++i) {
      const Node& p = f[f.params[i]];
      if (auto bound = sizes.bind(p.type, args[i]); !bound) {
        const std::string name = p.attrs.has(ir::AttrKey::name) ? p.attrs.text(ir::AttrKey::name) : std::to_string(i + 1);
        return std::unexpected(Fault{fmt::format("argument `{}` of `{}`: {}", name, f.name, bound.error()), p.src, {}});
      }
    }
  return {};
}

bool watched(Run& run, const Func& f, ValueId id, std::span<const Value> args, const Value& v) {
  if (run.options.observe && run.depth == 1) run.options.observe(id, v);
  return !run.options.inspect || run.options.inspect(f, id, args, v);
}

// The nodes of `f` in order; parameters hold their arguments already.
std::expected<void, Fault> run_nodes(Run& run, const Func& f, std::vector<std::optional<Value>>& values, Sizes& sizes) {
  auto known = run.dead_after.find(&f);
  if (known == run.dead_after.end()) known = run.dead_after.emplace(&f, find_last_uses(f)).first;
  const auto& dead = known->second;  // stays where it is when nested functions add theirs
  std::vector<Value> args, shown;  // shown: what an op may have taken
  for (size_t i = 0; i < f.nodes.size(); ++i) {
    const Node& n = f.nodes[i];
    if (run.options.stop && run.options.stop->load(std::memory_order_relaxed)) return std::unexpected(Fault{"interrupted", n.src, {}});
    args.clear(), shown.clear();
    auto last_use = [&](ValueId a) {  // then nobody else needs the value: the op may change it in place
      return !run.options.inspect && std::ranges::count(n.args, a) == 1 && std::ranges::find(dead[i], a) != dead[i].end();
    };
    if (n.op != ir::op<ir::Param>) {
      for (ValueId a : n.args) {
        if (last_use(a)) args.push_back(std::move(*values[a.index()])), values[a.index()].reset();
        else args.push_back(*values[a.index()]);
      }
      if (run.options.inspect) shown = args;
      Evaluated v = run_node(Step{run, f, n, args, sizes});
      if (!v) return std::unexpected(std::move(v.error()));
      const bool made_to_type = kernel_for(n.op) != nullptr;
      if (!made_to_type)
        if (auto bound = sizes.bind(n.type, *v); !bound)
          return std::unexpected(Fault{fmt::format("result of {}: {}", ir::info(n.op).name, bound.error()), n.src, {}});
      values[i] = std::move(*v);
    }
    if (!watched(run, f, ValueId(i), shown, *values[i])) return std::unexpected(Fault{"stopped", n.src, {}});
    for (ValueId v : dead[i]) values[v.index()].reset();
  }
  return {};
}
}  // namespace

bool stack_is_short(const Run& run) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), base = reinterpret_cast<uintptr_t>(run.stack_base);
  return (base > here ? base - here : here - base) > run.max_stack;
}

AllEvaluated run_func(Run& run, const Func& f, std::vector<Value> args, const Sizes* outer, ir::SrcId caller) {
  if (args.size() != f.params.size())
    return std::unexpected(Fault{fmt::format("`{}` takes {} arguments, not {}", f.name, f.params.size(), args.size()), caller, {}});
  if (run.calls > run.options.max_depth || stack_is_short(run))
    return std::unexpected(
        Fault{fmt::format("calls are nested more than {} deep in `{}`", run.calls > 0 ? run.calls - 1 : run.depth, f.name), caller, "does the recursion end?"});
  Sizes sizes(run.types(), outer);
  if (auto bound = bind_params(f, args, sizes); !bound) return std::unexpected(std::move(bound.error()));
  std::vector<std::optional<Value>> values(f.nodes.size());
  for (size_t i = 0; i < args.size(); ++i) values[f.params[i].index()] = std::move(args[i]);
  args.clear();
  ++run.depth;
  auto done = run_nodes(run, f, values, sizes);
  --run.depth;
  if (!done) return std::unexpected(std::move(done.error()));
  std::vector<Value> results;
  for (ValueId r : f.results) results.push_back(*values[r.index()]);
  return results;
}

namespace {
// Recursive functions, and values that may nest without bound, need more than the stack of the caller.
bool goes_deep(const ir::Module& module, const Func& f) {
  std::set<const Func*> seen{&f};
  std::vector<const Func*> open{&f};
  while (!open.empty()) {
    const Func& next = *open.back();
    open.pop_back();
    for (const Node& n : next.nodes) {
      if (n.op == ir::op<ir::Construct> || n.op == ir::op<ir::VecAdd> || n.op == ir::op<ir::VecZeros>) return true;
      for (ir::FuncId id : nested_funcs(n)) {
        if (&module[id] == &f || (n.op == ir::op<ir::CallOp> && ir::is_recursive(module, id))) return true;
        if (seen.insert(&module[id]).second) open.push_back(&module[id]);
      }
    }
  }
  return false;
}

AllEvaluated start(const ir::Module& module, const Func& f, std::span<const Value> args, const EvalOptions& options, size_t stack) {
  Run run{module, options, 0, 0, static_cast<const char*>(__builtin_frame_address(0)), stack, {}};
  return run_func(run, f, {args.begin(), args.end()}, nullptr, {});
}
}  // namespace

std::expected<std::vector<Value>, Fault> evaluate(const ir::Module& module, const Func& f, std::span<const Value> args,
                                                  const EvalOptions& options) {
  if (!goes_deep(module, f)) return start(module, f, args, options, options.max_stack);
  std::expected<std::vector<Value>, Fault> results;
  on_own_stack(options.own_stack, [&](size_t usable) { results = start(module, f, args, options, usable); });
  return results;
}

// ---- where numbers first went wrong ---------------------------------------------------------------

namespace {
struct Census {
  std::optional<int64_t> first_nan, first_infinite;
};

Census count_bad(const Value& v) {
  Census c;
  int64_t at = 0;
  for (const Tensor* t : leaves(v)) {
    if (is_float(t->dtype))
      for (int64_t i = 0; i < t->size(); ++i) {
        const double x = element_real(*t, i);
        if (std::isnan(x) && !c.first_nan) c.first_nan = at + i;
        if (std::isinf(x) && !c.first_infinite) c.first_infinite = at + i;
      }
    at += t->size();
  }
  return c;
}

bool all_finite(std::span<const Value> values) {
  for (const Value& v : values) {
    const Census c = count_bad(v);
    if (c.first_nan || c.first_infinite) return false;
  }
  return true;
}
}  // namespace

std::optional<BadValue> first_non_finite(const ir::Module& module, const Func& f, std::span<const Value> args, const EvalOptions& options) {
  std::optional<BadValue> found;
  EvalOptions watch = options;
  watch.inspect = [&](const Func& in, ValueId id, std::span<const Value> from, const Value& v) {
    const Census c = count_bad(v);
    const Node& n = in[id];
    const bool given = ir::info(n.op).family == ir::Family::constant || n.op == ir::op<ir::Param>;
    if (c.first_nan) found = BadValue{id, *c.first_nan, true, n.src, in.name};
    else if (c.first_infinite && !given && all_finite(from)) found = BadValue{id, *c.first_infinite, false, n.src, in.name};
    return !found;
  };
  (void)evaluate(module, f, args, watch);
  return found;
}

}  // namespace glia::interp
