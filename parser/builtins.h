// The functions of the language that are written in C++, by family; each file gives its list.
#pragma once
#include <span>

#include "parser/elaborator.h"

namespace glia {

std::span<const Builtin> elementwise_builtins();
std::span<const Builtin> reduce_builtins();
std::span<const Builtin> shape_builtins();
std::span<const Builtin> make_builtins();
std::span<const Builtin> image_builtins();
std::span<const Builtin> linalg_builtins();
std::span<const Builtin> random_builtins();
std::span<const Builtin> derivative_builtins();
std::span<const Builtin> text_builtins();
std::span<const Builtin> list_builtins();
std::span<const Builtin> data_builtins();  // data.csv …, and `.split` for methods of data

// A field of an object of the host, such as `size` of a vocabulary; poison where it has none of that name.
Val object_field(Elaborator& e, const Val& object, const std::string& name, Span span);

// The argument of this name, wherever it stands; null where it is not given.
CallArg* argument(const Builtin& f, std::vector<CallArg>& args, std::string_view name);

// A number or tensor, or a report and nothing.
std::optional<ir::Value> tensor_argument(Elaborator& e, const Builtin& f, CallArg* a, Span span);

// A size that is known before the program runs and not negative; nothing otherwise, and nothing is said.
std::optional<ir::DimId> size_argument(Elaborator& e, const CallArg* a);

// Constant axes: one, or a list or tuple of them; negative from the end. All axes where not given.
std::optional<ir::Ints> axes_argument(Elaborator& e, const Builtin& f, CallArg* a, size_t rank, Span span);

// The node, unless the op's type rule has a complaint, which is reported.
std::optional<ir::Value> checked_emit(Elaborator& e, const Builtin& f, ir::OpId op, std::vector<ir::Value> args, ir::Attrs attrs, Span span);

inline constexpr DiagKind wrong_argument{"E0310", Severity::error, "`{}` {}"};

}  // namespace glia
