// Unpacking gzip data (RFC 1952) with zlib: several members, a limit on the output, exact reasons.
#include <algorithm>

#include <fmt/format.h>
#include <zlib.h>

#include "io/file.h"

namespace glia::io {
namespace {

constexpr std::string_view magic = "\x1f\x8b";
constexpr int gzip_window = 16 + MAX_WBITS;  // zlib's way to ask for the gzip wrapper, with its checksum

struct Stream {
  z_stream z{};
  bool ready = false;

  Stream() { ready = inflateInit2(&z, gzip_window) == Z_OK; }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (ready) inflateEnd(&z);
  }
};

struct Unpacker {
  std::string_view rest;  // input that zlib has not been given
  const std::string& path;
  uint64_t limit;
  Stream stream;
  std::string out;
  uint64_t filled = 0;

  Result<void> member();
  void feed();
  bool grow();
  std::unexpected<Error> corrupted(int code) const;
};

// zlib counts in 32 bits, so large inputs and outputs go in pieces.
void Unpacker::feed() {
  if (stream.z.avail_in > 0) return;
  const size_t n = std::min<size_t>(rest.size(), size_t{1} << 30);
  stream.z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));  // zlib only reads it
  stream.z.avail_in = static_cast<uInt>(n);
  rest.remove_prefix(n);
}

// One byte over the limit is allowed for, to tell "just fits" from "too large".
bool Unpacker::grow() {
  if (filled > limit) return false;
  if (filled == out.size()) out.resize(std::min<uint64_t>(out.size() + out.size() / 2 + 65536, limit + 1));
  return true;
}

std::unexpected<Error> Unpacker::corrupted(int code) const {
  const std::string help = "fetch or pack the file again";
  if (code == Z_BUF_ERROR) return fail(fmt::format("`{}` is truncated: the gzip data ends after {} unpacked bytes", path, filled), help);
  if (code == Z_MEM_ERROR) return fail(fmt::format("cannot unpack `{}`: not enough memory", path));
  const char* reason = stream.z.msg != nullptr ? stream.z.msg : "invalid data";
  return fail(fmt::format("`{}` is corrupted: {} (gzip, after {} unpacked bytes)", path, reason, filled), help);
}

Result<void> Unpacker::member() {
  for (;;) {
    if (!grow()) return fail(fmt::format("`{}` unpacks to more than the limit of {} bytes", path, limit));
    feed();
    const size_t room = std::min<size_t>(out.size() - filled, size_t{1} << 30);
    stream.z.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    stream.z.avail_out = static_cast<uInt>(room);
    const int code = inflate(&stream.z, Z_NO_FLUSH);
    filled += room - stream.z.avail_out;
    if (code == Z_STREAM_END) return {};
    const bool starved = stream.z.avail_in == 0 && rest.empty() && stream.z.avail_out > 0;
    if (code != Z_OK && code != Z_BUF_ERROR) return corrupted(code);
    if (starved) return corrupted(Z_BUF_ERROR);
  }
}

}  // namespace

Result<std::string> gunzip(std::string_view packed, const std::string& path, uint64_t limit) {
  if (packed.size() >= magic.size() && !packed.starts_with(magic))
    return fail(fmt::format("`{}` is not a gzip file: it does not begin with the bytes 1f 8b", path),
                "rename it without `.gz` if it is plain");
  Unpacker u{packed, path, limit, {}, {}, 0};
  if (!u.stream.ready) return fail(fmt::format("cannot unpack `{}`: not enough memory", path));
  for (;;) {
    if (auto done = u.member(); !done) return std::unexpected(done.error());
    const std::string_view left = packed.substr(packed.size() - u.rest.size() - u.stream.z.avail_in);
    if (left.find_first_not_of('\0') == std::string_view::npos) break;  // the end, or padding of a tape block
    if (!left.starts_with(magic)) return fail(fmt::format("`{}` has {} bytes after the end of its gzip data", path, left.size()));
    inflateReset(&u.stream.z);
  }
  u.out.resize(u.filled);
  if (u.filled > limit) return fail(fmt::format("`{}` unpacks to more than the limit of {} bytes", path, limit));
  return std::move(u.out);
}

}  // namespace glia::io
