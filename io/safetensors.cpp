// safetensors in and out. The only file of io/ that knows JSON; the library's exceptions end here.
#include "io/safetensors.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "io/file.h"

namespace glia::io {
namespace {

using nlohmann::json;

constexpr uint64_t header_limit = 100'000'000;  // as in the reference implementation
constexpr std::string_view metadata_key = "__metadata__";

struct TypeName {
  DType dtype;
  std::string_view name;
};

constexpr TypeName type_names[] = {{DType::f32, "F32"}, {DType::f64, "F64"}, {DType::f16, "F16"},
                                   {DType::bf16, "BF16"}, {DType::i64, "I64"}, {DType::i32, "I32"},
                                   {DType::i8, "I8"}, {DType::u8, "U8"}, {DType::boolean, "BOOL"}};

std::optional<DType> type_from(std::string_view name) {
  for (const TypeName& t : type_names)
    if (t.name == name) return t.dtype;
  return std::nullopt;
}

std::string_view name_of(DType dtype) {
  for (const TypeName& t : type_names)
    if (t.dtype == dtype) return t.name;
  GLIA_CHECK(false, "an array of a generic type cannot be written");
  return {};
}

std::unexpected<Error> broken(const std::string& path, std::string_view reason) {
  return fail(fmt::format("`{}` is not a valid safetensors file: {}", path, reason));
}

// Watches the parse: names in their order, repeated keys (JSON keeps the last one in silence), and depth, so
// that a hostile header never becomes a deep value.
struct Watch {
  std::vector<std::string> names;
  std::set<std::string> seen, inner;
  std::string repeated;
  bool too_deep = false;

  bool operator()(int depth, json::parse_event_t event, const json& value) {
    if (event == json::parse_event_t::key) note_key(depth, value.get_ref<const std::string&>());
    const bool opens = event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (opens && depth > 2) too_deep = true;
    return !(opens && depth > 2);
  }
  void note_key(int depth, const std::string& key) {
    if (depth == 1) inner.clear();
    const bool fresh = depth == 1 ? seen.insert(key).second : inner.insert(key).second;
    if (!fresh && repeated.empty()) repeated = key;
    if (depth == 1 && fresh && key != metadata_key) names.push_back(key);
  }
};

Result<json> parse_header(std::string_view text, const std::string& path, std::vector<std::string>& names) {
  if (!text.starts_with('{')) return broken(path, "its header does not begin with `{`");
  Watch watch;
  json header;
  try {
    header = json::parse(text, std::ref(watch), false);
  } catch (const json::exception&) {  // not expected with exceptions off
    return broken(path, "its header is not valid JSON");
  }
  if (watch.too_deep) return broken(path, "its header is nested too deep");
  if (!header.is_object()) return broken(path, "its header is not valid JSON");
  if (!watch.repeated.empty()) return broken(path, fmt::format("`{}` is in its header twice", watch.repeated));
  names = std::move(watch.names);
  return header;
}

struct Entry {
  DType dtype = DType::f32;
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;
};

bool all_unsigned(const json& list) {
  return list.is_array() && std::all_of(list.begin(), list.end(), [](const json& n) {
           return n.is_number_unsigned() && n.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
         });
}

Result<Entry> read_entry(const json& info, const std::string& name, const std::string& path) {
  const auto bad = [&](std::string_view reason) { return broken(path, fmt::format("tensor `{}` {}", name, reason)); };
  if (!info.is_object() || info.size() != 3 || !info.contains("dtype") || !info.contains("shape") || !info.contains("data_offsets"))
    return bad("is not described by dtype, shape and data_offsets");
  const json &type = info["dtype"], &shape = info["shape"], &offsets = info["data_offsets"];
  if (!type.is_string()) return bad("has a dtype that is not text");
  const auto dtype = type_from(type.get_ref<const std::string&>());
  if (!dtype)
    return fail(fmt::format("`{}`: tensor `{}` has element type `{}`, which is not supported", path, name,
                            type.get_ref<const std::string&>()),
                "supported are F32, F64, F16, BF16, I64, I32, I8, U8 and BOOL");
  if (!all_unsigned(shape)) return bad("has a shape that is not a list of sizes");
  if (!all_unsigned(offsets) || offsets.size() != 2) return bad("has data_offsets that are not two places");
  Entry entry{*dtype, shape.get<std::vector<int64_t>>(), offsets[0].get<uint64_t>(), offsets[1].get<uint64_t>()};
  if (entry.end < entry.begin) return bad("ends before it begins");
  const auto bytes = byte_count(*dtype, entry.shape);
  if (!bytes) return bad("has an impossible shape");
  if (static_cast<uint64_t>(*bytes) != entry.end - entry.begin)
    return bad(fmt::format("has shape [{}] of {}, that is {} bytes, but {} bytes of data", fmt::join(entry.shape, ", "),
                           dtype_name(*dtype), *bytes, entry.end - entry.begin));
  return entry;
}

// The arrays must follow one another with no gap and no overlap, up to the end of the file.
Result<void> check_cover(const std::vector<Entry>& entries, const std::vector<std::string>& names, uint64_t size, const std::string& path) {
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(entries[a].begin, entries[a].end) < std::pair(entries[b].begin, entries[b].end);
  });
  uint64_t at = 0;
  for (size_t i : order) {
    if (entries[i].end > size)
      return broken(path, fmt::format("tensor `{}` ends at byte {} of the data, which has {}; the file may be truncated", names[i],
                                      entries[i].end, size));
    if (entries[i].begin != at)
      return broken(path, fmt::format("tensor `{}` begins at byte {} of the data, {} byte {}", names[i], entries[i].begin,
                                      entries[i].begin < at ? "but the one before ends at" : "but nothing covers the bytes from", at));
    at = entries[i].end;
  }
  if (at != size) return broken(path, fmt::format("{} bytes at its end belong to no tensor", size - at));
  return {};
}

Result<std::map<std::string, std::string>> read_metadata(const json& header, const std::string& path) {
  std::map<std::string, std::string> out;
  const auto found = header.find(metadata_key);
  if (found == header.end()) return out;
  if (!found->is_object()) return broken(path, "its __metadata__ is not an object");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) return broken(path, fmt::format("`{}` in its __metadata__ is not text", key));
    out.emplace(key, value.get<std::string>());
  }
  return out;
}

Result<Array> copy_array(const Entry& entry, std::string_view data, const std::string& name, const std::string& path) {
  Array array = make_array(entry.dtype, entry.shape);
  if (!array.bytes.empty()) std::memcpy(array.bytes.data(), data.data() + entry.begin, array.bytes.size());
  const auto is_bool = [](std::byte b) { return b <= std::byte{1}; };
  if (entry.dtype == DType::boolean && !std::all_of(array.bytes.begin(), array.bytes.end(), is_bool))
    return broken(path, fmt::format("tensor `{}` is BOOL but holds bytes other than 0 and 1", name));
  return array;
}

uint64_t little_endian_u64(std::string_view bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// Where each array's bytes go: wider elements first, otherwise as given.
std::vector<size_t> layout_order(std::span<const NamedArray> arrays) {
  std::vector<size_t> order(arrays.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return dtype_size(arrays[a].array.dtype) > dtype_size(arrays[b].array.dtype); });
  return order;
}

Result<std::string> make_header(std::span<const NamedArray> arrays, std::span<const size_t> order,
                                const std::map<std::string, std::string>& metadata) {
  std::vector<uint64_t> begin(arrays.size());
  uint64_t at = 0;
  for (size_t i : order) begin[i] = std::exchange(at, at + arrays[i].array.bytes.size());
  std::string text = "{";
  if (!metadata.empty()) text += fmt::format("\"{}\":{}", metadata_key, json(metadata).dump());
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Array& a = arrays[i].array;
    text += fmt::format("{}{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", text.size() > 1 ? "," : "",
                        json(arrays[i].name).dump(), name_of(a.dtype), fmt::join(a.shape, ","), begin[i], begin[i] + a.bytes.size());
  }
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

Result<void> check_names(const std::string& path, std::span<const NamedArray> arrays) {
  std::set<std::string_view> seen;
  for (const NamedArray& a : arrays) {
    if (a.name.empty() || a.name == metadata_key)
      return fail(fmt::format("cannot write `{}`: a tensor cannot be named `{}`", path, a.name));
    if (!seen.insert(a.name).second) return fail(fmt::format("cannot write `{}`: two tensors are named `{}`", path, a.name));
    const auto bytes = byte_count(a.array.dtype, a.array.shape);
    GLIA_CHECK(bytes && static_cast<uint64_t>(*bytes) == a.array.bytes.size(), "an array whose bytes do not fit its shape");
  }
  return {};
}

}  // namespace

Result<SafeTensors> parse_safetensors(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 8) return broken(path, fmt::format("it has {} bytes, the length of its header alone takes 8", bytes.size()));
  const uint64_t length = little_endian_u64(bytes);
  if (length > header_limit) return broken(path, fmt::format("its header would be {} bytes long", length));
  if (length > bytes.size() - 8)
    return broken(path, fmt::format("its header is {} bytes long, but only {} follow; the file may be truncated", length,
                                    bytes.size() - 8));
  std::vector<std::string> names;
  const auto header = parse_header(bytes.substr(8, length), path, names);
  if (!header) return std::unexpected(header.error());
  auto metadata = read_metadata(*header, path);
  if (!metadata) return std::unexpected(metadata.error());
  std::vector<Entry> entries;
  for (const std::string& name : names) {
    auto entry = read_entry((*header)[name], name, path);
    if (!entry) return std::unexpected(entry.error());
    entries.push_back(std::move(*entry));
  }
  const std::string_view data = bytes.substr(8 + length);
  if (auto ok = check_cover(entries, names, data.size(), path); !ok) return std::unexpected(ok.error());
  SafeTensors out{{}, std::move(*metadata)};
  for (size_t i = 0; i < entries.size(); ++i) {
    auto array = copy_array(entries[i], data, names[i], path);
    if (!array) return std::unexpected(array.error());
    out.arrays.push_back({names[i], std::move(*array)});
  }
  return out;
}

Result<SafeTensors> read_safetensors(const std::string& path) {
  const auto bytes = read_file(path, Gzip::never);  // a header length may look like gzip's first bytes
  if (!bytes) return std::unexpected(bytes.error());
  return within_memory(path, [&] { return parse_safetensors(*bytes, path); });
}

Result<void> write_safetensors(const std::string& path, std::span<const NamedArray> arrays,
                               const std::map<std::string, std::string>& metadata) {
  if (auto ok = check_names(path, arrays); !ok) return ok;
  const std::vector<size_t> order = layout_order(arrays);
  Result<std::string> header;
  try {
    header = make_header(arrays, order, metadata);
  } catch (const json::exception&) {  // the library refuses text that is not UTF-8
    return fail(fmt::format("cannot write `{}`: a name or a metadata text is not valid UTF-8", path));
  }
  const uint64_t length = header->size();
  if (length > header_limit) return fail(fmt::format("cannot write `{}`: its header would be {} bytes long", path, length));
  std::vector<std::string_view> parts = {{reinterpret_cast<const char*>(&length), sizeof length}, *header};
  for (size_t i : order) parts.push_back({reinterpret_cast<const char*>(arrays[i].array.bytes.data()), arrays[i].array.bytes.size()});
  return write_file(path, parts);
}

}  // namespace glia::io
