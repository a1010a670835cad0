// Readers of images, sounds, texts and trees, vocabularies and windows of tokens, as the elaborator sees them.
#include <cmath>

#include "ir/ops/all.h"
#include "parser/data_calls.h"

namespace glia {

using namespace ir;

namespace {
// A text that is written out; nothing where the argument is not given or was refused.
std::optional<std::string> text_option(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, std::string_view name) {
  CallArg* a = argument(f, args, name);
  if (!a || a->val.poison()) return std::nullopt;
  if (auto* s = a->val.get<std::string>()) return *s;
  e.report(wrong_argument, a->span, f.name, fmt::format("needs a text that is written out for `{}`, found `{}`", name, e.describe(a->val)));
  return std::nullopt;
}

std::optional<int64_t> whole_option(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, std::string_view name, int64_t least, int64_t otherwise) {
  CallArg* a = argument(f, args, name);
  if (!a) return otherwise;
  auto k = e.known_int(a->val);
  if (k && *k >= least) return k;
  if (!a->val.poison()) e.report(wrong_argument, a->span, f.name, fmt::format("needs a whole number of at least {} for `{}`, found `{}`", least, name, e.describe(a->val)));
  return std::nullopt;
}

TypeId sets(Types& t, std::vector<std::string> names, TypeId rows) { return t.record(names, std::vector<TypeId>(names.size(), rows)); }

// A folder with a train and a test set of labelled tensors.
Val labelled(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, const std::string& input, TypeId type, Lines options, Span span) {
  auto path = path_argument(e, f, args, {}, span);
  if (!path) return {};
  TypeId rows = e.types.list(e.types.record({input, "label"}, {type, e.types.tensor(DType::i32)}));
  return host(e, "data." + std::string(f.name), {*path}, std::move(options), sets(e.types, {"train", "test"}, rows), span);
}

Val cifar10(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  DimId side = e.dims.constant(32);
  return labelled(e, f, args, "image", e.types.tensor(DType::u8, {e.dims.constant(3), side, side}), {}, span);
}

Val wav(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto rate = whole_option(e, f, args, "rate", 1, 16000);
  CallArg* s = argument(f, args, "seconds");
  auto* n = s ? s->val.get<Number>() : nullptr;
  double seconds = n ? n->real() : 1;
  CallArg* l = argument(f, args, "label");
  auto label = l ? text_option(e, f, args, "label") : std::string("prefix");
  if (!rate || !label) return {};
  if ((s && !n) || !(seconds > 0) || seconds > 3600) return e.report(wrong_argument, s->span, f.name, "needs the length of a clip in seconds, as a number"), Val{};
  if (*label != "prefix") return e.report(wrong_argument, l->span, f.name, "takes labels from the names of files: `label = \"prefix\"`"), Val{};
  int64_t samples = std::llround(static_cast<double>(*rate) * seconds);
  return labelled(e, f, args, "wave", e.types.tensor(DType::f32, {e.dims.constant(samples)}),
                  {fmt::format("rate={}", *rate), fmt::format("samples={}", samples)}, span);
}

Val text(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto path = path_argument(e, f, args, {}, span);
  if (!path) return {};
  bool lines = f.name == "lines";
  return host(e, "data." + std::string(f.name), {*path}, {}, lines ? e.types.list(e.types.str()) : e.types.str(), span);
}

// Fields of atoms and of further cases: what an s-expression can say.
bool readable(Elaborator& e, TypeId type, std::set<std::string>& seen) {
  const Type t = e.types[type];
  if (t.kind == TypeKind::str) return true;
  if (t.kind == TypeKind::tensor) return t.shape.empty() && (t.dtype == DType::i32 || t.dtype == DType::f32);
  if (t.kind != TypeKind::variant) return false;
  if (!seen.insert(t.name).second) return true;
  for (const VariantCase& c : e.module.variants[t.name])
    for (TypeId field : c.types)
      if (!readable(e, field, seen)) return false;
  return true;
}

Val sexpr(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto path = path_argument(e, f, args, {}, span);
  CallArg* as = argument(f, args, "as");
  if (!path || !as || as->val.poison()) return {};
  auto* t = as->val.get<TypeRef>();
  std::set<std::string> seen;
  if (!t || e.types[t->type].kind != TypeKind::variant || !readable(e, t->type, seen)) {
    e.report(wrong_argument, as->span, f.name, "needs a variant type of `i32`, `f32`, `str` and further cases for `as`, found `" + (t ? e.types.print(t->type) : e.describe(as->val)) + "`")
        .help("declare it: `type Tree = Leaf(label: i32, word: str) | Node(label: i32, left: Tree, right: Tree)`");
    return {};
  }
  return host(e, "data.sexpr", {*path}, {}, sets(e.types, {"train", "dev", "test"}, e.types.list(t->type)), span);
}

Val tagged(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto path = path_argument(e, f, args, {}, span);
  CallArg* s = argument(f, args, "separator");
  auto separator = s ? text_option(e, f, args, "separator") : std::string("|");
  if (!path || !separator) return {};
  if (separator->size() != 1) return e.report(wrong_argument, s->span, f.name, "needs one character for `separator`"), Val{};
  TypeId texts = e.types.list(e.types.str());
  TypeId rows = e.types.list(e.types.record({"form", "tag"}, {texts, texts}));
  return host(e, "data.tagged", {*path}, {"separator=" + *separator}, sets(e.types, {"train", "dev", "test"}, rows), span);
}

bool holds_text(Elaborator& e, TypeId type, std::set<std::string>& seen) {
  const Type t = e.types[type];
  if (t.kind == TypeKind::str) return true;
  for (TypeId elem : t.elems)
    if (holds_text(e, elem, seen)) return true;
  if (t.kind != TypeKind::variant || !seen.insert(t.name).second) return false;
  for (const VariantCase& c : e.module.variants[t.name])
    for (TypeId field : c.types)
      if (holds_text(e, field, seen)) return true;
  return false;
}

Val vocab(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  if (args[0].val.poison()) return {};
  std::set<std::string> seen;
  if (!e.is_data(args[0].val) || !holds_text(e, e.type_of(args[0].val), seen))
    return e.report(wrong_argument, args[0].span, f.name, "takes a text or what holds texts, found `" + e.describe(args[0].val) + "`"), Val{};
  auto least = whole_option(e, f, args, "min_count", 1, 1);
  if (!least) return {};
  Lines options{fmt::format("min_count={}", *least)};
  for (std::string_view name : {"level", "unknown", "end"}) {
    CallArg* a = argument(f, args, name);
    if (!a) continue;
    auto s = text_option(e, f, args, name);
    if (!s) return {};
    if (name == "level" && *s != "char" && *s != "word") return e.report(wrong_argument, a->span, f.name, "takes \"char\" or \"word\" for `level`"), Val{};
    options.push_back(fmt::format("{}={}", name, *s));
  }
  return host(e, "data.vocab", {e.value(args[0].val).id}, std::move(options), e.types.object("vocabulary"), span);
}

Val tokenizer(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto path = path_argument(e, f, args, {}, span);
  return path ? host(e, "data.tokenizer", {*path}, {}, e.types.object("tokenizer"), span) : Val{};
}

bool is_tokens(Elaborator& e, const Val& v) {
  const Type t = e.types[e.type_of(v)];
  TypeId elem = t.kind == TypeKind::list ? t.elems[0] : e.type_of(v);
  size_t rank = t.kind == TypeKind::list ? 0 : 1;
  return e.types.is_tensor(elem) && e.types.dtype(elem) == DType::i32 && e.types.shape(elem).size() == rank;
}

// data.windows(tokens, length, train = 0.9, test = 0.1)
Val windows(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  if (args.size() < 2 || !args[0].name.empty() || !args[1].name.empty())
    return e.report(wrong_argument, span, f.name, "takes tokens and the length of a window, then fractions: `train = 0.9, test = 0.1`"), Val{};
  if (args[0].val.poison() || args[1].val.poison()) return {};
  if (!is_tokens(e, args[0].val)) return e.report(wrong_argument, args[0].span, f.name, "takes tokens, `[i32]`, found `" + e.describe(args[0].val) + "`"), Val{};
  auto length = size_argument(e, &args[1]);
  if (!length) return e.report(wrong_argument, args[1].span, f.name, "needs a length that is known before the program runs"), Val{};
  Lines options, fields;
  for (size_t i = 2; i < args.size(); ++i) {
    auto* n = args[i].val.get<Number>();
    if (args[i].name.empty() || !n || n->real() <= 0 || n->real() > 1)
      return e.report(wrong_argument, args[i].span, f.name, "takes named fractions, such as `train = 0.9, test = 0.1`"), Val{};
    options.push_back(fmt::format("part={}{}{}", args[i].name, option_separator, n->real()));
    fields.push_back(args[i].name);
  }
  if (fields.empty()) return e.report(wrong_argument, span, f.name, "needs named fractions, such as `train = 0.9, test = 0.1`"), Val{};
  TypeId rows = e.types.list(e.types.tensor(DType::i32, {*length}));
  Val size{*length, {}, args[1].span};
  return host(e, "data.windows", {e.value(args[0].val).id, e.value(size).id}, std::move(options), sets(e.types, fields, rows), span);
}

const Builtin list[] = {
    {"cifar10", "data.cifar10(dir)\nThe binary form of CIFAR-10 (Krizhevsky 2009): { train, test } of rows { image: u8[3, 32, 32], label: i32 }.", cifar10, {"dir"}, 1},
    {"wav", "data.wav(dir, rate = 16000, seconds = 1.0, label = \"prefix\")\nWAV files of one channel in folders or tar archives: { train, test } of rows { wave: f32[rate * seconds], label: i32 }. The label is the file's name up to the first `_`; clips are cut or filled with zeros at their end; another rate is an error.", wav, {"dir", "rate", "seconds", "label"}, 1},
    {"text", "data.text(path)\nThe text of a UTF-8 file, plain or gzip; what is not UTF-8 is an error with line and column.", text, {"path"}, 1},
    {"lines", "data.lines(path)\nThe lines of a UTF-8 file, [str], without their ends.", text, {"path"}, 1},
    {"sexpr", "data.sexpr(dir, as = Type)\nTrees of s-expressions: { train, dev, test }, lists of the variant type. A list is the case that has as many fields, lists for cases and atoms for i32, f32 and str. What fits none is an error with file, line and column.", sexpr, {"dir", "as"}, 2},
    {"tagged", "data.tagged(dir, separator = \"|\")\nSentences of `word|TAG` tokens, one a line: { train, dev, test } of { form: [str], tag: [str] }.", tagged, {"dir", "separator"}, 1},
    {"vocab", "data.vocab(texts, level = \"word\", min_count = 1, unknown, end)\nThe tokens of a text, or of all texts inside a value, with numbers: `end` first, then `unknown`, then characters by code point, or words from the most frequent on. It has size, end, id(token), has(token), encode(text) and decode(tokens). `encode` leaves out what is not there, unless there is `unknown`.", vocab, {"texts", "level", "min_count", "unknown", "end"}, 1},
    {"tokenizer", "data.tokenizer(path)\nThe byte pairs of llama2.c. It has size, encode(text, bos = false) and piece(before, token).", tokenizer, {"path"}, 1},
    {"windows", "data.windows(tokens, length, name = fraction…)\nRows of i32[length], by parts of the tokens: every window of the first part, so that a shuffled pass sees random crops; the others tiled.", windows, {}, 2},
};
}  // namespace

std::span<const Builtin> reader_builtins() { return list; }

}  // namespace glia
