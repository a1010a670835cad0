// Blocks and the statements in them.
#include "parser/builder.h"

namespace glia::syntax {

inline constexpr DiagKind assign_to_name{"E0131", Severity::error, "left of `:=` stands the name of a state, found an expression"};

ast::ExprId Builder::block(P::BlockContext* ctx) { return statements(ctx->statements(), span(ctx)); }

ast::ExprId Builder::statements(P::StatementsContext* ctx, Span whole) {
  ast::Block node;
  for (P::StatementContext* s : ctx->statement()) node.stmts.push_back(statement(s));
  return add(whole, std::move(node));
}

ast::LetStmt Builder::let(P::StatementContext* ctx) {
  ast::LetStmt node;
  node.pattern = pattern(ctx->pattern());
  if (ctx->type()) node.type = type(ctx->type());
  node.value = expr(ctx->expr(0));
  return node;
}

ast::Stmt Builder::statement(P::StatementContext* ctx) {
  const Span whole = span(ctx);
  if (ctx->LET()) return {let(ctx), whole};
  const ast::ExprId value = expr(ctx->expr(0));
  if (ctx->ASSERT()) return {ast::AssertStmt{value}, whole};
  if (!ctx->ASSIGN()) return {ast::ExprStmt{value}, whole};
  const ast::Expr& target = tree_[value];
  const Span at = target.span;
  const auto* name = std::get_if<ast::NameRef>(&target.node);
  if (!name) diags_.report(assign_to_name, at).help("`:=` updates a `state` of this model or optimizer; values never change");
  ast::Name named{name ? name->name : std::string(source(at)), at};
  return {ast::AssignStmt{std::move(named), expr(ctx->expr(1))}, whole};
}

}  // namespace glia::syntax
