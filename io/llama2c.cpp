// Checkpoints of llama2.c: the header says every size, and the file must be exactly that long.
#include "io/llama2c.h"

#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "io/bytes.h"
#include "io/file.h"

namespace glia::io {
namespace {

constexpr size_t header_size = 7 * sizeof(int32_t);
constexpr int64_t size_limit = 1 << 24;  // of each number in the header

std::unexpected<Error> broken(const std::string& path, std::string_view what) {
  return fail(fmt::format("`{}` is not a checkpoint of llama2.c (version 0): {}", path, what));
}

Result<Llama2c> parse_header(std::string_view bytes, const std::string& path) {
  if (bytes.size() < header_size) return broken(path, fmt::format("it has {} bytes, the header alone has {}", bytes.size(), header_size));
  Llama2c m;
  struct Size {
    std::string_view name;
    int64_t* to;
  };
  const Size sizes[] = {{"dim", &m.dim},           {"hidden_dim", &m.hidden},     {"n_layers", &m.layers},   {"n_heads", &m.heads},
                        {"n_kv_heads", &m.kv_heads}, {"vocab_size", &m.vocabulary}, {"seq_len", &m.positions}};
  for (size_t i = 0; i < std::size(sizes); ++i) {
    int64_t value = little_endian<int32_t>(bytes, i * sizeof(int32_t));
    if (sizes[i].to == &m.vocabulary) m.shared = value > 0, value = std::abs(value);  // its sign says whether the classifier is shared
    if (value <= 0 || value > size_limit) return broken(path, fmt::format("its `{}` is {}", sizes[i].name, value));
    *sizes[i].to = value;
  }
  if (m.dim % m.heads != 0 || m.dim / m.heads % 2 != 0) return broken(path, fmt::format("`dim` {} and `n_heads` {} do not agree", m.dim, m.heads));
  if (m.heads % m.kv_heads != 0) return broken(path, fmt::format("`n_heads` {} is no multiple of `n_kv_heads` {}", m.heads, m.kv_heads));
  return m;
}

struct Piece {
  std::string name;
  std::vector<int64_t> shape;
  bool kept = true;
};

// In the order of the file.
std::vector<Piece> pieces_of(const Llama2c& m) {
  const int64_t d = m.dim, h = m.hidden, n = m.layers, kv = m.dim / m.heads * m.kv_heads, half = m.dim / m.heads / 2;
  std::vector<Piece> out = {{"token_embedding", {m.vocabulary, d}}, {"rms_att", {n, d}}, {"wq", {n, d, d}}, {"wk", {n, kv, d}},
                            {"wv", {n, kv, d}}, {"wo", {n, d, d}}, {"rms_ffn", {n, d}}, {"w1", {n, h, d}}, {"w2", {n, d, h}},
                            {"w3", {n, h, d}}, {"rms_final", {d}}, {"cosines", {m.positions, half}, false}, {"sines", {m.positions, half}, false}};
  if (!m.shared) out.push_back({"wcls", {m.vocabulary, d}});
  return out;
}

}  // namespace

Result<Llama2c> parse_llama2c(std::string_view bytes, const std::string& path) {
  auto m = parse_header(bytes, path);
  if (!m) return m;
  const auto pieces = pieces_of(*m);
  std::string_view rest = bytes.substr(header_size);
  for (const Piece& p : pieces) {
    const auto size = byte_count(DType::f32, p.shape);
    if (!size || static_cast<uint64_t>(*size) > rest.size())
      return broken(path, fmt::format("it ends inside `{}`: its {} bytes are too few for its header", p.name, bytes.size()));
    if (p.kept) {
      Array a = make_array(DType::f32, p.shape);
      std::memcpy(a.bytes.data(), rest.data(), a.bytes.size());
      m->weights.push_back({p.name, std::move(a)});
    }
    rest.remove_prefix(static_cast<size_t>(*size));
  }
  if (!rest.empty()) return broken(path, fmt::format("{} bytes at its end belong to nothing in its header", rest.size()));
  return m;
}

Result<Llama2c> read_llama2c(const std::string& path) {
  const auto bytes = read_file(path, Gzip::never);
  if (!bytes) return std::unexpected(bytes.error());
  return within_memory(path, [&] { return parse_llama2c(*bytes, path); });
}

}  // namespace glia::io
