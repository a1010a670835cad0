// What the io tests share: a folder of their own that goes away, the real data, and bytes written by hand.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

namespace glia::io {

struct Scratch {
  std::filesystem::path dir;

  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "glia_io_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    dir = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(dir, ignored);
  }
  std::string path(const std::string& name) const { return (dir / name).string(); }
  std::string put(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
};

// The real data, or an empty text where it is not there.
inline std::string shared_data(const std::string& name) {
  const char* given = std::getenv("GLIA_SHARED");
  const std::filesystem::path root = given != nullptr ? given : GLIA_SOURCE_DIR "/../shared";
  const auto path = root / "data" / name;
  return std::filesystem::exists(path) ? path.string() : "";
}

// One gzip member, by zlib.
inline std::string packed(std::string_view bytes) {
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, bytes.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

inline std::string bytes_of(std::initializer_list<int> values) {
  std::string out;
  for (int v : values) out += static_cast<char>(v);
  return out;
}

// Calls f with every beginning of `good`, then with copies that have a few bits flipped or bytes replaced.
template <class F>
void for_damaged(const std::string& good, int copies, F&& f) {
  for (size_t n = 0; n < good.size(); ++n) f(good.substr(0, n));
  std::mt19937 random(7);
  for (int i = 0; i < copies; ++i) {
    std::string bad = good;
    for (unsigned k = 0; k < 1 + random() % 4; ++k) {
      char& c = bad[random() % bad.size()];
      c = random() % 2 == 0 ? static_cast<char>(c ^ (1 << random() % 8)) : static_cast<char>(random());
    }
    f(bad);
  }
}

// A Result that must be an error: its message, and the help after a line feed.
template <class R>
std::string fault(const R& result) {
  if (result) return "(no error)";
  return result.error().help.empty() ? result.error().message : result.error().message + "\n" + result.error().help;
}

}  // namespace glia::io

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
