// What an expression means while a program is elaborated. Structure, functions, sizes and literals are known to
// the elaborator; only tensors (and what the host computes) are nodes of the IR. So tuples, records and models are
// trees of vals here, functions are closures that are inlined where they are called, and the IR stays first order.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ir/value.h"
#include "parser/ast.h"

namespace glia {

struct Val;
struct Scope;
struct Zip;
struct Unit;      // a parsed file and its scope (elaborator.h)
struct Builtin;
using ScopePtr = std::shared_ptr<Scope>;
using GlobalId = Id<struct GlobalTag>;  // a value that an earlier top-level statement computed

// A scalar constant. A weak one is a literal that still adapts to the type wanted.
struct Number {
  ir::AttrValue value;  // int64_t or double
  DType dtype = DType::i32;
  bool weak = false;
  double real() const { return std::holds_alternative<double>(value) ? std::get<double>(value) : static_cast<double>(std::get<int64_t>(value)); }
  bool is_real() const { return std::holds_alternative<double>(value); }
};

// A node of a function under construction. Frames have numbers, so that a node of a finished one is noticed.
struct NodeRef {
  uint32_t frame;
  ir::ValueId id;
};

// A model as it was instantiated: its arguments in scope.
struct ModelInstance {
  const ast::ModelDecl* decl;
  Unit* unit;
  ScopePtr args;
};

// A tuple, record, nominal record or model.
struct Structure {
  std::vector<std::string> fields;  // empty for a tuple
  std::vector<Val> elems;
  std::string name;                 // of a nominal record or model
  std::shared_ptr<const ModelInstance> model;
  std::shared_ptr<std::map<std::string, Val>> cells;  // of a model inside a training pass: the newest value of each state
};

struct Closure {
  const std::vector<ast::Param>* params;
  ast::TypeExprId result;
  ast::ExprId body;
  std::string name;               // empty for a lambda
  Span span;
  Unit* unit;
  ScopePtr scope;
  std::vector<Val> bound;         // first arguments already given (the model of a method)
  const ast::FnDecl* decl = nullptr;
  std::vector<ir::TypeId> opaque; // a function parameter of a signature being checked: parameter types, then the result
};

// f(_, 2): a call with holes
struct Partial {
  std::shared_ptr<const Val> callee;
  std::vector<std::optional<Val>> positional;  // nothing: a hole
  std::vector<std::pair<std::string, Val>> named;
  Span span;
};

// grad(f), value_and_grad(f): waits for its arguments
struct Transformed {
  const Builtin* transform;
  std::vector<Val> args;
  std::vector<std::pair<std::string, ast::ExprId>> syntax;  // named arguments that are names, not values: wrt
  std::shared_ptr<const Val> function;
  Span span;
  std::shared_ptr<const Val> names_of;   // whose parameters `wrt` names, where that is not `function` itself
};

struct CallArg;
// A function of values that is written here: the gradient inside a Jacobian.
struct Native {
  std::string name;
  std::function<Val(std::vector<CallArg>, Span)> call;
};

struct ModelRef { const ast::ModelDecl* decl; Unit* unit; ScopePtr scope; };
struct OptimizerRef { const ast::OptimizerDecl* decl; Unit* unit; ScopePtr scope; };
// An optimiser with its arguments: optim.adam(1e-3)
struct OptimizerRule { OptimizerRef ref; ScopePtr args; Span span; };
struct UnitRef { Unit* unit; };
struct TypeRef { ir::TypeId type; };  // f32 as a function: a conversion; also the types that the program declares
struct TypeMaker { const ast::TypeDecl* decl; Unit* unit; ScopePtr scope; };   // type Pair(n) = …, before its arguments
struct ConstructorRef { ir::TypeId type; uint32_t index; };                     // Leaf of `type Tree = Leaf(…) | Node(…)`
struct Zip { std::vector<Val> parts; };

struct Val {
  std::variant<std::monostate,                           // poison: already reported
               Number, ir::DimId, std::string, NodeRef, GlobalId,
               std::shared_ptr<const Structure>, std::shared_ptr<const std::vector<Val>>,  // a list with elements known one by one
               std::shared_ptr<const Closure>, std::shared_ptr<const Partial>, std::shared_ptr<const Transformed>, const Builtin*,
               ModelRef, OptimizerRef, std::shared_ptr<const OptimizerRule>, UnitRef, TypeRef, TypeMaker, ConstructorRef,
               std::shared_ptr<const Zip>, std::shared_ptr<const Native>>
      of;
  ir::TypeId type{};   // of a NodeRef or GlobalId
  Span origin{};       // where its type comes from, for messages

  template <class T>
  const T* get() const { return std::get_if<T>(&of); }
  bool poison() const { return of.index() == 0; }
  const Structure* structure() const {
    auto* p = get<std::shared_ptr<const Structure>>();
    return p ? p->get() : nullptr;
  }
  const std::vector<Val>* list() const {
    auto* p = get<std::shared_ptr<const std::vector<Val>>>();
    return p ? p->get() : nullptr;
  }
  const Closure* closure() const {
    auto* p = get<std::shared_ptr<const Closure>>();
    return p ? p->get() : nullptr;
  }
  const Zip* zip() const {
    auto* p = get<std::shared_ptr<const Zip>>();
    return p ? p->get() : nullptr;
  }
  bool callable() const;
};

// The range of an index of `for i => …`: set by the first x[i] in the body.
struct IndexRange {
  ir::DimId size;
  Span set_by;
  std::string set_from;
};

struct Binding {
  Val val;
  Span span;
  std::shared_ptr<IndexRange> index;  // a bare index, only under its own name
  bool used = false;
};

struct Scope {
  ScopePtr parent;
  std::map<std::string, Binding, std::less<>> names;
  std::shared_ptr<std::map<std::string, Val>> cells = nullptr;  // of the functions of a model in a training pass

  Binding* find(std::string_view name);
  void bind(const std::string& name, Val v, Span span = {}) { names[name] = Binding{std::move(v), span, nullptr, false}; }
  void collect(std::vector<std::string>& out) const;  // every visible name, for suggestions
};

inline ScopePtr inner_scope(ScopePtr parent) { return std::make_shared<Scope>(Scope{std::move(parent), {}, nullptr}); }

}  // namespace glia
