// See steps.h.
#include "interp/exec/steps.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "interp/kernels/kernel.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::interp::exec {

namespace {

// Another tensor's bytes.
struct CopyStep {
  static constexpr size_t chunk_bytes = 256 * 1024;
  Ref from, to;
  size_t bytes;

  bool run(const Call& call) {
    const size_t first = call.begin * chunk_bytes, last = std::min(call.end * chunk_bytes, bytes);
    if (first < last) std::memcpy(call.at<std::byte>(to) + first, call.at<std::byte>(from) + first, last - first);
    return true;
  }
};

struct KernelStep {
  const ir::Node* node;
  const ir::Types* types;
  Kernel kernel;
  std::vector<Extents> sizes;  // of the arguments, then of the result
  std::vector<View> views;
  std::vector<Ref> refs;

  bool run(const Call& call) {
    for (size_t k = 0; k < views.size(); ++k) views[k].shape = sizes[k], views[k].data = call.at<void>(refs[k]);
    const Sizes names(*types);
    const std::span<const View> args(views.data(), views.size() - 1);
    auto done = kernel(KernelCall{node->op, node->attrs, args, views.back(), names});
    if (!done) *call.fault = Fault{std::move(done.error()), node->src, {}};
    return done.has_value();
  }
};

// Whole rows, copied. The reference kernel words the fault of an index that is none.
struct RowGather {
  KernelStep slow;
  size_t rows, wanted, row_bytes;
  bool wide;  // i64 indices

  template <class T>
  bool copy(const std::byte* x, const T* index, std::byte* out) const {
    for (size_t i = 0; i < wanted; ++i)
      if (index[i] < 0 || static_cast<uint64_t>(index[i]) >= rows) return false;
    for (size_t i = 0; i < wanted; ++i) std::memcpy(out + i * row_bytes, x + static_cast<size_t>(index[i]) * row_bytes, row_bytes);
    return true;
  }

  bool run(const Call& call) {
    const std::byte* x = call.at<std::byte>(slow.refs[0]);
    std::byte* out = call.at<std::byte>(slow.refs[2]);
    if (wide ? copy(x, call.at<int64_t>(slow.refs[1]), out) : copy(x, call.at<int32_t>(slow.refs[1]), out)) return true;
    return slow.run(call);
  }
};

KernelStep kernel_step(const Graph& g, SlotId out, const std::vector<SlotId>& args, const Places& places) {
  const Slot& s = g[out];
  KernelStep step{&g.node(s), &g.module.types, kernel_for(g.node(s).op), {}, {}, {}};
  for (size_t k = 0; k < args.size(); ++k) {
    step.sizes.push_back(g.arg_sizes(s, k));
    step.views.push_back({g[args[k]].dtype, {}, nullptr});
    step.refs.push_back(places[args[k]]);
  }
  step.sizes.push_back(s.sizes);
  step.views.push_back({s.dtype, {}, nullptr});
  step.refs.push_back(places[out]);
  return step;
}

std::vector<SlotId> args_of(const Graph& g, SlotId out) {
  std::vector<SlotId> args;
  for (size_t k = 0; k < g.node(g[out]).args.size(); ++k) args.push_back(g.arg(g[out], k));
  return args;
}

}  // namespace

Unit make_copy(const Graph& g, SlotId from, SlotId to) {
  const size_t bytes = g[to].bytes();
  Unit unit{{from}, {to}, {}};
  unit.finish = [=](const Places& places) {
    return make_step(CopyStep{places[from], places[to], bytes}, (bytes + CopyStep::chunk_bytes - 1) / CopyStep::chunk_bytes, true);
  };
  return unit;
}

std::vector<Unit> make_kernel(Graph& g, const Schedule& plan, SlotId out) {
  std::vector<Unit> units;
  std::vector<SlotId> args = args_of(g, out);
  for (SlotId& a : args) {
    if (g[a].role != Role::view || plan.stored[a.index()]) continue;
    Slot temp = g[a];
    temp.role = Role::temp;
    const SlotId to = g.add(std::move(temp));
    units.push_back(make_walk(g, g[a].source, g[a].walk, to));
    a = to;
  }
  Unit unit{args, {out}, {}};
  unit.finish = [&g, out, args](const Places& places) { return make_step(kernel_step(g, out, args, places)); };
  units.push_back(std::move(unit));
  return units;
}

std::optional<Unit> make_row_gather(const Graph& g, SlotId out) {
  const Slot& s = g[out];
  const ir::Node& n = g.node(s);
  if (n.op != ir::op<ir::Gather>) return std::nullopt;
  const Extents& x = g.arg_sizes(s, 0);
  const DType index = g[g.arg(s, 1)].dtype;
  const bool rows = !x.empty() && n.attrs.integer(ir::AttrKey::axis) == 0 && (!n.attrs.has(ir::AttrKey::batch) || n.attrs.integer(ir::AttrKey::batch) == 0);
  if (!rows || s.count == 0 || (index != DType::i32 && index != DType::i64)) return std::nullopt;
  const std::vector<SlotId> args = args_of(g, out);
  Unit unit{args, {out}, {}};
  unit.finish = [&g, out, args, index, n_rows = static_cast<size_t>(x[0])](const Places& places) {
    const size_t wanted = g[args[1]].count;
    return make_step(RowGather{kernel_step(g, out, args, places), n_rows, wanted, g[out].bytes() / wanted, index == DType::i64});
  };
  return unit;
}

// ---- the evaluator -----------------------------------------------------------------------------

namespace {

// The node alone as a function: its tensors are parameters, its texts are made inside.
class Excerpt {
 public:
  explicit Excerpt(const Graph& g) : g_(g) {}

  std::expected<ir::Func, Fault> make(ir::ValueId v) {
    if (auto done = copy(v); !done) return std::unexpected(done.error());
    func_.name = g_.func.name;
    func_.results = {ir::ValueId(func_.nodes.size() - 1)};
    return std::move(func_);
  }
  std::vector<ir::ValueId> params;  // nodes of the whole function

 private:
  std::expected<ir::ValueId, Fault> copy(ir::ValueId v) {
    ir::Node n = g_.func[v];
    if (n.op == ir::op<ir::HostCall> || n.op == ir::op<ir::MakeList>)
      return std::unexpected(Fault{fmt::format("`{}` does not run inside a plan", ir::info(n.op).name), n.src, {}});
    for (ir::ValueId& a : n.args) {
      auto made = is_text(g_, a) ? copy(a) : param(a);
      if (!made) return made;
      a = *made;
    }
    func_.nodes.push_back(std::move(n));
    return ir::ValueId(func_.nodes.size() - 1);
  }

  std::expected<ir::ValueId, Fault> param(ir::ValueId v) {
    if (auto seen = std::find(params.begin(), params.end(), v); seen != params.end()) return func_.params[static_cast<size_t>(seen - params.begin())];
    params.push_back(v);
    func_.nodes.push_back({ir::op<ir::Param>, g_.func[v].type, {}, {}, g_.func[v].src});
    func_.params.push_back(ir::ValueId(func_.nodes.size() - 1));
    return func_.params.back();
  }

  const Graph& g_;
  ir::Func func_;
};

struct TensorIn {
  DType dtype;
  Extents sizes;
  Ref ref;
};

struct EvaluateStep {
  const ir::Module* module;
  ir::Func func;
  EvalOptions options;
  ir::SrcId src;
  std::vector<std::vector<TensorIn>> params;
  std::vector<TensorIn> outs;

  Value build(ir::TypeId type, const Call& call, const TensorIn*& next) const {
    const ir::Type& t = module->types[type];
    if (t.kind == ir::TypeKind::tensor) {
      Tensor x = Tensor::zeros(next->dtype, next->sizes);
      if (x.byte_size() > 0) std::memcpy(x.data->data(), call.at<std::byte>(next->ref), x.byte_size());
      ++next;
      return Value(std::move(x));
    }
    Tuple tuple;
    for (ir::TypeId e : t.elems) tuple.elems.push_back(build(e, call, next));
    return Value(std::move(tuple));
  }

  bool run(const Call& call) {
    std::vector<Value> args;
    for (size_t k = 0; k < params.size(); ++k) {
      const TensorIn* next = params[k].data();
      args.push_back(build(func[func.params[k]].type, call, next));
    }
    auto results = evaluate(*module, func, args, options);
    if (!results) return *call.fault = std::move(results.error()), false;
    const std::vector<const Tensor*> made = leaves((*results)[0]);
    for (size_t k = 0; k < outs.size(); ++k) {
      if (k >= made.size() || made[k]->dtype != outs[k].dtype || made[k]->shape != outs[k].sizes)
        return *call.fault = Fault{"a result has another size than the plan was made for", src, {}}, false;
      if (made[k]->byte_size() > 0) std::memcpy(call.at<std::byte>(outs[k].ref), made[k]->data->data(), made[k]->byte_size());
    }
    return true;
  }
};

}  // namespace

std::expected<std::vector<Unit>, Fault> make_evaluated(Graph& g, const Work& work, const EvalOptions& options) {
  Excerpt excerpt(g);
  auto func = excerpt.make(work.node);
  if (!func) return std::unexpected(func.error());
  Unit unit{{}, work.slots, {}};
  std::vector<std::vector<Leaf>> params;
  for (ir::ValueId v : excerpt.params) {
    params.push_back(g.leaves[v.index()]);
    for (const Leaf& l : params.back()) unit.reads.push_back(l.slot);
  }
  unit.finish = [&g, params, options, node = work.node, outs = work.slots, func = std::move(*func)](const Places& places) {
    EvaluateStep step{&g.module, func, options, g.func[node].src, {}, {}};
    for (const auto& leaves : params) {
      step.params.emplace_back();
      for (const Leaf& l : leaves) step.params.back().push_back({g[l.slot].dtype, l.sizes, places[l.slot]});
    }
    for (SlotId s : outs) step.outs.push_back({g[s].dtype, g[s].sizes, places[s]});
    return make_step(std::move(step));
  };
  return std::vector<Unit>{std::move(unit)};
}

}  // namespace glia::interp::exec
