// tests > cuda_on_cpu > [shim]
//
// cuBLASLt as the host harness plays it: the products that device/products.cuh asks for, by loops. A descriptor that
// does not fit what it describes is refused, as there. TF32 is played: operands are rounded to its mantissa. Epilogues
// are done in fp32, GELU in its tanh form; no algorithm is found for one whose addresses are no multiples of 16.
#pragma once
#include <cuda_runtime.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "entrain/core/bf16.hpp"
#include "entrain/core/fp16.hpp"
#include "entrain/core/tf32.hpp"
#include "tests/sanitized.hpp"

enum cudaDataType_t { CUDA_R_32F, CUDA_R_16BF, CUDA_R_16F };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_NOT_SUPPORTED = 15
};
enum cublasLtMatmulDescAttributes_t {
  CUBLASLT_MATMUL_DESC_TRANSA,
  CUBLASLT_MATMUL_DESC_TRANSB,
  CUBLASLT_MATMUL_DESC_EPILOGUE,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD
};
enum cublasLtEpilogue_t {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = CUBLASLT_EPILOGUE_GELU | CUBLASLT_EPILOGUE_BIAS,
  CUBLASLT_EPILOGUE_GELU_AUX = CUBLASLT_EPILOGUE_GELU | 128,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = CUBLASLT_EPILOGUE_GELU_AUX | CUBLASLT_EPILOGUE_BIAS,
  CUBLASLT_EPILOGUE_DGELU = 64 | 128
};
enum cublasLtMatmulPreferenceAttributes_t {
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK
};
enum cublasLtReductionScheme_t { CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2, CUBLASLT_REDUCTION_SCHEME_MASK = 7 };

struct cublasLtContext {};
struct cublasLtMatmulDescOpaque_t {
  cublasComputeType_t sums;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  void* aux = nullptr;
  std::int64_t aux_stride = 0;

  bool has(cublasLtEpilogue_t part) const { return (epilogue & part) == part; }
  bool has_aux() const { return (epilogue & 128) != 0; }
};
struct cublasLtMatrixLayoutOpaque_t {
  cudaDataType_t type;
  std::uint64_t rows, cols;
  std::int64_t stride;
};
struct cublasLtMatmulPreferenceOpaque_t {
  std::uint32_t align[5] = {256, 256, 256, 256, 256};
  std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
};
struct cublasLtMatmulAlgo_t {
  std::uint64_t data[8];  // the bits of the milliseconds that it takes, the alignment that it asks for, what may not
                          // change, and the epilogue that it does
};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  std::size_t workspaceSize;
  cublasStatus_t state;
};
using cublasLtHandle_t = cublasLtContext*;
using cublasLtMatmulDesc_t = cublasLtMatmulDescOpaque_t*;
using cublasLtMatrixLayout_t = cublasLtMatrixLayoutOpaque_t*;
using cublasLtMatmulPreference_t = cublasLtMatmulPreferenceOpaque_t*;

namespace harness {
template <class T> cublasStatus_t made(T** place, T value) { return *place = new T(value), CUBLAS_STATUS_SUCCESS; }
template <class T> cublasStatus_t ended(T* thing) { return delete thing, CUBLAS_STATUS_SUCCESS; }

/// What tensor cores read of a number in TF32, to nearest; infinity and NaN stay.
inline float in_tf32(float x) {
  constexpr int dropped = 23 - entrain::tf32::mantissa_bits;
  if (!std::isfinite(x)) return x;
  const auto bits = __builtin_bit_cast(std::uint32_t, x) + (1u << (dropped - 1));
  return __builtin_bit_cast(float, bits >> dropped << dropped);
}

/// A matrix of any type, column-major, read as float.
struct Operand {
  const void* data;
  cublasLtMatrixLayout_t layout;
  cublasOperation_t op;
  cublasComputeType_t sums = CUBLAS_COMPUTE_32F;

  std::uint64_t rows() const { return op == CUBLAS_OP_N ? layout->rows : layout->cols; }
  std::uint64_t cols() const { return op == CUBLAS_OP_N ? layout->cols : layout->rows; }
  float at(std::uint64_t i, std::uint64_t j) const {
    if (op == CUBLAS_OP_T) std::swap(i, j);
    const std::uint64_t place = j * static_cast<std::uint64_t>(layout->stride) + i;
    switch (layout->type) {
      case CUDA_R_16BF:
        return static_cast<float>(static_cast<const entrain::bf16*>(data)[place]);
      case CUDA_R_16F:
        return static_cast<float>(static_cast<const entrain::fp16*>(data)[place]);
      default:
        const float x = static_cast<const float*>(data)[place];
        return sums == CUBLAS_COMPUTE_32F_FAST_TF32 ? in_tf32(x) : x;
    }
  }
};
/// left * right, row by row. The operands are read once: a test's program is compiled without optimization.
NOT_SANITIZED inline std::vector<float> product(const Operand& left, const Operand& right) {
  const std::uint64_t n = left.rows(), inner = left.cols(), m = right.cols();
  std::vector<float> of_left(n * inner), of_right(inner * m), sums(n * m);
  for (std::uint64_t k = 0; k < inner; ++k) {
    for (std::uint64_t i = 0; i < n; ++i) of_left[i * inner + k] = left.at(i, k);
    for (std::uint64_t j = 0; j < m; ++j) of_right[j * inner + k] = right.at(k, j);
  }
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < m; ++j) {
      const float *const a = of_left.data() + i * inner, *const b = of_right.data() + j * inner;
      float sum = 0;
      for (std::uint64_t k = 0; k < inner; ++k) sum += a[k] * b[k];
      sums[i * m + j] = sum;
    }
  return sums;
}
inline void write(void* data, cublasLtMatrixLayout_t layout, std::uint64_t i, std::uint64_t j, float value) {
  const std::uint64_t place = j * static_cast<std::uint64_t>(layout->stride) + i;
  switch (layout->type) {
    case CUDA_R_16BF:
      static_cast<entrain::bf16*>(data)[place] = entrain::bf16(value);
      return;
    case CUDA_R_16F:
      static_cast<entrain::fp16*>(data)[place] = entrain::fp16(value);
      return;
    default:
      static_cast<float*>(data)[place] = value;
  }
}
}  // namespace harness

inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) { return harness::made(handle, cublasLtContext{}); }
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return harness::ended(handle); }
inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t sums,
                                               cudaDataType_t scale) {
  if (scale != CUDA_R_32F) return CUBLAS_STATUS_INVALID_VALUE;
  return harness::made(made, cublasLtMatmulDescOpaque_t{sums});
}
inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t x) { return harness::ended(x); }
inline cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t work, cublasLtMatmulDescAttributes_t which,
                                                     const void* value, std::size_t bytes) {
  const auto set = [&](auto& to) {
    if (bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&to, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
  };
  switch (which) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(work->a);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(work->b);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set(work->epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set(work->bias);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
      return set(work->aux);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
      return set(work->aux_stride);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType_t type, std::uint64_t rows,
                                                 std::uint64_t cols, std::int64_t stride) {
  if (stride < static_cast<std::int64_t>(rows)) return CUBLAS_STATUS_INVALID_VALUE;
  return harness::made(made, cublasLtMatrixLayoutOpaque_t{type, rows, cols, stride});
}
inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t x) { return harness::ended(x); }
inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  return harness::made(made, cublasLtMatmulPreferenceOpaque_t{});
}
inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t x) { return harness::ended(x); }
inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t wish,
                                                           cublasLtMatmulPreferenceAttributes_t which,
                                                           const void* value, std::size_t bytes) {
  const bool number = which != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
  if (bytes != (number ? sizeof(std::uint32_t) : sizeof(std::size_t))) return CUBLAS_STATUS_INVALID_VALUE;
  if (which == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK) {
    std::memcpy(&wish->reductions, value, bytes);
  } else if (number) {
    std::memcpy(&wish->align[which], value, bytes);
  }
  return CUBLAS_STATUS_SUCCESS;
}
namespace harness {
/// What the library's algorithms are said to take, in milliseconds, its guess first; tests change it.
struct Algorithms {
  double milliseconds[3] = {1, 1, 1};
  std::uint64_t mark = 7;     // of this version
  std::uint32_t without = 0;  // the epilogue that none of them does
  std::size_t workspace = 0;  // bytes that each needs, when it is asked about again
  cublasStatus_t refusal = CUBLAS_STATUS_NOT_SUPPORTED;
  std::size_t none = 3, fails = 3;  // the guess that is no algorithm; the algorithm that does not run after all
  int used[3] = {};                 // how often each was asked for
  double late[3] = {};              // milliseconds more that each takes the first two times
  int asked = 0;                    // how often for a product with an epilogue
  std::uint32_t reductions = 0;     // how the latest one may add sums over parts of the depth
  static Algorithms& now() {
    static Algorithms all;
    return all;
  }
};
/// Whether there is all that the epilogue needs, as the manual has it.
inline bool described(cublasLtMatmulDesc_t work, cublasLtMatrixLayout_t result) {
  if (work->has(CUBLASLT_EPILOGUE_BIAS) && work->bias == nullptr) return false;
  return !work->has_aux() || (work->aux != nullptr && work->aux_stride % 8 == 0 &&
                              work->aux_stride >= static_cast<std::int64_t>(result->rows));
}
/// tanh u with u = sqrt(2 / pi) (x + 0.044715 x^3), to 11 bits, as the library's epilogues have it (tanh.approx.f32)
inline float tanh_of_gelu(float x) {
  int exponent = 0;
  const float digits = std::frexp(std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)), &exponent);
  return std::ldexp(std::round(digits * 2048) / 2048, exponent);
}
inline float gelu(float x) { return 0.5f * x * (1 + tanh_of_gelu(x)); }
inline float gelu_slope(float x) {
  const float t = tanh_of_gelu(x);
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 3 * 0.044715f * x * x);
}
}  // namespace harness
inline std::size_t cublasLtGetVersion() { return 130100; }
inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t work,
                                                     cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                     cublasLtMatrixLayout_t, cublasLtMatrixLayout_t ld,
                                                     cublasLtMatmulPreference_t wish, int wanted,
                                                     cublasLtMatmulHeuristicResult_t* results, int* found) {
  auto& all = harness::Algorithms::now();
  if (!harness::described(work, ld)) return CUBLAS_STATUS_INVALID_VALUE;
  const bool plain = work->epilogue == CUBLASLT_EPILOGUE_DEFAULT;
  if (!plain) ++all.asked;
  all.reductions = wish->reductions;
  if (all.without == work->epilogue) return all.refusal;
  std::uint32_t align = 256;
  for (const std::uint32_t one : wish->align) align = one < align ? one : align;
  *found = 0;
  const bool gelu = (work->epilogue & (CUBLASLT_EPILOGUE_GELU | 64)) != 0;
  if (gelu && ld->type == CUDA_R_32F) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!plain && align < 16) return CUBLAS_STATUS_SUCCESS;
  const std::uint64_t epilogue = work->epilogue;
  for (; *found < wanted && *found < 3; ++*found)
    results[*found] = {
        {{std::bit_cast<std::uint64_t>(all.milliseconds[*found]), align, all.mark, epilogue,
          static_cast<std::uint64_t>(*found), 0, 0, ~std::uint64_t(0)}},
        0,
        static_cast<std::size_t>(*found) == all.none ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS};
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t, cublasLtMatmulDesc_t work, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              const cublasLtMatmulAlgo_t* algorithm,
                                              cublasLtMatmulHeuristicResult_t* result) {
  *result = {*algorithm, harness::Algorithms::now().workspace, CUBLAS_STATUS_SUCCESS};
  const bool same = algorithm->data[2] == harness::Algorithms::now().mark && algorithm->data[3] == work->epilogue;
  return same ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}
inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t work, const void* alpha, const void* a,
                                     cublasLtMatrixLayout_t la, const void* b, cublasLtMatrixLayout_t lb,
                                     const void* beta, const void* c, cublasLtMatrixLayout_t lc, void* d,
                                     cublasLtMatrixLayout_t ld, const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                                     std::size_t workspace_bytes, cudaStream_t stream) {
  auto& all = harness::Algorithms::now();
  if (algorithm->data[4] == all.fails) return CUBLAS_STATUS_NOT_SUPPORTED;
  ++all.used[algorithm->data[4] % 3];
  if (!harness::Machine::now().launches()) return CUBLAS_STATUS_EXECUTION_FAILED;
  const bool biased = work->has(CUBLASLT_EPILOGUE_BIAS);
  const void *const bias = biased ? work->bias : nullptr, *const aux = work->has_aux() ? work->aux : nullptr;
  for (const void* address : {a, b, c, static_cast<const void*>(d), bias, aux})
    if (reinterpret_cast<std::uintptr_t>(address) % algorithm->data[1] != 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (algorithm->data[3] != work->epilogue) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!harness::described(work, ld)) return CUBLAS_STATUS_INVALID_VALUE;
  const std::size_t which = algorithm->data[4] % 3;
  const double milliseconds = std::bit_cast<double>(algorithm->data[0]) + (all.used[which] <= 2 ? all.late[which] : 0);
  const harness::Operand left{a, la, work->a, work->sums}, right{b, lb, work->b, work->sums},
      before{c, lc, CUBLAS_OP_N};
  if (la->type != lb->type || (work->sums == CUBLAS_COMPUTE_32F_FAST_TF32 && la->type != CUDA_R_32F))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (left.cols() != right.rows() || ld->rows != left.rows() || ld->cols != right.cols() || lc->rows != ld->rows)
    return CUBLAS_STATUS_INVALID_VALUE;
  const float by = *static_cast<const float*>(alpha), keep = *static_cast<const float*>(beta);
  const cublasLtMatmulDescOpaque_t as_now = *work;
  harness::queue(stream, [=] {
    cublasLtMatrixLayoutOpaque_t of_bias{ld->type, ld->rows, 1, static_cast<std::int64_t>(ld->rows)},
        of_aux{ld->type, ld->rows, ld->cols, as_now.aux_stride};
    harness::Machine::now().milliseconds += milliseconds;
    std::memset(workspace, 0xFF, workspace_bytes < 4096 ? workspace_bytes : 4096);  // whose it is meanwhile
    const std::vector<float> sums = harness::product(left, right);
    for (std::uint64_t j = 0; j < ld->cols; ++j)
      for (std::uint64_t i = 0; i < ld->rows; ++i) {
        float y = by * sums[i * ld->cols + j] + (keep != 0 ? keep * before.at(i, j) : 0);
        if (biased) y += harness::Operand{as_now.bias, &of_bias, CUBLAS_OP_N}.at(i, 0);
        if (as_now.epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS) harness::write(as_now.aux, &of_aux, i, j, y);
        if (as_now.has(CUBLASLT_EPILOGUE_GELU)) y = harness::gelu(y);
        if (as_now.epilogue == CUBLASLT_EPILOGUE_DGELU)
          y *= harness::gelu_slope(harness::Operand{as_now.aux, &of_aux, CUBLAS_OP_N}.at(i, j));
        harness::write(d, ld, i, j, y);
      }
  });
  return CUBLAS_STATUS_SUCCESS;
}
