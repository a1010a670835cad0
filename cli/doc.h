// The words about a name, for `glia doc` and for `:doc` of a session.
#pragma once
#include <expected>
#include <string>

namespace glia::cli {

// `softmax`, `nn`, `nn.Dense`, `optim.adam`, `FILE`, `FILE:NAME`; the error says what was meant instead.
std::expected<std::string, std::string> doc_text(const std::string& name);

}  // namespace glia::cli
