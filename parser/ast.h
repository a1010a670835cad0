// The syntax tree: plain structs in append-only vectors, read with std::visit. Made by build_ast.cpp
// (the only reader of the ANTLR tree), consumed by the elaborator, forgotten after it.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/source.h"

namespace glia::ast {

using ExprId = Id<struct ExprTag>;
using TypeExprId = Id<struct TypeExprTag>;
using PatternId = Id<struct PatternTag>;

struct Name {
  std::string text;  // NFKC
  Span span;
};

// ---- types ------------------------------------------------------------------------------------

// f32[m, 2*h + 1, ..s, ?]: an element type or an alias with its dims
struct DimItem {
  enum Kind : uint8_t { expr, pack, unknown } kind = expr;  // m + 1 | ..s | ?
  ExprId dim;                                               // expr
  Name pack_name;                                           // pack
  Span span;
};
// `f32`, `Mlp(10)`, `nn.Dense(3, h)`, `f32[m, n]`, `dim[2]`: a possibly qualified name, with either arguments or dims
struct NamedType { std::vector<Name> path; std::vector<ExprId> args; bool has_args = false; std::vector<DimItem> dims; bool has_dims = false; };
struct TupleType { std::vector<TypeExprId> elems; };                       // () is unit
struct RecordType { std::vector<Name> names; std::vector<TypeExprId> elems; };
struct ListType { TypeExprId elem; };
struct FnType { std::vector<TypeExprId> params; TypeExprId result; };
struct TypeVar { Name name; };                                             // 'a

struct TypeExpr {
  std::variant<NamedType, TupleType, RecordType, ListType, FnType, TypeVar> node;
  Span span;
};

// ---- patterns ---------------------------------------------------------------------------------

struct WildPattern {};
struct NamePattern { Name name; };
struct LiteralPattern { ExprId value; };                                   // number (maybe negative), string, true, false
struct TuplePattern { std::vector<PatternId> elems; };
struct RecordPattern { std::vector<Name> names; std::vector<PatternId> elems; };   // { a, b: p }
struct ConstructorPattern { std::vector<Name> path; std::vector<PatternId> args; };

struct Pattern {
  std::variant<WildPattern, NamePattern, LiteralPattern, TuplePattern, RecordPattern, ConstructorPattern> node;
  Span span;
};

// ---- expressions ------------------------------------------------------------------------------

enum class UnaryOp : uint8_t { neg, logical_not };
enum class BinaryOp : uint8_t { pipe, logical_or, logical_and, eq, ne, lt, le, gt, ge, add, sub, mul, div, floordiv, mod, matmul, pow };

// One parameter of a function, lambda, model or optimiser.
struct Param {
  PatternId pattern;
  TypeExprId type;          // may be invalid: inferred
  ExprId default_value;     // may be invalid
  bool variadic = false;    // fs...
  Span span;
};

struct Arg { std::optional<Name> name; ExprId value; Span span; };

struct Number { bool is_float = false; int64_t i = 0; double f = 0; };     // `i` and `f` both hold the value
struct StringPiece { std::string text; ExprId expr; std::string format; }; // literal text, or an interpolation `{expr:format}`
struct String { std::vector<StringPiece> pieces; };
struct NameRef { std::string name; };                                      // also pi inf nan true false
struct Hole {};                                                            // `_` as an argument
struct Tuple { std::vector<ExprId> elems; };                               // () is the empty tuple; (x) is not a tuple
struct List { std::vector<ExprId> elems; };
struct RecordField { Name name; ExprId value; };
struct Record { std::vector<Name> constructor; ExprId spread; std::vector<RecordField> fields; };  // constructor empty: plain record
struct Unary { UnaryOp op; ExprId operand; };
struct Binary { BinaryOp op; ExprId left, right; Span op_span; };
struct Call { ExprId callee; std::vector<Arg> args; };
struct IndexItem { bool is_slice = false; ExprId index; ExprId start, stop, step; Span span; };    // parts of a slice may be invalid
struct Index { ExprId base; std::vector<IndexItem> items; };
struct Field { ExprId base; Name name; };                                  // x.f, x.0 and x.T
struct Lambda { std::vector<Param> params; ExprId body; };
struct If { ExprId condition, then_branch, else_branch; };                 // else_branch may be invalid
struct Range { ExprId begin, end; };                                       // a..b, only after `in`

// `for i, j`, `for i < n`, `for p in xs`; clauses nest from left to right
struct ForClause {
  enum Kind : uint8_t { bare, below, in } kind = bare;
  PatternId pattern;    // bare and below: a NamePattern or `_`
  ExprId bound;         // below: n; in: a list, tensor, tuple or Range
  Span span;
};
struct For { std::vector<ForClause> clauses; ExprId filter; ExprId body; };
// loop p = init for x in xs { … } / while c { … }; scan also with `yield f`
struct Loop {
  bool is_scan = false;
  PatternId state;
  TypeExprId type;      // may be invalid
  ExprId init;
  std::optional<ForClause> over;
  ExprId condition;     // while
  ExprId body;
  ExprId yield;         // may be invalid
};
struct MatchArm { PatternId pattern; ExprId guard; ExprId body; Span span; };
struct Match { ExprId subject; std::vector<MatchArm> arms; };
struct OnDevice { ExprId device; ExprId body; };
struct Recompute { ExprId body; };
struct Cached { ExprId body; };

struct LetStmt { PatternId pattern; TypeExprId type; ExprId value; };
struct AssignStmt { Name target; ExprId value; };                          // s := e
struct AssertStmt { ExprId condition; };
struct ExprStmt { ExprId value; };
struct Stmt { std::variant<LetStmt, AssignStmt, AssertStmt, ExprStmt> node; Span span; };
struct Block { std::vector<Stmt> stmts; };

struct Expr {
  std::variant<Number, String, NameRef, Hole, Tuple, List, Record, Unary, Binary, Call, Index, Field, Lambda, If, Range, For, Loop,
               Match, OnDevice, Recompute, Cached, Block>
      node;
  Span span;
};

// ---- declarations -----------------------------------------------------------------------------

struct Backward { std::vector<Param> params; ExprId body; };

struct FnDecl {
  Name name;
  std::vector<Param> params;
  TypeExprId result;                // may be invalid
  ExprId body;
  std::optional<Backward> backward;
  std::string doc;
  Span span;                        // of the signature
};

struct VariantCase { Name name; std::vector<Name> field_names; std::vector<TypeExprId> fields; };  // field_names may hold empty names
struct TypeDecl {
  Name name;
  std::vector<Name> params;         // type or dim parameters
  std::vector<VariantCase> cases;   // a variant
  TypeExprId alias;                 // a nominal record (RecordType) or an alias
  std::string doc;
  Span span;
};

struct ImportItem { std::vector<Name> path; Name as; };                    // import a.b as c; `as` is empty without one
struct ImportDecl { std::vector<ImportItem> items; };
struct FromImportDecl { std::vector<Name> path; std::vector<ImportItem> names; };

struct ModelParam { Name name; TypeExprId type; ExprId init; bool draws = false; std::string doc; Span span; };  // `~ init` draws
struct ModelState { Name name; TypeExprId type; ExprId init; std::string doc; Span span; };
struct ModelLayer { Name name; ExprId value; std::string doc; Span span; };
struct ModelDecl {
  Name name;
  std::vector<Param> params;
  std::vector<std::variant<ModelParam, ModelState, ModelLayer, FnDecl>> members;
  std::string doc;
  Span span;
};

struct OptimizerDecl {
  Name name;
  std::vector<Param> params;
  std::vector<ModelState> states;
  std::vector<Param> update_params;   // (p, g)
  ExprId update;
  std::string doc;
  Span span;
};

struct OptionDecl { Name name; TypeExprId type; ExprId default_value; std::string doc; Span span; };

struct TrainEntry { Name key; ExprId value; };
struct TrainDecl { Name name; std::vector<TrainEntry> entries; Span span; };  // name.text empty without one
struct TestDecl { std::string name; ExprId body; Span span; };
struct LetDecl { LetStmt let; std::string doc; };

struct Item {
  std::variant<FnDecl, TypeDecl, ImportDecl, FromImportDecl, ModelDecl, OptimizerDecl, OptionDecl, TrainDecl, TestDecl, LetDecl,
               AssignStmt, AssertStmt, ExprStmt>
      node;
  Span span;
};

// One parsed file.
class Tree {
 public:
  FileId file;
  std::string doc;             // the leading `##` comment of the file
  std::vector<Item> items;

  const Expr& operator[](ExprId id) const { return exprs_[id.index()]; }
  const TypeExpr& operator[](TypeExprId id) const { return types_[id.index()]; }
  const Pattern& operator[](PatternId id) const { return patterns_[id.index()]; }
  const std::vector<Expr>& exprs() const { return exprs_; }
  const std::vector<TypeExpr>& types() const { return types_; }
  const std::vector<Pattern>& patterns() const { return patterns_; }
  ExprId add(Expr e) { return exprs_.push_back(std::move(e)), ExprId(exprs_.size() - 1); }
  TypeExprId add(TypeExpr e) { return types_.push_back(std::move(e)), TypeExprId(types_.size() - 1); }
  PatternId add(Pattern e) { return patterns_.push_back(std::move(e)), PatternId(patterns_.size() - 1); }

 private:
  std::vector<Expr> exprs_;
  std::vector<TypeExpr> types_;
  std::vector<Pattern> patterns_;
};

}  // namespace glia::ast
