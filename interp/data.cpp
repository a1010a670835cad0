// The table of data functions, and what they share.
#include "interp/data.h"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interp/data_call.h"

namespace glia::interp {

using ir::AttrKey;

std::vector<std::string> option_values(const DataCall& call, std::string_view key) {
  std::vector<std::string> values;
  const auto* lines = call.attrs.find(AttrKey::options);
  if (lines == nullptr) return values;
  for (const std::string& line : std::get<std::vector<std::string>>(*lines)) {
    const size_t at = line.find('=');
    if (at != std::string::npos && std::string_view(line).substr(0, at) == key) values.push_back(line.substr(at + 1));
  }
  return values;
}

std::string option(const DataCall& call, std::string_view key, std::string_view otherwise) {
  auto values = option_values(call, key);
  return values.empty() ? std::string(otherwise) : std::move(values.back());
}

std::vector<std::string> option_parts(std::string_view value) {
  std::vector<std::string> parts;
  for (size_t at = 0; at != std::string_view::npos;) {
    const size_t end = value.find('\x1f', at);
    parts.emplace_back(value.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : end + 1;
  }
  return parts;
}

std::expected<bool, Fault> option_bool(const DataCall& call, std::string_view key, bool otherwise) {
  const std::string text = option(call, key, otherwise ? "true" : "false");
  if (text == "true" || text == "false") return text == "true";
  return data_fault(fmt::format("`{}` is true or false, not `{}`", key, text));
}

std::expected<int64_t, Fault> option_int(const DataCall& call, std::string_view key, int64_t otherwise) {
  const std::string text = option(call, key, fmt::format("{}", otherwise));
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size()) return value;
  return data_fault(fmt::format("`{}` is an integer, not `{}`", key, text));
}

namespace {
bool column_agrees(const Value& column, ir::TypeId id, const ir::Module& module) {
  const ir::Type& type = module.types[id];
  if (type.kind == ir::TypeKind::poison) return true;
  if (!column.is_tensor()) return type.kind == ir::TypeKind::str || type.kind == ir::TypeKind::list;
  const Tensor& t = column.tensor();
  if (type.kind != ir::TypeKind::tensor || type.dtype != t.dtype || type.shape.size() + 1 != t.rank()) return false;
  for (size_t i = 0; i < type.shape.size(); ++i) {
    const auto size = module.types.dims.known(type.shape[i]);
    if (size && *size != t.shape[i + 1]) return false;
  }
  return true;
}

std::string found_type(const Value& column) {
  if (!column.is_tensor()) return "text";
  const Tensor& t = column.tensor();
  if (t.rank() == 1) return std::string(dtype_name(t.dtype));
  return fmt::format("{}[{}]", dtype_name(t.dtype), fmt::join(std::span(t.shape).subspan(1), ", "));
}
}  // namespace

std::expected<void, Fault> agree(const Rows& rows, ir::TypeId id, const ir::Module& module, std::string_view source) {
  if (!id.valid() || module.types.is_poison(id)) return {};
  const ir::Type& list = module.types[id];
  GLIA_CHECK(list.kind == ir::TypeKind::list, "a data set has the type of a list");
  const ir::Type& record = module.types[list.elems[0]];
  const bool one = record.kind != ir::TypeKind::tuple;
  const size_t wanted = one ? 1 : record.elems.size();
  if (wanted != rows.columns.size())
    return data_fault(fmt::format("`{}` gives rows of {} fields, but the program has {} here", source, rows.columns.size(), wanted));
  for (size_t i = 0; i < wanted; ++i) {
    const ir::TypeId field = one ? list.elems[0] : record.elems[i];
    if (column_agrees(rows.columns[i], field, module)) continue;
    return data_fault(fmt::format("`{}` gives {} for `{}`, but the program has {} here", source, found_type(rows.columns[i]), rows.fields[i],
                                  module.types.print(field)));
  }
  return {};
}

namespace {
constexpr std::pair<const char*, DataResult (*)(const DataCall&)> plain_functions[] = {
    {"data.mnist", &read_mnist_rows},
    {"data.cifar10", &read_cifar_rows},
    {"data.wav", &read_clip_rows},
    {"data.text", &read_text_file},
    {"data.lines", &read_line_list},
    {"data.sexpr", &read_trees},
    {"data.tagged", &read_tagged_sentences},
    {"data.windows", &window_rows},
    {"data.llama2c", &read_llama_weights},
    {"data.vocab", &make_vocabulary},
    {"data.tokenizer", &read_tokenizer},
    {"rows", &rows_of_tensors},
    {"split", &split_rows},
    {"standardize", &standardize_rows},
    {"column", &column_of_rows},
    {"vocabulary.size", &vocabulary_size},
    {"vocabulary.end", &vocabulary_end},
    {"vocabulary.has", &vocabulary_has},
    {"vocabulary.id", &vocabulary_id},
    {"vocabulary.encode", &vocabulary_encode},
    {"vocabulary.decode", &vocabulary_decode},
    {"tokenizer.size", &tokenizer_size},
    {"tokenizer.encode", &tokenizer_encode},
    {"tokenizer.piece", &tokenizer_piece},
};
}  // namespace

HostFunctions data_functions(Note note) {
  const auto plain = [](auto* f) {
    return HostFunction([f](std::span<const Value> args, const ir::Attrs& attrs, ir::TypeId result, const ir::Module& module) {
      return f(DataCall{args, attrs, result, module});
    });
  };
  HostFunctions functions;
  functions["data.csv"] = [note = std::move(note)](std::span<const Value> args, const ir::Attrs& attrs, ir::TypeId result,
                                                   const ir::Module& module) {
    return read_csv_rows(DataCall{args, attrs, result, module}, note);
  };
  for (const auto& [name, f] : plain_functions) functions[name] = plain(f);
  return functions;
}

}  // namespace glia::interp
