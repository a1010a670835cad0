// What type rules of the other families share: checks that end in a sentence for the user.
#pragma once
#include <fmt/format.h>

#include "ir/ops/op.h"

namespace glia::ir {

template <class... Args>
std::unexpected<std::string> wrong(fmt::format_string<Args...> text, Args&&... args) {
  return std::unexpected(fmt::format(text, std::forward<Args>(args)...));
}

// The sentence on what is wrong, or nothing.
using Complaint = std::optional<std::string>;

template <class T>
bool has_attr(const TypeContext& c, AttrKey key) {
  const AttrValue* v = c.attrs.find(key);
  return v && std::holds_alternative<T>(*v);
}

// All arguments are tensors, and the attributes asked for are there with the type they must have.
Complaint tensors(const TypeContext& c);
Complaint distinct_axes(const Ints& axes, size_t rank);  // each in 0..rank-1, none twice
Complaint axis_within(int64_t axis, size_t rank);
Complaint sizes(const Types& types, const DimList& shape);  // valid, none known to be negative

template <class T>
Complaint needs(const TypeContext& c, AttrKey key) {
  if (has_attr<T>(c, key)) return std::nullopt;
  return fmt::format("lacks its attribute {}", attr_name(key));
}

// The first complaint of several checks made in order.
template <class... Checks>
Complaint first_of(Checks... checks) {
  Complaint found;
  ((found || (found = checks(), found)), ...);
  return found;
}

inline Ints shifted(Ints axes, int64_t by) {
  for (int64_t& a : axes) a += by;
  return axes;
}

// One more entry in front.
template <class T>
std::vector<T> led_by(T first, std::vector<T> rest) {
  rest.insert(rest.begin(), std::move(first));
  return rest;
}

// The op of the use with other arguments and attributes.
inline Batched again(const Use& u, std::vector<ValueId> args, const Attrs& attrs) {
  return {u.b.emit(u.node.op, std::move(args), attrs), true};
}

inline Attrs with(Attrs attrs, AttrKey key, AttrValue value) {
  attrs.set(key, std::move(value));
  return attrs;
}

}  // namespace glia::ir
