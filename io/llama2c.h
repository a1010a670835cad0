// Checkpoints of llama2.c, version 0: a header of seven numbers, then the weights, those of one kind stacked over the layers.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "io/safetensors.h"

namespace glia::io {

struct Llama2c {
  int64_t dim = 0, hidden = 0, layers = 0, heads = 0, kv_heads = 0, vocabulary = 0, positions = 0;
  bool shared = false;  // the classifier is the embedding
  // token_embedding [vocabulary, dim], rms_att [layers, dim], wq [layers, dim, dim], wk and wv [layers, kv, dim], wo,
  // rms_ffn, w1 and w3 [layers, hidden, dim], w2 [layers, dim, hidden], rms_final [dim], and wcls [vocabulary, dim]
  // where it is not shared. The tables of rotations in the file are passed over.
  std::vector<NamedArray> weights;
};

Result<Llama2c> read_llama2c(const std::string& path);
Result<Llama2c> parse_llama2c(std::string_view bytes, const std::string& path);

}  // namespace glia::io
