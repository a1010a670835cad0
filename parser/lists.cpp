// Lists whose length only the run knows: items, slices, growth, and the way to tensors and back.
#include "ir/ops/all.h"
#include "parser/advice.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind no_list{"E0236", Severity::error, "{} cannot be taken for a list"};
constexpr DiagKind uneven_list{"E0237", Severity::error, "the elements of this list have no common shape"};
constexpr DiagKind list_index{"E0238", Severity::error, "a list takes one index"};
constexpr DiagKind no_item_type{"E0266", Severity::error, "the items of this list have no type yet"};
constexpr DiagKind elems_differ{"E0239", Severity::error, "{} does not fit into a list of {}"};

}  // namespace

bool Elaborator::is_list(const Val& v) {
  return (v.get<NodeRef>() || v.get<GlobalId>()) && types[v.type].kind == TypeKind::list;
}

namespace {
// Functions, models and elements of different types are a list that the compiler knows, but none of the run.
void report_mixed(Elaborator& e, const Val& v, Span span) {
  const std::vector<Val>& items = *v.list();
  auto& d = e.report(no_list, span, "`" + std::string(e.sources.text(span)) + "`");
  size_t other = 0;
  while (other < items.size() && e.is_data(items[other]) && e.join_types(e.type_of(e.default_number(items[0])), e.type_of(e.default_number(items[other])))) ++other;
  if (other == items.size()) other = items.size() - 1;
  if (e.is_data(items[other])) d.label(items[0].origin, fmt::format("element 0 is `{}`", e.describe(e.default_number(items[0]))));
  d.label(items[other].origin, fmt::format("element {} is `{}`", other, e.describe(e.default_number(items[other]))));
  label_origin(e, d, v, span);
  d.help("the elements of a list have one type; a tuple `(a, b)` or a record holds different ones");
}
}  // namespace

// As a node of the run.
Val Elaborator::as_list(const Val& v, Span span) {
  if (v.poison() || is_list(v)) return v;
  if (v.list() && types.is_poison(type_of(v)) && !v.list()->empty()) return report_mixed(*this, v, span), poison();
  if (v.list()) return node(value(v), v.origin.valid() ? v.origin : span);
  if (!is_numeric(v) || shape_of(v).empty()) return report(no_list, span, "`" + describe(v) + "`"), poison();
  const Shape shape = shape_of(v);
  TypeId t = types.list(erased(types.tensor(dtype_of(v), Shape(shape.begin() + 1, shape.end()))));
  return node(b().emit(op<Unstack>, {value(v).id}, {}, t), v.origin.valid() ? v.origin : span);
}

// The elements of a list along a new leading axis; a list of tuples has none.
Val Elaborator::as_tensor(const Val& v, Span span) {
  if (v.poison()) return v;
  if (auto* l = v.list(); l && !l->empty()) return tensor_of(*l, span);
  Val list = as_list(v, span);
  if (list.poison()) return list;
  TypeId elem = types[list.type].elems[0];
  if (types.is_poison(elem)) elem = types.tensor(DType::f32);
  if (!types.is_tensor(elem)) {
    report(uneven_list, span).note(fmt::format("it is `{}`", describe(v))).help("make a tensor of numbers or tensors only");
    return poison();
  }
  Shape shape = types.shape(elem);
  shape.insert(shape.begin(), dims.unknown());
  TypeId t = opened(types.tensor(types.dtype(elem), shape));
  return node(b().emit(op<Stack>, {value(list).id}, {}, t), list.origin);
}

Val Elaborator::list_item(const Val& list, Value i, Span span) {
  TypeId elem = types[type_of(list)].elems[0];
  if (types.is_poison(elem)) {
    auto& d = report(no_item_type, span).help("say what it is a list of: `let l: [f32] = []`, `loop l: [f32] = [] …`");
    if (list.origin.valid()) d.label(list.origin, "it is empty here");
    return poison();
  }
  return open_structure(node(b().emit(op<Item>, {value(list).id, i.id}, {}, opened(elem)), span));
}

Val Elaborator::list_length(const Val& list, Span span) {
  if (list.poison()) return list;
  return node(b().emit(op<Length>, {value(list).id}), span);
}

// x at the end. An empty list of no type yet takes that of x.
Val Elaborator::append(const Val& list, const Val& x0, Span span) {
  Val x = default_number(x0);
  if (list.poison() || x.poison()) return poison();
  if (types[type_of(list)].kind != TypeKind::list) return as_list(list, list.origin.valid() ? list.origin : span), poison();
  TypeId elem = types[type_of(list)].elems[0], of_x = erased(type_of(x));
  auto both = join_types(elem, of_x);
  if (!both || !is_data(x)) return report(elems_differ, x.origin.valid() ? x.origin : span, "`" + describe(x) + "`", "`" + types.print(elem) + "`"), poison();
  Value to = as_type(list, types.list(*both));
  const std::vector<ValueId> ids = {to.id, as_type(x, *both).id};
  if (!b().ruled(op<Append>, ids)) return poison();  // reported where the item did not convert
  return node(b().emit(op<Append>, ids, {}, types.list(*both)), span);
}

namespace {
// A place in a list, counted from its end where it is a negative literal.
std::optional<Value> place(Elaborator& e, ast::ExprId id, const Val& list, const ScopePtr& scope, Span span) {
  Val i = e.expr(id, scope);
  if (i.poison()) return std::nullopt;
  if (!e.is_numeric(i) || !e.shape_of(i).empty() || !is_int(e.dtype_of(i)))
    return e.report(list_index, e.unit->tree[id].span).note(fmt::format("it is a whole number or a slice, found `{}`", e.describe(i))), std::nullopt;
  auto k = e.known_int(i);
  Value at = e.value(i, DType::i32);
  if (at.dtype() != DType::i32) at = cast(at, DType::i32);
  return k && *k < 0 ? e.value(e.list_length(list, span)) + at : at;
}
}  // namespace

Val Elaborator::index_list(const Val& base, const ast::Index& x, Span span, const ScopePtr& scope) {
  if (base.poison()) return base;
  if (x.items.size() != 1) return report(list_index, span).help("index the element that it gives: `xs[i][j]`"), poison();
  const ast::IndexItem& item = x.items[0];
  if (!item.is_slice) {
    auto i = place(*this, item.index, base, scope, span);
    return i ? list_item(base, *i, span) : poison();
  }
  auto bound = [&](ast::ExprId id, Value otherwise) { return id.valid() ? place(*this, id, base, scope, span) : std::optional(otherwise); };
  Value length = value(list_length(base, span)), one = constant_int(b(), 1, DType::i32);
  auto start = bound(item.start, constant_int(b(), 0, DType::i32)), stop = bound(item.stop, length), step = bound(item.step, one);
  if (!start || !stop || !step) return poison();
  return node(b().emit(op<ListSlice>, {value(base).id, start->id, stop->id, step->id}, {}, type_of(base)), span);
}

namespace {
Val append_fn(Elaborator& e, const Builtin&, std::vector<CallArg>& args, Span span) {
  const Val& list = args[0].val;
  if (auto* l = list.list(); l && !e.is_data(args[1].val)) {
    auto longer = std::make_shared<std::vector<Val>>(*l);
    longer->push_back(args[1].val);
    return Val{std::shared_ptr<const std::vector<Val>>(longer), {}, span};
  }
  Val to = list.list() ? list : e.as_list(list, args[0].span);
  return e.append(to, args[1].val, span);
}

Val list_fn(Elaborator& e, const Builtin&, std::vector<CallArg>& args, Span span) { return e.as_list(args[0].val, span); }

Val zip_fn(Elaborator&, const Builtin&, std::vector<CallArg>& args, Span span) {
  auto z = std::make_shared<Zip>();
  for (CallArg& a : args) z->parts.push_back(a.val);
  return Val{std::shared_ptr<const Zip>(z), {}, span};
}

// xs.map(f): f of each item
Val map_fn(Elaborator& e, const Builtin& self, std::vector<CallArg>& args, Span span) {
  if (!args[1].val.callable()) return e.report(wrong_argument, args[1].span, self.name, "takes a function, found `" + e.describe(args[1].val) + "`"), Val{};
  return e.map_value(args[0].val, args[1].val, span);
}

// Functions of tensors that mean the same for lists.
Val concat_lists(Elaborator& e, std::vector<CallArg>& args, Span span) {
  std::vector<Val> lists;
  TypeId elem = e.types.poison();
  for (CallArg& a : args) {
    Val l = a.val.list() ? a.val : e.as_list(a.val, a.span);
    if (l.poison()) return l;
    auto both = e.join_types(elem, e.types[e.type_of(l)].elems[0]);
    if (!both) return e.report(elems_differ, a.span, "`" + e.describe(l) + "`", "`" + e.types.print(elem) + "`"), Val{};
    elem = *both;
    lists.push_back(l);
  }
  std::vector<ValueId> ids;
  for (const Val& l : lists) ids.push_back(e.as_type(l, e.types.list(elem)).id);
  if (!e.b().ruled(op<ListConcat>, ids)) return {};  // reported where the items got no type
  return e.node(e.b().emit(op<ListConcat>, ids, {}, e.types.list(elem)), span);
}

const Builtin list[] = {
    {"append", "append(list, x)\nThe list with x at its end.", append_fn, {"list", "x"}, 2},
    {"list", "list(x)\nThe rows of a tensor as a list.", list_fn, {"x"}, 1},
    {"zip", "zip(xs, ys, …)\nThe items of several lists or tensors of one length, side by side.", zip_fn, {}, 2},
    {"map", "map(xs, f)\nf of every item: xs.map(f).", map_fn, {"xs", "f"}, 2},
};
}  // namespace

std::span<const Builtin> list_builtins() { return list; }

Val Elaborator::map_value(const Val& xs, const Val& f, Span span) {
  auto over = source_of_value(xs, span);
  if (!over) return poison();
  ast::ForClause none;
  auto at = [&](const Val& item) { return default_number(apply_values(f, {item}, span)); };
  if (over->items) {
    auto out = std::make_shared<std::vector<Val>>();
    for (const Val& item : *over->items) {
      out->push_back(at(item));
      if (out->back().poison()) return poison();
    }
    return Val{std::shared_ptr<const std::vector<Val>>(out), {}, span};
  }
  if (over->size.valid()) {
    auto range = std::make_shared<IndexRange>(IndexRange{over->size, {}, {}});
    return map_over("", range, false, span, inner_scope(nullptr), [&](const ScopePtr&, const Val& i) { return at(over->item(i, {})); });
  }
  Val nothing{std::make_shared<const Structure>(), {}, span};
  auto l = settle_loop("map", nothing, true, over->lists, span, [&](Looped& body) {
    body.out = at(over->item(body.i, body.items));
    body.next = body.out.poison() ? poison() : nothing;
  });
  return l ? emit_fold(std::move(*l), nothing, count_of(*over, span), over->lists, span).second : poison();
}

// concat, reverse and length of lists of the run; nothing where no argument is one.
std::optional<Val> Elaborator::list_overload(std::string_view name, std::vector<CallArg>& args, Span span) {
  bool any = false;
  for (const CallArg& a : args) any = any || is_list(a.val) || (a.val.list() && a.val.list()->empty());
  if (!any || args.empty()) return std::nullopt;
  if (name == "length" || name == "size") return list_length(as_list(args[0].val, span), span);
  if (name == "reverse") {
    Val list = as_list(args[0].val, span);
    return list.poison() ? list : node(b().emit(op<ListReverse>, {value(list).id}, {}, type_of(list)), span);
  }
  if (name == "concat") return concat_lists(*this, args, span);
  if (name == "stack") return as_tensor(args[0].val, span);
  return std::nullopt;
}

}  // namespace glia
