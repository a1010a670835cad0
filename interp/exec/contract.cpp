// See contract.h.
#include "interp/exec/contract.h"

#include <algorithm>
#include <map>

#include "ir/ops/all.h"

namespace glia::interp::exec {

namespace {

using Labels = std::vector<int64_t>;

// A tensor whose axes have labels.
struct Labelled {
  SlotId slot;
  int64_t offset = 0;
  std::map<int64_t, int64_t> stride;  // by label; axes of one element are left out
};

struct Run {
  int64_t size, stride;
};

class Contraction {
 public:
  Contraction(Graph& g, SlotId out) : g_(g), dtype_(g[out].dtype) {
    const ir::Attrs& attrs = g.node(g[out]).attrs;
    lhs_ = operand(out, 0, attrs.ints(ir::AttrKey::lhs));
    rhs_ = operand(out, 1, attrs.ints(ir::AttrKey::rhs));
    out_ = label(out, {0, g[out].sizes, dense_strides(g[out].sizes)}, attrs.ints(ir::AttrKey::out));
    for (int64_t l : attrs.ints(ir::AttrKey::out))
      if (size_[l] != 1) (in(lhs_, l) ? (in(rhs_, l) ? batch_ : m_) : n_).push_back(l);
    for (int64_t l : attrs.ints(ir::AttrKey::lhs)) sort_summed(l, lhs_, rhs_);
    for (int64_t l : attrs.ints(ir::AttrKey::rhs)) sort_summed(l, rhs_, lhs_);
  }

  std::optional<std::vector<Unit>> lower(const MatrixLibrary& library) {
    if (one_sided_ || g_[out_.slot].count == 0 || size(k_) == 0 || !matrix_loop(dtype_, false)) return std::nullopt;
    choose_order_of_k();
    lhs_ = arranged(lhs_, {m_, k_});
    rhs_ = arranged(rhs_, {k_, n_});
    const Labelled target = result();
    MatrixProduct p = product(target);
    orient(p);
    if (!library_takes(p) && !loops_take(p)) p = repacked(target);
    units_.push_back(make_matmul(library, p));
    if (target.slot != out_.slot) units_.push_back(make_walk(g_, target.slot, walk_of(target), out_.slot));
    return std::move(units_);
  }

 private:
  bool in(const Labelled& x, int64_t l) const { return x.stride.contains(l); }

  Labelled operand(SlotId user, size_t k, const Labels& labels) {
    const SlotId a = g_.arg(g_[user], k);
    if (reads_through(g_, g_[user], a) && g_.arg_sizes(g_[user], k) == g_[a].sizes) return label(g_[a].source, g_[a].walk, labels);
    const Extents& sizes = g_.arg_sizes(g_[user], k);
    return label(a, {0, sizes, dense_strides(sizes)}, labels);
  }

  Labelled label(SlotId slot, const Walk& w, const Labels& labels) {
    Labelled x{slot, w.offset, {}};
    for (size_t i = 0; i < labels.size(); ++i) {
      size_[labels[i]] = w.sizes[i];
      if (w.sizes[i] != 1) x.stride[labels[i]] = w.strides[i];
    }
    return x;
  }

  void sort_summed(int64_t l, const Labelled& mine, const Labelled& other) {
    if (size_[l] == 1 || in(out_, l) || std::find(k_.begin(), k_.end(), l) != k_.end()) return;
    if (!in(other, l)) one_sided_ = true;
    if (in(mine, l)) k_.push_back(l);
  }

  int64_t size(const Labels& labels) const {
    int64_t n = 1;
    for (int64_t l : labels) n *= size_.at(l);
    return n;
  }

  // Several axes as one, where they lie so.
  std::optional<Run> joined(const Labelled& x, const Labels& labels) const {
    Run run{1, 1};
    for (size_t i = labels.size(); i-- > 0;) {
      const int64_t stride = x.stride.at(labels[i]);
      if (i + 1 == labels.size()) run.stride = stride;
      else if (stride != run.stride * run.size) return std::nullopt;
      run.size *= size_.at(labels[i]);
    }
    return run;
  }

  void choose_order_of_k() {
    if (joined(rhs_, k_)) return;
    Labels other = k_;
    std::sort(other.begin(), other.end(), [&](int64_t x, int64_t y) { return rhs_.stride[x] > rhs_.stride[y]; });
    if (joined(lhs_, other) || !joined(lhs_, k_)) k_ = other;
  }

  SlotId temp(size_t count) {
    return g_.add({Role::temp, g_[out_.slot].node, 0, dtype_, {static_cast<int64_t>(count)}, count, {}, {}});
  }

  // Dense, in the order of the labels.
  Labelled dense(const Labels& order) {
    Labelled x{temp(static_cast<size_t>(size(order))), 0, {}};
    int64_t stride = 1;
    for (size_t i = order.size(); i-- > 0; stride *= size_[order[i]]) x.stride[order[i]] = stride;
    return x;
  }

  Labels with_batch(const std::vector<Labels>& groups) const {
    Labels order = batch_;
    for (const Labels& g : groups) order.insert(order.end(), g.begin(), g.end());
    return order;
  }

  Labelled copied(const Labelled& x, const Labels& order) {
    Labelled to = dense(order);
    Walk w{x.offset, {}, {}};
    for (int64_t l : order) w.sizes.push_back(size_[l]), w.strides.push_back(x.stride.at(l));
    units_.push_back(make_walk(g_, x.slot, w, to.slot));
    return to;
  }

  Labelled arranged(const Labelled& x, const std::vector<Labels>& groups) {
    for (const Labels& labels : groups)
      if (!joined(x, labels)) return copied(x, with_batch(groups));
    return x;
  }

  // The result as it lies, if rows and columns can be told apart in it.
  Labelled result() {
    const auto m = joined(out_, m_), n = joined(out_, n_);
    if (m && n && (n->stride == 1 || m->stride == 1)) return out_;
    return dense(with_batch({m_, n_}));
  }

  Walk walk_of(const Labelled& from) const {
    Walk w{0, {}, {}};
    for (int64_t l : g_.node(g_[out_.slot]).attrs.ints(ir::AttrKey::out))
      if (size_.at(l) != 1) w.sizes.push_back(size_.at(l)), w.strides.push_back(from.stride.at(l));
    return w;
  }

  MatrixProduct product(const Labelled& target) {
    const Run am = *joined(lhs_, m_), ak = *joined(lhs_, k_), bk = *joined(rhs_, k_), bn = *joined(rhs_, n_);
    const Run cm = *joined(target, m_), cn = *joined(target, n_);
    MatrixProduct p{dtype_, {size(m_), size(n_), size(k_), am.stride, ak.stride, bk.stride, bn.stride, cm.stride}, {}, lhs_.slot, rhs_.slot,
                    target.slot, lhs_.offset, rhs_.offset};
    for (int64_t l : batch_) {
      const BatchAxis a{size_[l], lhs_.stride[l], rhs_.stride[l], target.stride.at(l)};
      BatchAxis* last = p.batch.empty() ? nullptr : &p.batch.back();
      if (last && last->a == a.a * a.size && last->b == a.b * a.size && last->c == a.c * a.size) *last = {last->size * a.size, a.a, a.b, a.c};
      else p.batch.push_back(a);
    }
    c_n_ = n_.empty() ? 1 : cn.stride;
    return p;
  }

  // Rows and columns change places where the result's rows lie next to each other, and where that makes one row of one
  // column: loops run along columns.
  void orient(MatrixProduct& p) const {
    MatrixSizes& s = p.sizes;
    const bool column = s.n == 1 && s.m > 1 && (s.c_m == 1) && !(s.a_k == 1 && s.b_k == 1);
    if (c_n_ == 1 && !column) return;
    s = {s.n, s.m, s.k, s.b_n, s.b_k, s.a_k, s.a_m, c_n_};
    std::swap(p.a, p.b);
    std::swap(p.a_offset, p.b_offset);
    for (BatchAxis& a : p.batch) std::swap(a.a, a.b);
  }

  MatrixProduct repacked(const Labelled& target) {
    const bool by_rows = c_n_ == 1;
    lhs_ = copied(lhs_, with_batch(by_rows ? std::vector{m_, k_} : std::vector{k_, m_}));
    rhs_ = copied(rhs_, with_batch(by_rows ? std::vector{k_, n_} : std::vector{n_, k_}));
    MatrixProduct p = product(target);
    orient(p);
    GLIA_CHECK(library_takes(p) || loops_take(p), "packed operands suit the loops");
    return p;
  }

  Graph& g_;
  DType dtype_;
  Labelled lhs_, rhs_, out_;
  std::map<int64_t, int64_t> size_;
  Labels batch_, m_, n_, k_;
  bool one_sided_ = false;
  int64_t c_n_ = 1;
  std::vector<Unit> units_;
};

}  // namespace

std::optional<std::vector<Unit>> make_contract(Graph& g, const MatrixLibrary& library, SlotId out) { return Contraction(g, out).lower(library); }

}  // namespace glia::interp::exec
