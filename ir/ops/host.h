// Ops of the host: text, output, and data. Never differentiated or batched.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

struct Host {
  static constexpr Family family = Family::host;
  static constexpr int arity = -1;
};

struct StrOp : Host {
  static constexpr auto name = "str"sv, doc = "a text"sv;
  static constexpr int arity = 0;
  static TypeRule type(const TypeContext& c);
};

// The value as text, by the fmt format spec in the attribute `text` (may be empty).
struct Format : Host {
  static constexpr auto name = "format"sv, doc = "a value as text"sv;
  static constexpr int arity = 1;
  static TypeRule type(const TypeContext& c);
};

struct JoinStr : Host {
  static constexpr auto name = "join_str"sv, doc = "texts one after the other"sv;
  static TypeRule type(const TypeContext& c);
};

// Prints its arguments separated by spaces, and a newline unless the attribute `index` is 1 (write).
struct Print : Host {
  static constexpr auto name = "print"sv, doc = "prints its arguments"sv;
  static constexpr bool effect = true;
  static TypeRule type(const TypeContext& c);
};

// A function of the host by name (attribute `text`), such as a reader of data; `options` hold the literal arguments
// that fixed its type. The elaborator gives the type.
struct HostCall : Host {
  static constexpr auto name = "host"sv, doc = "a function of the host, by name"sv;
};

// A list of values of one type.
struct MakeList : Host {
  static constexpr auto name = "list"sv, doc = "a list of its arguments"sv;
};

using HostOps = OpList<StrOp, Format, JoinStr, Print, HostCall, MakeList>;

}  // namespace glia::ir
