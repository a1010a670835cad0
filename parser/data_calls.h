// What the functions of data share: calls of the host, and arguments that must be written out because types follow from them.
#pragma once
#include "parser/builtins.h"

namespace glia {

using Lines = std::vector<std::string>;
constexpr char option_separator = '\x1f';

// The value that the host's function `name` gives; `options` are "key=value".
Val host(Elaborator& e, std::string name, std::vector<ir::ValueId> args, Lines options, ir::TypeId type, Span span);

// The first argument, elaborated where it is not yet, as a text of the run.
std::optional<ir::ValueId> path_argument(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, const ScopePtr& scope, Span span);

std::span<const Builtin> reader_builtins();   // data.text …
std::span<const Builtin> source_builtins();   // data.synthetic, data.llama2c

}  // namespace glia
