// Whole files in and out, over POSIX calls: they give the reason of a failure, which streams do not.
#include "io/file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace glia::io {
namespace {

struct Descriptor {
  int fd = -1;

  explicit Descriptor(int opened) : fd(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

std::unexpected<Error> system_fault(std::string_view verb, const std::string& path, int code) {
  return fail(fmt::format("cannot {} `{}`: {}", verb, path, std::strerror(code)));
}

std::unexpected<Error> too_large(const std::string& path, uint64_t limit) {
  return fail(fmt::format("`{}` is larger than the limit of {} bytes", path, limit), "split it into several files");
}

// Reads to the end rather than by the size, which is 0 for pipes and for files the kernel makes up.
Result<std::string> read_all(int fd, const std::string& path, uint64_t size_hint, uint64_t limit) {
  std::string out;
  uint64_t filled = 0;
  out.resize(size_hint + 1);  // one more, so that a file of the stated size ends without growing
  for (;;) {
    if (filled > limit) return too_large(path, limit);
    if (filled == out.size()) out.resize(out.size() + out.size() / 2 + 65536);
    const ssize_t n = ::read(fd, out.data() + filled, out.size() - filled);
    if (n == 0) break;
    if (n < 0 && errno != EINTR) return system_fault("read", path, errno);
    if (n > 0) filled += static_cast<uint64_t>(n);
  }
  out.resize(filled);
  return out;
}

Result<std::string> read_plain(const std::string& path, uint64_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) return system_fault("open", path, errno);
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) return system_fault("open", path, errno);
  if (S_ISDIR(info.st_mode)) return fail(fmt::format("cannot read `{}`: it is a directory", path));
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) return fail(fmt::format("cannot read `{}`: it is not a file", path));
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size > limit) return too_large(path, limit);
  return read_all(file.fd, path, size, limit);
}

Result<void> write_all(int fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return system_fault("write", path, errno);
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

// The name is taken with O_EXCL, so that two writers of one file never share a temporary.
int open_temporary(const std::string& path, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.tmp.{}.{}", path, ::getpid(), attempt);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

// A rename is only on disk when its directory is.
void sync_directory(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string dir = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Descriptor handle(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.fd >= 0) ::fsync(handle.fd);
}

Result<void> fill_temporary(int fd, const std::string& path, std::span<const std::string_view> parts) {
  const Descriptor file(fd);
  for (std::string_view part : parts)
    if (auto done = write_all(fd, path, part); !done) return done;
  if (::fsync(fd) != 0) return system_fault("write", path, errno);
  return {};
}

bool is_packed(const std::string& path, std::string_view bytes) {
  return path.ends_with(".gz") || bytes.starts_with("\x1f\x8b");
}

}  // namespace

Result<std::string> read_file(const std::string& path, Gzip gzip, uint64_t limit) {
  if (path.find('\0') != std::string::npos) return fail("cannot open a file: its name holds a zero byte");
  return within_memory(path, [&]() -> Result<std::string> {
    auto bytes = read_plain(path, limit);
    if (!bytes || gzip == Gzip::never || !is_packed(path, *bytes)) return bytes;
    return gunzip(*bytes, path, limit);
  });
}

Result<void> write_file(const std::string& path, std::span<const std::string_view> parts) {
  if (path.find('\0') != std::string::npos) return fail("cannot write a file: its name holds a zero byte");
  std::string temporary;
  const int fd = open_temporary(path, temporary);
  if (fd < 0) return system_fault("write", path, errno);
  auto done = fill_temporary(fd, path, parts);
  if (done && ::rename(temporary.c_str(), path.c_str()) != 0) done = system_fault("write", path, errno);
  if (!done) ::unlink(temporary.c_str());
  if (done) sync_directory(path);
  return done;
}

Result<void> write_file(const std::string& path, std::string_view content) { return write_file(path, std::span(&content, 1)); }

}  // namespace glia::io
