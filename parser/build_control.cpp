// Lambdas, conditions, loops, matches.
#include "parser/builder.h"

namespace glia::syntax {

inline constexpr DiagKind range_end_level{"E0129", Severity::error, "the start of a range is a sum or a simpler expression"};
inline constexpr DiagKind index_is_name{"E0130", Severity::error, "an index of `for` is a name or `_`"};

using ast::ExprId;

ExprId Builder::lambda(P::LambdaContext* ctx) {
  std::vector<ast::Param> list = params(ctx->params());
  const ExprId body = expr(ctx->expr());
  return add(span(ctx), ast::Lambda{std::move(list), body});
}

ExprId Builder::if_expr(P::IfExprContext* ctx) {
  ast::If node;
  node.condition = expr(ctx->expr(0));
  node.then_branch = expr(ctx->expr(1));
  if (ctx->ELSE()) node.else_branch = expr(ctx->expr(2));
  return add(span(ctx), node);
}

ExprId Builder::for_expr(P::ForExprContext* ctx) {
  ast::For node;
  for (P::ForClauseContext* c : ctx->forClause()) node.clauses.push_back(for_clause(c));
  if (ctx->pipe()) node.filter = level(ctx->pipe());
  node.body = expr(ctx->expr());
  return add(span(ctx), std::move(node));
}

ast::ForClause Builder::for_clause(P::ForClauseContext* ctx) {
  ast::ForClause clause;
  clause.span = span(ctx);
  clause.pattern = pattern(ctx->pattern());
  if (ctx->source()) {
    clause.kind = ast::ForClause::in;
    clause.bound = loop_source(ctx->source());
    return clause;
  }
  const auto& p = tree_[clause.pattern].node;
  if (!std::holds_alternative<ast::NamePattern>(p) && !std::holds_alternative<ast::WildPattern>(p))
    diags_.report(index_is_name, span(ctx->pattern())).help("to take values apart, say where they come from: `for (a, b) in xs => …`");
  if (ctx->sum()) clause.kind = ast::ForClause::below, clause.bound = level(ctx->sum());
  return clause;
}

ExprId Builder::loop_source(P::SourceContext* ctx) {
  const ExprId first = level(ctx->pipe());
  if (!ctx->RANGE()) return first;
  // The grammar reads any expression before `..`; a looser operator there would surprise.
  antlr4::ParserRuleContext* inner = ctx->pipe();
  while (inner->children.size() == 1 && inner->getRuleIndex() != P::RuleSum)
    inner = static_cast<antlr4::ParserRuleContext*>(inner->children[0]);
  if (inner->getRuleIndex() != P::RuleSum)
    diags_.report(range_end_level, span(ctx->pipe())).help(fmt::format("write `({})..`", source(span(ctx->pipe()))));
  const ExprId last = level(ctx->sum());
  return add(span(ctx), ast::Range{first, last});
}

ExprId Builder::loop_expr(P::LoopExprContext* ctx) {
  ast::Loop node;
  node.is_scan = ctx->SCAN() != nullptr;
  node.state = pattern(ctx->pattern());
  if (ctx->type()) node.type = type(ctx->type());
  node.init = expr(ctx->expr(0));
  if (ctx->forClause()) node.over = for_clause(ctx->forClause());
  if (ctx->pipe()) node.condition = level(ctx->pipe());
  node.body = block(ctx->block());
  if (ctx->YIELD()) node.yield = expr(ctx->expr(1));
  return add(span(ctx), std::move(node));
}

ExprId Builder::match_expr(P::MatchExprContext* ctx) {
  ast::Match node;
  node.subject = level(ctx->pipe());
  for (P::ArmContext* a : ctx->arm()) {
    ast::MatchArm arm;
    arm.span = span(a);
    arm.pattern = pattern(a->pattern(), Capital::constructor);
    if (a->pipe()) arm.guard = level(a->pipe());
    arm.body = expr(a->expr());
    node.arms.push_back(arm);
  }
  return add(span(ctx), std::move(node));
}

}  // namespace glia::syntax
