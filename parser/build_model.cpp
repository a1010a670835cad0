// Models and optimizers with their members.
#include "parser/builder.h"

namespace glia::syntax {

inline constexpr DiagKind update_count{"E0133", Severity::error, "an optimizer has one `update`, `{}` has {}"};

ast::ModelDecl Builder::model_decl(P::ModelDeclContext* ctx) {
  ast::ModelDecl node;
  node.name = name(ctx->anyName());
  node.params = params(ctx->params());
  for (P::MemberContext* m : ctx->member()) member(m, node);
  node.doc = doc_of(ctx);
  node.span = join(span(ctx->start), node.name.span);
  return node;
}

void Builder::member(P::MemberContext* ctx, ast::ModelDecl& model) {
  if (auto* m = ctx->paramMember()) {
    model.members.push_back(param_member(m));
  } else if (auto* m = ctx->stateMember()) {
    model.members.push_back(state_member(m));
  } else if (auto* m = ctx->layerMember()) {
    ast::ModelLayer layer{name(m->anyName()), expr(m->expr()), doc_of(m), span(m)};
    model.members.push_back(std::move(layer));
  } else {
    model.members.push_back(fn_decl(ctx->fnDecl()));
  }
}

ast::ModelParam Builder::param_member(P::ParamMemberContext* ctx) {
  ast::ModelParam p;
  p.name = name(ctx->anyName());
  p.type = type(ctx->type());
  if (ctx->expr()) p.init = expr(ctx->expr());
  p.draws = ctx->TILDE() != nullptr;
  p.doc = doc_of(ctx);
  p.span = span(ctx);
  return p;
}

ast::ModelState Builder::state_member(P::StateMemberContext* ctx) {
  ast::ModelState s;
  s.name = name(ctx->anyName());
  if (ctx->type()) s.type = type(ctx->type());
  s.init = expr(ctx->expr());
  s.doc = doc_of(ctx);
  s.span = span(ctx);
  return s;
}

ast::OptimizerDecl Builder::optimizer_decl(P::OptimizerDeclContext* ctx) {
  ast::OptimizerDecl node;
  node.name = name(ctx->anyName());
  node.params = params(ctx->params());
  node.doc = doc_of(ctx);
  node.span = join(span(ctx->start), node.name.span);
  size_t updates = 0;
  for (P::OptimizerMemberContext* m : ctx->optimizerMember()) {
    if (m->stateMember()) {
      node.states.push_back(state_member(m->stateMember()));
    } else {
      node.update_params = params(m->updateMember()->params());
      node.update = block(m->updateMember()->block());
      ++updates;
    }
  }
  if (updates != 1) {
    Diagnostic& d = diags_.report(update_count, node.name.span, node.name.text, updates == 0 ? "none" : "several");
    if (updates == 0) d.help("add `update (p, g) { … }`, where `p` is the parameter and `g` its gradient");
  }
  return node;
}

}  // namespace glia::syntax
