// Folders of labelled sound clips: finding the files, telling the sets and the labels, and one array for each set.
#include "io/clips.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "io/file.h"
#include "io/folder.h"
#include "io/numbers.h"
#include "io/tar.h"
#include "io/wav.h"

namespace glia::io {
namespace {

namespace fs = std::filesystem;

struct Clip {
  std::string path;   // for messages: "data/a.tar.gz: train/0_x.wav"
  std::string set;    // "train" or "test"
  std::string label;
  std::vector<float> samples;
};

bool is_archive(const std::string& name) { return name.ends_with(".tar") || name.ends_with(".tar.gz") || name.ends_with(".tgz"); }

// The set that a path names: by a folder of it, or by the end of an archive's name.
std::string set_of(const fs::path& inside, const std::string& archive) {
  for (const fs::path& part : inside.parent_path())
    if (part == "train" || part == "test") return part.string();
  const std::string stem = archive.substr(0, archive.find('.', archive.find_last_of('/') + 1));
  for (const std::string name : {"train", "test"})
    if (stem.ends_with(name)) return name;
  return "";
}

struct Reader {
  int64_t rate;
  size_t samples;
  std::vector<Clip> clips;

  Result<void> add(std::string_view bytes, const fs::path& inside, const std::string& archive, const std::string& shown) {
    Clip clip{shown, set_of(inside, archive), {}, {}};
    if (clip.set.empty())
      return fail(fmt::format("`{}` is in no set", shown), "put it in a folder `train` or `test`, or in an archive whose name ends so");
    const std::string name = inside.filename().string();
    clip.label = name.substr(0, name.find('_'));
    if (clip.label.empty() || name.find('_') == std::string::npos)
      return fail(fmt::format("`{}` has no label: a name is LABEL_….wav", shown));
    auto wav = parse_wav(bytes, shown);
    if (!wav) return std::unexpected(wav.error());
    if (wav->rate != rate)
      return fail(fmt::format("`{}` has {} samples a second, not {}", shown, wav->rate, rate), "clips are not resampled: say their rate, or convert them");
    wav->samples.resize(samples);
    clip.samples = std::move(wav->samples);
    clips.push_back(std::move(clip));
    return {};
  }

  Result<void> archive(const std::string& path) {
    const auto bytes = read_file(path);
    if (!bytes) return std::unexpected(bytes.error());
    const auto files = parse_tar(*bytes, path);
    if (!files) return std::unexpected(files.error());
    for (const TarFile& file : *files) {
      if (!file.name.ends_with(".wav")) continue;
      if (auto ok = add(file.bytes, file.name, path, fmt::format("{}: {}", path, file.name)); !ok) return ok;
    }
    return {};
  }

  Result<void> file(const std::string& path, const fs::path& inside) {
    if (is_archive(path)) return archive(path);
    if (!path.ends_with(".wav")) return {};
    const auto bytes = read_file(path, Gzip::never);
    if (!bytes) return std::unexpected(bytes.error());
    return add(*bytes, inside, "", path);
  }
};

Result<std::set<std::string>> all_files(const std::string& dir) {
  std::set<std::string> paths;
  std::error_code code;
  fs::recursive_directory_iterator it(dir, code), end;
  for (; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    if (it.depth() > 8) it.disable_recursion_pending();
    if (!it->is_directory(ignored)) paths.insert(it->path().string());
  }
  if (code) return fail(fmt::format("cannot open the folder `{}`: {}", dir, code.message()));
  return paths;
}

// The labels of the training clips, in order: by value where all are numbers.
std::vector<std::string> classes_of(const std::vector<Clip>& clips) {
  std::set<std::string> names;
  for (const Clip& c : clips)
    if (c.set == "train") names.insert(c.label);
  std::vector<std::string> out(names.begin(), names.end());
  const bool numbers = std::all_of(out.begin(), out.end(), [](const std::string& s) { return parse_i32(s).has_value(); });
  if (numbers) std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return *parse_i32(a) < *parse_i32(b); });
  return out;
}

Result<ClipSet> collect(const std::vector<Clip>& clips, const std::string& set, const std::vector<std::string>& classes, size_t samples) {
  const auto count = std::count_if(clips.begin(), clips.end(), [&](const Clip& c) { return c.set == set; });
  ClipSet out{make_array(DType::f32, {count, static_cast<int64_t>(samples)}), make_array(DType::i32, {count})};
  size_t row = 0;
  for (const Clip& c : clips) {
    if (c.set != set) continue;
    const auto label = std::find(classes.begin(), classes.end(), c.label);
    if (label == classes.end()) return fail(fmt::format("`{}`: no training clip has the label `{}`", c.path, c.label));
    out.labels.as<int32_t>()[row] = static_cast<int32_t>(label - classes.begin());
    std::copy(c.samples.begin(), c.samples.end(), out.waves.as<float>().begin() + static_cast<ptrdiff_t>(row * samples));
    ++row;
  }
  return out;
}

Result<Clips> read_all(const std::string& dir, const std::set<std::string>& paths, int64_t rate, size_t samples) {
  Reader r{rate, samples, {}};
  for (const std::string& path : paths)
    if (auto ok = r.file(path, fs::path(path).lexically_relative(dir)); !ok) return std::unexpected(ok.error());
  Clips out;
  out.classes = classes_of(r.clips);
  for (const auto& [name, to] : {std::pair("train", &out.train), std::pair("test", &out.test)}) {
    auto set = collect(r.clips, name, out.classes, samples);
    if (!set) return std::unexpected(set.error());
    if (set->labels.rows() == 0) return fail(fmt::format("`{}` has no `.wav` files of the set `{}`; {}", dir, name, folder_listing(dir)));
    *to = std::move(*set);
  }
  return out;
}

}  // namespace

Result<Clips> read_clips(const std::string& dir, int64_t rate, int64_t samples) {
  GLIA_CHECK(rate > 0 && samples > 0 && samples <= int64_t{1} << 28, "a clip has samples");
  const auto paths = all_files(dir);
  if (!paths) return std::unexpected(paths.error());
  return within_memory(dir, [&] { return read_all(dir, *paths, rate, static_cast<size_t>(samples)); });
}

}  // namespace glia::io
