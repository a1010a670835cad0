// CIFAR-10 in its binary form.
#include "io/cifar.h"

#include <fmt/format.h>

#include "io/file.h"
#include "io/folder.h"

namespace glia::io {
namespace {

constexpr size_t pixels = 3 * 32 * 32, record = 1 + pixels;

Labelled no_images() { return {make_array(DType::u8, {0, 3, 32, 32}), make_array(DType::i32, {0})}; }

Result<Labelled> read_set(const std::string& dir, std::span<const std::string_view> prefixes, int classes) {
  const auto paths = find_set(dir, prefixes);
  if (!paths) return std::unexpected(paths.error());
  Labelled out = no_images();
  for (const std::string& path : *paths) {
    const auto bytes = read_file(path);
    if (!bytes) return std::unexpected(bytes.error());
    const auto ok = within_memory(path, [&] { return append_cifar(out, *bytes, path, classes); });
    if (!ok) return std::unexpected(ok.error());
  }
  return out;
}

}  // namespace

Result<void> append_cifar(Labelled& to, std::string_view bytes, const std::string& path, int classes) {
  if (bytes.empty() || bytes.size() % record != 0)
    return fail(fmt::format("`{}` has {} bytes: a file of CIFAR images is a whole number of records of {} bytes", path, bytes.size(), record),
                "fetch the binary version of the set again");
  const size_t count = bytes.size() / record, before = static_cast<size_t>(to.labels.rows());
  for (size_t i = 0; i < count; ++i) {
    const int label = static_cast<unsigned char>(bytes[i * record]);
    if (label >= classes)
      return fail(fmt::format("`{}`, record {} (byte {}): label {} is not in 0 .. {}", path, i + 1, i * record, label, classes - 1));
  }
  to.labels.shape[0] = to.images.shape[0] = static_cast<int64_t>(before + count);
  to.labels.bytes.resize((before + count) * sizeof(int32_t));
  to.images.bytes.reserve((before + count) * pixels);
  for (size_t i = 0; i < count; ++i) {
    const std::string_view image = bytes.substr(i * record + 1, pixels);
    to.labels.as<int32_t>()[before + i] = static_cast<unsigned char>(bytes[i * record]);
    const auto* first = reinterpret_cast<const std::byte*>(image.data());
    to.images.bytes.insert(to.images.bytes.end(), first, first + pixels);
  }
  return {};
}

Result<Cifar> read_cifar(const std::string& dir, int classes) {
  constexpr std::string_view train_names[] = {"train", "data_batch"}, test_names[] = {"test"};
  auto train = read_set(dir, train_names, classes);
  if (!train) return std::unexpected(train.error());
  auto test = read_set(dir, test_names, classes);
  if (!test) return std::unexpected(test.error());
  return Cifar{std::move(*train), std::move(*test)};
}

}  // namespace glia::io
