// NFKC through utf8proc; plain ASCII, nearly every name, is passed through.
#include "parser/nfkc.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <utf8proc.h>

namespace glia {

std::string nfkc(std::string_view name) {
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(name.begin(), name.end(), ascii)) return std::string(name);
  utf8proc_uint8_t* raw = nullptr;
  constexpr auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                                   static_cast<utf8proc_ssize_t>(name.size()), &raw, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(raw, &std::free);
  if (length < 0) return std::string(name);
  return std::string(reinterpret_cast<const char*>(raw), static_cast<size_t>(length));
}

}  // namespace glia
