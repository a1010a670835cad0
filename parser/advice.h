// What messages say about the values that take part: where each comes from, and how to write what was meant.
#pragma once
#include "parser/elaborator.h"

namespace glia {

// The text of an expression as an operand of something that binds tighter: in parentheses unless it is one word or call.
std::string as_operand(Elaborator& e, Span at);

// The type of a value in quotes; words such as "the model `Net`" have their own.
std::string quoted(Elaborator& e, const Val& v);

// The label of such a place.
inline constexpr std::string_view as_declared = "the type declares it here";

// Where a type of the program declares a case or a field; no place where it is not of the program.
Span declared_at(Elaborator& e, const std::string& type, const std::string& part);

// The type of an operand at its place, and where the value comes from if that is elsewhere.
void label_value(Elaborator& e, Diagnostic& d, const Val& v, Span at);

// Only where it comes from.
Diagnostic& label_origin(Elaborator& e, Diagnostic& d, const Val& v, Span at);

// Where a size of the value came about, or came in.
void label_size_source(Elaborator& e, Diagnostic& d, const Val& v, ir::DimId size);

// One shape is the other with axes of size 1 more: which index drops them.
std::optional<std::string> without_ones(Elaborator& e, const ir::Shape& longer, const ir::Shape& shorter, Span at);

// The value lacks leading axes of size 1 that the other shape has.
std::optional<std::string> with_ones(Elaborator& e, const ir::Shape& longer, const ir::Shape& shorter, Span at);

// What to write instead of a value that does not fit its declared type.
void advise_mismatch(Elaborator& e, Diagnostic& d, ir::TypeId pattern, ast::TypeExprId type, const Val& v, const ScopePtr& scope, Span at);

// The models in scope that have a function of this name.
std::vector<std::string> models_with(const ScopePtr& scope, std::string_view function);

}  // namespace glia
