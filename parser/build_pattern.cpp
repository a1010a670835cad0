// Patterns.
#include "parser/builder.h"

namespace glia::syntax {

using ast::PatternId;

std::vector<PatternId> Builder::patterns(const std::vector<P::PatternContext*>& list, Capital capital) {
  std::vector<PatternId> out;
  for (P::PatternContext* p : list) out.push_back(pattern(p, capital));
  return out;
}

PatternId Builder::pattern(P::PatternContext* ctx, Capital capital) {
  const Span whole = span(ctx);
  check_commas(ctx);
  if (ctx->path()) return name_pattern(ctx, capital);
  if (ctx->openBrace()) return field_patterns(ctx, capital);
  switch (ctx->start->getType()) {
    case Kind::UNDERSCORE: return add_pattern(whole, ast::WildPattern{});
    case Kind::STRING: {
      ast::String text;
      text.pieces.push_back({plain_string(whole), {}, {}});
      return add_pattern(whole, ast::LiteralPattern{add(whole, std::move(text))});
    }
    case Kind::TRUE_:
    case Kind::FALSE_: return add_pattern(whole, ast::LiteralPattern{name_ref(whole)});
    case Kind::INT:
    case Kind::FLOAT: return add_pattern(whole, ast::LiteralPattern{number(whole)});
    case Kind::MINUS: {
      const ast::ExprId magnitude = number(span(ctx->children[1]));
      return add_pattern(whole, ast::LiteralPattern{add(whole, ast::Unary{ast::UnaryOp::neg, magnitude})});
    }
    default: break;  // a parenthesis
  }
  const auto inner = ctx->pattern();
  if (inner.size() == 1 && ctx->children.size() == 3) return pattern(inner[0], capital);
  return add_pattern(whole, ast::TuplePattern{patterns(inner, capital)});
}

// A name alone binds; a qualified one, or one with parentheses, is a constructor.
PatternId Builder::name_pattern(P::PatternContext* ctx, Capital capital) {
  std::vector<ast::Name> names = path(ctx->path());
  const bool alone = names.size() == 1 && !ctx->OPEN();
  const bool constructor = capital == Capital::constructor && ctx->path()->stop->getType() == Kind::CAPITAL;
  if (alone && !constructor) return add_pattern(span(ctx), ast::NamePattern{std::move(names[0])});
  std::vector<PatternId> args = patterns(ctx->pattern(), capital);
  return add_pattern(span(ctx), ast::ConstructorPattern{std::move(names), std::move(args)});
}

PatternId Builder::field_patterns(P::PatternContext* ctx, Capital capital) {
  ast::RecordPattern node;
  for (P::FieldPatternContext* f : ctx->fieldPattern()) {
    ast::Name field = name(f->anyWord());
    const PatternId inner = f->pattern() ? pattern(f->pattern(), capital) : add_pattern(field.span, ast::NamePattern{field});
    node.names.push_back(std::move(field));
    node.elems.push_back(inner);
  }
  return add_pattern(span(ctx), std::move(node));
}

}  // namespace glia::syntax
