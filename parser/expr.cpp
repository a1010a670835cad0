// Expressions: names, text, records, lists, fields and blocks.
#include "parser/builtins.h"
#include "parser/elaborator.h"

#include "base/text.h"
#include "parser/advice.h"
#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind unknown_field{"E0211", Severity::error, "{} has no `{}`"};
constexpr DiagKind too_deep{"E0212", Severity::error, "this nests too deeply"};
constexpr DiagKind lost_value{"E0213", Severity::error, "the value of this line is lost"};
constexpr DiagKind assert_needs_bool{"E0215", Severity::error, "`assert` needs a condition, found {}"};
constexpr DiagKind stray_assign{"E0216", Severity::error, "`:=` changes the state of a model or optimiser; there is no state `{}` here"};
constexpr DiagKind state_in_branch{"E0229", Severity::error, "the state `{}` changes inside a branch or loop of the run"};
constexpr DiagKind private_name{"E0277", Severity::error, "`{}` is private to the module `{}`"};
constexpr DiagKind stray_range{"E0226", Severity::error, "a range `a..b` stands only after `in`"};
constexpr DiagKind wrong_device{"E0227", Severity::error, "a device is `device(k)` with a whole number k, found {}"};
constexpr DiagKind not_supported{"E0299", Severity::error, "{} is not supported yet"};

template <class... F>
struct Overload : F... { using F::operator()...; };
}  // namespace

bool Val::callable() const {
  return closure() || get<const Builtin*>() || get<ModelRef>() || get<OptimizerRef>() || get<TypeRef>() ||
         get<ConstructorRef>() || get<std::shared_ptr<const Native>>() || get<std::shared_ptr<const Partial>>() || get<std::shared_ptr<const Transformed>>() || (structure() && structure()->model);
}

Binding* Scope::find(std::string_view name) {
  for (Scope* s = this; s; s = s->parent.get())
    if (auto it = s->names.find(name); it != s->names.end()) return it->second.used = true, &it->second;
  return nullptr;
}

void Scope::collect(std::vector<std::string>& out) const {
  for (const Scope* s = this; s; s = s->parent.get())
    for (const auto& [name, binding] : s->names) out.push_back(name);
}

Val Elaborator::unsupported(Span span, std::string_view what) { return report(not_supported, span, what), poison(); }

// A fault inside library code is shown where the user called it.
Diagnostic& Elaborator::blame(Diagnostic& d) {
  for (auto it = call_stack.rbegin(); it != call_stack.rend(); ++it)
    if (!(*it == d.span)) d.label(*it, "in this call");
  return d;
}

std::string Elaborator::describe(const Val& v) {
  if (v.poison()) return "?";
  if (auto* n = v.get<Number>(); n && n->weak) return n->is_real() ? fmt::format("{}", n->real()) : std::to_string(std::get<int64_t>(n->value));
  if (v.get<DimId>()) return "dim";
  if (auto* s = v.structure()) {
    if (s->model || !s->name.empty()) return s->name;
    std::string text = s->fields.empty() ? "(" : "{ ";
    for (size_t i = 0; i < s->elems.size(); ++i)
      text += (i ? ", " : "") + (s->fields.empty() ? "" : s->fields[i] + ": ") + describe(s->elems[i]);
    return text + (s->fields.empty() ? ")" : " }");
  }
  if (auto* l = v.list()) {
    if (TypeId t = type_of(v); !l->empty() && !types.is_poison(t)) return types.print(t);
    std::vector<std::string> kinds;
    for (const Val& x : *l)
      if (std::string kind = describe(default_number(x)); std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    if (kinds.size() > 3) kinds.resize(3), kinds.push_back("…");
    return "[" + fmt::format("{}", fmt::join(kinds, " or ")) + "]";
  }
  if (auto* c = v.closure()) return c->name.empty() ? "a function" : "the function `" + c->name + "`";
  if (auto* f = v.get<const Builtin*>()) return fmt::format("the function `{}`", (*f)->name);
  if (v.get<ConstructorRef>()) return "the constructor `" + case_of(*v.get<ConstructorRef>()).name + "`";
  if (v.zip()) return "a zip";
  if (auto* m = v.get<ModelRef>()) return "the model `" + m->decl->name.text + "`";
  if (auto* o = v.get<OptimizerRef>()) return "the optimiser `" + o->decl->name.text + "`";
  if (v.get<std::shared_ptr<const OptimizerRule>>()) return "an optimiser";
  if (auto* u = v.get<UnitRef>()) return "the module `" + u->unit->name + "`";
  if (v.get<TypeRef>() || v.get<TypeMaker>()) return "a type";
  if (v.callable()) return "a function";
  return types.print(type_of(v));
}

Val Elaborator::expr(ast::ExprId id, ScopePtr scope, const Want* want) {
  const ast::Expr& e = unit->tree[id];
  if (depth > 1500) {
    report(too_deep, e.span).help("functions are expanded where they are called, up to a limit: is there a chain of calls without an end?");
    return poison();
  }
  ++depth;
  SrcId before = frames.empty() ? SrcId{} : b().set_src(module.add(Src{e.span, call_stack.empty() ? SrcId{} : call_src}));
  Val v = std::visit(
      Overload{
          [&](const ast::Number& n) {
            Number x{n.is_float ? AttrValue(n.f) : AttrValue(n.i), n.is_float ? DType::f32 : DType::i32, true};
            return Val{x, {}, e.span};
          },
          [&](const ast::String& s) { return string_expr(s, e.span, scope); },
          [&](const ast::NameRef& n) { return name_ref(n, e.span, scope); },
          [&](const ast::Hole&) { return unsupported(e.span, "`_` outside the arguments of a call"); },
          [&](const ast::Tuple& t) {
            Structure s;
            for (ast::ExprId x : t.elems) s.elems.push_back(default_number(expr(x, scope)));
            for (const Val& x : s.elems)
              if (x.poison()) return poison();
            return Val{std::make_shared<const Structure>(std::move(s)), {}, e.span};
          },
          [&](const ast::List& l) { return list_expr(l, e.span, scope, want); },
          [&](const ast::Record& r) { return record_expr(r, e.span, scope); },
          [&](const ast::Unary& u) { return unary(u, e.span, scope, want); },
          [&](const ast::Binary& bin) { return binary(bin, e.span, scope, want); },
          [&](const ast::Call& c) { return call(c, e.span, scope, want); },
          [&](const ast::Index& x) { return index(x, e.span, scope); },
          [&](const ast::Field& f) { return case_value(field(expr(f.base, scope), f.name, e.span), e.span); },
          [&](const ast::Lambda& l) { return lambda(l, e.span, scope); },
          [&](const ast::If& i) { return if_expr(i, e.span, scope, want); },
          [&](const ast::For& f) { return for_expr(f, e.span, scope); },
          [&](const ast::Block& bl) { return block(bl, scope, want); },
          [&](const ast::Range&) { return report(stray_range, e.span), poison(); },
          [&](const ast::Loop& l) { return loop_expr(l, e.span, scope); },
          [&](const ast::Match& m) { return match_expr(m, e.span, scope, want); },
          [&](const ast::OnDevice& d) { return on_device(d, scope, want); },
          [&](const ast::Recompute& r) { return recompute(r, e.span, scope, want); },
          [&](const ast::Cached& c) { return expr(c.body, scope, want); },
      },
      e.node);
  if (!frames.empty()) b().set_src(before);
  --depth;
  if (!v.poison() && !v.origin.valid()) v.origin = e.span;
  return v;
}

// A case without values is a value.
Val Elaborator::case_value(const Val& v, Span span) {
  auto* c = v.get<ConstructorRef>();
  return c && case_of(*c).types.empty() && !frames.empty() ? construct(*c, {}, span) : v;
}

Val Elaborator::name_ref(const ast::NameRef& n, Span span, const ScopePtr& scope) {
  if (Binding* found = scope->find(n.name)) {
    Val v = found->val;
    if (!v.origin.valid()) v.origin = found->span;
    return case_value(v, span);
  }
  auto fixed = [&](double x) { return Val{Number{AttrValue(x), DType::f32, true}, {}, span}; };
  if (n.name == "pi") return fixed(3.14159265358979323846);
  if (n.name == "inf") return fixed(std::numeric_limits<double>::infinity());
  if (n.name == "nan") return fixed(std::numeric_limits<double>::quiet_NaN());
  if (n.name == "true" || n.name == "false")
    return Val{Number{AttrValue(int64_t{n.name == "true"}), DType::boolean, false}, types.tensor(DType::boolean), span};
  if (n.name == "training" && training) return Val{Number{AttrValue(int64_t{*training}), DType::boolean, false}, types.tensor(DType::boolean), span};
  if (n.name == "training") return Val{Number{AttrValue(int64_t{0}), DType::boolean, false}, types.tensor(DType::boolean), span};
  if (auto t = dtype_from_name(n.name); t && !is_generic(*t)) return Val{TypeRef{types.tensor(*t)}, {}, span};
  if (const Builtin* f = find_builtin(n.name)) return Val{f, {}, span};
  return unknown(n.name, span, scope);
}

Val Elaborator::string_expr(const ast::String& s, Span span, const ScopePtr& scope) {
  bool known = true;
  std::string text;
  std::vector<Val> parts;
  for (const ast::StringPiece& p : s.pieces) {
    if (!p.expr.valid()) {
      text += p.text;
      parts.push_back(Val{p.text, {}, span});
      continue;
    }
    Val v = default_number(expr(p.expr, scope));
    if (v.poison()) return v;
    if (auto* t = v.get<std::string>(); t && p.format.empty()) {
      text += *t;
      parts.push_back(v);
      continue;
    }
    known = false;
    if (!is_data(v)) return report(unknown_field, span, describe(v), "text form"), poison();
    parts.push_back(node(b().emit(op<Format>, {value(v).id}, {{AttrKey::text, p.format}}), span));
  }
  if (known) return Val{text, {}, span};
  std::vector<ValueId> ids;
  for (const Val& p : parts) ids.push_back(value(p).id);
  return node(b().emit(op<JoinStr>, ids), span);
}

Val Elaborator::record_expr(const ast::Record& r, Span span, const ScopePtr& scope) {
  if (!r.constructor.empty()) {
    std::vector<CallArg> fields;
    for (const ast::RecordField& f : r.fields) {
      fields.push_back({f.name.text, f.value, expr(f.value, scope), f.name.span});
      if (fields.back().val.poison()) return poison();
    }
    return constructed(r, std::move(fields), span, scope);
  }
  Structure s;
  if (r.spread.valid()) {
    Val base = open_structure(expr(r.spread, scope));
    if (base.poison()) return base;
    if (!base.structure()) return report(unknown_field, span, describe(base), "fields"), poison();
    s = *base.structure();
  }
  for (const ast::RecordField& f : r.fields) {
    Val v = default_number(expr(f.value, scope));
    if (v.poison()) return v;
    auto it = std::find(s.fields.begin(), s.fields.end(), f.name.text);
    if (it != s.fields.end() && r.spread.valid()) s.elems[it - s.fields.begin()] = fit(v, settled_form(s.elems[it - s.fields.begin()]), unit->tree[f.value].span, "`" + f.name.text + "`");
    else s.fields.push_back(f.name.text), s.elems.push_back(v);
  }
  return Val{std::make_shared<const Structure>(std::move(s)), {}, span};
}

// Numbers and tensors of one shape make a tensor; everything else a list.
Val Elaborator::list_expr(const ast::List& l, Span span, const ScopePtr& scope, const Want* want) {
  std::vector<Val> items;
  for (ast::ExprId x : l.elems) {
    items.push_back(expr(x, scope));
    if (items.back().poison()) return poison();
  }
  bool all_dims = !items.empty(), numeric = !items.empty(), any_dim = false;
  for (const Val& v : items) {
    all_dims = all_dims && as_dim(v);
    any_dim = any_dim || v.get<DimId>();
    numeric = numeric && is_numeric(v);
  }
  if (numeric && !(want && want->list))
    for (const Val& v : items)
      if (shape_of(v) != shape_of(items[0])) numeric = false;  // tensors of different shapes: a list
  bool stays_list = (want && want->list) || !numeric || (all_dims && any_dim);
  if (stays_list) {
    if (!numeric || !(want && want->list)) for (Val& v : items) if (!v.get<DimId>() && !any_dim) v = default_number(v);
    return Val{std::make_shared<const std::vector<Val>>(std::move(items)), {}, span};
  }
  return tensor_of(items, span);
}

Val Elaborator::tensor_of(std::vector<Val> items, Span span) {
  std::optional<DType> t;
  bool real = false;
  for (const Val& v : items) {
    auto* n = v.get<Number>();
    if (n && n->weak) real = real || n->is_real();
    else if (!t && is_numeric(v)) t = dtype_of(v);
  }
  DType dtype = t.value_or(real ? DType::f32 : DType::i32);
  Shape shape = shape_of(items[0]);
  for (size_t i = 0; i < items.size(); ++i) {
    auto* n = items[i].get<Number>();
    bool adapts = n && n->weak;
    if (!is_numeric(items[i]) || shape_of(items[i]) != shape || (!adapts && dtype_of(items[i]) != dtype) || (adapts && n->is_real() && !is_float(dtype))) {
      static constexpr DiagKind uneven{"E0217", Severity::error, "the elements of this list do not make one tensor"};
      auto& d = report(uneven, span).label(items[0].origin, fmt::format("element 0 is `{}`", describe(items[0])));
      d.label(items[i].origin, fmt::format("element {} is `{}`", i, describe(items[i])));
      if (!is_numeric(items[i])) d.help("a tensor has numbers or bools alone");
      else if (shape_of(items[i]) == shape) d.help(fmt::format("convert one of them: `{}(…)`", dtype_name(is_float(dtype_of(items[i])) ? dtype_of(items[i]) : dtype)));
      else d.help("elements of different shapes stay a list: go over them with `for x in … => …`, or bring them to one shape first");
      return poison();
    }
  }
  bool literal = true;
  Reals numbers;
  for (const Val& v : items) {
    auto* n = v.get<Number>();
    literal = literal && n;
    if (n) numbers.push_back(n->real());
  }
  DimId count = dims.constant(static_cast<int64_t>(items.size()));
  if (literal) return node(b().emit(op<Literal>, {}, {{AttrKey::values, numbers}, {AttrKey::shape, DimList{count}}, {AttrKey::dtype, dtype}}), span);
  std::vector<Value> rows;
  Shape row = shape;
  row.insert(row.begin(), dims.constant(1));
  for (const Val& v : items) rows.push_back(reshape(value(v, dtype), row));
  return node(concat(rows, 0), span);
}

Val Elaborator::field(const Val& base, const ast::Name& name, Span span, bool quiet) {
  if (base.poison()) return base;
  const std::string& f = name.text;
  if (auto* s = base.structure()) {
    if (s->fields.empty() && !f.empty() && std::isdigit(static_cast<unsigned char>(f[0])) && f.size() < 6 && std::stoul(f) < s->elems.size())
      return s->elems[std::stoul(f)];
    for (size_t i = 0; i < s->fields.size(); ++i)
      if (s->fields[i] == f) return s->elems[i];
    if (s->model) {
      if (auto m = method(base, f)) return *m;
      if (Binding* arg = [&] { auto it = s->model->args->names.find(f); return it == s->model->args->names.end() ? nullptr : &it->second; }())
        return arg->val;
    }
  }
  if (auto* u = base.get<UnitRef>()) {
    if (Binding* found = u->unit->scope->find(f); found && u->unit->scope->names.contains(f) && f[0] != '_') return found->val;
    if (u->unit->name == "data")
      if (const Builtin* d = find_data_function(f)) return Val{d, {}, span};
  }
  if (types[type_of(base)].kind == TypeKind::variant && !quiet) return variant_field(base, f, name.span.valid() ? name.span : span);
  if (types[type_of(base)].kind == TypeKind::object)
    if (Val v = object_field(*this, base, f, span); !v.poison() || quiet) return v;
  if (f == "T" && is_numeric(base) && shape_of(base).size() == 2) return node(transpose(value(base), {1, 0}), base.origin);
  TypeId t = type_of(base);
  if (types[t].kind == TypeKind::tuple && (base.get<NodeRef>() || base.get<GlobalId>())) {
    const Type record = types[t];
    for (size_t i = 0; i < record.elems.size(); ++i)
      if (i < record.fields.size() ? record.fields[i] == f : std::to_string(i) == f)
        return node(get(value(base), static_cast<int64_t>(i)), span);
  }
  if (types[t].kind == TypeKind::list && types[types[t].elems[0]].kind == TypeKind::tuple) {
    const Type row = types[types[t].elems[0]];
    for (size_t i = 0; i < row.fields.size(); ++i)
      if (row.fields[i] == f)
        return node(b().emit(op<HostCall>, {value(base).id}, {{AttrKey::text, std::string("column")}, {AttrKey::options, std::vector<std::string>{"name=" + f, "index=" + std::to_string(i)}}},
                             types.list(row.elems[i])), span);
  }
  if (quiet) return poison();
  if (base.get<UnitRef>() && !f.empty() && f[0] == '_') {
    report(private_name, name.span.valid() ? name.span : span, f, base.get<UnitRef>()->unit->name).help("names that begin with `_` are for the module itself");
    return poison();
  }
  std::vector<std::string> names;
  if (auto* s = base.structure()) names = s->fields;
  if (types[t].kind == TypeKind::tuple) names = types[t].fields;
  if (auto* s = base.structure(); s && s->model)
    for (const auto& m : s->model->decl->members)
      if (auto* fn = std::get_if<ast::FnDecl>(&m)) names.push_back(fn->name.text);
  if (auto* u = base.get<UnitRef>())
    for (const auto& [n, binding] : u->unit->scope->names) names.push_back(n);
  auto& d = report(unknown_field, name.span.valid() ? name.span : span, base.get<UnitRef>() ? describe(base) : "`" + describe(base) + "`", f);
  if (auto near = nearest(f, names)) d.help(fmt::format("did you mean `{}`?", *near));
  else if (!names.empty()) d.help("it has " + join_words(names, "and"));
  return poison();
}

Val Elaborator::lambda(const ast::Lambda& l, Span span, const ScopePtr& scope) {
  auto c = std::make_shared<Closure>();
  c->params = &l.params;
  c->body = l.body;
  c->span = span;
  c->unit = unit;
  c->scope = scope;
  return Val{std::shared_ptr<const Closure>(c), {}, span};
}

// ---- blocks and patterns --------------------------------------------------------------------------

Val Elaborator::block(const ast::Block& bl, ScopePtr scope, const Want* want) {
  ScopePtr inner = inner_scope(scope);
  Val last{std::make_shared<const Structure>(), {}, {}};
  for (size_t i = 0; i < bl.stmts.size(); ++i) {
    const ast::Stmt& s = bl.stmts[i];
    bool end = i + 1 == bl.stmts.size();
    last = Val{std::make_shared<const Structure>(), {}, s.span};
    if (auto* let = std::get_if<ast::LetStmt>(&s.node)) {
      ScopePtr next = inner_scope(inner);
      let_stmt(*let, inner, next);
      inner = next;
    } else if (auto* a = std::get_if<ast::AssertStmt>(&s.node)) {
      assert_stmt(*a, s.span, inner);
    } else if (auto* a = std::get_if<ast::AssignStmt>(&s.node)) {
      assign_stmt(*a, inner);
    } else {
      ast::ExprId x = std::get<ast::ExprStmt>(s.node).value;
      last = expr(x, inner, end ? want : nullptr);
      bool call = std::holds_alternative<ast::Call>(unit->tree[x].node);
      bool nothing = last.poison() || (last.structure() && last.structure()->elems.empty());
      if (!end && !call && !nothing)
        report(lost_value, s.span).help("bind it with `let`, or join it to the line before: a line that starts with `-` begins a new statement");
    }
  }
  return last;
}

void Elaborator::let_stmt(const ast::LetStmt& let, const ScopePtr& from, const ScopePtr& into) {
  Val v;
  if (!is_dim_type(let.type)) v = conforming(let.value, let.type, from, "this value");
  else if (auto d = dim_expr(let.value, from, nullptr)) v = Val{*d, {}, unit->tree[let.value].span};
  bind_pattern(let.pattern, v, into);
}

Want Elaborator::want_of(ast::TypeExprId type) {
  Want w;
  w.list = type.valid() && std::holds_alternative<ast::ListType>(unit->tree[type].node);
  return w;
}

void Elaborator::assert_stmt(const ast::AssertStmt& a, Span span, const ScopePtr& scope) {
  Val c = expr(a.condition, scope);
  if (c.poison()) return;
  if (!is_numeric(c) || dtype_of(c) != DType::boolean || !shape_of(c).empty()) {
    Span at = unit->tree[a.condition].span;
    auto& d = report(assert_needs_bool, at, "`" + describe(c) + "`");
    if (is_numeric(c) && dtype_of(c) == DType::boolean) d.help(fmt::format("say whether all or any of them must hold: `all({0})` or `any({0})`", sources.text(at)));
    else if (is_numeric(c)) d.help(fmt::format("compare it: `{} > 0`", as_operand(*this, at)));
    return;
  }
  SrcId before = b().set_src(module.add(Src{span, call_stack.empty() ? SrcId{} : call_src}));
  b().emit(op<Assert>, {value(c).id}, {{AttrKey::text, std::string(sources.text(span))}, {AttrKey::order, int64_t{effects++}}}, types.unit());
  b().set_src(before);
}

void Elaborator::assign_stmt(const ast::AssignStmt& a, const ScopePtr& scope) {
  for (Scope* s = scope.get(); s; s = s->parent.get())
    if (auto it = s->names.find(":=" + a.target.text); it != s->names.end()) {
      Val v = expr(a.value, scope);
      if (v.poison()) return;
      Scope* place = s;
      const Val old = place->names[a.target.text].val;
      v = adapt_to(v, type_of(old), unit->tree[a.value].span, a.target.text);
      bool of_model = !place->names.contains(":optimizer");
      if (of_model && !(place->cells && training.value_or(false))) return;  // outside a training pass a state stays as it is
      if (of_model) {
        auto *from = it->second.val.get<NodeRef>(), *now = v.get<NodeRef>();
        if (from && now && from->frame != now->frame) {
          report(state_in_branch, a.target.span, a.target.text).help("compute the new value with `where` or `if`, and assign it outside");
          return;
        }
        (*place->cells)[a.target.text] = v;
      }
      place->names[a.target.text].val = v;
      return;
    }
  report(stray_assign, a.target.span, a.target.text).help("write `let` for a new name");
}

Val Elaborator::on_device(const ast::OnDevice& d, const ScopePtr& scope, const Want* want) {
  auto* call = std::get_if<ast::Call>(&unit->tree[d.device].node);
  auto* name = call ? std::get_if<ast::NameRef>(&unit->tree[call->callee].node) : nullptr;
  Span at = unit->tree[d.device].span;
  auto k = name && name->name == "device" && call->args.size() == 1 ? known_int(expr(call->args[0].value, scope)) : std::nullopt;
  if (!k || *k < 0) return report(wrong_device, at, "`" + std::string(sources.text(at)) + "`"), poison();
  return expr(d.body, scope, want);  // there is one device: everything is there already
}

// Runs again in the backward pass instead of being kept.
Val Elaborator::recompute(const ast::Recompute& r, Span span, const ScopePtr& scope, const Want* want) {
  Nested n = nested("recompute", {}, Val{{}, {}, span}, [&](const std::vector<Val>&) { return wanted(default_number(expr(r.body, scope, want)), want); });
  if (!n.ok) return poison();
  TypeId t = n.result_types.size() == 1 ? n.result_types[0] : types.tuple(n.result_types);
  std::vector<Val> parts = results_of(b().emit(op<Recompute>, n.captures, {{AttrKey::func, n.func}}, t), n.result_types, span);
  size_t next = 0;
  return rebuild(n.result, parts, next);
}

}  // namespace glia
