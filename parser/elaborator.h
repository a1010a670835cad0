// The elaborator: checks a program and turns it into IR in one walk. A function's body is checked once with symbolic
// sizes where it is declared, and elaborated again in place of each call, with the sizes of the call. Split by idea:
// items.cpp, expr.cpp, operators.cpp, index.cpp, control.cpp, call.cpp, sizes.cpp, model.cpp, train.cpp, builtins_*.cpp.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <set>

#include "base/diag.h"
#include "ir/builder.h"
#include "parser/program.h"
#include "parser/val.h"
#include "parser/warnings.h"

namespace glia {

struct TrainParts;

// Frames have numbers below these; the leaves of a form are of a frame that there is none of.
inline constexpr uint32_t global_frame = 0xfffffffe;

// A parsed file with its top-level names.
struct Unit {
  std::string name;
  ast::Tree tree;
  ScopePtr scope;
  bool library = false;   // of the standard library: its bodies are checked by its own tests
  bool loaded = false;
};

// A function of the IR under construction. Frames nest; what an inner one uses of an outer one, or of the values of
// earlier statements, becomes a parameter: nested functions are closed.
struct Frame {
  uint32_t number;
  ir::Builder b;
  std::map<std::pair<uint32_t, uint32_t>, ir::ValueId> imported;   // (frame or global_frame, id) -> parameter
  std::vector<ir::ValueId> captures;   // in the frame around, in the order of the parameters they became
  std::vector<GlobalId> globals;       // outermost frame only
  std::optional<Val> stream;           // random stream, made when first drawn from
  std::optional<Val> iteration;        // index of a loop body, mixed into the stream
  bool drew = false;                   // the stream has been asked for
};

// A function that calls itself, while its body is elaborated: calls inside meet it here.
struct Recursion {
  const ast::FnDecl* decl;
  std::vector<ir::TypeId> types;       // of the leaves of its arguments
  std::string form;                    // of what is no data in them
  ir::FuncId func;
  Val result;                          // its form: leaves hold types
  std::vector<std::pair<std::pair<uint32_t, uint32_t>, ir::TypeId>> captures;   // of an earlier round, in order
  bool draws = false;
  bool met = false;                    // it has been called from inside
};

// What a loop or `for` runs over.
struct Iterable {
  std::optional<std::vector<Val>> items;   // known one by one: unrolled
  ir::DimId size;                          // valid: known before the program runs
  Val count;                               // else an i32 of the run
  std::vector<Val> lists;                  // lists of the run whose items the body gets
  std::function<Val(const Val& i, std::span<const Val> items)> item;
  bool over_list = false;                  // what the body gives makes a list, not a tensor
};

// A body on its way: its frame is off the stack until it is known what it should give.
struct Body {
  std::unique_ptr<Frame> frame;
  Val result;
};

// One argument of a call, elaborated unless the function reads its arguments as they are written.
struct CallArg {
  std::string name;   // empty: positional
  ast::ExprId syntax;
  Val val;
  Span span;
};

class Elaborator;

// What the place wants; literals, lists and lambdas take hints from it.
struct Want {
  ir::TypeId type;              // may be invalid
  bool list = false;            // a list, not a tensor
};

// A function of the language that is written here: how it is typed and what it becomes.
struct Builtin {
  std::string_view name;
  std::string_view text;       // "sum(x, axis)", then what it does and gives
  Val (*call)(Elaborator& e, const Builtin& self, std::vector<CallArg>& args, Span span);
  std::vector<std::string_view> params;   // names, in order
  size_t required = 0;
  bool reads_syntax = false;   // looks at how its arguments are written: they come unelaborated
  ir::OpId op{};               // elementwise ops share one `call`

  std::string_view usage() const { return text.substr(0, text.find('\n')); }
  std::string_view doc() const { return text.size() == usage().size() ? std::string_view() : text.substr(usage().size() + 1); }
};

class Elaborator {
 public:
  Elaborator(const ProgramRequest& request, Sources& sources, ir::Module& module, Diagnostics& diags);
  Program run();
  std::vector<OptionInfo> options_only();

  // ---- state that the pieces share
  const ProgramRequest& request;
  Sources& sources;
  ir::Module& module;
  Diagnostics& diags;
  ir::Types& types;
  ir::Dims& dims;
  Program program;
  std::deque<Unit> units;
  Unit* unit = nullptr;              // whose text is being read
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<ir::TypeId> global_types;
  std::vector<std::string> path;     // of the layer being made: "blocks", "3", "att"
  std::string site_root;             // names the function that draws
  uint32_t draws = 0;
  uint32_t effects = 0;
  int depth = 0;                     // of calls and nested expressions
  bool checking = false;             // a declaration is being checked with symbolic sizes
  std::optional<bool> training;      // inside a pass of the train block
  bool per_example = false;          // inside code that is differentiated or batched: no output
  uint32_t frame_count_ = 0;
  std::vector<const ast::FnDecl*> active_;   // functions being inlined
  std::set<const ast::FnDecl*> recursive_;   // functions found to call themselves
  std::vector<std::pair<const ast::FnDecl*, bool>> checking_;   // declarations being checked; whether one met itself
  std::vector<Recursion> recursions_;        // being elaborated, innermost last
  bool in_match_ = false;                    // a pattern that may fail has been tested
  std::set<uint32_t> runtime_;               // atoms of sizes that are known only at run time
  ScopePtr prelude_;
  std::vector<std::string> loading_;         // modules being read, outermost first
  uint32_t statements_ = 0;
  std::map<uint32_t, Val> object_sizes_;     // by global: they are sizes like those of options
  bool weights_given = false;                // a model is made whose parameters a file gives
  std::vector<const ast::TrainDecl*> trains_;
  ScopePtr syntax_scope_;                    // of the call whose builtin reads its arguments as they are written

  // ---- reporting
  template <class... Args>
  Diagnostic& report(const DiagKind& kind, Span span, Args&&... args) {
    return blame(diags.report(kind, span, std::forward<Args>(args)...));
  }
  Diagnostic& blame(Diagnostic& d);   // adds the calls that led to library code
  Val unsupported(Span span, std::string_view what);
  std::string describe(const Val& v);  // its type as the user writes it
  std::vector<Span> call_stack;       // calls of the user's text that led into other functions
  ir::SrcId call_src;                 // the innermost of them

  // ---- what errors have said already: one cause, one message
  std::set<const void*> broken_;               // declarations with an error of their own: their uses say nothing more
  std::map<const void*, std::map<std::string_view, int>> misused_;   // by function of the program and code: calls that did not fit
  void count_misuse(const Closure& c, size_t faults, const std::optional<Diagnostics>& before);
  std::set<std::string> unknown_names_;
  bool is_library(FileId file) const;

  // ---- warnings (warnings.h)
  Warnings warnings;
  void warn();                        // after a program without errors
  void warn_of_chance();
  void report_made_layers(const std::string& function, const Val& result);

  // ---- expressions
  Val expr(ast::ExprId id, ScopePtr scope, const Want* want = nullptr);
  Val block(const ast::Block& b, ScopePtr scope, const Want* want);
  Val case_value(const Val& v, Span span);
  Val name_ref(const ast::NameRef& n, Span span, const ScopePtr& scope);
  Val unknown(const std::string& name, Span span, const ScopePtr& scope);
  Val string_expr(const ast::String& s, Span span, const ScopePtr& scope);
  Val record_expr(const ast::Record& r, Span span, const ScopePtr& scope);
  Val list_expr(const ast::List& l, Span span, const ScopePtr& scope, const Want* want);
  bool bind_case(const ast::ConstructorPattern& c, Span span, const Val& v, const ScopePtr& scope);
  Val on_device(const ast::OnDevice& d, const ScopePtr& scope, const Want* want);
  Val recompute(const ast::Recompute& r, Span span, const ScopePtr& scope, const Want* want);
  Val field(const Val& base, const ast::Name& name, Span span, bool quiet = false);
  Val lambda(const ast::Lambda& l, Span span, const ScopePtr& scope);
  bool bind_pattern(ast::PatternId pattern, Val v, const ScopePtr& scope);
  Val tensor_of(std::vector<Val> items, Span span);
  void let_stmt(const ast::LetStmt& let, const ScopePtr& from, const ScopePtr& into);
  void assert_stmt(const ast::AssertStmt& a, Span span, const ScopePtr& scope);
  void assign_stmt(const ast::AssignStmt& a, const ScopePtr& scope);
  Val adapt_to(Val v, ir::TypeId t, Span span, const std::string& what);
  Val open_structure(const Val& v);
  Want want_of(ast::TypeExprId type);

  // ---- operators
  Val unary(const ast::Unary& u, Span span, const ScopePtr& scope, const Want* want);
  Val binary(const ast::Binary& b, Span span, const ScopePtr& scope, const Want* want);
  Val arithmetic(ast::BinaryOp op, const Val& a, const Val& b, Span span, Span a_span, Span b_span);
  Val elementwise(ir::OpId op, std::vector<Val> args, std::span<const Span> spans, Span span, std::string_view shown);
  std::optional<DType> agree_dtype(const std::vector<Val>& args, std::span<const Span> spans, Span span, std::string_view shown,
                                   bool floats_only);
  bool broadcast_operands(std::vector<ir::Value>& xs, const std::vector<Val>& args, std::span<const Span> spans, Span span,
                          std::string_view shown);
  Val matmul(const Val& a, const Val& b, Span span, Span a_span, Span b_span);
  Val vector_op(ast::BinaryOp op, const Val& a, const Val& b, Span span, Span a_span, Span b_span);
  std::optional<bool> known_bool(const Val& v);
  std::optional<int64_t> known_int(const Val& v);

  // ---- index, field, control
  Val index(const ast::Index& x, Span span, const ScopePtr& scope);
  Val for_expr(const ast::For& f, Span span, const ScopePtr& scope);
  Val for_clauses(const ast::For& f, size_t clause, Span span, const ScopePtr& scope);
  void set_range(Binding& index, ir::DimId size, Span at, const std::string& name, const std::string& from);
  std::optional<ir::DimId> slice_bound(ast::ExprId id, ir::DimId size, ir::DimId missing, const ScopePtr& scope);
  std::optional<ir::Value> index_axis(ir::Value x, size_t& axis, const ast::IndexItem& item, const Val& base, const ScopePtr& scope);
  Val for_items(const ast::ForClause& c, const Iterable& over, Span span, const ScopePtr& scope, const std::function<Val(const ScopePtr&)>& body);
  Val fold_body(Body made, const IndexRange& range, Span span);
  Val map_over(const std::string& name, std::shared_ptr<IndexRange> range, bool bare, Span span, const ScopePtr& scope,
               const std::function<Val(const ScopePtr&, const Val&)>& body);
  Val unroll(const std::string& name, const IndexRange& range, Span span, const ScopePtr& scope,
             const std::function<Val(const ScopePtr&, const Val&)>& body);
  Val if_expr(const ast::If& i, Span span, const ScopePtr& scope, const Want* want);
  bool is_condition(const Val& c, Span at);
  Val choose(const Val& condition, Span span, std::pair<Span, Span> sides, const std::function<Val()>& yes, const std::function<Val()>& no);
  Body body_of(const std::string& name, const std::function<Val()>& make);

  // ---- loops
  Val loop_expr(const ast::Loop& l, Span span, const ScopePtr& scope);
  std::optional<Iterable> source_of(const ast::ForClause& c, const ScopePtr& scope);
  std::optional<Iterable> source_of_value(const Val& xs, Span span);
  std::optional<Iterable> zip_source(const Zip& z, Span span);
  Iterable range_source(const Val& from, const Val& to, Span span);
  Val unroll_loop(const ast::Loop& l, const Iterable& over, const Val& init, Span span, const ScopePtr& scope);
  Val while_loop(const ast::Loop& l, const Val& init, Span span, const ScopePtr& scope);
  Val counted_loop(const ast::Loop& l, const Iterable& over, const Val& init, Span span, const ScopePtr& scope);
  Val scan_yield(const ast::Loop& l, const Val& states, ir::DimId count, Span span, const ScopePtr& scope);
  // Elaborates a loop's body with states of the form that it gives itself; nothing where there is none.
  struct Looped {
    Body body;
    Val form, next, out;               // of the states; the values that the body gives, in its frame
    std::vector<Val> states, items;
    Val i;
  };
  std::optional<Looped> settle_loop(const std::string& name, const Val& init, bool counter, std::span<const Val> lists, Span span,
                                    const std::function<void(Looped&)>& body);
  // The node of a fold; `out` is what each step adds to a list, if anything.
  std::pair<Val, Val> emit_fold(Looped l, const Val& init, const Val& count, std::span<const Val> lists, Span span);
  Val fold_for(const ast::ForClause& c, const Iterable& over, Span span, const ScopePtr& scope, const std::function<Val(const ScopePtr&)>& body);
  Val filtered(const ast::For& f, const Iterable& over, Span span, const ScopePtr& scope);
  Val count_of(const Iterable& s, Span span);
  bool same_length(const Val& a, const Val& b, Span span);
  std::pair<Val, Val> loop_step(const ast::Loop& l, const Val& state, const Val* item, const ScopePtr& scope);
  Val pair_of(const Val& a, const Val& b, Span span);
  Val append(const Val& list, const Val& x, Span span);
  Val map_value(const Val& xs, const Val& f, Span span);
  std::optional<Val> list_overload(std::string_view name, std::vector<CallArg>& args, Span span);
  Val constructed(const ast::Record& r, std::vector<CallArg> fields, Span span, const ScopePtr& scope);

  // ---- one form for two values
  std::optional<Val> join(const Val& a, const Val& b, std::string& why);
  std::optional<ir::TypeId> join_types(ir::TypeId a, ir::TypeId b);
  Val settled_form(const Val& form);   // literals take their own types, unknown sizes get names
  Val fit(const Val& v, const Val& form, Span span, const std::string& what);
  ir::Value as_type(const Val& v, ir::TypeId t);
  ir::DimId runtime_size(Span at = {});
  bool is_runtime(ir::DimId d) const;
  ir::TypeId opened(ir::TypeId t);     // `?` gets a name
  ir::TypeId erased(ir::TypeId t);     // and loses it
  Val form_leaf(ir::TypeId t, Span origin = {}) { return Val{NodeRef{global_frame, ir::ValueId(0)}, t, origin}; }

  // ---- lists and variants
  bool is_list(const Val& v);          // of the run
  Val as_list(const Val& v, Span span);
  Val as_tensor(const Val& v, Span span);   // of equal elements
  Val list_item(const Val& list, ir::Value i, Span span);
  Val list_length(const Val& list, Span span);
  Val index_list(const Val& base, const ast::Index& x, Span span, const ScopePtr& scope);
  Val construct(const ConstructorRef& c, std::vector<CallArg> args, Span span);
  Val payload(const Val& v, uint32_t index, size_t field, Span span);
  Val variant_field(const Val& v, const std::string& name, Span span);
  const ir::VariantCase& case_of(const ConstructorRef& c) { return module.variants[types[c.type].name][c.index]; }
  Val match_expr(const ast::Match& m, Span span, const ScopePtr& scope, const Want* want);
  Val match_arms(const ast::Match& m, size_t arm, const Val& subject, Span span, const ScopePtr& scope, const Want* want);
  Val test_pattern(ast::PatternId p, const Val& v, const ScopePtr& scope);
  bool check_pattern(ast::PatternId p, const Val& v, const ScopePtr& scope);
  void check_pattern_types(ast::PatternId p, const Val& v, const ScopePtr& scope);
  std::optional<ConstructorRef> constructor_named(const std::vector<ast::Name>& path, const ScopePtr& scope);
  void check_arms(const ast::Match& m, const Val& subject, Span span, const ScopePtr& scope);
  bool is_run_structure(const Val& v);
  Val vector_node_op(ast::BinaryOp op, const Val& a, const Val& b, Span span);

  // ---- recursion
  Val call_recursive(const Closure& c, const std::vector<std::optional<CallArg>>& args, const std::string& what, Span span);
  Val recursive_node(Recursion& r, std::vector<ir::ValueId> args, Span span);
  bool define_recursion(const Closure& c, Recursion& r, const std::vector<CallArg>& args, const std::string& what);
  Val recursion_body(const Closure& c, const std::vector<CallArg>& args, const std::vector<Val>& params, const Val& form, const std::string& what);
  Val call_with_backward(const Closure& c, const std::vector<std::optional<CallArg>>& args, const std::string& what, Span span);

  // ---- calls
  Val call(const ast::Call& c, Span span, const ScopePtr& scope, const Want* want);
  Val pipe(const ast::Binary& b, Span span, const ScopePtr& scope);
  Val apply(const Val& f, std::vector<CallArg> args, Span span);
  Val apply_values(const Val& f, std::vector<Val> args, Span span);
  bool meets_itself(const Closure& c, Span span);
  Val inlined(const Closure& c, const std::vector<std::optional<CallArg>>& args, const std::string& what);
  void gather_variadic(const std::vector<ast::Param>& params, std::vector<CallArg>& args, Span span);
  Val apply_closure(const Closure& c, std::vector<CallArg> args, Span span, Span origin);
  Val apply_partial(const Partial& p, std::vector<CallArg> args, Span span);
  std::vector<CallArg> call_args(const std::vector<ast::Arg>& args, const ScopePtr& scope);
  Val call_builtin(const Builtin& f, std::vector<CallArg> args, Span span);
  Val apply_product(const Transformed& t, std::vector<CallArg> args, Span span);
  Val native(std::string name, std::function<Val(std::vector<CallArg>, Span)> call);
  Val grad_at(const Val& f, std::vector<CallArg> args, const Transformed& like, Span span);
  Val dot_of(const Val& a, const Val& b, Span span);
  Val jvp_at(const Transformed& t, const std::vector<CallArg>& args, const std::vector<Val>& along, Span span);
  Val jacobian_at(const Transformed& t, std::vector<CallArg> args, Span span);
  Val apply_transformed(const Transformed& t, std::vector<CallArg> args, Span span);
  ScopePtr syntax_scope() const { return syntax_scope_; }
  std::optional<std::vector<size_t>> wrt_positions(const Transformed& t, size_t count);
  Val convert(ir::TypeId to, std::vector<CallArg> args, Span span);
  std::optional<std::vector<std::optional<CallArg>>> place_args(const std::vector<ast::Param>& params, std::vector<CallArg>& args,
                                                                const std::string& what, Span span, Span declared);
  std::string param_name(const ast::Param& p);

  // ---- types and sizes
  struct SizeScope {                 // names quantified in one signature
    ScopePtr scope;                  // where they are bound
    std::map<uint32_t, std::string> unknown;   // atom -> name, still to be found
    ir::Dims::Bindings found;
    std::map<uint32_t, Span> found_at;
    std::map<uint32_t, ir::Shape> packs;
    std::optional<DType> any_float, any_int, any_num;
    std::map<std::string, ir::TypeId> type_vars;   // 'a
    bool declare = false;            // symbolic: unknown names become sizes of their own

    // An axis whose size has several unknown names when it is met, as in f32[a * b]: held until the others are found.
    struct Open {
      ir::DimId pattern, actual;
      ast::TypeExprId type;
      Span span;
      std::string what;
    };
    std::vector<Open> open;

    explicit SizeScope(ScopePtr s, bool symbolic = false) : scope(std::move(s)), declare(symbolic) {}
  };
  std::optional<ir::DimId> dim_expr(ast::ExprId id, const ScopePtr& scope, SizeScope* sizes);
  std::optional<ir::DimId> as_dim(const Val& v);
  std::optional<ir::Shape> as_shape(const Val& v, Span span);
  ir::TypeId type_expr(ast::TypeExprId id, const ScopePtr& scope, SizeScope* sizes);
  ir::TypeId named_type(const ast::NamedType& t, Span span, const ScopePtr& scope, SizeScope* sizes);
  bool is_dim_type(ast::TypeExprId id);
  int dim_tuple(ast::TypeExprId id);  // dim[2] gives 2
  std::optional<ModelRef> model_type(ast::TypeExprId id, const ScopePtr& scope);
  // Makes `v` a value of the declared type: solves sizes, adapts literals; reports a mismatch.
  Val conform(Val v, ast::TypeExprId type, const ScopePtr& scope, SizeScope& sizes, Span span, const std::string& what);
  Val typed_empty(const Val& v, ir::TypeId t);
  bool unify(ir::TypeId pattern, const Val& v, SizeScope& sizes, std::string& why);
  bool unify_list(ir::TypeId elem, const Val& v, SizeScope& sizes, std::string& why);
  bool unify_variable(const std::string& name, const Val& v, SizeScope& sizes, std::string& why);
  bool unify_shape(const ir::Shape& pattern, const ir::Shape& actual, SizeScope& sizes, std::string& why, const Val& v);
  std::optional<std::vector<CallArg>> declared_args(const Closure& c, const std::vector<std::optional<CallArg>>& args, SizeScope& sizes,
                                                    const std::string& what, Span span);
  bool settle(SizeScope& sizes);     // decides what unify left open; reports what does not fit
  Val conforming(ast::ExprId value, ast::TypeExprId type, const ScopePtr& scope, const std::string& what);   // type may be invalid
  bool bind_param(const ast::Param& p, const std::optional<CallArg>& arg, SizeScope& sizes, const std::string& what);
  void publish(SizeScope& sizes);    // binds the sizes found as names

  // ---- values of the IR
  ir::Builder& b() { return frames.back()->b; }
  Frame& frame() { return *frames.back(); }
  Frame& open_frame(std::string name);
  Val node(ir::Value v, Span origin = {});
  Val global(GlobalId id, ir::TypeId type, Span origin = {});
  ir::ValueId import(const Val& v);             // of a NodeRef or GlobalId, into the innermost frame
  ir::Value value(const Val& v, std::optional<DType> want = {});   // any val that is data; numbers adapt
  bool is_data(const Val& v);
  ir::TypeId type_of(const Val& v);             // poison for what is not data
  bool is_numeric(const Val& v);
  DType dtype_of(const Val& v);
  ir::Shape shape_of(const Val& v);
  void leaves(const Val& v, std::vector<Val>& out, std::vector<std::string>* paths = nullptr, const std::string& prefix = {});
  Val rebuild(const Val& v, const std::vector<Val>& leaves, size_t& next);
  Val default_number(Val v);                    // a weak literal becomes i32 or f32
  Val poison() { return {}; }
  Val number(double x, DType t);
  Val stream(Frame& f, size_t level);
  int64_t next_site();

  // Runs `body` in a new frame with parameters of the given types; returns the finished function, what it captured (as
  // arguments for a node of this frame), and the structure of its result.
  struct Nested {
    ir::FuncId func;
    std::vector<ir::ValueId> captures;
    Val result;               // leaves are numbered: element i of `types`
    std::vector<ir::TypeId> result_types;
    bool ok = false;
  };
  Nested nested(const std::string& name, const std::vector<ir::TypeId>& params, Val iteration_of,
                const std::function<Val(const std::vector<Val>&)>& body, bool indexed = false);
  Nested close_body(Body body, const Val& form, Span span);
  Val wanted(const Val& v, const Want* want);
  Want want_result(ast::TypeExprId type);
  void label_sizes(Diagnostic& d, ast::TypeExprId type, const Val& v, const ScopePtr& scope);
  Val emit_grad(const Transformed& t, const Nested& n, const std::vector<Val>& given, const std::vector<size_t>& wrt,
                const std::vector<size_t>& first, std::vector<ir::ValueId> args, const ir::Ints& leaf_wrt, Span span);
  Nested close_into(Val result, ir::FuncId reserved, bool define);
  Val backward_body(const Closure& c, const std::vector<CallArg>& args, const Nested& f, const std::vector<Val>& params);
  Val emit_while(const Nested& step, const Nested& condition, const Val& form, const std::vector<Val>& starts, Span span);
  static std::vector<ir::ValueId> captured_by(const Nested& a, const Nested& other);
  ir::FuncId with_captures(const std::string& name, const Nested& side, const std::vector<ir::TypeId>& first, const std::vector<ir::ValueId>& captures);
  Val emit_if(ir::Value condition, const Nested& yes, const Nested& no, Span span);
  Nested close(Val result);              // ends the innermost frame with this result
  std::vector<Val> results_of(ir::Value node, const std::vector<ir::TypeId>& types, Span origin);

  // ---- declarations
  std::optional<std::string> library_text(const std::string& name);
  Unit* load(const std::string& name, Span at, Unit* from);
  void declare_unit(Unit& u);
  void declare_types(Unit& u);
  ir::TypeId make_type(const TypeMaker& t, const std::vector<ast::ExprId>& args, Span span, const ScopePtr& scope);
  void item(const ast::Item& it);
  void report_cycle(const std::string& name, Span at);
  void import_items(const std::vector<ast::ImportItem>& items);
  bool load_main();
  Val let_value(const ast::LetStmt& let, const ScopePtr& scope);
  Val size_of_global(Val v, Span span, const std::string& name);
  Val size_of_object(const Val& object, const std::string& kind, Span span);
  void let_name(const ast::LetStmt& let, Span span);
  void let_pattern(const ast::LetStmt& let, Span span);
  bool pattern_is_name(ast::PatternId id);
  bool seed_statement(const ast::ExprStmt& e);
  void check_test(const ast::TestDecl& t);
  std::optional<Val> symbolic_model(const ModelRef& m, Span span, std::vector<CallArg> sizes = {});
  bool fits_model_sizes(const Structure& s, const ast::NamedType& t, const ScopePtr& scope, SizeScope& sizes, std::string& why);
  bool undecided(ir::Value condition);   // known at compile time, but not while declarations are checked
  void check_fn(const ast::FnDecl& f, const ScopePtr& scope, const std::string& shown);
  Val check_backward(const ast::FnDecl& f, const ScopePtr& scope, const SizeScope& sizes);
  void check_model(const ast::ModelDecl& m);
  Val symbolic(ir::TypeId t, const std::string& name, Span span);
  std::optional<Val> symbolic_param(const ast::Param& p, const ScopePtr& scope, SizeScope& sizes);
  Val option_value(const ast::OptionDecl& o);
  void declare_option(const ast::OptionDecl& o, Program& into);
  Val instantiate(const ModelRef& m, std::vector<CallArg> args, Span span, bool symbolic_params = false);
  Val make_param(const ast::ModelParam& p, const ScopePtr& scope, bool symbolic_params);
  std::shared_ptr<Closure> closure_of(const ast::FnDecl& f, Unit* home, const ScopePtr& scope);
  bool is_schedule_type(ast::TypeExprId id);
  bool is_state(const Structure& model, const std::string& name);
  Val make_state(const ast::ModelState& s, const ScopePtr& scope, bool symbolic_params);
  Val with_cells(const Val& v);
  void model_states(const Val& v, const std::string& prefix, std::vector<std::pair<std::string, Val>>& out);
  ScopePtr method_scope(const Structure& model);
  std::optional<Val> method(const Val& self, std::string_view name);
  Val make_optimizer(const OptimizerRef& o, std::vector<CallArg> args, Span span);

  // Ends a top-level statement: runs what the frame holds and turns its nodes into globals.
  Val finish_statement(Val v);
  void statement(Span span, const std::function<Val()>& body, const std::function<void(Val)>& then);

  // ---- training
  void check_train(const ast::TrainDecl& t, bool wanted);
  bool check_train_keys(const ast::TrainDecl& t);
  std::optional<int64_t> train_number(const ast::TrainDecl& t, std::string_view key, int64_t least);
  void train_settings(const ast::TrainDecl& t, TrainSettings& s);
  std::optional<std::pair<GlobalId, ir::TypeId>> train_rows(const ast::TrainDecl& t, std::string_view key);
  Val apply_to_row(const Val& f, const Val& model, const std::vector<Val>& columns, ir::TypeId row, Span span, const std::string& what);
  void train_metrics(const ast::TrainDecl& t, TrainParts& parts);
  void train_model(const ast::TrainDecl& t, TrainParts& parts, TrainProgram& tp);
  bool train_columns(const ast::TrainDecl& t, ir::TypeId row, TrainProgram& tp);
  Val as_metric(const Val& v, const std::string& name, Span span);
  bool train_examples(const TrainParts& parts, TrainProgram& tp);
  bool train_on_epoch(const ast::TrainDecl& t, const TrainParts& parts, TrainProgram& tp);
  void finish_metrics(const TrainParts& parts, TrainProgram& tp);
  Val state_init(const ast::ModelState& s, const Val& p, const ScopePtr& args, const std::string& p_name);
  bool train_optimizer(const TrainParts& parts, TrainProgram& tp);
  bool optimizer_functions(const OptimizerRule& rule, const ast::OptimizerDecl& decl, TrainProgram& tp);
  void clip_gradients(const Val& limit, std::vector<Val>& grads);
  ir::FuncId update_function(const OptimizerRule& rule, const ast::OptimizerDecl& decl, TrainProgram& tp);
  // One step of the rule on values: new parameters and states in place of the old.
  bool update_values(const OptimizerRule& rule, const Val& step, const Val& epoch, const std::vector<bool>& trained, std::vector<Val>& params,
                     std::vector<Val> grads, std::vector<Val>& states);
  Val optimizer_init(const OptimizerRule& rule, std::vector<CallArg> args, Span span);
  Val optimizer_step(const OptimizerRule& rule, std::vector<CallArg> args, Span span);
  ir::FuncId end_function();
  void share_captures(TrainProgram& tp);
  std::map<uint32_t, std::vector<GlobalId>> captures_of_;   // by function of the run
};

const Builtin* find_builtin(std::string_view name);
const Builtin* find_data_function(std::string_view name);
std::vector<std::string> builtin_names();

}  // namespace glia
