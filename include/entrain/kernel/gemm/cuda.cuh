// core > device, precision > tensor > [kernel] > layer
//
// Products by cuBLASLt, with fp32 sums. Operands of 16 bits are multiplied in their own type; fp32 is multiplied in
// fp32, or in TF32 if the target states so.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "entrain/core/bf16.hpp"
#include "entrain/core/fp16.hpp"
#include "entrain/device/cuda.cuh"
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::kernel {
namespace detail {

template <class T> inline constexpr cudaDataType_t cuda_type = CUDA_R_32F;
template <> inline constexpr cudaDataType_t cuda_type<bf16> = CUDA_R_16BF;
template <> inline constexpr cudaDataType_t cuda_type<fp16> = CUDA_R_16F;

template <class Target, class T> inline constexpr cublasComputeType_t sums = CUBLAS_COMPUTE_32F;
template <class Target> inline constexpr cublasComputeType_t sums<device::InTf32<Target>, float> =
    CUBLAS_COMPUTE_32F_FAST_TF32;

}  // namespace detail

template <class Target> struct Gemm<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <bool TransposeA, bool TransposeB, class T, class R>
  static void run(const D& dev, Matrix<const T> a, Matrix<const T> b, Matrix<R> c, Write how) {
    product<TransposeA, TransposeB>(dev, a, b, c, how, CUBLASLT_EPILOGUE_DEFAULT, {});
  }

  /// c = x w' + bias. For this op and the two below: all numbers are of one type, as cuBLASLt requires.
  ///
  /// returns   true if it is done; else no algorithm does both, c is the product alone, and the caller does the rest
  template <class A> static bool bias(const D& dev, Matrix<const A> x, Matrix<const A> w, const A* bias, Matrix<A> c) {
    return product<false, true>(dev, x, w, c, Write::assign, CUBLASLT_EPILOGUE_BIAS, {bias, nullptr});
  }
  /// c = gelu_tanh(x w' + bias), aux = x w' + bias: not stored where aux is null
  template <class A>
  static bool bias_gelu(const D& dev, Matrix<const A> x, Matrix<const A> w, const A* bias, A* aux, Matrix<A> c) {
    return product<false, true>(dev, x, w, c, Write::assign,
                                aux != nullptr ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_BIAS,
                                {bias, aux});
  }
  /// c = (dy w) gelu_tanh'(aux)
  template <class A> static bool dgelu(const D& dev, Matrix<const A> dy, Matrix<const A> w, const A* aux, Matrix<A> c) {
    return product<false, false>(dev, dy, w, c, Write::assign, CUBLASLT_EPILOGUE_DGELU, {nullptr, const_cast<A*>(aux)});
  }

 private:
  template <bool TransposeA, bool TransposeB, class T, class R>
  static bool product(const D& dev, Matrix<const T> a, Matrix<const T> b, Matrix<R> c, Write how,
                      cublasLtEpilogue_t epilogue, device::Products::EpilogueOperands operands) {
    const int depth = TransposeA ? a.rows : a.cols;
    if (c.rows == 0 || c.cols == 0) return true;
    if (depth == 0) {  // a batch without rows: the sum over them is 0
      if (how == Write::assign)
        device::check(cudaMemset2DAsync(c.data, sizeof(R) * static_cast<std::size_t>(c.stride), 0,
                                        sizeof(R) * static_cast<std::size_t>(c.cols), static_cast<std::size_t>(c.rows),
                                        dev.stream()),
                      "cudaMemset2DAsync");
      return epilogue == CUBLASLT_EPILOGUE_DEFAULT;
    }
    const device::Product product{detail::cuda_type<T>,
                                  detail::cuda_type<R>,
                                  detail::sums<Target, T>,
                                  TransposeA,
                                  TransposeB,
                                  c.rows,
                                  c.cols,
                                  depth,
                                  a.stride,
                                  b.stride,
                                  c.stride,
                                  1,
                                  epilogue};
    return dev.products().run(dev.stream(), product, a.data, b.data, c.data, how == Write::add ? 1.f : 0.f,
                              dev.workspace(), D::workspace_bytes, operands);
  }
};

}  // namespace entrain::kernel
