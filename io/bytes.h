// Little endian numbers inside bytes. Whoever reads one has checked that it is there.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/error.h"

namespace glia::io {

template <class T>
T little_endian(std::string_view bytes, size_t at) {
  GLIA_CHECK(at <= bytes.size() && bytes.size() - at >= sizeof(T), "a number inside the bytes");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));  // the host is little endian (io/array.h)
  return value;
}

}  // namespace glia::io
