// See fused.h.
#include "interp/exec/fused.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>

#include "interp/kernels/kernel.h"
#include "ir/ops/all.h"

namespace glia::interp::exec {

namespace {

constexpr size_t register_budget = 24 * 1024;  // half of a first-level cache
constexpr size_t chunk_elements = 16 * 1024;
constexpr size_t parallel_work = 128 * 1024;   // elements times ops

// Where an op of the program reads or writes: advances by `stride` bytes an element.
struct Port {
  enum Kind : uint8_t { memory, scratch, number } kind;
  size_t stride;
  SlotId slot;            // memory
  Ref ref;                // memory; before placement only the offset
  size_t index = 0;       // of the register or number
};

struct TileOp {
  TileFn run = nullptr;
  WalkFn walk = nullptr;
  Walk how;               // for walk
  std::array<uint32_t, 3> args{};
  uint32_t out = 0;
  uint8_t arg_count = 0;
};

struct Program {
  std::vector<Port> ports;
  std::vector<TileOp> ops;
  std::vector<uint64_t> numbers;
  size_t count = 0, registers = 0, element = 1, tile = 0;

  size_t ports_bytes() const { return (ports.size() * sizeof(std::byte*) + 63) / 64 * 64; }
  size_t scratch_bytes() const { return ports_bytes() + registers * tile * element; }

  bool run(const Call& call) {
    std::byte** at = reinterpret_cast<std::byte**>(call.scratch);
    const size_t first = call.begin * chunk_elements, last = std::min(call.end * chunk_elements, count);
    for (size_t p = 0; p < ports.size(); ++p) at[p] = start(ports[p], call, first);
    for (size_t i = first; i < last; i += tile) {
      const size_t n = std::min(tile, last - i);
      for (const TileOp& op : ops) run_op(op, at, i, n);
      for (size_t p = 0; p < ports.size(); ++p) at[p] += ports[p].kind == Port::memory ? ports[p].stride * n : 0;
    }
    return true;
  }

 private:
  std::byte* start(const Port& p, const Call& call, size_t element_index) {
    if (p.kind == Port::memory) return call.at<std::byte>(p.ref) + element_index * p.stride;
    if (p.kind == Port::number) return reinterpret_cast<std::byte*>(&numbers[p.index]);
    return call.scratch + ports_bytes() + p.index * tile * element;
  }

  static void run_op(const TileOp& op, std::byte* const* at, size_t i, size_t n) {
    const void* src[3] = {at[op.args[0]], at[op.args[1]], at[op.args[2]]};
    if (op.walk) op.walk(at[op.out], src[0], op.how, i, n);
    else op.run(at[op.out], src, n);
  }
};

// Turns the slots of a group into a program.
class Compiler {
 public:
  Compiler(const Graph& g, const Schedule& plan, const Work& work) : g_(g), plan_(plan), work_(work) {
    program_.count = g[work.slots[0]].count;
  }

  Unit compile() {
    for (SlotId s : work_.slots) compile(s);
    assign_registers();
    Unit unit;
    for (const Port& p : program_.ports)
      if (p.kind == Port::memory) (written_.contains(p.slot) ? unit.writes : unit.reads).push_back(p.slot);
    unit.finish = [program = std::move(program_)](const Places& places) mutable {
      for (Port& p : program.ports)
        if (p.kind == Port::memory) p.ref = {places[p.slot].base, places[p.slot].offset + p.ref.offset};
      const size_t chunks = (program.count + chunk_elements - 1) / chunk_elements, scratch = program.scratch_bytes();
      const bool parallel = program.count * program.ops.size() >= parallel_work;
      return make_step(std::move(program), chunks, parallel, scratch);
    };
    return unit;
  }

 private:
  struct Operand {
    uint32_t port;
    bool scalar;  // one element for all
  };

  uint32_t add_port(Port p) {
    program_.ports.push_back(p);
    return static_cast<uint32_t>(program_.ports.size() - 1);
  }
  uint32_t memory_port(SlotId s, int64_t offset, bool scalar) {
    const auto key = std::tuple(s, offset, scalar);
    if (auto found = memory_.find(key); found != memory_.end()) return found->second;
    const size_t size = dtype_size(g_[s].dtype);
    return memory_[key] = add_port({Port::memory, scalar ? 0 : size, s, {0, static_cast<size_t>(offset) * size}, 0});
  }
  uint32_t register_port(DType t) {
    program_.element = std::max(program_.element, dtype_size(t));
    return add_port({Port::scratch, dtype_size(t), {}, {}, 0});
  }

  bool wide() const { return program_.count != 1; }

  Operand operand(SlotId a) {
    if (auto found = ports_.find(a); found != ports_.end()) return found->second;
    const Slot& s = g_[a];
    Operand made{0, false};
    if (s.role == Role::splat) {
      uint64_t bits = 0;
      const auto bytes = splat_bytes(g_, s);
      std::memcpy(&bits, bytes.data(), bytes.size());
      program_.numbers.push_back(bits);
      made = {add_port({Port::number, 0, {}, {}, program_.numbers.size() - 1}), wide()};
    } else if (s.role == Role::view) {
      made = view_operand(s);
    } else {
      const bool scalar = s.count == 1 && wide();
      made = {memory_port(a, 0, scalar), scalar};
    }
    return ports_[a] = made;
  }

  Operand view_operand(const Slot& s) {
    const Walk w = simplified(s.walk);
    if (std::all_of(w.strides.begin(), w.strides.end(), [](int64_t x) { return x == 0; }))
      return {memory_port(s.source, w.offset, wide()), wide()};
    if (w.sizes.size() == 1 && w.strides[0] == 1) return {memory_port(s.source, w.offset, false), false};
    TileOp load;
    load.walk = walk_tile(dtype_size(s.dtype));
    load.how = w;
    load.args[0] = memory_port(s.source, 0, true);
    load.arg_count = 1;
    load.out = register_port(s.dtype);
    program_.ops.push_back(load);
    return {load.out, false};
  }

  // The same operand as a full tile, for loops that have no scalar form.
  uint32_t spread(Operand o, DType t) {
    if (!o.scalar) return o.port;
    if (auto found = spread_.find(o.port); found != spread_.end()) return found->second;
    TileOp fill;
    fill.run = fill_tile(t);
    fill.args[0] = o.port;
    fill.arg_count = 1;
    fill.out = register_port(t);
    program_.ops.push_back(fill);
    return spread_[o.port] = fill.out;
  }

  void compile(SlotId id) {
    const Slot& s = g_[id];
    const ir::Node& n = g_.node(s);
    std::vector<Operand> args;
    for (size_t k = 0; k < n.args.size(); ++k) args.push_back(operand(g_.arg(s, k)));
    TileOp op;
    op.arg_count = static_cast<uint8_t>(args.size());
    const unsigned scalars = keep_scalars(s, args);
    for (size_t k = 0; k < args.size(); ++k) op.args[k] = args[k].port;
    const DType in = g_[g_.arg(s, 0)].dtype;
    op.run = n.op == ir::op<ir::Select> ? select_tile(s.dtype, scalars)
             : n.op == ir::op<ir::Cast> ? cast_tile(in, s.dtype) : elementwise_tile(n.op, in, scalars);
    GLIA_CHECK(op.run, "a fused op has a loop");
    if (plan_.stored[id.index()]) op.out = memory_port(id, 0, false), written_[id] = true;
    else op.out = register_port(s.dtype);
    ports_[id] = {op.out, false};
    program_.ops.push_back(op);
  }

  // Which arguments stay scalar; the others are spread.
  unsigned keep_scalars(const Slot& s, std::vector<Operand>& args) {
    const bool select = g_.node(s).op == ir::op<ir::Select>;
    unsigned scalars = 0;
    for (size_t k = 0; k < args.size(); ++k) {
      const bool may = select ? k > 0 : args.size() == 2 && scalars == 0;
      if (args[k].scalar && may) scalars |= 1u << k;
      else args[k] = {spread(args[k], g_[g_.arg(s, k)].dtype), false};
    }
    return scalars;
  }

  // Registers are used again after their last reader; an op never writes where it reads.
  void assign_registers() {
    std::vector<size_t> last(program_.ports.size());
    for (size_t i = 0; i < program_.ops.size(); ++i)
      for (size_t k = 0; k < program_.ops[i].arg_count; ++k) last[program_.ops[i].args[k]] = i;
    std::vector<size_t> free;
    for (size_t i = 0; i < program_.ops.size(); ++i) {
      TileOp& op = program_.ops[i];
      for (size_t k = op.arg_count; k < op.args.size(); ++k) op.args[k] = op.args[0];
      Port& out = program_.ports[op.out];
      if (out.kind == Port::scratch) {
        if (free.empty()) free.push_back(program_.registers++);
        out.index = free.back();
        free.pop_back();
      }
      for (size_t k = 0; k < op.arg_count; ++k) {
        const Port& p = program_.ports[op.args[k]];
        const bool repeated = std::find(op.args.begin(), op.args.begin() + k, op.args[k]) != op.args.begin() + k;
        if (p.kind == Port::scratch && last[op.args[k]] == i && !repeated) free.push_back(p.index);
      }
    }
    const size_t elements = register_budget / (std::max<size_t>(program_.registers, 1) * program_.element);
    program_.tile = std::clamp<size_t>(std::bit_floor(std::max<size_t>(elements, 1)), 256, 2048);
  }

  const Graph& g_;
  const Schedule& plan_;
  const Work& work_;
  std::map<SlotId, Operand> ports_;
  std::map<std::tuple<SlotId, int64_t, bool>, uint32_t> memory_;
  std::map<uint32_t, uint32_t> spread_;
  std::map<SlotId, bool> written_;
  Program program_;
};

// One tensor written in another order.
struct Rearrange {
  WalkFn walk;
  Walk how;
  Ref from, to;
  size_t count, element;

  bool run(const Call& call) {
    const size_t first = call.begin * chunk_elements, last = std::min(call.end * chunk_elements, count);
    walk(call.at<std::byte>(to) + first * element, call.at<std::byte>(from), how, first, last - first);
    return true;
  }
};

}  // namespace

Unit make_fused(const Graph& g, const Schedule& plan, const Work& work) { return Compiler(g, plan, work).compile(); }

Unit make_walk(const Graph& g, SlotId source, const Walk& walk, SlotId out) {
  const size_t element = dtype_size(g[out].dtype), count = g[out].count;
  Unit unit{{source}, {out}, {}};
  unit.finish = [=](const Places& places) {
    const size_t chunks = (count + chunk_elements - 1) / chunk_elements;
    return make_step(Rearrange{walk_tile(element), simplified(walk), places[source], places[out], count, element}, chunks, count >= parallel_work);
  };
  return unit;
}

Unit make_copy_of_view(const Graph& g, SlotId view) { return make_walk(g, g[view].source, g[view].walk, view); }

std::vector<std::byte> splat_bytes(const Graph& g, const Slot& s) {
  std::vector<std::byte> bytes(dtype_size(s.dtype));
  const Sizes sizes(g.module.types);
  const ir::Node& n = g.node(s);
  const auto done = kernel_for(n.op)({n.op, n.attrs, {}, View{s.dtype, {}, bytes.data()}, sizes});
  GLIA_CHECK(done.has_value(), "a constant has a value");
  return bytes;
}

}  // namespace glia::interp::exec
