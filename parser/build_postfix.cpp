// What follows an operand: calls, indices, fields; and records.
#include "parser/builder.h"

namespace glia::syntax {

inline constexpr DiagKind bad_tuple_index{"E0124", Severity::error, "`{}` is not a tuple index"};
inline constexpr DiagKind index_none{"E0125", Severity::error, "an index cannot be `None`"};
inline constexpr DiagKind spread_not_first{"E0126", Severity::error, "`..` copies one value and stands first in a record"};
inline constexpr DiagKind not_a_constructor{"E0127", Severity::error, "fields in braces follow the name of a type, found an expression"};
inline constexpr DiagKind argument_order{"E0128", Severity::error, "a positional argument stands after a named one"};

using ast::ExprId;

ExprId Builder::postfix(P::PostfixContext* ctx) {
  ExprId value = level(ctx->primary());
  for (size_t i = 1; i < ctx->children.size(); ++i) {
    auto* t = static_cast<P::TrailerContext*>(ctx->children[i]);
    switch (t->start->getType()) {
      case Kind::OPEN: value = call(value, t); break;
      case Kind::OPEN_LIST: value = index(value, t); break;
      default: value = t->children.size() > 2 ? construct(value, t) : field(value, t); break;
    }
  }
  return value;
}

ExprId Builder::call(ExprId callee, P::TrailerContext* ctx) {
  check_commas(ctx);
  ast::Call node{callee, {}};
  for (P::ArgContext* a : ctx->arg()) {
    ast::Arg arg;
    if (a->children.size() > 1) arg.name = name(a->anyWord());
    if (!arg.name && !node.args.empty() && node.args.back().name)
      diags_.report(argument_order, span(a)).label(node.args.back().span, "the named one").help("put positional arguments first");
    arg.span = span(a);
    arg.value = expr(static_cast<P::ExprContext*>(a->children.back()));
    node.args.push_back(std::move(arg));
  }
  return add(join(tree_[callee].span, span(ctx)), std::move(node));
}

ExprId Builder::index(ExprId base, P::TrailerContext* ctx) {
  check_commas(ctx);
  ast::Index node{base, {}};
  for (P::IndexItemContext* i : ctx->indexItem()) node.items.push_back(index_item(i));
  return add(join(tree_[base].span, span(ctx)), std::move(node));
}

ast::IndexItem Builder::index_item(P::IndexItemContext* ctx) {
  ast::IndexItem item;
  item.span = span(ctx);
  if (source(item.span) == "None")
    diags_.report(index_none, item.span).help("a new axis comes from `reshape`, or from index notation: `for i, j => x[i]`");
  if (ctx->expr()) (ctx->slice() ? item.start : item.index) = expr(ctx->expr());
  if (ctx->slice()) slice(ctx->slice(), item);
  return item;
}

// [start] ':' stop? (':' step?)?: which part an expression is depends on the colons before it.
void Builder::slice(P::SliceContext* ctx, ast::IndexItem& item) {
  item.is_slice = true;
  int colons = 0;
  for (Node* child : ctx->children) {
    if (dynamic_cast<antlr4::tree::TerminalNode*>(child))
      ++colons;
    else
      (colons == 1 ? item.stop : item.step) = expr(static_cast<P::ExprContext*>(child));
  }
}

ExprId Builder::field(ExprId base, P::TrailerContext* ctx) {
  const Span s = ctx->CAPITAL() ? span(ctx->CAPITAL()) : span(ctx->field());
  const size_t kind = ctx->CAPITAL() ? static_cast<size_t>(Kind::CAPITAL) : ctx->field()->start->getType();
  if (kind == Kind::INT || kind == Kind::FLOAT) return tuple_index(base, s);
  return add(join(tree_[base].span, s), ast::Field{base, name_at(s)});
}

// `.0`, and `.0.1` that the lexer took for one number.
ExprId Builder::tuple_index(ExprId base, Span digits) {
  const std::string_view text = source(digits);
  if (text.find_first_not_of("0123456789.") != std::string_view::npos || text.size() > 9) {
    diags_.report(bad_tuple_index, digits, text).help("write the position with plain digits: `t.0`");
    return base;
  }
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('.', at), text.size());
    const Span part{digits.file, static_cast<uint32_t>(digits.begin + at), static_cast<uint32_t>(digits.begin + end)};
    base = add(join(tree_[base].span, part), ast::Field{base, name_at(part)});
    at = end + 1;
  }
  return base;
}

// `nn.State { … }`: what was read as a chain of fields is a path.
ExprId Builder::construct(ExprId base, P::TrailerContext* ctx) {
  std::vector<ast::Name> path{name_at(span(ctx->CAPITAL()))};
  const Span whole = join(tree_[base].span, span(ctx));
  ExprId at = base;
  while (const auto* f = std::get_if<ast::Field>(&tree_[at].node)) path.insert(path.begin(), f->name), at = f->base;
  if (const auto* n = std::get_if<ast::NameRef>(&tree_[at].node))
    path.insert(path.begin(), ast::Name{n->name, tree_[at].span});
  else
    diags_.report(not_a_constructor, tree_[base].span);
  return record(std::move(path), ctx->construct()->recordFields(), whole);
}

ExprId Builder::record(std::vector<ast::Name> constructor, P::RecordFieldsContext* ctx, Span whole) {
  check_commas(ctx);
  ast::Record node;
  node.constructor = std::move(constructor);
  bool first = true;
  for (P::RecordFieldContext* f : ctx->recordField()) {
    if (f->RANGE()) {
      const ExprId copied = expr(f->expr());
      if (!first) diags_.report(spread_not_first, span(f)).help("write `{ ..s, a: e }`");
      if (first) node.spread = copied;
    } else {
      const ast::Name field = name(f->anyWord());
      const ExprId value = f->expr() ? expr(f->expr()) : name_ref(field.span);  // `b` alone is `b: b`
      node.fields.push_back({field, value});
    }
    first = false;
  }
  return add(whole, std::move(node));
}

}  // namespace glia::syntax
