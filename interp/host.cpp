// Host ops in the reference evaluator: texts, output, lists, and functions of the host by name.
#include <fmt/format.h>

#include <iostream>

#include "interp/format.h"
#include "interp/frame.h"
#include "ir/ops/all.h"

namespace glia::interp {

using ir::AttrKey;

namespace {
std::string text_of(const Step& s, size_t k) { return format_value(s.args[k], &s.run.types(), s.arg_type(k), &s.run.module); }

Evaluated run_format(const Step& s) {
  auto text = format_with(s.args[0], s.attrs().text(AttrKey::text), &s.run.types(), s.arg_type(0), &s.run.module);
  if (!text) return s.fault(text.error());
  return Value(std::move(*text));
}

Evaluated run_join(const Step& s) {
  std::string joined;
  for (size_t k = 0; k < s.args.size(); ++k) joined += text_of(s, k);
  return Value(std::move(joined));
}

Evaluated run_print(const Step& s) {
  const bool newline = !s.attrs().has(AttrKey::index) || s.attrs().integer(AttrKey::index) != 1;
  std::string line;
  for (size_t k = 0; k < s.args.size(); ++k) line += (k > 0 ? " " : "") + text_of(s, k);
  if (newline) line += '\n';
  std::ostream& out = s.run.options.out ? *s.run.options.out : std::cout;
  out << line << std::flush;
  return Value();
}

Evaluated run_host_call(const Step& s) {
  const std::string& name = s.attrs().text(AttrKey::text);
  if (name == "equal_text") return Value(Tensor::scalar(s.args[0].text() == s.args[1].text()));
  const HostFunctions* functions = s.run.options.host;
  const auto it = functions ? functions->find(name) : HostFunctions::const_iterator{};
  if (!functions || it == functions->end()) return s.fault(fmt::format("the host has no function `{}` here", name));
  auto v = it->second(s.args, s.attrs(), s.node.type, s.run.module);
  if (!v && !v.error().src.valid()) v.error().src = s.node.src;
  return v;
}
}  // namespace

Evaluated run_host(const Step& s) {
  if (s.node.op == ir::op<ir::StrOp>) return Value(s.attrs().text(AttrKey::text));
  if (s.node.op == ir::op<ir::Format>) return run_format(s);
  if (s.node.op == ir::op<ir::JoinStr>) return run_join(s);
  if (s.node.op == ir::op<ir::Print>) return run_print(s);
  if (s.node.op == ir::op<ir::HostCall>) return run_host_call(s);
  if (s.node.op == ir::op<ir::MakeList>) return Value(List{{std::make_move_iterator(s.args.begin()), std::make_move_iterator(s.args.end())}});
  internal_error(__FILE__, __LINE__, "a host op that the evaluator knows", s.func.name);
}

}  // namespace glia::interp
