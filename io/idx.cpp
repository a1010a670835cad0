// The IDX reader. Nothing is allocated by what the header claims before the file is known to be that long.
#include "io/idx.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/file.h"
#include "io/folder.h"

namespace glia::io {
namespace {

uint8_t byte_at(std::string_view bytes, size_t i) { return static_cast<uint8_t>(bytes[i]); }

uint32_t big_endian_u32(std::string_view bytes, size_t i) {
  return uint32_t{byte_at(bytes, i)} << 24 | uint32_t{byte_at(bytes, i + 1)} << 16 | uint32_t{byte_at(bytes, i + 2)} << 8 |
         byte_at(bytes, i + 3);
}

struct ElementType {
  DType dtype;  // what it becomes
  size_t size;  // bytes in the file
};

std::optional<ElementType> element_type(uint8_t code) {
  switch (code) {
    case 0x08: return ElementType{DType::u8, 1};
    case 0x09: return ElementType{DType::i8, 1};
    case 0x0b: return ElementType{DType::i32, 2};
    case 0x0c: return ElementType{DType::i32, 4};
    case 0x0d: return ElementType{DType::f32, 4};
    case 0x0e: return ElementType{DType::f64, 8};
    default: return std::nullopt;
  }
}

void copy_swapped(std::string_view from, size_t size, std::vector<std::byte>& to) {
  std::memcpy(to.data(), from.data(), from.size());
  if (size == 1) return;
  for (size_t i = 0; i < to.size(); i += size) std::reverse(to.data() + i, to.data() + i + size);
}

void widen_i16(std::string_view from, std::span<int32_t> to) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<int16_t>(static_cast<uint16_t>(byte_at(from, 2 * i) << 8 | byte_at(from, 2 * i + 1)));
}

Result<ElementType> check_magic(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 4) return fail(fmt::format("`{}` is not an IDX file: it has {} bytes, the header alone has 4", path, bytes.size()));
  const auto type = element_type(byte_at(bytes, 2));
  if (bytes[0] != 0 || bytes[1] != 0 || !type)
    return fail(fmt::format("`{}` is not an IDX file: it begins with {:02x} {:02x} {:02x} {:02x}", path, byte_at(bytes, 0),
                            byte_at(bytes, 1), byte_at(bytes, 2), byte_at(bytes, 3)),
                "an IDX file begins with 00 00, then the element type (08, 09, 0b, 0c, 0d or 0e), then the number of sizes");
  if (bytes[3] == 0) return fail(fmt::format("`{}`: an IDX file with no sizes (rank 0) holds no data", path));
  return *type;
}

// The check that the file is as long as its header says, before anything of that length is made.
Result<void> check_length(std::string_view data, const std::string& path, const std::vector<int64_t>& shape, size_t size) {
  const auto count = byte_count(DType::f64, shape);  // with the widest element: no later product overflows
  if (!count) return fail(fmt::format("`{}`: the sizes [{}] are impossible", path, fmt::join(shape, ", ")));
  const uint64_t expected = static_cast<uint64_t>(*count) / 8 * size;
  if (data.size() < expected)
    return fail(fmt::format("`{}` is truncated: sizes [{}] need {} bytes of data, found {}", path, fmt::join(shape, ", "), expected,
                            data.size()),
                "fetch the file again");
  if (data.size() > expected)
    return fail(fmt::format("`{}` is too long: sizes [{}] need {} bytes of data, found {}", path, fmt::join(shape, ", "), expected,
                            data.size()));
  return {};
}

Result<void> append_part(Array& all, const Array& part, const std::string& first, const std::string& path) {
  const bool same = part.dtype == all.dtype && part.shape.size() == all.shape.size() &&
                    std::equal(part.shape.begin() + 1, part.shape.end(), all.shape.begin() + 1);
  if (!same)
    return fail(fmt::format("`{}` holds {}[{}] and `{}` holds {}[{}]: parts of one set must agree in all but the first size", first,
                            dtype_name(all.dtype), fmt::join(all.shape, ", "), path, dtype_name(part.dtype), fmt::join(part.shape, ", ")));
  all.shape[0] += part.shape[0];
  all.bytes.insert(all.bytes.end(), part.bytes.begin(), part.bytes.end());
  return {};
}

}  // namespace

Result<Array> parse_idx(std::string_view bytes, const std::string& path) {
  const auto type = check_magic(bytes, path);
  if (!type) return std::unexpected(type.error());
  const size_t rank = byte_at(bytes, 3);
  const size_t header = 4 + 4 * rank;
  if (bytes.size() < header)
    return fail(fmt::format("`{}` is truncated: a header with {} sizes needs {} bytes, found {}", path, rank, header, bytes.size()));
  std::vector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) shape.push_back(big_endian_u32(bytes, 4 + 4 * i));
  const std::string_view data = bytes.substr(header);
  if (auto ok = check_length(data, path, shape, type->size); !ok) return std::unexpected(ok.error());
  Array out = make_array(type->dtype, std::move(shape));
  if (out.bytes.empty()) return out;
  if (type->size == 2) widen_i16(data, out.as<int32_t>());
  if (type->size != 2) copy_swapped(data, type->size, out.bytes);
  return out;
}

Result<Array> read_idx(const std::string& path) {
  auto bytes = read_file(path);
  if (!bytes) return std::unexpected(bytes.error());
  return within_memory(path, [&] { return parse_idx(*bytes, path); });
}

Result<Array> read_idx_parts(const std::string& dir, const std::string& prefix, std::vector<IdxPart>* parts) {
  const auto paths = find_parts(dir, prefix);
  if (!paths) return std::unexpected(paths.error());
  if (paths->empty()) return fail(fmt::format("`{}` has no file whose name begins with `{}`", dir, prefix));
  Array all;
  for (const std::string& path : *paths) {
    auto part = read_idx(path);
    if (!part) return part;
    if (parts != nullptr) parts->push_back({path, part->rows()});
    if (&path == &paths->front()) {
      all = std::move(*part);
      continue;
    }
    const auto ok = within_memory(path, [&] { return append_part(all, *part, paths->front(), path); });
    if (!ok) return std::unexpected(ok.error());
  }
  return all;
}

}  // namespace glia::io
