// Type rules of constants, index ranges and random draws.
#include "ir/ops/all.h"
#include "ir/ops/rules.h"

namespace glia::ir {

namespace {
Complaint check_filled(const TypeContext& c) {
  return first_of([&] { return needs<DType>(c, AttrKey::dtype); }, [&] { return needs<DimList>(c, AttrKey::shape); },
                  [&] { return sizes(c.types, c.attrs.dims(AttrKey::shape)); });
}

Complaint check_dim(const TypeContext& c) {
  return first_of([&] { return needs<DimId>(c, AttrKey::dim); }, [&] { return needs<DType>(c, AttrKey::dtype); },
                  [&] { return sizes(c.types, {c.attrs.get<DimId>(AttrKey::dim)}); },
                  [&] { return is_num(c.attrs.get<DType>(AttrKey::dtype)) ? std::nullopt : Complaint("gives numbers, not bools"); });
}
}  // namespace

TypeRule Const::type(const TypeContext& c) {
  if (Complaint bad = check_filled(c)) return std::unexpected(*bad);
  if (!has_attr<int64_t>(c, AttrKey::value) && !has_attr<double>(c, AttrKey::value)) return wrong("lacks its value");
  return c.types.tensor(c.attrs.get<DType>(AttrKey::dtype), c.attrs.dims(AttrKey::shape));
}

TypeRule Literal::type(const TypeContext& c) {
  if (Complaint bad = first_of([&] { return check_filled(c); }, [&]() -> Complaint {
        if (has_attr<Reals>(c, AttrKey::values) || has_attr<Ints>(c, AttrKey::values)) return std::nullopt;
        return "lacks its values";
      }))
    return std::unexpected(*bad);
  size_t count = has_attr<Ints>(c, AttrKey::values) ? c.attrs.ints(AttrKey::values).size() : c.attrs.get<Reals>(AttrKey::values).size();
  const Shape& shape = c.attrs.dims(AttrKey::shape);
  if (c.types.dims.known(c.types.dims.product(shape)) != static_cast<int64_t>(count))
    return wrong("has {} values for {}", count, c.types.print_shape(shape));
  return c.types.tensor(c.attrs.get<DType>(AttrKey::dtype), shape);
}

TypeRule Iota::type(const TypeContext& c) {
  if (Complaint bad = check_dim(c)) return std::unexpected(*bad);
  return c.types.tensor(c.attrs.get<DType>(AttrKey::dtype), {c.attrs.get<DimId>(AttrKey::dim)});
}

TypeRule DimValue::type(const TypeContext& c) {
  if (Complaint bad = check_dim(c)) return std::unexpected(*bad);
  return c.types.tensor(c.attrs.get<DType>(AttrKey::dtype));
}

// ---- random -------------------------------------------------------------------------------------

TypeRule Random::type(const TypeContext& c) {
  if (Complaint bad =
          first_of([&] { return tensors(c); }, [&] { return check_filled(c); }, [&] { return needs<int64_t>(c, AttrKey::site); }))
    return std::unexpected(*bad);
  if (c.dtype(0) != DType::i64) return wrong("draws from a stream of i64, found {}", c.types.print(c.args[0]));
  DType dtype = c.attrs.get<DType>(AttrKey::dtype);
  if (!is_float(dtype)) return wrong("draws floats, not {}", dtype_name(dtype));
  Shape shape = c.shape(0);
  const DimList& each = c.attrs.dims(AttrKey::shape);
  shape.insert(shape.end(), each.begin(), each.end());
  return c.types.tensor(dtype, std::move(shape));
}

// A stream for each row, from which each row draws as it would alone.
Batched Random::batch(const Use& u, std::span<const Batched> args, DimId) { return again(u, {args[0].value.id}, u.attrs()); }

TypeRule StreamMix::type(const TypeContext& c) {
  if (Complaint bad = tensors(c)) return std::unexpected(*bad);
  if (c.dtype(0) != DType::i64) return wrong("mixes into a stream of i64, found {}", c.types.print(c.args[0]));
  if (!is_int(c.dtype(1))) return wrong("mixes an integer into a stream, found {}", c.types.print(c.args[1]));
  if (c.shape(0) != c.shape(1)) return wrong("shapes differ: {} and {}", c.types.print(c.args[0]), c.types.print(c.args[1]));
  return c.args[0];
}

Batched StreamMix::batch(const Use& u, std::span<const Batched> args, DimId rows) { return elementwise_batch(u, args, rows); }

}  // namespace glia::ir
