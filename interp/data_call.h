// The literal arguments of a data function, and what its parts share: faults, and the check of rows against a type.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/data.h"

namespace glia::interp {

struct DataCall {
  std::span<const Value> args;
  const ir::Attrs& attrs;
  ir::TypeId result;
  const ir::Module& module;
};

using DataResult = std::expected<Value, Fault>;

inline std::unexpected<Fault> data_fault(std::string message, std::string help = {}) {
  return std::unexpected(Fault{std::move(message), {}, std::move(help)});
}
inline std::unexpected<Fault> data_fault(const Error& e) { return data_fault(e.message, e.help); }

// Every value of the option, in order.
std::vector<std::string> option_values(const DataCall& call, std::string_view key);
std::string option(const DataCall& call, std::string_view key, std::string_view otherwise);
std::vector<std::string> option_parts(std::string_view value);  // between \x1f

std::expected<bool, Fault> option_bool(const DataCall& call, std::string_view key, bool otherwise);
std::expected<int64_t, Fault> option_int(const DataCall& call, std::string_view key, int64_t otherwise);

// The fault that a column is not of the type that the program has for it. Sizes that the type leaves open agree with
// all. `type` is that of the list; `source` names the data in the message.
std::expected<void, Fault> agree(const Rows& rows, ir::TypeId type, const ir::Module& module, std::string_view source);

// The chosen items, in this order.
DataResult take(const Value& list, std::span<const int64_t> items);

DataResult read_mnist_rows(const DataCall& call);
DataResult read_csv_rows(const DataCall& call, const Note& note);
DataResult split_rows(const DataCall& call);
DataResult standardize_rows(const DataCall& call);
DataResult column_of_rows(const DataCall& call);

DataResult read_cifar_rows(const DataCall& call);
DataResult read_clip_rows(const DataCall& call);
DataResult read_text_file(const DataCall& call);
DataResult read_line_list(const DataCall& call);
DataResult read_trees(const DataCall& call);
DataResult read_tagged_sentences(const DataCall& call);
DataResult window_rows(const DataCall& call);
DataResult read_llama_weights(const DataCall& call);
DataResult rows_of_tensors(const DataCall& call);

DataResult make_vocabulary(const DataCall& call);
DataResult vocabulary_size(const DataCall& call);
DataResult vocabulary_end(const DataCall& call);
DataResult vocabulary_has(const DataCall& call);
DataResult vocabulary_id(const DataCall& call);
DataResult vocabulary_encode(const DataCall& call);
DataResult vocabulary_decode(const DataCall& call);
DataResult read_tokenizer(const DataCall& call);
DataResult tokenizer_size(const DataCall& call);
DataResult tokenizer_encode(const DataCall& call);
DataResult tokenizer_piece(const DataCall& call);

}  // namespace glia::interp
