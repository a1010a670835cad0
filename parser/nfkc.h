// Names are compared in Unicode's compatibility composition (NFKC): `µ` typed in two ways is one name.
#pragma once
#include <string>
#include <string_view>

namespace glia {

std::string nfkc(std::string_view name);

}  // namespace glia
