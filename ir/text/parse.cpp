// A recursive descent over the words of the text form. Functions are built directly, as the text numbers them, and then
// verified.
#include "ir/text/parse.h"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "ir/ops/all.h"
#include "ir/ops/table.h"
#include "ir/passes/copy.h"
#include "ir/text/lex.h"
#include "ir/verify.h"

namespace glia::ir {

namespace {
constexpr int deepest = 100;        // nesting of types and sizes
constexpr size_t most_alike = 1000;  // sizes of one name

class Parser {
 public:
  Parser(Module& module, std::string_view text) : m_(module), lex_(text) {}
  Result<FuncId> run();

 private:
  // sizes and types
  DimId dim(int depth = 0);
  DimId dim_term(int depth);
  DimId dim_factor(int depth);
  DimId named_dim();
  Shape shape();
  TypeId type(int depth = 0);
  TypeId tuple_type(std::string name, int depth);
  TypeId record_type(std::string name, int depth);
  std::vector<TypeId> types_in_parens(int depth);

  // attributes
  AttrValue attr();
  int64_t signed_integer();
  FuncId func_ref();

  // functions
  void variant();
  void declare();
  void func();
  void finish(Func f, std::optional<int64_t> number);
  void verify_all();
  void params(Func& f);
  void node();
  void body(Func& f);
  ValueId value();
  void place(ValueId at, Node n);
  std::optional<AttrKey> attr_key();

  template <class F>
  void list(std::string_view open, std::string_view close, F item) {
    lex_.expect(open);
    while (lex_.ok() && !lex_.peek(close)) {
      item();
      if (!lex_.take(",")) break;
    }
    lex_.expect(close);
  }

  TypeId bad_type(const std::string& why) { return lex_.fail(why), m_.types.poison(); }
  DimId bad_dim(const std::string& why) { return lex_.fail(why), m_.types.dims.constant(1); }

  Module& m_;
  Lexer lex_;
  std::map<int64_t, FuncId> funcs_;  // by the number in the text
  std::map<ValueId, Node> nodes_;    // of the function being read
  std::map<int64_t, FuncId> declared_;  // and not defined yet
  std::vector<FuncId> unverified_;
  std::optional<FuncId> last_;
};

// ---- sizes ----------------------------------------------------------------------------------------

DimId Parser::named_dim() {
  std::string name = lex_.name();
  auto order = static_cast<size_t>(lex_.take("'") ? lex_.integer() : 0);
  Dims& dims = m_.types.dims;
  auto named = [&](size_t i) { return !dims.is_unknown(AtomId(i)) && dims.atom(AtomId(i)).kind == Atom::var && dims.atom(AtomId(i)).name == name; };
  if (order > most_alike) return bad_dim("too many sizes of one name");
  for (size_t i = 0, found = 0; i < dims.atom_count(); ++i)
    if (named(i) && found++ == order) return dims.of_atom(AtomId(i));
  if (order == 0) return dims.var(name);
  size_t have = 0;
  for (size_t i = 0; i < dims.atom_count(); ++i) have += named(i);
  if (have == 0) dims.var(name), ++have;
  DimId made{};
  for (; have <= order; ++have) made = dims.fresh(name);
  return made;
}

DimId Parser::dim_factor(int depth) {
  Dims& dims = m_.types.dims;
  if (depth > deepest) return bad_dim("a size nested too deep");
  if (lex_.take("(")) {
    DimId d = dim(depth + 1);
    if (lex_.take("//")) {
      d = dims.floordiv(d, dim_factor(depth + 1));
      if (!d.valid()) return bad_dim("a size divided by zero");
    }
    lex_.expect(")");
    return d;
  }
  if (lex_.take("?")) return dims.unknown();
  if (lex_.take("..")) return dims.pack(lex_.name());
  if (lex_.take("size")) {
    lex_.expect("(");
    lex_.expect("..");
    DimId d = dims.product({dims.pack(lex_.name())});
    lex_.expect(")");
    return d;
  }
  return lex_.peek_name() ? named_dim() : dims.constant(lex_.integer());
}

DimId Parser::dim_term(int depth) {
  DimId d = dim_factor(depth);
  while (lex_.ok() && lex_.take("*")) d = m_.types.dims.mul(d, dim_factor(depth));
  return d;
}

DimId Parser::dim(int depth) {
  Dims& dims = m_.types.dims;
  bool negative = lex_.take("-");
  DimId d = dim_term(depth);
  if (negative) d = dims.mul(dims.constant(-1), d);
  while (lex_.ok()) {
    if (lex_.take("+")) d = dims.add(d, dim_term(depth));
    else if (lex_.peek("->")) break;
    else if (lex_.take("-")) d = dims.sub(d, dim_term(depth));
    else break;
  }
  return d.valid() ? d : bad_dim("a size that is too large");
}

Shape Parser::shape() {
  Shape s;
  list("[", "]", [&] { s.push_back(dim()); });
  return s;
}

// ---- types ----------------------------------------------------------------------------------------

std::vector<TypeId> Parser::types_in_parens(int depth) {
  std::vector<TypeId> elems;
  list("(", ")", [&] { elems.push_back(type(depth + 1)); });
  return elems;
}

TypeId Parser::tuple_type(std::string name, int depth) {
  std::vector<TypeId> elems = types_in_parens(depth);
  return m_.types.record({}, std::move(elems), std::move(name));
}

TypeId Parser::record_type(std::string name, int depth) {
  std::vector<std::string> fields;
  std::vector<TypeId> elems;
  list("{", "}", [&] {
    fields.push_back(lex_.name());
    lex_.expect(":");
    elems.push_back(type(depth + 1));
  });
  if (fields.empty()) return bad_type("a record without fields");
  return m_.types.record(std::move(fields), std::move(elems), std::move(name));
}

TypeId Parser::type(int depth) {
  if (depth > deepest) return bad_type("a type nested too deep");
  if (lex_.peek("(")) return tuple_type({}, depth);
  if (lex_.peek("{")) return record_type({}, depth);
  bool in_quotes = lex_.peek_quote();
  std::string name = lex_.name();
  if (!lex_.ok()) return m_.types.poison();
  if (!in_quotes) {
    if (auto dtype = dtype_from_name(name)) return m_.types.tensor(*dtype, lex_.peek("[") ? shape() : Shape{});
    if (name == "str") return m_.types.str();
    if (name == "tape") return m_.types.tape();
    if (name == "object") return m_.types.object(lex_.name());
    if (name == "poison") return m_.types.poison();
    if (name == "variant") return m_.types.variant(lex_.name());
    if (name == "list" || name == "fn") {
      std::vector<TypeId> elems = types_in_parens(depth);
      if (elems.empty() || (name == "list" && elems.size() != 1)) return bad_type(fmt::format("`{}` of {} types", name, elems.size()));
      if (name == "list") return m_.types.list(elems[0]);
      TypeId result = elems.back();
      elems.pop_back();
      return m_.types.fn(std::move(elems), result);
    }
  }
  if (lex_.peek("{")) return record_type(std::move(name), depth);
  if (lex_.peek("(")) return tuple_type(std::move(name), depth);
  return bad_type(fmt::format("`{}` is not a type", name));
}

// ---- attributes -----------------------------------------------------------------------------------

int64_t Parser::signed_integer() {
  bool negative = lex_.take("-");
  if (negative && lex_.take("9223372036854775808")) return INT64_MIN;
  int64_t v = lex_.integer();
  return negative ? -v : v;
}

FuncId Parser::func_ref() {
  lex_.expect("@");
  std::string name = lex_.name();
  lex_.expect("#");
  int64_t number = lex_.integer();
  auto it = funcs_.find(number);
  if (it == funcs_.end()) lex_.fail(fmt::format("@{}#{} is not defined above", name, number));
  return it == funcs_.end() ? FuncId() : it->second;
}

AttrValue Parser::attr() {
  if (lex_.peek_quote()) return lex_.quote();
  if (lex_.peek("@")) return func_ref();
  if (lex_.take("dim")) {
    lex_.expect("(");
    DimId d = dim();
    lex_.expect(")");
    return d;
  }
  if (lex_.take("dims")) return shape();
  if (lex_.peek("[")) {
    Ints v;
    list("[", "]", [&] { v.push_back(signed_integer()); });
    return v;
  }
  if (lex_.take("reals")) {
    Reals v;
    list("[", "]", [&] {
      auto d = lex_.real();
      if (!d) lex_.fail("expected a number with a point");
      v.push_back(d.value_or(0));
    });
    return v;
  }
  if (lex_.take("texts")) {
    std::vector<std::string> v;
    list("[", "]", [&] { v.push_back(lex_.quote()); });
    return v;
  }
  if (auto d = lex_.real()) return *d;
  if (!lex_.peek_name()) return signed_integer();
  std::string word = lex_.name();
  if (auto dtype = dtype_from_name(word)) return *dtype;
  lex_.fail(fmt::format("`{}` is not a value of an attribute", word));
  return int64_t{0};
}

std::optional<AttrKey> Parser::attr_key() {
  if (!lex_.peek_name() || lex_.peek("return") || lex_.peek_quote()) return std::nullopt;
  std::string word = lex_.name();
  for (int k = 0; k <= static_cast<int>(AttrKey::name); ++k)
    if (attr_name(static_cast<AttrKey>(k)) == word) return static_cast<AttrKey>(k);
  lex_.fail(fmt::format("`{}` is not an attribute", word));
  return std::nullopt;
}

// ---- functions ------------------------------------------------------------------------------------

ValueId Parser::value() {
  lex_.expect("%");
  int64_t v = lex_.integer();
  if (v > 100'000'000) lex_.fail("a value number that is too large");
  return ValueId(static_cast<size_t>(v));
}

// variant Tree = Leaf(x: f32) | Node(left: variant Tree, right: variant Tree)
void Parser::variant() {
  lex_.expect("variant");
  const std::string name = lex_.name();
  std::vector<VariantCase> cases;
  lex_.expect("=");
  do {
    VariantCase c;
    c.name = lex_.name();
    list("(", ")", [&] {
      c.fields.push_back(lex_.name());
      lex_.expect(":");
      c.types.push_back(type());
    });
    cases.push_back(std::move(c));
  } while (lex_.ok() && lex_.take("|"));
  if (lex_.ok()) m_.variants[name] = std::move(cases);
}

// declare walk#7 -> (f32)
void Parser::declare() {
  lex_.expect("declare");
  std::string name = lex_.name();
  lex_.expect("#");
  const int64_t number = lex_.integer();
  lex_.expect("->");
  std::vector<TypeId> results = types_in_parens(0);
  if (!lex_.ok()) return;
  const FuncId id = m_.reserve(std::move(name), std::move(results));
  if (!funcs_.emplace(number, id).second) return lex_.fail(fmt::format("two functions have the number {}", number));
  declared_.emplace(number, id);
}

// In any order: that arguments come before their uses is the verifier's to see.
void Parser::place(ValueId at, Node n) {
  if (!nodes_.emplace(at, std::move(n)).second) lex_.fail(fmt::format("%{} is defined twice", at.v));
}

void Parser::params(Func& f) {
  list("(", ")", [&] {
    ValueId at = value();
    lex_.expect(":");
    Node n{op<Param>, type(), {}, {}, {}};
    if (lex_.peek_quote()) n.attrs.set(AttrKey::name, lex_.quote());
    f.params.push_back(at);
    place(at, std::move(n));
  });
}

void Parser::node() {
  ValueId at = value();
  lex_.expect(":");
  Node n{{}, type(), {}, {}, {}};
  lex_.expect("=");
  std::string name = lex_.name();
  auto found = op_from_name(name);
  if (!found || *found == op<Param>) return lex_.fail(fmt::format("`{}` is not an op", name));
  n.op = *found;
  list("(", ")", [&] { n.args.push_back(value()); });
  while (auto key = attr_key()) {
    lex_.expect("=");
    n.attrs.set(*key, attr());
  }
  place(at, std::move(n));
}

void Parser::body(Func& f) {
  while (lex_.ok() && lex_.peek("%")) node();
  if (lex_.take("return"))
    do f.results.push_back(value());
    while (lex_.take(","));
  for (auto& [at, n] : nodes_) {
    if (at.index() != f.nodes.size()) return lex_.fail(fmt::format("%{} is not defined in `{}`", f.nodes.size(), f.name));
    f.nodes.push_back(std::move(n));
  }
}

void Parser::func() {
  Func f;
  nodes_.clear();
  lex_.expect("func");
  f.name = lex_.name();
  std::optional<int64_t> number;
  if (lex_.take("#")) number = lex_.integer();
  params(f);
  lex_.expect("->");
  std::vector<TypeId> results = types_in_parens(0);
  lex_.expect("{");
  body(f);
  lex_.expect("}");
  if (!lex_.ok()) return;
  std::vector<TypeId> found;
  for (ValueId r : f.results) {
    if (!r.valid() || r.index() >= f.nodes.size()) return lex_.fail(fmt::format("{}: result %{} does not exist", f.name, r.v));
    found.push_back(f[r].type);
  }
  if (found != results) return lex_.fail(fmt::format("`{}` does not give the types that it states", f.name));
  finish(std::move(f), number);
}

// A function that has been declared takes its place. As long as others are only declared, nothing can be verified.
void Parser::finish(Func f, std::optional<int64_t> number) {
  auto declared = number ? declared_.find(*number) : declared_.end();
  if (declared == declared_.end()) {
    last_ = m_.add(std::move(f));
    if (number && !funcs_.emplace(*number, *last_).second) return lex_.fail(fmt::format("two functions have the number {}", *number));
  } else {
    last_ = declared->second;
    std::vector<TypeId> results;
    for (ValueId r : f.results) results.push_back(f[r].type);
    if (results != result_types(m_[*last_])) return lex_.fail(fmt::format("`{}` does not give the types that are declared", f.name));
    m_.define(*last_, std::move(f));
    declared_.erase(declared);
  }
  unverified_.push_back(*last_);
  if (declared_.empty()) verify_all();
}

void Parser::verify_all() {
  for (FuncId id : unverified_)
    if (auto problems = verify(m_, m_[id]); !problems.empty()) return lex_.fail(problems[0]);
  unverified_.clear();
}

Result<FuncId> Parser::run() {
  while (lex_.ok() && !lex_.at_end()) {
    if (lex_.peek("variant")) variant();
    else if (lex_.peek("declare")) declare();
    else func();
  }
  if (lex_.ok() && !declared_.empty()) lex_.fail(fmt::format("`{}` is declared and not defined", m_[declared_.begin()->second].name));
  if (!lex_.ok()) return fail("IR text, " + lex_.error());
  if (!last_) return fail("IR text without a function");
  return *last_;
}
}  // namespace

Result<FuncId> parse_ir(Module& module, std::string_view text) { return Parser(module, text).run(); }

}  // namespace glia::ir
