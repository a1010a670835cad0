// See graph.h.
#include "interp/exec/graph.h"

#include <fmt/format.h>

#include "ir/ops/all.h"
#include "ir/ops/table.h"

namespace glia::interp::exec {

using ir::AttrKey;
using ir::op;

size_t count_of(const Extents& sizes) {
  size_t n = 1;
  for (int64_t s : sizes) n *= static_cast<size_t>(s);
  return n;
}

Extents dense_strides(const Extents& sizes) {
  Extents strides(sizes.size(), 1);
  for (size_t k = sizes.size(); k-- > 1;) strides[k - 1] = strides[k] * sizes[k];
  return strides;
}

bool is_text(const Graph& g, ir::ValueId v) {
  return g.module.types[g.func[v].type].kind != ir::TypeKind::tensor && ir::info(g.func[v].op).family == ir::Family::host;
}

bool reads_through(const Graph& g, const Slot& user, SlotId arg) {
  if (g[arg].role != Role::view) return false;
  if (user.role == Role::fused) return true;
  if (user.role != Role::other || g.node(user).op != op<ir::Contract>) return false;
  const Walk& w = g[arg].walk;  // a product takes rows and columns at strides, but nothing repeated or reversed
  for (size_t k = 0; k < w.sizes.size(); ++k)
    if (w.sizes[k] > 1 && w.strides[k] <= 0) return false;
  return true;
}

namespace {

// A value that is its argument, bit for bit, perhaps under another shape.
bool is_same(const ir::Module& m, const ir::Func& f, const ir::Node& n) {
  if (n.op == op<ir::Cast>) return m.types.dtype(n.type) == m.types.dtype(f[n.args[0]].type);
  return n.op == op<ir::Reshape> || n.op == op<ir::StopGradient> || n.op == op<ir::BatchMean> || n.op == op<ir::BatchSum>;
}

class Reader {
 public:
  Reader(const ir::Module& m, const ir::Func& f) : g_{m, f, {}, std::vector<std::vector<Leaf>>(f.nodes.size()), 0} {}

  std::expected<Graph, Fault> read() {
    std::vector<bool> needed = reached();
    for (ir::ValueId p : g_.func.params) {
      needed[p.index()] = true;  // so that parameters are counted in order, used or not
      if (auto made = add_leaves(p, Role::param); !made) return std::unexpected(made.error());
    }
    g_.param_count = g_.slots.size();
    for (size_t i = 0; i < needed.size(); ++i)
      if (needed[i])
        if (auto done = read(ir::ValueId(i)); !done) return std::unexpected(done.error());
    return std::move(g_);
  }

 private:
  std::vector<bool> reached() const {
    const ir::Func& f = g_.func;
    std::vector<bool> needed(f.nodes.size());
    for (ir::ValueId r : f.results) needed[r.index()] = true;
    for (size_t i = f.nodes.size(); i-- > 0;) {
      if (ir::info(f.nodes[i].op).effect) needed[i] = true;
      if (needed[i])
        for (ir::ValueId a : f.nodes[i].args) needed[a.index()] = true;
    }
    return needed;
  }

  Fault fault(ir::ValueId v, std::string message) const { return {std::move(message), g_.func[v].src, {}}; }

  std::expected<Extents, Fault> extents(ir::ValueId v, const ir::Shape& shape) const {
    Extents sizes;
    for (ir::DimId d : shape) {
      auto n = g_.module.types.dims.known(d);
      if (!n || *n < 0) return std::unexpected(fault(v, fmt::format("the size `{}` is not known", g_.module.types.dims.print(d))));
      sizes.push_back(*n);
    }
    return sizes;
  }

  std::expected<void, Fault> add_leaves(ir::ValueId v, Role role) { return add_leaves(v, g_.func[v].type, role); }
  std::expected<void, Fault> add_leaves(ir::ValueId v, ir::TypeId type, Role role) {
    const ir::Type& t = g_.module.types[type];
    if (t.kind == ir::TypeKind::tuple) {
      for (ir::TypeId e : t.elems)
        if (auto made = add_leaves(v, e, role); !made) return made;
      return {};
    }
    if (is_text(g_, v)) return {};
    if (t.kind != ir::TypeKind::tensor)
      return std::unexpected(fault(v, fmt::format("`{}` is not a tensor of known size", g_.module.types.print(type))));
    auto sizes = extents(v, t.shape);
    if (!sizes) return std::unexpected(sizes.error());
    auto& leaves = g_.leaves[v.index()];
    Slot s{role, v, leaves.size(), t.dtype, *sizes, count_of(*sizes), {}, {}};
    leaves.push_back({g_.add(std::move(s)), *sizes});
    return {};
  }

  std::expected<void, Fault> read(ir::ValueId v) {
    const ir::Node& n = g_.func[v];
    if (n.op == op<ir::Param>) return {};
    if (n.op == op<ir::TupleOp>) return gather_elements(v);
    if (n.op == op<ir::Get>) return pick_element(v), std::expected<void, Fault>{};
    if (auto made = add_leaves(v, role_of(v)); !made) return made;
    if (is_same(g_.module, g_.func, n)) {
      Leaf& leaf = g_.leaves[v.index()][0];
      g_.slots.pop_back();
      leaf.slot = g_.leaves[n.args[0].index()][0].slot;
    } else if (g_.slots.size() > 0 && g_.slots.back().role == Role::view && !make_view(g_.slots.back())) {
      g_.slots.back().role = Role::other;
    }
    return {};
  }

  Role role_of(ir::ValueId v) const {
    const ir::Node& n = g_.func[v];
    if (n.op == op<ir::Const>) return Role::splat;
    if (n.op == op<ir::Literal> || n.op == op<ir::Iota> || n.op == op<ir::DimValue>) return Role::data;
    if (n.op == op<ir::Broadcast> || n.op == op<ir::Transpose> || n.op == op<ir::Slice> || n.op == op<ir::Flip>) return Role::view;
    const bool elementwise = ir::info(n.op).family == ir::Family::elementwise || n.op == op<ir::Select> || n.op == op<ir::Cast>;
    return elementwise && has_tile(v) ? Role::fused : Role::other;
  }

  bool has_tile(ir::ValueId v) const {
    const ir::Node& n = g_.func[v];
    const DType in = g_.module.types.dtype(g_.func[n.args[0]].type), out = g_.module.types.dtype(n.type);
    if (n.op == op<ir::Select>) return select_tile(out, 0) != nullptr;
    if (n.op == op<ir::Cast>) return cast_tile(in, out) != nullptr;
    if (is_int(in) && (n.op == op<ir::FloorDiv> || n.op == op<ir::Mod> || n.op == op<ir::Pow>) && !is_positive(n.args[1])) return false;
    return elementwise_tile(n.op, in, 0) != nullptr;
  }

  // Integer division and powers fail for some arguments; only the reference kernel says how.
  bool is_positive(ir::ValueId v) const {
    const ir::AttrValue* value = g_.func[v].op == op<ir::Const> ? g_.func[v].attrs.find(AttrKey::value) : nullptr;
    const int64_t* i = value ? std::get_if<int64_t>(value) : nullptr;
    return i && *i > 0 && *i < 128;
  }

  std::expected<void, Fault> gather_elements(ir::ValueId v) {
    for (ir::ValueId a : g_.func[v].args) {
      if (is_text(g_, a)) return std::unexpected(fault(v, "a text inside a tuple does not go into a plan"));
      for (const Leaf& l : g_.leaves[a.index()]) g_.leaves[v.index()].push_back(l);
    }
    return {};
  }

  size_t leaf_count(ir::TypeId t) const {
    if (g_.module.types[t].kind != ir::TypeKind::tuple) return 1;
    size_t n = 0;
    for (ir::TypeId e : g_.module.types[t].elems) n += leaf_count(e);
    return n;
  }

  void pick_element(ir::ValueId v) {
    const ir::Node& n = g_.func[v];
    const auto& all = g_.leaves[n.args[0].index()];
    const ir::Type& tuple = g_.module.types[g_.func[n.args[0]].type];
    const size_t index = static_cast<size_t>(n.attrs.integer(AttrKey::index));
    size_t first = 0;
    for (size_t k = 0; k < index; ++k) first += leaf_count(tuple.elems[k]);
    g_.leaves[v.index()].assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                                all.begin() + static_cast<std::ptrdiff_t>(first + leaf_count(tuple.elems[index])));
  }

  // A view of a view is one view, where no reshape stands between.
  bool make_view(Slot& s) {
    const Leaf& x = g_.leaves[g_.node(s).args[0].index()][0];
    const Slot& from = g_[x.slot];
    Walk in{0, x.sizes, dense_strides(x.sizes)};
    s.source = x.slot;
    if (from.role == Role::view && from.sizes == x.sizes) in = from.walk, s.source = from.source;
    s.walk = Walk{in.offset, s.sizes, Extents(s.sizes.size(), 0)};
    return walk(g_.node(s), in, s.walk);
  }

  bool walk(const ir::Node& n, const Walk& in, Walk& out) const {
    if (n.op == op<ir::Broadcast>) {
      const ir::Ints& axes = n.attrs.ints(AttrKey::axes);
      for (size_t i = 0; i < in.sizes.size(); ++i) {
        const size_t k = static_cast<size_t>(axes[i]);
        if (out.sizes[k] != in.sizes[i] && in.sizes[i] != 1) return false;
        out.strides[k] = in.sizes[i] == 1 ? 0 : in.strides[i];
      }
    } else if (n.op == op<ir::Transpose>) {
      for (size_t i = 0; i < out.sizes.size(); ++i) out.strides[i] = in.strides[static_cast<size_t>(n.attrs.ints(AttrKey::perm)[i])];
    } else if (n.op == op<ir::Flip>) {
      out.strides = in.strides;
      for (int64_t a : n.attrs.ints(AttrKey::axes)) {
        const size_t k = static_cast<size_t>(a);
        out.offset += std::max<int64_t>(in.sizes[k] - 1, 0) * in.strides[k];
        out.strides[k] = -in.strides[k];
      }
    } else {
      return walk_slice(n, in, out);
    }
    return true;
  }

  bool walk_slice(const ir::Node& n, const Walk& in, Walk& out) const {
    for (size_t k = 0; k < in.sizes.size(); ++k) {
      const auto start = g_.module.types.dims.known(n.attrs.dims(AttrKey::starts)[k]);
      const int64_t step = n.attrs.ints(AttrKey::steps)[k];
      // What does not fit is left to the reference kernel, which says so.
      if (!start || *start < 0 || step < 1 || (out.sizes[k] > 0 && *start + (out.sizes[k] - 1) * step >= in.sizes[k])) return false;
      const auto stop = g_.module.types.dims.known(n.attrs.dims(AttrKey::stops)[k]);
      if (!stop || *stop > in.sizes[k]) return false;
      out.offset += *start * in.strides[k];
      out.strides[k] = step * in.strides[k];
    }
    return true;
  }

  Graph g_;
};

}  // namespace

std::expected<Graph, Fault> make_graph(const ir::Module& module, const ir::Func& func) { return Reader(module, func).read(); }

}  // namespace glia::interp::exec
