// Copying functions node by node, as the passes that build new ones do.
#pragma once
#include <functional>

#include "ir/builder.h"
#include "ir/value.h"

namespace glia::ir {

// The node with other arguments, from the same source.
Value copy_node(Builder& b, const Node& n, std::span<const Value> args);
// A parameter like this one, of its type or another.
Value copy_param(Builder& b, const Node& param, TypeId type = {});
std::vector<Value> copy_params(Builder& b, const Func& f);

// Copies the nodes of f with its parameters replaced; a value for every node. Effects happen only where they are wanted:
// what runs again for a derivative does not print again.
enum class Effects : uint8_t { kept, dropped };
// A node for which `make` gives a value of its own becomes that.
using NodeMaker = std::function<Value(size_t node, std::span<const Value> args)>;
std::vector<Value> copy_nodes(Builder& b, const Func& f, std::span<const Value> params, Effects effects = Effects::kept, const NodeMaker& make = {});

// f with its calls replaced by what they call, at any depth. Calls with a derivative by hand and recursive ones stay.
Func inline_calls(Module& m, const Func& f);

// A function to be defined with the results of this one, their types changed.
FuncId reserve_like(Module& m, FuncId id, const std::function<TypeId(TypeId)>& type = {});

// Emits an op with nested functions and gives its results one by one.
std::vector<Value> emit_control(Builder& b, OpId op, std::span<const Value> args, Attrs attrs, std::span<const TypeId> results);
// The results of such a node, which are its elements unless there is just one.
std::vector<Value> results_of(Value y, size_t count);
TypeId result_type(Types& types, std::span<const TypeId> results);
std::vector<TypeId> result_types(const Func& f);

// How many leading arguments of a loop, scan or while are its states.
size_t state_count(const Node& loop);

// A tuple of the given (tuple or record) type.
Value tuple_as(Builder& b, TypeId type, std::span<const Value> elems);
// The type with one more leading axis in every tensor; nothing where a part is no tensor.
std::optional<TypeId> stacked(Types& types, TypeId type, DimId rows);
// Row i of a value of such a type.
Value row(Value x, Value i);

}  // namespace glia::ir
