// Frames: functions under construction, and how values get from one into another.
#include "parser/elaborator.h"

#include "ir/ops/all.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind dead_value{"E0290", Severity::error, "a value made inside a block is used after the block has ended"};
constexpr DiagKind not_data{"E0291", Severity::error, "{} cannot be a value at run time"};
}  // namespace

Frame& Elaborator::open_frame(std::string name) {
  static_assert(global_frame > 0);
  uint32_t number = frame_count_++;
  frames.push_back(std::make_unique<Frame>(Frame{number, Builder(module, std::move(name)), {}, {}, {}, {}, {}, false}));
  if (frames.size() > 1) b().set_src(frames[frames.size() - 2]->b.src());
  return *frames.back();
}

Val Elaborator::node(Value v, Span origin) {
  if (!v.valid()) return poison();
  return Val{NodeRef{frame().number, v.id}, v.type(), origin};
}

Val Elaborator::global(GlobalId id, TypeId type, Span origin) { return Val{id, type, origin}; }

ValueId Elaborator::import(const Val& v) {
  size_t level = 0;
  std::pair<uint32_t, uint32_t> key;
  ValueId id;
  if (auto* n = v.get<NodeRef>()) {
    key = {n->frame, n->id.v};
    while (level < frames.size() && frames[level]->number != n->frame) ++level;
    if (level == frames.size()) {
      report(dead_value, v.origin).help("bind the value with a top-level `let` first");
      return value(number(0, DType::f32)).id;
    }
    id = n->id;
  } else {
    GlobalId g = *v.get<GlobalId>();
    key = {global_frame, g.v};
    Frame& root = *frames[0];
    auto [it, fresh] = root.imported.try_emplace(key, ValueId{});
    if (fresh) {
      it->second = root.b.param(v.type).id;
      root.globals.push_back(g);
    }
    id = it->second;
  }
  for (size_t l = level + 1; l < frames.size(); ++l) {
    auto [it, fresh] = frames[l]->imported.try_emplace(key, ValueId{});
    if (fresh) {
      frames[l]->captures.push_back(id);
      it->second = frames[l]->b.param(v.type).id;
    }
    id = it->second;
  }
  return id;
}

Val Elaborator::number(double x, DType t) {
  Number n{AttrValue(x), t, false};
  if (!is_float(t)) n.value = static_cast<int64_t>(x);
  return Val{n, types.tensor(t), {}};
}

Val Elaborator::default_number(Val v) {
  if (auto* n = v.get<Number>(); n && n->weak) {
    Number strong = *n;
    strong.weak = false;
    strong.dtype = n->dtype == DType::boolean ? DType::boolean : n->is_real() ? DType::f32 : DType::i32;
    return Val{strong, types.tensor(strong.dtype), v.origin};
  }
  return v;
}

Value Elaborator::value(const Val& v, std::optional<DType> want) {
  Builder& into = b();
  if (auto* n = v.get<Number>()) {
    DType t = n->weak && n->dtype != DType::boolean ? want.value_or(n->is_real() ? DType::f32 : DType::i32) : n->dtype;
    if (is_float(t)) return constant(into, n->real(), t);
    return constant_int(into, n->is_real() ? static_cast<int64_t>(n->real()) : std::get<int64_t>(n->value), t);
  }
  if (auto* d = v.get<DimId>()) return dim_value(into, *d, want && !is_generic(*want) ? *want : DType::i32);
  if (v.get<NodeRef>() || v.get<GlobalId>()) return into.value(import(v));
  if (auto* s = v.get<std::string>()) return into.emit(op<StrOp>, {}, {{AttrKey::text, *s}});
  std::vector<ValueId> elems;
  if (auto* s = v.structure()) {
    for (const Val& e : s->elems) elems.push_back(value(e).id);
    Attrs attrs;
    if (!s->fields.empty()) attrs.set(AttrKey::fields, s->fields);
    if (!s->name.empty()) attrs.set(AttrKey::name, s->name);
    return into.emit(op<TupleOp>, elems, attrs);
  }
  if (v.list() && !types.is_poison(type_of(v))) return as_type(v, type_of(v));
  if (!v.poison()) report(not_data, v.origin, describe(v));
  return constant(into, 0, want.value_or(DType::f32));
}

bool Elaborator::is_data(const Val& v) {
  if (v.get<Number>() || v.get<DimId>() || v.get<NodeRef>() || v.get<GlobalId>() || v.get<std::string>()) return true;
  if (auto* s = v.structure()) {
    for (const Val& e : s->elems)
      if (!is_data(e)) return false;
    return true;
  }
  if (auto* l = v.list()) {
    for (const Val& e : *l)
      if (!is_data(e)) return false;
    return true;
  }
  return false;
}

TypeId Elaborator::type_of(const Val& v) {
  if (auto* n = v.get<Number>())
    return types.tensor(n->weak && n->dtype != DType::boolean ? (n->is_real() ? DType::f32 : DType::i32) : n->dtype);
  if (v.get<DimId>()) return types.tensor(DType::i32);
  if (v.get<NodeRef>() || v.get<GlobalId>()) return v.type;
  if (v.get<std::string>()) return types.str();
  std::vector<TypeId> elems;
  if (auto* s = v.structure()) {
    for (const Val& e : s->elems) elems.push_back(type_of(e));
    return s->fields.empty() ? types.tuple(elems) : types.record(s->fields, elems, s->name);
  }
  if (auto* l = v.list()) {
    TypeId elem = types.poison();  // of an empty list: any
    for (const Val& e : *l) {
      TypeId t = erased(type_of(default_number(e)));
      auto both = join_types(elem, t);
      bool mixed = types.is_poison(t) && e.list() && !e.list()->empty();   // a list without a type
      if (!both || mixed) return types.poison();
      elem = *both;
    }
    return types.list(elem);
  }
  return types.poison();
}

bool Elaborator::is_numeric(const Val& v) {
  if (v.get<Number>() || v.get<DimId>()) return true;
  return (v.get<NodeRef>() || v.get<GlobalId>()) && types.is_tensor(v.type);
}

DType Elaborator::dtype_of(const Val& v) { return types.dtype(type_of(v)); }
Shape Elaborator::shape_of(const Val& v) { return types.shape(type_of(v)); }

void Elaborator::leaves(const Val& v, std::vector<Val>& out, std::vector<std::string>* paths, const std::string& prefix) {
  auto inside = [&](const Val& e, const std::string& name) { leaves(e, out, paths, prefix.empty() ? name : prefix + "." + name); };
  if (auto* s = v.structure()) {
    for (size_t i = 0; i < s->elems.size(); ++i) inside(s->elems[i], s->fields.empty() ? std::to_string(i) : s->fields[i]);
  } else if (auto* l = v.list()) {
    for (size_t i = 0; i < l->size(); ++i) inside((*l)[i], std::to_string(i));
  } else if (is_data(v)) {
    out.push_back(v);
    if (paths) paths->push_back(prefix);
  }
}

Val Elaborator::rebuild(const Val& v, const std::vector<Val>& with, size_t& next) {
  if (auto* s = v.structure()) {
    auto copy = std::make_shared<Structure>(*s);
    for (Val& e : copy->elems) e = rebuild(e, with, next);
    return Val{std::shared_ptr<const Structure>(copy), {}, v.origin};
  }
  if (auto* l = v.list()) {
    auto copy = std::make_shared<std::vector<Val>>(*l);
    for (Val& e : *copy) e = rebuild(e, with, next);
    return Val{std::shared_ptr<const std::vector<Val>>(copy), {}, v.origin};
  }
  return is_data(v) ? with[next++] : v;
}

Elaborator::Nested Elaborator::close(Val result) { return close_into(std::move(result), {}, false); }

// The innermost frame as a function: one of its own, or the body of one that has been called before.
Elaborator::Nested Elaborator::close_into(Val result, FuncId reserved, bool define) {
  Nested n;
  std::vector<Val> parts;
  leaves(result, parts);
  n.ok = !result.poison();
  std::vector<Val> slots;
  for (const Val& p : parts) {
    Value v = value(p);
    b().result(v.id);
    n.result_types.push_back(v.type());
    slots.push_back(Val{NodeRef{global_frame, ValueId(slots.size())}, v.type(), p.origin});
  }
  size_t next = 0;
  n.result = rebuild(result, slots, next);
  n.captures = frame().captures;
  Frame& f = frame();
  if (define) module.define(n.func = reserved, f.b.finish());
  else n.func = f.b.finish_into_module();
  frames.pop_back();
  return n;
}

Elaborator::Nested Elaborator::nested(const std::string& name, const std::vector<TypeId>& params, Val origins,
                                      const std::function<Val(const std::vector<Val>&)>& body, bool indexed) {
  Frame& f = open_frame(name);
  std::vector<Val> args;
  for (TypeId t : params) args.push_back(node(f.b.param(t), origins.origin));
  if (indexed) f.iteration = args[0];
  return close(body(args));
}

std::vector<Val> Elaborator::results_of(Value v, const std::vector<TypeId>& result_types, Span origin) {
  std::vector<Val> out;
  if (result_types.size() == 1) return {node(v, origin)};
  for (size_t i = 0; i < result_types.size(); ++i) out.push_back(node(get(v, static_cast<int64_t>(i)), origin));
  return out;
}

// ---- random streams ---------------------------------------------------------------------------------

Val Elaborator::stream(Frame& f, size_t level) {
  f.drew = true;
  if (f.stream) return *f.stream;
  if (level == 0) return *(f.stream = global(GlobalId(0), types.tensor(DType::i64)));
  Val outer = stream(*frames[level - 1], level - 1);
  if (!f.iteration) return *(f.stream = outer);
  // the mixed stream is a node of frame f, which need not be the innermost: build it there
  std::vector<std::unique_ptr<Frame>> above;
  while (frames.size() > level + 1) above.push_back(std::move(frames.back())), frames.pop_back();
  Value mixed = b().emit(op<StreamMix>, {value(outer).id, value(*f.iteration).id});
  f.stream = node(mixed);
  for (; !above.empty(); above.pop_back()) frames.push_back(std::move(above.back()));
  return *f.stream;
}

int64_t Elaborator::next_site() {
  uint64_t h = 0xcbf29ce484222325ull;  // FNV-1a (Fowler, Noll, Vo 1991) of the path
  auto feed = [&](std::string_view s) {
    for (unsigned char c : s) h = (h ^ c) * 0x100000001b3ull;
    h = (h ^ 0xff) * 0x100000001b3ull;
  };
  feed(site_root);
  for (const std::string& p : path) feed(p);
  feed(std::to_string(draws++));
  return static_cast<int64_t>(h);
}

}  // namespace glia
