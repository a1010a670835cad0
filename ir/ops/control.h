// Ops with nested functions, structure, and effects. Nested functions are closed: what they use comes as arguments.
// Passes treat these by name: they are the compiler, give them room.
#pragma once
#include "ir/ops/op.h"

namespace glia::ir {

using namespace std::string_view_literals;

struct Control {
  static constexpr Family family = Family::control;
  static constexpr int arity = -1;
  static constexpr bool control = true;
};

struct Param : Control {
  static constexpr auto name = "param"sv, doc = "a parameter of the function"sv;
  static constexpr int arity = 0;
  static constexpr bool control = false;
};

struct TupleOp : Control {
  static constexpr auto name = "tuple"sv, doc = "a tuple or record of its arguments"sv;
  static constexpr bool control = false;
  static TypeRule type(const TypeContext& c);
};

struct Get : Control {
  static constexpr auto name = "get"sv, doc = "element index of a tuple"sv;
  static constexpr int arity = 1;
  static constexpr bool control = false;
  static TypeRule type(const TypeContext& c);
};

// func(args): a tuple of the results of func, or the result itself where there is one. `other`, where given, is the
// derivative by hand: other(args.., results.., cotangents of the results..) gives the cotangents of the args.
struct CallOp : Control {
  static constexpr auto name = "call"sv, doc = "the results of func of the arguments"sv;
};

// if(cond, args..): func(args) where cond holds, else other(args). Only the branch taken runs. Type as call.
struct If : Control {
  static constexpr auto name = "if"sv, doc = "func of the arguments if the first argument holds, else other of them"sv;
};

// map(args..): func(i, args..) for the i32 i in 0..count (a size), results stacked along a new leading axis. Type as call.
struct Map : Control {
  static constexpr auto name = "map"sv, doc = "func(i, args) for each i below count, stacked along a new leading axis"sv;
};

// loop(state.., args..): state = func(i, state.., args..) for i in 0..count; `wrt` = [number of states]; the states,
// type as call.
struct Loop : Control {
  static constexpr auto name = "loop"sv, doc = "the state after count steps of func(i, state, args)"sv;
};

// scan: as loop, giving every state stacked along a new leading axis.
struct Scan : Control {
  static constexpr auto name = "scan"sv, doc = "every state of count steps of func(i, state, args), stacked"sv;
};

// `wrt` as in loop; missing: all are states. while(state.., args..): state = func(state.., args..) while other(state.., args..).
struct While : Control {
  static constexpr auto name = "while"sv, doc = "the state of func(state, args) when other(state, args) no longer holds"sv;
};

// grad(args..): the derivatives of the one float scalar result of func in the parameters `wrt`, a tuple (or the one).
// With `index` = 1 the tuple begins with the value itself. Gone after differentiation.
struct Grad : Control {
  static constexpr auto name = "grad"sv, doc = "the derivatives of the scalar func in its parameters wrt"sv;
};

// assert(cond, text..): stops with a message where cond does not hold.
struct Assert : Control {
  static constexpr auto name = "assert"sv, doc = "stops the run where the condition does not hold"sv;
  static constexpr bool control = false, effect = true;
  static TypeRule type(const TypeContext& c);
  static Batched batch(const Use& u, std::span<const Batched> args, DimId rows);
};

using ControlOps = OpList<Param, TupleOp, Get, CallOp, If, Map, Loop, Scan, While, Grad, Assert>;

}  // namespace glia::ir
