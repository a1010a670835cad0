// MNIST folders: finds the four sets of files, reads them and checks them against each other.
#include "io/mnist.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/folder.h"
#include "io/idx.h"

namespace glia::io {
namespace {

struct Wanted {
  std::string_view prefix;
  std::string_view other;  // a second name in use, or the same
};

constexpr std::array<Wanted, 4> wanted = {{{"train-images", "train-images"},
                                           {"train-labels", "train-labels"},
                                           {"t10k-images", "test-images"},
                                           {"t10k-labels", "test-labels"}}};

struct Loaded {
  Array array;
  std::vector<IdxPart> parts;
  std::string pattern;  // "data/mnist/train-images*", for messages about all parts
};

constexpr std::string_view layout_help =
    "a folder like MNIST's holds train-images*, train-labels*, t10k-images* and t10k-labels* as IDX files, plain or `.gz`";

// The prefix in use for each of the four; an error that lists every one that is not there.
Result<std::array<std::string, 4>> find_sets(const std::string& dir) {
  std::array<std::string, 4> found;
  std::vector<std::string> absent;
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (std::string_view prefix : {wanted[i].prefix, wanted[i].other}) {
      if (!found[i].empty()) continue;
      const auto paths = find_parts(dir, prefix);
      if (!paths) return std::unexpected(paths.error());
      if (!paths->empty()) found[i] = prefix;
    }
    if (found[i].empty()) absent.push_back(fmt::format("`{}*`", wanted[i].prefix));
  }
  if (absent.empty()) return found;
  const std::string here = folder_listing(dir);
  if (absent.size() == wanted.size())
    return fail(fmt::format("`{}` has no MNIST files: looked for {}; {}", dir, fmt::join(absent, ", "), here), std::string(layout_help));
  return fail(fmt::format("`{}` is incomplete: no file is named {}; {}", dir, fmt::join(absent, " or "), here), std::string(layout_help));
}

Result<Loaded> load(const std::string& dir, const std::string& prefix) {
  Loaded out;
  out.pattern = (std::filesystem::path(dir) / (prefix + "*")).string();
  auto array = read_idx_parts(dir, prefix, &out.parts);
  if (!array) return std::unexpected(array.error());
  out.array = std::move(*array);
  if (out.parts.size() == 1) out.pattern = out.parts[0].path;
  return out;
}

std::string shown_type(const Array& a) { return fmt::format("{}[{}]", dtype_name(a.dtype), fmt::join(a.shape, ", ")); }

Result<void> check_label(const Loaded& labels, int64_t row, int64_t value, int64_t classes) {
  if (value >= 0 && value < classes) return {};
  for (const IdxPart& part : labels.parts) {
    if (row < part.rows)
      return fail(fmt::format("`{}`, row {}: label {} is not in 0 .. {}", part.path, row + 1, value, classes - 1),
                  fmt::format("say how many classes there are if there are more than {}", classes));
    row -= part.rows;
  }
  GLIA_CHECK(false, "a label lies outside all parts");
  return {};
}

Result<Array> labels_as_i32(const Loaded& labels, int64_t classes) {
  const Array& from = labels.array;
  const bool bytes = from.dtype == DType::u8;
  if (from.shape.size() != 1 || (!bytes && from.dtype != DType::i32))
    return fail(fmt::format("`{}` holds {}: labels are u8[n]", labels.pattern, shown_type(from)));
  Array out = make_array(DType::i32, from.shape);
  const auto to = out.as<int32_t>();
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = bytes ? from.as<uint8_t>()[i] : from.as<int32_t>()[i];
    if (auto ok = check_label(labels, static_cast<int64_t>(i), to[i], classes); !ok) return std::unexpected(ok.error());
  }
  return out;
}

Result<Labelled> load_pair(const std::string& dir, const std::string& images_prefix, const std::string& labels_prefix, int64_t classes) {
  auto images = load(dir, images_prefix);
  if (!images) return std::unexpected(images.error());
  const auto labels = load(dir, labels_prefix);
  if (!labels) return std::unexpected(labels.error());
  if (images->array.shape.size() != 3 || images->array.dtype != DType::u8)
    return fail(fmt::format("`{}` holds {}: images are u8[n, height, width]", images->pattern, shown_type(images->array)));
  if (images->array.rows() != labels->array.rows())
    return fail(fmt::format("`{}` has {} images and `{}` has {} labels", images->pattern, images->array.rows(), labels->pattern,
                            labels->array.rows()),
                "each image has one label: a part may be missing or left over from another set");
  auto converted = labels_as_i32(*labels, classes);
  if (!converted) return std::unexpected(converted.error());
  return Labelled{std::move(images->array), std::move(*converted)};
}

}  // namespace

Result<Mnist> read_mnist(const std::string& dir, int64_t classes) {
  const auto sets = find_sets(dir);
  if (!sets) return std::unexpected(sets.error());
  auto train = load_pair(dir, (*sets)[0], (*sets)[1], classes);
  if (!train) return std::unexpected(train.error());
  auto test = load_pair(dir, (*sets)[2], (*sets)[3], classes);
  if (!test) return std::unexpected(test.error());
  const auto& a = train->images.shape;
  const auto& b = test->images.shape;
  if (a[1] != b[1] || a[2] != b[2])
    return fail(fmt::format("`{}`: train images are {} x {} and test images {} x {}", dir, a[1], a[2], b[1], b[2]));
  return Mnist{std::move(*train), std::move(*test)};
}

}  // namespace glia::io
