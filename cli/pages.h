// The pages of docs/diagnostics as text inside the binary (written by cmake/embed.cmake).
#pragma once
#include <string_view>
#include <vector>

namespace glia {

struct DiagnosticPage {
  std::string_view name;  // "E0203"
  std::string_view text;
};

const std::vector<DiagnosticPage>& diagnostic_pages();  // by name

}  // namespace glia
