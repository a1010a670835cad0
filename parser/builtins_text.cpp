// Output and text.
#include "ir/ops/all.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
constexpr DiagKind output_refused{"E0350", Severity::error, "`{}` stands in code that is differentiated or batched"};

Val print(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  if (e.per_example) {
    e.report(output_refused, span, f.name).help("return the value and print it outside");
    return {};
  }
  std::vector<ValueId> ids;
  for (CallArg& a : args) {
    if (!e.is_data(a.val)) return e.report(wrong_argument, a.span, f.name, "cannot show " + e.describe(a.val)), Val{};
    ids.push_back(e.value(a.val).id);
  }
  e.b().emit(op<Print>, ids, {{AttrKey::index, int64_t{f.name == "write"}}, {AttrKey::order, int64_t{e.effects++}}});
  return Val{std::make_shared<const Structure>(), {}, span};
}

Val text(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  if (args.size() != 1 || !e.is_data(args[0].val)) return e.report(wrong_argument, span, f.name, "takes one value"), Val{};
  if (args[0].val.get<std::string>()) return args[0].val;
  return e.node(e.b().emit(op<Format>, {e.value(args[0].val).id}, {{AttrKey::text, std::string()}}), span);
}

const Builtin list[] = {
    {"print", "print(values…)\nWrites its values with spaces between, and ends the line.", print, {}, 0},
    {"write", "write(values…)\nWrites its values as `print` does, without ending the line.", print, {}, 0},
    {"str", "str(value)\nThe value as text, as `print` writes it.", text, {}, 1},
};
}  // namespace

std::span<const Builtin> text_builtins() { return list; }

}  // namespace glia
