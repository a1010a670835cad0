// Warnings that need to know what values are: probabilities where logits are wanted, gradients that are zero wherever they
// are taken, parameters that training leaves as they were drawn.
#include <algorithm>

#include "base/text.h"
#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "parser/elaborator.h"
#include "parser/reach.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind unreached_param{"W0404", Severity::warning, "the loss does not depend on {}"};
constexpr DiagKind not_logits{"W0405", Severity::warning, "`{}` takes logits, but this went through `{}` already"};
constexpr DiagKind zero_gradient{"W0407", Severity::warning, "{} does not depend on `{}`: its gradient is zero"};

uint64_t key(const NodeRef& n) { return uint64_t{n.frame} << 32 | n.id.v; }

// The library function that made probabilities of the value, and where.
std::optional<std::pair<std::string, Span>> probability(Elaborator& e, const Val& v) {
  if (auto* g = v.get<GlobalId>())
    if (auto it = e.warnings.global_probabilities.find(g->v); it != e.warnings.global_probabilities.end()) return {{"softmax", it->second}};
  auto* n = v.get<NodeRef>();
  if (!n) return std::nullopt;
  if (auto it = e.warnings.probabilities.find(key(*n)); it != e.warnings.probabilities.end()) return {{"softmax", it->second}};
  for (const auto& f : e.frames)
    if (f->number == n->frame)
      if (const Node& made = f->b.func()[n->id]; made.op == op<Sigmoid>) return {{"sigmoid", e.module.span(made.src)}};
  return std::nullopt;
}

// `fc3.w` belongs to the member `fc3` of the model.
Span member_span(const ast::ModelDecl& m, std::string_view name) {
  for (const auto& member : m.members) {
    if (auto* p = std::get_if<ast::ModelParam>(&member); p && p->name.text == name) return p->name.span;
    if (auto* l = std::get_if<ast::ModelLayer>(&member); l && l->name.text == name) return l->name.span;
  }
  return m.name.span;
}

// Labels the place where the path to the result ends; false where there is no path at all.
bool label_end(Elaborator& e, Diagnostic& d, const Func& f, ValueId from, ValueId result, const std::string& name) {
  auto end = path_end(e.module, f, from, result);
  if (!end) return false;
  Span at = e.module.span(f[*end].src);
  std::string text(at.valid() ? e.sources.text(at) : "");
  bool shown = !text.empty() && text.size() < 40 && text.find('\n') == std::string::npos;
  d.label(at, fmt::format("the path from `{}` ends here: `{}` has no derivative", name, shown ? text : std::string(info(f[*end].op).name)));
  return true;
}
}  // namespace

void note_probability(Elaborator& e, const Closure& f, const Val& result, Span at) {
  auto* n = result.get<NodeRef>();
  if (n && f.decl && f.unit->library && f.name == "softmax") e.warnings.probabilities[key(*n)] = at;
}

void carry_probability(Elaborator& e, const Val& from, GlobalId to) {
  if (auto made = probability(e, from); made && made->first == "softmax") e.warnings.global_probabilities[to.v] = made->second;
}

// The losses of the library call what they take `logits`.
void warn_of_probability(Elaborator& e, const Closure& f, std::string_view param, const Val& argument, Span at) {
  if (!f.decl || !f.unit->library || param != "logits") return;
  auto made = probability(e, argument);
  if (!made) return;
  auto& d = e.report(not_logits, at, f.name, made->first);
  if (!(made->second == at)) d.label(made->second, fmt::format("`{}` here", made->first));
  d.help(fmt::format("give it the values before `{}`: `{}` does that itself, without overflow", made->first, f.name));
}

void warn_of_unreached(Elaborator& e, const TrainProgram& t, const Val& model, Span at) {
  const Func& f = e.module[t.train_example];
  auto* s = model.structure();
  if (!s || !s->model || f.results.empty()) return;
  std::vector<bool> live = reached(e.module, f, f.results[0]);
  std::vector<std::pair<std::string, std::vector<size_t>>> members;   // those without any derivative, by member
  for (size_t i = 0; i < t.params.size(); ++i) {
    if (!t.params[i].trainable || live[f.params[1 + i].index()]) continue;
    std::string member = t.params[i].path.substr(0, t.params[i].path.find('.'));
    if (members.empty() || members.back().first != member) members.push_back({member, {}});
    members.back().second.push_back(i);
  }
  for (const auto& [member, which] : members) {
    std::vector<std::string> names;
    for (size_t i : which) names.push_back("`" + t.params[i].path + "`");
    Span declared = member_span(*s->model->decl, member);
    auto& d = e.report(unreached_param, declared, names.size() > 4 ? fmt::format("the {} parameters of `{}`", names.size(), member) : fmt::format("{}", fmt::join(names, ", ")));
    d.label(at, "this loss").note("training leaves them as they were drawn");
    if (!label_end(e, d, f, f.params[1 + which[0]], f.results[0], t.params[which[0]].path)) d.help("use them in what the loss computes, or remove them");
  }
}

void warn_of_zero_gradient(Elaborator& e, const Closure& c, size_t param, FuncId func, std::pair<size_t, size_t> leaves, Span at) {
  const Func& f = e.module[func];
  if (c.unit->library || f.results.empty() || param >= c.params->size()) return;
  std::vector<bool> live = reached(e.module, f, f.results[0]);
  for (size_t l = leaves.first; l < leaves.second; ++l)
    if (live[f.params[l].index()]) return;
  Unit* caller = std::exchange(e.unit, c.unit);
  std::string name = e.param_name((*c.params)[param]);
  e.unit = caller;
  auto& d = e.report(zero_gradient, at, c.name.empty() ? "this function" : "`" + c.name + "`", name);
  d.label((*c.params)[param].span, fmt::format("`{}` comes in here", name));
  if (!label_end(e, d, f, f.params[leaves.first], f.results[0], name))
    d.note(fmt::format("what it gives is computed without `{}`", name)).help("take the gradient in something that it uses: `wrt = …` names it");
}

}  // namespace glia
