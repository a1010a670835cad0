// From the concrete syntax to the syntax tree: one function a grammar rule, in build_*.cpp. The parse tree is
// complete here (a text with syntax errors never arrives), so no function meets a missing part.
#pragma once
#include "parser/ast.h"
#include "parser/lexemes.h"

namespace glia::syntax {

using P = GliaParser;
using Node = antlr4::tree::ParseTree;

class Builder {
 public:
  Builder(const Text& text, const std::vector<DocComment>& docs, Diagnostics& diags, ast::Tree& tree)
      : text_(text), docs_(docs), diags_(diags), tree_(tree) {}

  // build_decl.cpp, build_model.cpp
  void file(P::FileContext* ctx);
  void item(P::ItemContext* ctx);

  // build_expr.cpp
  ast::ExprId expr(P::ExprContext* ctx);

 private:
  // ---- places and words (build_names.cpp)
  Span span(antlr4::ParserRuleContext* ctx) const;
  Span span(antlr4::Token* token) const;
  Span span(Node* node) const;
  std::string_view source(Span s) const { return text_.all.substr(s.begin, s.end - s.begin); }
  ast::Name name_at(Span s) const;  // NFKC
  ast::Name name(antlr4::ParserRuleContext* ctx) const { return name_at(span(ctx)); }
  std::vector<ast::Name> path(P::PathContext* ctx) const;
  void check_commas(antlr4::ParserRuleContext* ctx);
  std::string doc_of(antlr4::ParserRuleContext* ctx) const;
  std::string file_doc() const;

  // ---- declarations
  ast::FnDecl fn_decl(P::FnDeclContext* ctx);
  ast::TypeDecl type_decl(P::TypeDeclContext* ctx);
  ast::VariantCase variant_case(P::VariantCaseContext* ctx);
  ast::TypeExprId alias(P::AliasContext* ctx);
  ast::ImportItem import_item(P::ImportItemContext* ctx);
  ast::ImportDecl import_decl(P::ImportDeclContext* ctx);
  ast::FromImportDecl from_decl(P::FromDeclContext* ctx);
  ast::OptionDecl option_decl(P::OptionDeclContext* ctx);
  ast::TestDecl test_decl(P::TestDeclContext* ctx);
  ast::TrainDecl train_decl(P::TrainDeclContext* ctx);
  ast::ModelDecl model_decl(P::ModelDeclContext* ctx);
  void member(P::MemberContext* ctx, ast::ModelDecl& model);
  ast::ModelParam param_member(P::ParamMemberContext* ctx);
  ast::ModelState state_member(P::StateMemberContext* ctx);
  ast::OptimizerDecl optimizer_decl(P::OptimizerDeclContext* ctx);
  std::vector<ast::Param> params(P::ParamsContext* ctx);  // of a null context: none
  ast::Param param(P::ParamContext* ctx);

  // ---- statements (build_block.cpp)
  ast::Stmt statement(P::StatementContext* ctx);
  ast::LetStmt let(P::StatementContext* ctx);
  ast::ExprId block(P::BlockContext* ctx);
  ast::ExprId statements(P::StatementsContext* ctx, Span whole);

  // ---- expressions
  ast::ExprId add(Span s, decltype(ast::Expr::node) node) { return tree_.add(ast::Expr{std::move(node), s}); }
  ast::ExprId level(antlr4::ParserRuleContext* ctx);  // any rule from pipe down to primary
  ast::ExprId fold(antlr4::ParserRuleContext* ctx);
  ast::ExprId prefixed(antlr4::ParserRuleContext* ctx, ast::UnaryOp op);
  ast::ExprId power(P::PowerContext* ctx);
  ast::ExprId primary(P::PrimaryContext* ctx);
  ast::ExprId parenthesised(P::PrimaryContext* ctx);
  ast::ExprId number(Span s);
  ast::ExprId bare_lambda(P::ExprContext* ctx);
  std::vector<ast::ExprId> exprs(const std::vector<P::ExprContext*>& list);

  // ---- calls, indices, fields, records (build_postfix.cpp)
  ast::ExprId postfix(P::PostfixContext* ctx);
  ast::ExprId call(ast::ExprId callee, P::TrailerContext* ctx);
  ast::ExprId index(ast::ExprId base, P::TrailerContext* ctx);
  ast::ExprId field(ast::ExprId base, P::TrailerContext* ctx);
  ast::ExprId construct(ast::ExprId base, P::TrailerContext* ctx);
  ast::ExprId tuple_index(ast::ExprId base, Span digits);
  ast::IndexItem index_item(P::IndexItemContext* ctx);
  void slice(P::SliceContext* ctx, ast::IndexItem& item);
  ast::ExprId record(std::vector<ast::Name> constructor, P::RecordFieldsContext* ctx, Span whole);
  ast::ExprId name_ref(Span s) { return add(s, ast::NameRef{name_at(s).text}); }

  // ---- control (build_control.cpp)
  ast::ExprId lambda(P::LambdaContext* ctx);
  ast::ExprId if_expr(P::IfExprContext* ctx);
  ast::ExprId for_expr(P::ForExprContext* ctx);
  ast::ForClause for_clause(P::ForClauseContext* ctx);
  ast::ExprId loop_source(P::SourceContext* ctx);
  ast::ExprId loop_expr(P::LoopExprContext* ctx);
  ast::ExprId match_expr(P::MatchExprContext* ctx);

  // ---- strings (build_string.cpp)
  ast::ExprId string(Span token);
  std::string plain_string(Span token);  // where no interpolation may stand

  // ---- patterns and types (build_pattern.cpp, build_type.cpp)
  // A capitalised name alone is a constructor in `match`; everywhere else it is bound: `let W = …`.
  enum class Capital : uint8_t { bound, constructor };
  ast::PatternId pattern(P::PatternContext* ctx, Capital capital = Capital::bound);
  ast::PatternId name_pattern(P::PatternContext* ctx, Capital capital);
  ast::PatternId field_patterns(P::PatternContext* ctx, Capital capital);
  std::vector<ast::PatternId> patterns(const std::vector<P::PatternContext*>& list, Capital capital);
  ast::TypeExprId type(P::TypeContext* ctx);
  std::vector<ast::TypeExprId> types(const std::vector<P::TypeContext*>& list);
  ast::TypeExprId type_atom(antlr4::ParserRuleContext* ctx);
  ast::TypeExprId arrow(antlr4::ParserRuleContext* left, P::TypeContext* right, Span whole);
  ast::TypeExprId group_type(P::GroupTypeContext* ctx);
  ast::TypeExprId record_type(P::RecordTypeContext* ctx);
  ast::TypeExprId named_type(std::vector<ast::Name> path, P::TypeSuffixContext* suffix, Span whole);
  ast::TypeExprId type_var(antlr4::tree::TerminalNode* node);
  ast::DimItem dim(P::DimContext* ctx);
  ast::TypeExprId add_type(Span s, decltype(ast::TypeExpr::node) node) { return tree_.add(ast::TypeExpr{std::move(node), s}); }
  ast::PatternId add_pattern(Span s, decltype(ast::Pattern::node) node) { return tree_.add(ast::Pattern{std::move(node), s}); }

  const Text& text_;
  const std::vector<DocComment>& docs_;
  Diagnostics& diags_;
  ast::Tree& tree_;
};

// Parses the inside of an interpolation, bytes [begin, end) of the file, into the tree (parse.cpp).
ast::ExprId parse_interpolation(const Text& text, uint32_t begin, uint32_t end, Diagnostics& diags, ast::Tree& tree);

}  // namespace glia::syntax
