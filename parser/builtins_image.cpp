// Images: convolution, pooling, padding and crops. All of them are windows, products and reductions of the IR.
#include "ir/ops/all.h"
#include "parser/builtins.h"

namespace glia {

using namespace ir;

namespace {
// One size for both axes of an image, or two.
std::optional<DimList> pair_argument(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, std::string_view name, const DimList& fallback) {
  CallArg* a = argument(f, args, name);
  if (!a) return fallback;
  auto list = e.as_shape(a->val, a->span);
  if (!list) return std::nullopt;
  if (list->size() == 1) list->push_back(list->front());
  if (list->size() == 2) return list;
  e.report(wrong_argument, a->span, f.name, fmt::format("needs one or two numbers for `{}`, found {}", name, list->size()));
  return std::nullopt;
}

// How windows lie on an image: by axis.
struct Layout {
  DimList size, stride, pad, dilation;
};

std::optional<Layout> layout(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, DimList size, bool stride_is_size) {
  DimList one(2, e.dims.constant(1)), none(2, e.dims.constant(0));
  auto stride = pair_argument(e, f, args, "stride", stride_is_size ? size : one);
  auto pad = pair_argument(e, f, args, "pad", none), dilation = pair_argument(e, f, args, "dilation", one);
  if (!stride || !pad || !dilation) return std::nullopt;
  return Layout{std::move(size), *stride, *pad, *dilation};
}

std::optional<Value> image_argument(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  CallArg* a = argument(f, args, "x");
  auto x = tensor_argument(e, f, a, span);
  if (!x) return std::nullopt;
  if (x->rank() == 3 && (is_float(x->dtype()) || x->dtype() == DType::any_float)) return x;
  auto& d = e.report(wrong_argument, a->span, f.name, fmt::format("takes an image [channels, height, width] of floats, found `{}`", e.types.print(x->type())));
  if (x->rank() == 3) d.help("convert it: `f32(x)`");
  else if (x->rank() == 2) d.help("give it a channel: `reshape(x, [1, height, width])`");
  else if (x->rank() == 4) d.help("models are written for one example: there is no batch axis");
  return std::nullopt;
}

// [c, h, w] -> [c, h', kh, w', kw]
std::optional<Value> windows(Elaborator& e, const Builtin& f, Value x, const Layout& l, Span span) {
  DimId none = e.dims.constant(0);
  if (l.pad != DimList(2, none)) x = pad(x, {none, l.pad[0], l.pad[1]}, {none, l.pad[0], l.pad[1]});
  for (size_t i = 0; i < 2; ++i) {
    auto w = checked_emit(e, f, op<Window>, {x},
                          {{AttrKey::axis, static_cast<int64_t>(1 + 2 * i)}, {AttrKey::shape, DimList{l.size[i], l.stride[i], l.dilation[i]}}}, span);
    if (!w) return std::nullopt;
    x = *w;
  }
  return x;
}

// ---- convolution ----------------------------------------------------------------------------------

bool channels_fit(Elaborator& e, const Builtin& f, Value x, Value w, DimId groups, Span span) {
  DimId cin = x.shape()[0], per_group = e.dims.floordiv(cin, groups), taken = w.shape()[1];
  auto rest = e.dims.known(e.dims.mod(cin, groups)), rest_out = e.dims.known(e.dims.mod(w.shape()[0], groups));
  if ((rest && *rest != 0) || (rest_out && *rest_out != 0)) {
    e.report(wrong_argument, span, f.name, fmt::format("needs `groups` = {} to divide both {} and {} channels", e.dims.print(groups),
                                                       e.dims.print(cin), e.dims.print(w.shape()[0])));
    return false;
  }
  if (e.dims.compare(per_group, taken) == Compare::equal || (e.checking && e.dims.compare(per_group, taken) != Compare::different)) return true;
  e.report(wrong_argument, span, f.name, fmt::format("has weights for {} channels, but the image has {}", e.dims.print(e.dims.mul(taken, groups)), e.dims.print(cin)))
      .note(fmt::format("the image is `{}`, the weights `{}`", e.types.print(x.type()), e.types.print(w.type())))
      .help("weights are [channels out, channels in // groups, kernel height, kernel width]");
  return false;
}

// Labels: 0 group, 1 channel in, 2 height, 3 kernel height, 4 width, 5 kernel width, 6 channel out.
Value convolve(Elaborator& e, Value x, Value w, DimId groups) {
  if (e.dims.known(groups) == 1) return contract(w, x, {6, 1, 3, 5}, {1, 2, 3, 4, 5}, {6, 2, 4});
  const Shape xs = x.shape(), ws = w.shape();
  DimId in = ws[1], out = e.dims.floordiv(ws[0], groups);
  Value xg = reshape(x, {groups, in, xs[1], xs[2], xs[3], xs[4]}), wg = reshape(w, {groups, out, in, ws[2], ws[3]});
  Value y = contract(wg, xg, {0, 6, 1, 3, 5}, {0, 1, 2, 3, 4, 5}, {0, 6, 2, 4});
  return reshape(y, {ws[0], xs[1], xs[3]});
}

Val conv2d(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = image_argument(e, f, args, span);
  auto w = tensor_argument(e, f, argument(f, args, "w"), span);
  if (!x || !w) return {};
  if (w->rank() != 4 || w->dtype() != x->dtype()) {
    e.report(wrong_argument, span, f.name, fmt::format("needs weights [channels out, channels in, kernel height, kernel width] of the image's type, found `{}` for `{}`",
                                                       e.types.print(w->type()), e.types.print(x->type())));
    return {};
  }
  auto l = layout(e, f, args, {w->shape()[2], w->shape()[3]}, false);
  CallArg* g = argument(f, args, "groups");
  auto groups = g ? e.as_dim(g->val) : std::optional(e.dims.constant(1));
  if (!groups) e.report(wrong_argument, g->span, f.name, "needs a constant number of `groups`");
  if (!l || !groups || !channels_fit(e, f, *x, *w, *groups, span)) return {};
  auto parts = windows(e, f, *x, *l, span);
  if (!parts) return {};
  Value y = convolve(e, *parts, *w, *groups);
  if (CallArg* bias = argument(f, args, "bias")) {
    auto b = tensor_argument(e, f, bias, span);
    if (!b) return {};
    if (b->rank() != 1 || b->shape()[0] != w->shape()[0] || b->dtype() != y.dtype())
      return e.report(wrong_argument, bias->span, f.name, fmt::format("needs a bias for {} channels, found `{}`", e.dims.print(w->shape()[0]), e.types.print(b->type()))), Val{};
    y = y + broadcast(*b, Shape(y.shape()), {0});
  }
  return e.node(y, span);
}

// ---- pooling ----------------------------------------------------------------------------------------

std::optional<Value> pool_windows(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = image_argument(e, f, args, span);
  auto size = x ? pair_argument(e, f, args, "size", {}) : std::nullopt;
  auto l = size ? layout(e, f, args, *size, true) : std::nullopt;
  return l ? windows(e, f, *x, *l, span) : std::nullopt;
}

Val max_pool2d(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto w = pool_windows(e, f, args, span);
  return w ? e.node(reduce_max(*w, {2, 4}), span) : Val{};
}

Val avg_pool2d(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto w = pool_windows(e, f, args, span);
  if (!w) return {};
  Value count = dim_value(e.b(), e.dims.mul(w->shape()[2], w->shape()[4]), w->dtype());
  return e.node(sum(*w, {2, 4}) / count, span);
}

Val global_avg_pool(Elaborator& e, const Builtin& f, std::vector<CallArg>& args, Span span) {
  auto x = image_argument(e, f, args, span);
  if (!x) return {};
  Value count = dim_value(e.b(), e.dims.mul(x->shape()[1], x->shape()[2]), x->dtype());
  return e.node(sum(*x, {1, 2}) / count, span);
}

const Builtin list[] = {
    {"conv2d", "conv2d(x, w, bias, stride = 1, pad = 0, dilation = 1, groups = 1)\nCross-correlation of f32[c, h, w] with f32[o, c // groups, kh, kw]: f32[o, h2, w2] with h2 = (h + 2 * pad - (kh - 1) * dilation - 1) // stride + 1.", conv2d, {"x", "w", "bias", "stride", "pad", "dilation", "groups"}, 2},
    {"max_pool2d", "max_pool2d(x, size, stride = size)\nThe largest of each window of f32[c, h, w]; windows that do not fit are left out. NaN wins.", max_pool2d, {"x", "size", "stride"}, 2},
    {"avg_pool2d", "avg_pool2d(x, size, stride = size, pad = 0)\nThe mean of each window of f32[c, h, w], zeros of the padding included.", avg_pool2d, {"x", "size", "stride", "pad"}, 2},
    {"global_avg_pool", "global_avg_pool(x)\nThe mean of each channel: f32[c, h, w] to f32[c].", global_avg_pool, {"x"}, 1},
};
}  // namespace

std::span<const Builtin> image_builtins() { return list; }

}  // namespace glia
