// Declarations outside models.
#include "parser/builder.h"

namespace glia::syntax {

inline constexpr DiagKind variadic_not_last{"E0132", Severity::error, "only the last parameter may take the remaining arguments"};

void Builder::file(P::FileContext* ctx) {
  for (P::ItemContext* i : ctx->item()) item(i);
}

void Builder::item(P::ItemContext* ctx) {
  const Span whole = span(ctx);
  if (tree_.items.empty()) tree_.doc = file_doc();
  const auto put = [&](auto node) { tree_.items.push_back({std::move(node), whole}); };
  if (auto* d = ctx->fnDecl()) return put(fn_decl(d));
  if (auto* d = ctx->typeDecl()) return put(type_decl(d));
  if (auto* d = ctx->importDecl()) return put(import_decl(d));
  if (auto* d = ctx->fromDecl()) return put(from_decl(d));
  if (auto* d = ctx->modelDecl()) return put(model_decl(d));
  if (auto* d = ctx->optimizerDecl()) return put(optimizer_decl(d));
  if (auto* d = ctx->optionDecl()) return put(option_decl(d));
  if (auto* d = ctx->trainDecl()) return put(train_decl(d));
  if (auto* d = ctx->testDecl()) return put(test_decl(d));
  if (ctx->statement()->LET()) return put(ast::LetDecl{let(ctx->statement()), doc_of(ctx)});
  std::visit(
      [&](auto&& node) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(node)>, ast::LetStmt>) put(std::move(node));
      },
      statement(ctx->statement()).node);
}

ast::FnDecl Builder::fn_decl(P::FnDeclContext* ctx) {
  ast::FnDecl node;
  node.name = name(ctx->anyName());
  node.params = params(ctx->params());
  if (ctx->type()) node.result = type(ctx->type());
  node.body = ctx->block() ? block(ctx->block()) : expr(ctx->expr());
  if (auto* b = ctx->backward()) node.backward = ast::Backward{params(b->params()), expr(b->expr())};
  node.doc = doc_of(ctx);
  node.span = join(span(ctx->start), span(ctx->type() ? ctx->type()->stop : ctx->CLOSE()->getSymbol()));
  return node;
}

std::vector<ast::Param> Builder::params(P::ParamsContext* ctx) {
  std::vector<ast::Param> out;
  if (!ctx) return out;
  check_commas(ctx);
  for (P::ParamContext* p : ctx->param()) {
    if (!out.empty() && out.back().variadic) diags_.report(variadic_not_last, out.back().span);
    out.push_back(param(p));
  }
  return out;
}

ast::Param Builder::param(P::ParamContext* ctx) {
  ast::Param p;
  p.pattern = pattern(ctx->pattern());
  p.variadic = ctx->ELLIPSIS() != nullptr;
  if (ctx->type()) p.type = type(ctx->type());
  if (ctx->expr()) p.default_value = expr(ctx->expr());
  p.span = span(ctx);
  return p;
}

ast::TypeDecl Builder::type_decl(P::TypeDeclContext* ctx) {
  ast::TypeDecl node;
  node.name = name(ctx->anyName());
  if (auto* list = ctx->typeParams()) {
    check_commas(list);
    for (auto* p : list->typeParam()) node.params.push_back(name(p));
  }
  if (ctx->alias())
    node.alias = alias(ctx->alias());
  else
    for (P::VariantCaseContext* c : ctx->variant()->variantCase()) node.cases.push_back(variant_case(c));
  node.doc = doc_of(ctx);
  node.span = span(ctx);
  return node;
}

ast::VariantCase Builder::variant_case(P::VariantCaseContext* ctx) {
  check_commas(ctx);
  ast::VariantCase node;
  node.name = name_at(span(ctx->CAPITAL()->getSymbol()));
  for (P::VariantFieldContext* f : ctx->variantField()) {
    node.field_names.push_back(f->anyWord() ? name(f->anyWord()) : ast::Name{});
    node.fields.push_back(type(f->type()));
  }
  return node;
}

ast::ImportItem Builder::import_item(P::ImportItemContext* ctx) {
  return {path(ctx->path()), ctx->anyName() ? name(ctx->anyName()) : ast::Name{}};
}

ast::ImportDecl Builder::import_decl(P::ImportDeclContext* ctx) {
  ast::ImportDecl node;
  for (auto* i : ctx->importItem()) node.items.push_back(import_item(i));
  return node;
}

ast::FromImportDecl Builder::from_decl(P::FromDeclContext* ctx) {
  ast::FromImportDecl node;
  node.path = path(ctx->path());
  for (auto* i : ctx->importItem()) node.names.push_back(import_item(i));
  return node;
}

ast::OptionDecl Builder::option_decl(P::OptionDeclContext* ctx) {
  ast::OptionDecl node;
  node.name = name(ctx->anyName());
  node.type = type(ctx->type());
  node.default_value = expr(ctx->expr());
  node.doc = doc_of(ctx);
  node.span = span(ctx);
  return node;
}

ast::TestDecl Builder::test_decl(P::TestDeclContext* ctx) {
  std::string title = plain_string(span(ctx->STRING()->getSymbol()));
  const ast::ExprId body = block(ctx->block());
  return {std::move(title), body, join(span(ctx->start), span(ctx->STRING()->getSymbol()))};
}

ast::TrainDecl Builder::train_decl(P::TrainDeclContext* ctx) {
  check_commas(ctx);
  ast::TrainDecl node;
  if (ctx->anyName()) node.name = name(ctx->anyName());
  for (P::TrainEntryContext* e : ctx->trainEntry()) node.entries.push_back({name(e->anyWord()), expr(e->expr())});
  node.span = span(ctx);
  return node;
}

}  // namespace glia::syntax
