// core > [device], precision > tensor > kernel > layer
//
// cuBLASLt: its handle, and for every product that was asked for the algorithm that was found for it. Matrices are
// row-major here and column-major there: c = a b is c' = b' a' of the same memory.
#pragma once
#include <cublasLt.h>
#include <cuda_runtime.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "entrain/core/error.hpp"

namespace entrain::device {

/// c [rows, cols] (+)= op(a) op(b), sums over `depth`; rows of a, b, c lie so many numbers apart.
struct Product {
  cudaDataType_t operands, result;
  cublasComputeType_t sums;
  bool transpose_a, transpose_b;
  int rows, cols, depth, a_stride, b_stride, c_stride;

  friend auto operator<=>(const Product&, const Product&) = default;
};

class Products {
 public:
  /// throws    entrain.device.4: cuBLASLt cannot be had
  Products() {
    cublasLtHandle_t handle = nullptr;
    check(cublasLtCreate(&handle), "cublasLtCreate");
    handle_.reset(handle);
  }

  /// throws    entrain.device.4, with the call
  void run(cudaStream_t stream, const Product& product, const void* a, const void* b, void* c, float keep,
           void* workspace, std::size_t workspace_bytes) {
    const Found& found = find(product, workspace_bytes);
    const float one = 1;
    check(cublasLtMatmul(handle_.get(), found.work.get(), &one, b, found.b.get(), a, found.a.get(), &keep, c,
                         found.c.get(), c, found.c.get(), &found.algorithm, workspace, workspace_bytes, stream),
          "cublasLtMatmul");
  }

 private:
  struct Ends {
    void operator()(cublasLtHandle_t x) const { cublasLtDestroy(x); }
    void operator()(cublasLtMatmulDesc_t x) const { cublasLtMatmulDescDestroy(x); }
    void operator()(cublasLtMatrixLayout_t x) const { cublasLtMatrixLayoutDestroy(x); }
    void operator()(cublasLtMatmulPreference_t x) const { cublasLtMatmulPreferenceDestroy(x); }
  };
  template <class Handle> using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Ends>;
  struct Found {
    Owned<cublasLtMatmulDesc_t> work;
    Owned<cublasLtMatrixLayout_t> a, b, c;
    cublasLtMatmulAlgo_t algorithm;
  };

  static void check(cublasStatus_t status, std::string_view call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw Error("entrain.device.4", call, "status " + std::to_string(static_cast<int>(status)), "CUBLAS_STATUS_SUCCESS",
                "is libcublasLt that of the toolkit which built this program, and memory free on the GPU?");
  }
  static Owned<cublasLtMatrixLayout_t> layout(cudaDataType_t type, int rows, int cols, int stride) {
    cublasLtMatrixLayout_t made = nullptr;  // column-major: what is a row here is a column there
    check(cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows),
                                     stride),
          "cublasLtMatrixLayoutCreate");
    return Owned<cublasLtMatrixLayout_t>(made);
  }

  const Found& find(const Product& p, std::size_t workspace_bytes) {
    const auto [place, fresh] = found_.try_emplace(p);
    Found& f = place->second;
    if (!fresh) return f;
    cublasLtMatmulDesc_t work = nullptr;
    check(cublasLtMatmulDescCreate(&work, p.sums, CUDA_R_32F), "cublasLtMatmulDescCreate");
    f.work.reset(work);
    const cublasOperation_t as_is = CUBLAS_OP_N, turned = CUBLAS_OP_T;
    check(cublasLtMatmulDescSetAttribute(work, CUBLASLT_MATMUL_DESC_TRANSA, p.transpose_b ? &turned : &as_is,
                                         sizeof as_is),
          "cublasLtMatmulDescSetAttribute");
    check(cublasLtMatmulDescSetAttribute(work, CUBLASLT_MATMUL_DESC_TRANSB, p.transpose_a ? &turned : &as_is,
                                         sizeof as_is),
          "cublasLtMatmulDescSetAttribute");
    f.a = p.transpose_a ? layout(p.operands, p.depth, p.rows, p.a_stride)
                        : layout(p.operands, p.rows, p.depth, p.a_stride);
    f.b = p.transpose_b ? layout(p.operands, p.cols, p.depth, p.b_stride)
                        : layout(p.operands, p.depth, p.cols, p.b_stride);
    f.c = layout(p.result, p.rows, p.cols, p.c_stride);
    cublasLtMatmulPreference_t wish = nullptr;
    check(cublasLtMatmulPreferenceCreate(&wish), "cublasLtMatmulPreferenceCreate");
    const Owned<cublasLtMatmulPreference_t> preference(wish);
    check(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                               sizeof workspace_bytes),
          "cublasLtMatmulPreferenceSetAttribute");
    cublasLtMatmulHeuristicResult_t best{};
    int count = 0;
    check(cublasLtMatmulAlgoGetHeuristic(handle_.get(), work, f.b.get(), f.a.get(), f.c.get(), f.c.get(), wish, 1,
                                         &best, &count),
          "cublasLtMatmulAlgoGetHeuristic");
    if (count == 0) check(CUBLAS_STATUS_NOT_SUPPORTED, "cublasLtMatmulAlgoGetHeuristic");
    f.algorithm = best.algo;
    return f;
  }

  Owned<cublasLtHandle_t> handle_;
  std::map<Product, Found> found_;
};

}  // namespace entrain::device
