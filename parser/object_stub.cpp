#include "parser/builtins.h"
namespace glia { Val object_field(Elaborator&, const Val&, const std::string&, Span) { return {}; } }
