// Expressions from the loosest level down to names, numbers and brackets.
#include <charconv>

#include "parser/builder.h"

namespace glia::syntax {

inline constexpr DiagKind not_a_parameter{"E0121", Severity::error, "left of `=>` stands a parameter, found an expression"};
inline constexpr DiagKind chained_comparison{"E0122", Severity::error, "comparisons do not chain"};
inline constexpr DiagKind number_too_large{"E0123", Severity::error, "number `{}` is too large"};

using ast::BinaryOp;
using ast::ExprId;

namespace {

BinaryOp binary_op(size_t kind) {
  switch (kind) {
    case Kind::PIPE: return BinaryOp::pipe;
    case Kind::OR: return BinaryOp::logical_or;
    case Kind::AND: return BinaryOp::logical_and;
    case Kind::EQ: return BinaryOp::eq;
    case Kind::NE: return BinaryOp::ne;
    case Kind::LT_: return BinaryOp::lt;
    case Kind::LE: return BinaryOp::le;
    case Kind::GT: return BinaryOp::gt;
    case Kind::GE: return BinaryOp::ge;
    case Kind::PLUS: return BinaryOp::add;
    case Kind::MINUS: return BinaryOp::sub;
    case Kind::STAR: return BinaryOp::mul;
    case Kind::SLASH: return BinaryOp::div;
    case Kind::FLOOR_DIV: return BinaryOp::floordiv;
    case Kind::PERCENT: return BinaryOp::mod;
    case Kind::AT: return BinaryOp::matmul;
    default: GLIA_CHECK(false, "not an operator"); std::unreachable();
  }
}

antlr4::ParserRuleContext* rule(Node* node) { return static_cast<antlr4::ParserRuleContext*>(node); }

}  // namespace

ExprId Builder::expr(P::ExprContext* ctx) {
  antlr4::ParserRuleContext* form = rule(ctx->children[0]);
  const Span whole = span(ctx);
  switch (form->getRuleIndex()) {
    case P::RuleLambda: return lambda(static_cast<P::LambdaContext*>(form));
    case P::RuleIfExpr: return if_expr(static_cast<P::IfExprContext*>(form));
    case P::RuleForExpr: return for_expr(static_cast<P::ForExprContext*>(form));
    case P::RuleLoopExpr: return loop_expr(static_cast<P::LoopExprContext*>(form));
    case P::RuleMatchExpr: return match_expr(static_cast<P::MatchExprContext*>(form));
    case P::RuleOnExpr: {
      auto* on = static_cast<P::OnExprContext*>(form);
      const ExprId device = level(on->pipe());
      return add(whole, ast::OnDevice{device, block(on->block())});
    }
    case P::RuleRecomputeExpr: return add(whole, ast::Recompute{block(static_cast<P::RecomputeExprContext*>(form)->block())});
    case P::RuleCachedExpr: return add(whole, ast::Cached{block(static_cast<P::CachedExprContext*>(form)->block())});
    default: return ctx->children.size() > 1 ? bare_lambda(ctx) : level(form);
  }
}

// `x => e`: the grammar reads `x` as an expression, because it cannot know yet.
ExprId Builder::bare_lambda(P::ExprContext* ctx) {
  const Span left = span(ctx->pipe());
  antlr4::Token* only = ctx->pipe()->start;
  const size_t kind = only->getType();
  const bool word = kind == Kind::UNDERSCORE || (is_word(kind) && kind != Kind::TRUE_ && kind != Kind::FALSE_);
  const bool single = only == ctx->pipe()->stop && word;
  if (!single)
    diags_.report(not_a_parameter, left)
        .help("several parameters stand in parentheses: `(x, y) => …`")
        .help("a lambda as an operand stands in parentheses itself: `x |> (y => …)`");
  ast::Pattern parameter{ast::WildPattern{}, left};
  if (kind != Kind::UNDERSCORE) parameter.node = ast::NamePattern{name_at(left)};
  const ast::PatternId bound = tree_.add(std::move(parameter));
  const ExprId body = expr(ctx->expr());
  ast::Lambda node;
  node.params.push_back({bound, {}, {}, false, left});
  node.body = body;
  return add(span(ctx), std::move(node));
}

// Most levels hold one part only: walk down to the first that holds more.
ExprId Builder::level(antlr4::ParserRuleContext* ctx) {
  while (ctx->children.size() == 1 && ctx->getRuleIndex() != P::RulePrimary) ctx = rule(ctx->children[0]);
  switch (ctx->getRuleIndex()) {
    case P::RuleNegation: return prefixed(ctx, ast::UnaryOp::logical_not);
    case P::RuleUnary: return prefixed(ctx, ast::UnaryOp::neg);
    case P::RulePower: return power(static_cast<P::PowerContext*>(ctx));
    case P::RulePostfix: return postfix(static_cast<P::PostfixContext*>(ctx));
    case P::RulePrimary: return primary(static_cast<P::PrimaryContext*>(ctx));
    default: return fold(ctx);
  }
}

// a op b op c, to the left.
ExprId Builder::fold(antlr4::ParserRuleContext* ctx) {
  const auto& parts = ctx->children;
  ExprId left = level(rule(parts[0]));
  for (size_t i = 1; i + 1 < parts.size(); i += 2) {
    antlr4::Token* op = static_cast<antlr4::tree::TerminalNode*>(parts[i])->getSymbol();
    if (ctx->getRuleIndex() == P::RuleComparison && i > 1) {
      diags_.report(chained_comparison, span(op))
          .label(span(parts[1]), "the first comparison")
          .help(fmt::format("write `{} and {} {} {}`", source(join(span(parts[0]), span(parts[2]))), source(span(parts[2])),
                            source(span(op)), source(span(parts[i + 1]))));
      break;
    }
    const ExprId right = level(rule(parts[i + 1]));
    left = add(join(tree_[left].span, tree_[right].span), ast::Binary{binary_op(op->getType()), left, right, span(op)});
  }
  return left;
}

ExprId Builder::prefixed(antlr4::ParserRuleContext* ctx, ast::UnaryOp op) {
  ExprId operand = level(rule(ctx->children.back()));
  for (size_t i = ctx->children.size() - 1; i-- > 0;)
    operand = add(join(span(ctx->children[i]), tree_[operand].span), ast::Unary{op, operand});
  return operand;
}

ExprId Builder::power(P::PowerContext* ctx) {
  const ExprId left = level(ctx->postfix());
  const ExprId right = level(ctx->unary());
  return add(span(ctx), ast::Binary{BinaryOp::pow, left, right, span(ctx->children[1])});
}

ExprId Builder::primary(P::PrimaryContext* ctx) {
  const Span whole = span(ctx);
  switch (ctx->start->getType()) {
    case Kind::INT:
    case Kind::FLOAT: return number(whole);
    case Kind::STRING: return string(whole);
    case Kind::UNDERSCORE: return add(whole, ast::Hole{});
    case Kind::OPEN: return parenthesised(ctx);
    case Kind::OPEN_LIST: {
      check_commas(ctx);
      return add(whole, ast::List{exprs(ctx->expr())});
    }
    case Kind::RECORD_OPEN: return record({}, ctx->recordFields(), whole);
    case Kind::OPEN_BRACE: return statements(ctx->statements(), whole);
    default:
      if (ctx->children.size() > 1) return record({name_at(span(ctx->start))}, ctx->construct()->recordFields(), whole);
      return name_ref(whole);
  }
}

// `(e)` is e itself, with its own span; `(e,)` and everything else is a tuple.
ExprId Builder::parenthesised(P::PrimaryContext* ctx) {
  check_commas(ctx);
  const auto inner = ctx->expr();
  if (inner.size() == 1 && ctx->children.size() == 3) return expr(inner[0]);
  return add(span(ctx), ast::Tuple{exprs(inner)});
}

std::vector<ExprId> Builder::exprs(const std::vector<P::ExprContext*>& list) {
  std::vector<ExprId> out;
  out.reserve(list.size());
  for (P::ExprContext* e : list) out.push_back(expr(e));
  return out;
}

ExprId Builder::number(Span s) {
  std::string digits;
  for (const char c : source(s))
    if (c != '_') digits += c;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  ast::Number n;
  n.is_float = !hex && digits.find_first_of(".eE") != std::string::npos;
  const char* end = digits.data() + digits.size();
  std::errc wrong{};
  if (n.is_float) {
    wrong = std::from_chars(digits.data(), end, n.f).ec;
    // A tiny number is reported as out of range too, but it is only zero.
    const size_t exponent = digits.find_first_of("eE");
    if (wrong != std::errc{} && exponent != std::string::npos && digits[exponent + 1] == '-') n.f = 0, wrong = {};
    n.i = std::abs(n.f) < 0x1p63 ? static_cast<int64_t>(n.f) : 0;
  } else {
    wrong = std::from_chars(digits.data() + (hex ? 2 : 0), end, n.i, hex ? 16 : 10).ec;
    n.f = static_cast<double>(n.i);
  }
  if (wrong != std::errc{})
    diags_.report(number_too_large, s, shortened(source(s)))
        .note(n.is_float ? "the largest float is about 1.8e308" : "the largest integer is 9223372036854775807");
  return add(s, n);
}

}  // namespace glia::syntax
