// The passes made of the rule tables, and the laws as pairs of functions.
#include "ir/passes/simplify.h"

#include "ir/ops/all.h"

namespace glia::ir {

namespace {
std::vector<Rule> joined(std::initializer_list<Rules> tables) {
  std::vector<Rule> all;
  for (Rules t : tables) all.insert(all.end(), t.begin(), t.end());
  return all;
}
}  // namespace

Func simplify(Module& m, const Func& f) { return rewrite(m, f, joined({algebra_rules(), shape_rules()})); }

// Sums of products come first: the sum of a scaled value would take them apart.
Func recognise(Module& m, const Func& f) { return rewrite(m, f, joined({contraction_rules(), algebra_rules(), shape_rules()})); }

// ---- laws -------------------------------------------------------------------------------------------

namespace {
// What peephole.h does, written with plain emission.
struct CheapLaw {
  std::string_view name;
  Value (*left)(Builder& b, Value x);
  bool exact = true;
};

DimId fixed(Builder& b, int64_t n) { return b.dims().constant(n); }
Value with_number(Builder& b, OpId op, Value x, double number) { return b.emit(op, {x.id, constant_like(x, number).id}); }

constexpr CheapLaw cheap_laws[] = {
    {"add-minus-zero", [](Builder& b, Value x) { return with_number(b, op<Add>, x, -0.0); }},
    {"sub-zero", [](Builder& b, Value x) { return with_number(b, op<Sub>, x, 0.0); }},
    {"mul-one", [](Builder& b, Value x) { return with_number(b, op<Mul>, x, 1); }},
    {"div-one", [](Builder& b, Value x) { return with_number(b, op<Div>, x, 1); }},
    {"pow-one", [](Builder& b, Value x) { return with_number(b, op<Pow>, x, 1); }},
    {"neg-neg", [](Builder& b, Value x) { return b.emit(op<Neg>, {b.emit(op<Neg>, {x.id}).id}); }},
    {"not-not", [](Builder& b, Value x) { return b.emit(op<Not>, {b.emit(op<Not>, {(x > 0.0).id}).id}); }},
    {"same-choice", [](Builder& b, Value x) { return b.emit(op<Select>, {(x > 0.0).id, x.id, x.id}); }},
    {"known-choice", [](Builder& b, Value x) {
       return b.emit(op<Select>, {constant(b, 0, DType::boolean, x.shape()).id, constant_like(x, 5).id, x.id});
     }},
    {"cast-same", [](Builder& b, Value x) { return b.emit(op<Cast>, {x.id}, {{AttrKey::dtype, x.dtype()}}); }},
    {"reshape-reshape", [](Builder& b, Value x) {
       Value y = b.emit(op<Reshape>, {x.id}, {{AttrKey::shape, DimList{fixed(b, 12)}}});
       return b.emit(op<Reshape>, {y.id}, {{AttrKey::shape, DimList{fixed(b, 2), fixed(b, 6)}}});
     }},
    {"transpose-transpose", [](Builder& b, Value x) {
       Value y = b.emit(op<Transpose>, {x.id}, {{AttrKey::perm, Ints{1, 0}}});
       return b.emit(op<Transpose>, {y.id}, {{AttrKey::perm, Ints{1, 0}}});
     }},
    {"broadcast-broadcast", [](Builder& b, Value x) {
       Value y = b.emit(op<Broadcast>, {x.id}, {{AttrKey::shape, DimList{fixed(b, 4), fixed(b, 2), fixed(b, 3)}}, {AttrKey::axes, Ints{2, 0}}});
       return b.emit(op<Broadcast>, {y.id}, {{AttrKey::shape, DimList{fixed(b, 2), fixed(b, 4), fixed(b, 3), fixed(b, 5)}}, {AttrKey::axes, Ints{1, 0, 2}}});
     }},
    {"slice-all", [](Builder& b, Value x) {
       return b.emit(op<Slice>, {x.id}, {{AttrKey::starts, DimList(2, fixed(b, 0))}, {AttrKey::stops, DimList(x.shape())}, {AttrKey::steps, Ints{1, 1}}});
     }},
    {"get-of-tuple", [](Builder& b, Value x) {
       Value pair = b.emit(op<TupleOp>, {constant_like(x, 5).id, x.id});
       return b.emit(op<Get>, {pair.id}, {{AttrKey::index, int64_t{1}}});
     }},
    {"sum-over-nothing", [](Builder& b, Value x) { return b.emit(op<Sum>, {x.id}, {{AttrKey::axes, Ints{}}}); }, false},  // 0 + -0 is 0
    {"fold", [](Builder& b, Value x) {
       Value c = constant_like(x, 0.3);
       return b.emit(op<Add>, {x.id, b.emit(op<Exp>, {c.id}).id});
     }},
    {"fold-cast", [](Builder& b, Value x) {
       Value c = b.emit(op<Cast>, {constant(b, 2.7, DType::f64, x.shape()).id}, {{AttrKey::dtype, x.dtype()}});
       return b.emit(op<Add>, {x.id, c.id});
     }},
};

RuleCase case_of(Module& m, std::string_view name, bool exact, Rules rules, const std::function<Value(Builder&)>& sample) {
  Builder b(m, std::string(name));
  b.result(sample(b).id);
  Func left = b.finish();
  Func right = rewrite(m, left, rules);
  return {name, std::move(left), std::move(right), exact};
}
}  // namespace

std::vector<RuleCase> simplify_laws(Module& m) {
  std::vector<RuleCase> cases;
  for (const CheapLaw& l : cheap_laws)
    cases.push_back(case_of(m, l.name, l.exact, {}, [&](Builder& b) {
      return l.left(b, b.param(b.types().tensor(DType::f32, {fixed(b, 3), fixed(b, 4)})));
    }));
  for (Rules table : {algebra_rules(), shape_rules(), contraction_rules()})
    for (const Rule& r : table)
      if (r.sample) cases.push_back(case_of(m, r.name, r.exact, {&r, 1}, r.sample));
  return cases;
}

}  // namespace glia::ir
