// Turns the structs of ops/ into one table. A member that a family needs and a struct lacks does not compile.
#include "ir/ops/table.h"

#include <array>

#include "ir/ops/all.h"

namespace glia::ir {

namespace {
template <class Op>
TypeRule type_rule(const TypeContext& c) {
  if constexpr (Op::family == Family::elementwise) return elementwise_type(c, Op::takes, Op::predicate);
  else return Op::type(c);
}

template <class Op>
constexpr OpInfo make_info() {
  OpInfo i{.name = Op::name, .doc = Op::doc, .family = Op::family, .arity = Op::arity};
  if constexpr (requires { Op::commutes; }) i.commutes = Op::commutes;
  if constexpr (requires { Op::effect; }) i.effect = Op::effect;
  if constexpr (requires { Op::linear; }) i.linear = Op::linear;
  if constexpr (requires { Op::control; }) i.control = Op::control;
  if constexpr (requires { Op::bounded; }) i.bounded = Op::bounded;
  if constexpr (requires { Op::sees_batch; }) i.sees_batch = Op::sees_batch;
  if constexpr (requires { Op::takes; }) i.takes = Op::takes;
  if constexpr (requires { Op::scalar; }) i.scalar = Op::scalar;
  if constexpr (requires { Op::sample; }) i.sample = Op::sample;
  if constexpr (requires { &Op::derivative; }) i.derivative = &Op::derivative;
  if constexpr (requires { &Op::differentiable; }) i.differentiable = &Op::differentiable;
  if constexpr (Op::family == Family::elementwise) i.batch = &elementwise_batch;
  else if constexpr (requires { &Op::batch; }) i.batch = &Op::batch;
  if constexpr (Op::family == Family::elementwise || requires { &Op::type; }) i.type = &type_rule<Op>;
  return i;
}

template <class... Ops>
constexpr auto make_table(OpList<Ops...>) {
  return std::array<OpInfo, sizeof...(Ops)>{make_info<Ops>()...};
}

constexpr auto table = make_table(AllOps{});
}  // namespace

std::span<const OpInfo> op_table() { return table; }

std::optional<OpId> op_from_name(std::string_view name) {
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name) return OpId(i);
  return std::nullopt;
}

}  // namespace glia::ir
