// See matmul.h.
#include "interp/exec/matmul.h"

#include <algorithm>
#include <array>
#include <dnnl.hpp>
#include <optional>

#include "interp/evaluate.h"

namespace glia::interp::exec {

struct MatrixLibrary::State {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  std::vector<dnnl::stream> streams;  // one for each worker
};

MatrixLibrary::MatrixLibrary(size_t workers) : state_(std::make_unique<State>()) {
  for (size_t w = 0; w < workers; ++w) state_->streams.emplace_back(state_->engine);
}
MatrixLibrary::~MatrixLibrary() = default;

namespace {

constexpr int64_t large_product = 4 * 1024 * 1024;  // multiplications that are worth a chunk of their own

int64_t batch_size(const MatrixProduct& p) {
  int64_t n = 1;
  for (const BatchAxis& a : p.batch) n *= a.size;
  return n;
}

// Elements that batch index i moves in a, b and c.
std::array<int64_t, 3> batch_offset(const std::vector<BatchAxis>& batch, int64_t i) {
  std::array<int64_t, 3> at{};
  for (size_t k = batch.size(); k-- > 0; i /= batch[k].size) {
    const int64_t digit = i % batch[k].size;
    at[0] += digit * batch[k].a, at[1] += digit * batch[k].b, at[2] += digit * batch[k].c;
  }
  return at;
}

// ---- the library -------------------------------------------------------------------------------

// The primitive is shared; each worker has memory objects of its own, since their pointers are set for every call.
struct Primitive {
  struct Worker {
    dnnl::memory a, b, c, scratch;
    std::array<dnnl_exec_arg_t, 4> args;
  };
  dnnl::matmul matmul;
  std::vector<Worker> workers;
  size_t scratch_bytes = 0;
  bool is_slow = false;
};

Primitive make_primitive(const MatrixLibrary::State& lib, const MatrixSizes& s, int64_t rows, int64_t batch, const BatchAxis& axis) {
  using dnnl::memory;
  auto desc = [&](int64_t x, int64_t y, int64_t sx, int64_t sy, int64_t sb) {
    const memory::dims dims = batch > 1 ? memory::dims{batch, x, y} : memory::dims{x, y};
    return memory::desc(dims, memory::data_type::f32, batch > 1 ? memory::dims{sb, sx, sy} : memory::dims{sx, sy});
  };
  const memory::desc a = desc(rows, s.k, s.a_m, s.a_k, axis.a), b = desc(s.k, s.n, s.b_k, s.b_n, axis.b), c = desc(rows, s.n, s.c_m, 1, axis.c);
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);  // the library's own belongs to the thread that made the primitive
  const dnnl::matmul::primitive_desc made(dnnl::matmul::desc(a, b, c), attr, lib.engine);
  Primitive p{dnnl::matmul(made), {}, made.scratchpad_desc().get_size(), std::string(made.impl_info_str()).find("ref") != std::string::npos};
  for (size_t w = 0; w < lib.streams.size(); ++w) {
    Primitive::Worker k{{a, lib.engine, nullptr}, {b, lib.engine, nullptr}, {c, lib.engine, nullptr}, {made.scratchpad_desc(), lib.engine, nullptr}, {}};
    k.args = {{{DNNL_ARG_SRC, k.a.get()}, {DNNL_ARG_WEIGHTS, k.b.get()}, {DNNL_ARG_DST, k.c.get()}, {DNNL_ARG_SCRATCHPAD, k.scratch.get()}}};
    p.workers.push_back(std::move(k));
  }
  return p;
}

// The work is cut along the batch where there is one, else along the rows; the last piece may be smaller.
struct LibraryProduct {
  MatrixProduct product;
  const MatrixLibrary::State* library;
  Primitive whole, rest;
  int64_t piece, total;  // of the batch or of the rows
  Ref a, b, c;

  bool run(const Call& call) {
    for (size_t i = call.begin; i < call.end; ++i)
      if (!run_piece(call, static_cast<int64_t>(i) * piece)) return false;
    return true;
  }

 private:
  bool run_piece(const Call& call, int64_t first) {
    const MatrixSizes& s = product.sizes;
    const bool rows = product.batch.empty();
    const auto at = rows ? std::array<int64_t, 3>{first * s.a_m, 0, first * s.c_m} : batch_offset(product.batch, first);
    Primitive& p = total - first < piece ? rest : whole;
    Primitive::Worker& w = p.workers[call.worker];
    const std::array<void*, 4> pointers{call.at<float>(a) + at[0], call.at<float>(b) + at[1], call.at<float>(c) + at[2], call.scratch};
    bool good = true;
    for (size_t k = 0; k < 4; ++k) good &= dnnl_memory_set_data_handle(w.args[k].memory, pointers[k]) == dnnl_success;
    good = good && dnnl_primitive_execute(p.matmul.get(), library->streams[call.worker].get(), 4, w.args.data()) == dnnl_success;
    if (!good) *call.fault = Fault{"the matrix library could not run a product", {}, {}};
    return good;
  }
};

int64_t piece_of(const MatrixProduct& p) {
  const MatrixSizes& s = p.sizes;
  if (p.batch.size() > 1) return 1;  // its elements do not lie at one stride
  if (p.batch.size() == 1) return std::clamp<int64_t>(large_product / std::max<int64_t>(s.m * s.n * s.k, 1), 1, p.batch[0].size);
  const int64_t rows = (large_product / (s.n * s.k) + 63) / 64 * 64;
  return rows >= s.m ? s.m : std::max<int64_t>(rows, 64);
}

// Nothing where the library has only its slow general code for these strides.
std::optional<Step> finish_library(const MatrixLibrary::State& lib, const MatrixProduct& p, const Places& places, int64_t piece) {
  const int64_t total = p.batch.empty() ? p.sizes.m : batch_size(p), left = total % piece;
  const BatchAxis axis = p.batch.empty() ? BatchAxis{1, 0, 0, 0} : p.batch.back();
  auto make = [&](int64_t n) { return p.batch.empty() ? make_primitive(lib, p.sizes, n, 1, axis) : make_primitive(lib, p.sizes, p.sizes.m, n, axis); };
  LibraryProduct step{p, &lib, make(piece), left ? make(left) : Primitive{}, piece, total, places[p.a], places[p.b], places[p.c]};
  if (step.whole.is_slow || step.rest.is_slow) return std::nullopt;
  step.a.offset += static_cast<size_t>(p.a_offset) * sizeof(float);
  step.b.offset += static_cast<size_t>(p.b_offset) * sizeof(float);
  const size_t scratch = std::max(step.whole.scratch_bytes, step.rest.scratch_bytes);
  const int64_t work = p.sizes.m * p.sizes.n * p.sizes.k * batch_size(p);
  return make_step(std::move(step), static_cast<size_t>((total + piece - 1) / piece), work >= large_product / 2, scratch);
}

// ---- loops -------------------------------------------------------------------------------------

struct LoopProduct {
  MatrixProduct product;
  MatrixFn loop;
  int64_t row_block, row_blocks, column_block, column_blocks;
  Ref a, b, c;

  bool run(const Call& call) {
    const size_t element = dtype_size(product.dtype);
    for (size_t i = call.begin; i < call.end; ++i) {
      const int64_t at = static_cast<int64_t>(i), row = at / column_blocks % row_blocks * row_block, column = at % column_blocks * column_block;
      MatrixSizes s = product.sizes;
      const auto offset = batch_offset(product.batch, at / column_blocks / row_blocks);
      auto pointer = [&](Ref r, int64_t elements) { return call.at<std::byte>(r) + elements * static_cast<int64_t>(element); };
      s.m = std::min(row_block, s.m - row);
      s.n = std::min(column_block, s.n - column);
      loop(s, pointer(a, offset[0] + row * s.a_m), pointer(b, offset[1] + column * s.b_n), pointer(c, offset[2] + row * s.c_m + column));
    }
    return true;
  }
};

bool dots(const MatrixSizes& s) { return s.a_k == 1 && s.b_k == 1 && (s.b_n != 1 || s.n == 1); }

Step finish_loop(const MatrixProduct& p, const Places& places) {
  const MatrixSizes& s = p.sizes;
  const int64_t row_block = std::min<int64_t>(s.m, 64), column_block = std::min<int64_t>(s.n, 512);
  LoopProduct step{p, matrix_loop(p.dtype, dots(s)), row_block, (s.m + row_block - 1) / row_block, column_block,
                   (s.n + column_block - 1) / column_block, places[p.a], places[p.b], places[p.c]};
  step.a.offset += static_cast<size_t>(p.a_offset) * dtype_size(p.dtype);
  step.b.offset += static_cast<size_t>(p.b_offset) * dtype_size(p.dtype);
  const int64_t chunks = batch_size(p) * step.row_blocks * step.column_blocks;
  return make_step(std::move(step), static_cast<size_t>(chunks), s.m * s.n * s.k * batch_size(p) >= 256 * 1024);
}

bool is_good_matrix(int64_t x, int64_t y, int64_t sx, int64_t sy) {
  return (sy == 1 && sx >= y) || (sx == 1 && sy >= x);
}

}  // namespace

bool library_takes(const MatrixProduct& p) {
  const MatrixSizes& s = p.sizes;
  if (p.dtype != DType::f32 || s.m < 2 || s.n < 2 || s.k < 2 || s.m * s.n * s.k < 16 * 16 * 16) return false;
  return is_good_matrix(s.m, s.k, s.a_m, s.a_k) && is_good_matrix(s.k, s.n, s.b_k, s.b_n) && s.c_m >= s.n;
}

bool loops_take(const MatrixProduct& p) { return matrix_loop(p.dtype, false) && (p.sizes.b_n == 1 || p.sizes.n == 1 || dots(p.sizes)); }

Unit make_matmul(const MatrixLibrary& library, const MatrixProduct& p) {
  Unit unit{{p.a, p.b}, {p.c}, {}};
  const MatrixLibrary::State* lib = &library.state();
  const bool by_library = library_takes(p);
  unit.finish = [=](const Places& places) {
    std::optional<Step> step;
    if (by_library) step = finish_library(*lib, p, places, piece_of(p));
    if (by_library && !step && !p.batch.empty()) step = finish_library(*lib, p, places, 1);
    return step ? std::move(*step) : finish_loop(p, places);
  };
  return unit;
}

}  // namespace glia::interp::exec
