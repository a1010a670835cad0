// Types.
#include "parser/builder.h"

namespace glia::syntax {

using ast::TypeExprId;

std::vector<TypeExprId> Builder::types(const std::vector<P::TypeContext*>& list) {
  std::vector<TypeExprId> out;
  for (P::TypeContext* t : list) out.push_back(type(t));
  return out;
}

TypeExprId Builder::type(P::TypeContext* ctx) {
  if (ctx->TYPE_VAR() && !ctx->ARROW()) return type_var(ctx->TYPE_VAR());
  if (!ctx->ARROW()) return type_atom(static_cast<antlr4::ParserRuleContext*>(ctx->children[0]));
  if (ctx->TYPE_VAR()) {
    const TypeExprId left = type_var(ctx->TYPE_VAR());
    return add_type(span(ctx), ast::FnType{{left}, type(ctx->type())});
  }
  return arrow(static_cast<antlr4::ParserRuleContext*>(ctx->children[0]), ctx->type(), span(ctx));
}

// The right side of `type T =` where it is neither a variant nor begins with a capitalised name.
TypeExprId Builder::alias(P::AliasContext* ctx) {
  if (ctx->TYPE_VAR()) {
    const TypeExprId left = type_var(ctx->TYPE_VAR());
    return ctx->ARROW() ? add_type(span(ctx), ast::FnType{{left}, type(ctx->type())}) : left;
  }
  auto* left = static_cast<antlr4::ParserRuleContext*>(ctx->children[0]);
  return ctx->ARROW() ? arrow(left, ctx->type(), span(ctx)) : type_atom(left);
}

// `(a, b) -> c` takes two arguments; a single pair is `((a, b)) -> c`.
TypeExprId Builder::arrow(antlr4::ParserRuleContext* left, P::TypeContext* right, Span whole) {
  ast::FnType node;
  if (left->getRuleIndex() == P::RuleGroupType) {
    check_commas(left);
    node.params = types(static_cast<P::GroupTypeContext*>(left)->type());
  } else {
    node.params.push_back(type_atom(left));
  }
  node.result = type(right);
  return add_type(whole, std::move(node));
}

TypeExprId Builder::type_atom(antlr4::ParserRuleContext* ctx) {
  switch (ctx->getRuleIndex()) {
    case P::RuleGroupType: return group_type(static_cast<P::GroupTypeContext*>(ctx));
    case P::RuleRecordType: return record_type(static_cast<P::RecordTypeContext*>(ctx));
    case P::RuleListType: {
      const TypeExprId elem = type(static_cast<P::ListTypeContext*>(ctx)->type());
      return add_type(span(ctx), ast::ListType{elem});
    }
    case P::RuleNamedType: {
      auto* named = static_cast<P::NamedTypeContext*>(ctx);
      return named_type(path(named->path()), named->typeSuffix(), span(ctx));
    }
    default: break;
  }
  auto* lower = static_cast<P::LowerTypeContext*>(ctx);
  std::vector<ast::Name> names{name(lower->name())};
  for (auto* n : lower->anyName()) names.push_back(name(n));
  return named_type(std::move(names), lower->typeSuffix(), span(ctx));
}

TypeExprId Builder::group_type(P::GroupTypeContext* ctx) {
  check_commas(ctx);
  const auto inner = ctx->type();
  if (inner.size() == 1 && ctx->children.size() == 3) return type(inner[0]);
  return add_type(span(ctx), ast::TupleType{types(inner)});
}

TypeExprId Builder::record_type(P::RecordTypeContext* ctx) {
  check_commas(ctx);
  ast::RecordType node;
  for (P::TypeFieldContext* f : ctx->typeField()) {
    node.names.push_back(name(f->anyWord()));
    node.elems.push_back(type(f->type()));
  }
  return add_type(span(ctx), std::move(node));
}

TypeExprId Builder::named_type(std::vector<ast::Name> path, P::TypeSuffixContext* suffix, Span whole) {
  ast::NamedType node;
  node.path = std::move(path);
  if (suffix) {
    check_commas(suffix);
    node.has_args = suffix->OPEN() != nullptr;
    node.has_dims = !node.has_args;
    node.args = exprs(suffix->expr());
    for (P::DimContext* d : suffix->dim()) node.dims.push_back(dim(d));
  }
  return add_type(whole, std::move(node));
}

// The quote belongs to the name: `'a` cannot be taken for a dim.
TypeExprId Builder::type_var(antlr4::tree::TerminalNode* node) {
  const Span s = span(node->getSymbol());
  return add_type(s, ast::TypeVar{name_at(s)});
}

ast::DimItem Builder::dim(P::DimContext* ctx) {
  ast::DimItem item;
  item.span = span(ctx);
  if (ctx->expr()) {
    item.dim = expr(ctx->expr());
  } else if (ctx->anyName()) {
    item.kind = ast::DimItem::pack;
    item.pack_name = name(ctx->anyName());
  } else {
    item.kind = ast::DimItem::unknown;
  }
  return item;
}

}  // namespace glia::syntax
