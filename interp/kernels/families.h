// The kernels by op type; specialised in the file of each family. Elementwise kernels come from the ops' `eval`.
#pragma once
#include "interp/kernels/kernel.h"
#include "ir/ops/all.h"

namespace glia::interp {

template <class Op>
KernelResult run_kernel(const KernelCall& call) = delete;

template <>
KernelResult run_kernel<ir::Select>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Cast>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Reshape>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Transpose>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Broadcast>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Slice>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Pad>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Flip>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Concat>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Gather>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::AddAt>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::ScatterAdd>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::BatchMean>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::BatchSum>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::StopGradient>(const KernelCall& call);

template <>
KernelResult run_kernel<ir::Sum>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Prod>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::ReduceMax>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::ReduceMin>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::All>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Any>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::ArgMax>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::ArgMin>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::CumSum>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Contract>(const KernelCall& call);

template <>
KernelResult run_kernel<ir::Const>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Literal>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Iota>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::DimValue>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::RandomUniform>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::RandomNormal>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::StreamMix>(const KernelCall& call);

template <>
KernelResult run_kernel<ir::Window>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Unwindow>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Recurrence>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::ArgSort>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Dft>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Solve>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Cholesky>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Det>(const KernelCall& call);
template <>
KernelResult run_kernel<ir::Qr>(const KernelCall& call);

// Ops on floats only, and the others: two files, since each op is a loop for every element type.
Kernel float_kernel(ir::OpId op);
Kernel number_kernel(ir::OpId op);
inline Kernel elementwise_kernel(ir::OpId op) {
  const Kernel k = float_kernel(op);
  return k ? k : number_kernel(op);
}

}  // namespace glia::interp
