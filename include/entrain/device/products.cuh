// core > [device], precision > tensor > kernel > layer
//
// cuBLASLt: its handle, and the algorithm that was found for each product. That is the library's first guess or, where
// algorithms are kept, the fastest of several. Matrices are row-major here and column-major there: c = a b is c' = b'
// a' in the same memory.
#pragma once
#include <cublasLt.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "entrain/core/error.hpp"
#include "entrain/device/algorithms.cuh"
#include "entrain/device/check.cuh"
#include "entrain/device/clock.cuh"
#include "entrain/device/graph.cuh"

namespace entrain::device {

class Products {
 public:
  /// throws    entrain.device.4: cuBLASLt cannot be initialised
  explicit Products(std::string_view card) {
    cublasLtHandle_t handle = nullptr;
    check(cublasLtCreate(&handle), "cublasLtCreate");
    handle_.reset(handle);
    machine_ = std::string(card) + ", cuBLASLt " + std::to_string(cublasLtGetVersion());
  }

  /// From now on products use these algorithms. A product without one uses the fastest of several, which is kept.
  /// Algorithms of another card or version are not used.
  ///
  /// returns   whether they were for this machine
  bool go_by(Algorithms known) {
    const bool fit = known.machine() == machine_;
    kept_ = fit ? std::move(known) : Algorithms(machine_);
    found_.clear();
    return fit;
  }
  /// The algorithms that products have used since go_by; none before it.
  const std::optional<Algorithms>& kept() const { return kept_; }
  const std::string& machine() const { return machine_; }

  /// What an epilogue reads and writes: the bias, one number for each column of c; aux, a matrix with the layout of c.
  struct EpilogueOperands {
    const void* bias;
    void* aux;
  };

  /// returns   whether product.epilogue is done; if cuBLASLt has no algorithm for it, c is the product alone
  /// throws    entrain.device.4, with the call
  bool run(cudaStream_t stream, Product product, const void* a, const void* b, void* c, float keep, void* workspace,
           std::size_t workspace_bytes, EpilogueOperands operands = {}) {
    product.align = aligned({a, b, c, operands.bias, operands.aux});
    const Call call{stream, a, b, c, keep, workspace, workspace_bytes, operands};
    const Found& found = find(product, call);
    if (found.possible) return multiply(found, found.algorithm, call), true;
    product.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    run(stream, product, a, b, c, keep, workspace, workspace_bytes);
    return false;
  }

 private:
  struct Ends {
    void operator()(cublasLtHandle_t x) const { cublasLtDestroy(x); }
    void operator()(cublasLtMatmulDesc_t x) const { cublasLtMatmulDescDestroy(x); }
    void operator()(cublasLtMatrixLayout_t x) const { cublasLtMatrixLayoutDestroy(x); }
    void operator()(cublasLtMatmulPreference_t x) const { cublasLtMatmulPreferenceDestroy(x); }
  };
  struct FreesMemory {
    void operator()(void* p) const { cudaFree(p); }
  };
  template <class Handle> using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Ends>;
  struct Found {
    Owned<cublasLtMatmulDesc_t> work;
    Owned<cublasLtMatrixLayout_t> a, b, c;
    cublasLtMatmulAlgo_t algorithm;
    bool possible = false;  // if false, no algorithm does the epilogue
  };

  struct Call {
    cudaStream_t stream;
    const void* a;
    const void* b;
    void* c;
    float keep;
    void* workspace;
    std::size_t workspace_bytes;
    EpilogueOperands operands;
  };
  static constexpr int most_candidates = 16;
  static constexpr double short_product = 100e-6;  // seconds
  using Candidates = std::array<cublasLtMatmulHeuristicResult_t, most_candidates>;

  /// The largest power of two that divides all addresses, 32 at most. The start of each piece of the arena and of each
  /// span of parameters is at least that aligned, so a shape's algorithm does not depend on the place of its operands.
  static int aligned(std::initializer_list<const void*> addresses) {
    std::uintptr_t bits = 32;
    for (const void* p : addresses) bits |= reinterpret_cast<std::uintptr_t>(p);
    return static_cast<int>(bits & (~bits + 1));
  }
  template <class Value> static void describe(const Found& f, cublasLtMatmulDescAttributes_t what, const Value& value) {
    check(cublasLtMatmulDescSetAttribute(f.work.get(), what, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
  }
  /// The heuristic reads these too: it takes the alignment from the addresses.
  static void point(const Product& p, const Found& f, const EpilogueOperands& operands) {
    if (p.adds_bias()) describe(f, CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands.bias);
    if (p.has_aux()) describe(f, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, operands.aux);
  }
  cublasStatus_t tried(const Found& f, const cublasLtMatmulAlgo_t& algorithm, const Call& call) {
    const float one = 1;
    return cublasLtMatmul(handle_.get(), f.work.get(), &one, call.b, f.b.get(), call.a, f.a.get(), &call.keep, call.c,
                          f.c.get(), call.c, f.c.get(), &algorithm, call.workspace, call.workspace_bytes, call.stream);
  }
  void multiply(const Found& f, const cublasLtMatmulAlgo_t& algorithm, const Call& call) {
    check(tried(f, algorithm, call), "cublasLtMatmul");
  }
  /// Whether cuBLASLt can still compute this product by that algorithm.
  bool fits(const Found& f, const cublasLtMatmulAlgo_t& algorithm, std::size_t workspace_bytes) {
    cublasLtMatmulHeuristicResult_t result{};
    return cublasLtMatmulAlgoCheck(handle_.get(), f.work.get(), f.b.get(), f.a.get(), f.c.get(), f.c.get(), &algorithm,
                                   &result) == CUBLAS_STATUS_SUCCESS &&
           result.workspaceSize <= workspace_bytes;
  }
  /// The fastest of `count`, by the shortest of five runs each, with no other work at the same time. A product that
  /// adds writes to memory that no other work reads in the meantime. No result if there is no such memory, or if none
  /// of the algorithms runs.
  ///
  /// A short product takes less time than the host needs to launch it, and some algorithms are two nodes of a graph:
  /// they clear memory first, which costs a graph about 8 us with the gaps (H200). So the measured time is that of
  /// `together` products that follow each other in a graph, as a step's do.
  std::optional<cublasLtMatmulAlgo_t> fastest(const Product& p, const Found& f, const Candidates& candidates, int count,
                                              Call call) {
    std::unique_ptr<void, FreesMemory> spare;
    if (call.keep != 0) {
      const std::size_t width = p.result == CUDA_R_32F ? 4 : 2,
                        bytes = width * static_cast<std::size_t>(p.rows) * static_cast<std::size_t>(p.c_stride);
      if (cudaMalloc(&call.c, bytes) != cudaSuccess) return cudaGetLastError(), std::nullopt;
      spare.reset(call.c);
      device::check(cudaMemsetAsync(call.c, 0, bytes, call.stream), "cudaMemsetAsync");
    }
    device::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const auto keep_busy = [&](int times) {
      for (; times > 0; --times)
        device::check(cudaMemsetAsync(call.workspace, 0, call.workspace_bytes, call.stream), "cudaMemsetAsync");
    };
    keep_busy(32);  // an idle GPU runs slower at first: the first candidate would look slower than it is
    Clock clock;
    double least = 0;
    std::optional<cublasLtMatmulAlgo_t> best;
    for (int i = 0; i < count; ++i) {
      const cublasLtMatmulAlgo_t& algorithm = candidates[static_cast<std::size_t>(i)].algo;
      if (tried(f, algorithm, call) != CUBLAS_STATUS_SUCCESS) {  // this loads the kernel, too
        cudaGetLastError();                                      // or the next check finds the error of this one
        continue;
      }
      const bool few = seconds(clock, call, [&] { multiply(f, algorithm, call); }) >= short_product;
      const int together = few ? 1 : 16;
      const Graph graph(call.stream, [&] {
        for (int k = 0; k < together; ++k) multiply(f, algorithm, call);
      });
      double time = 0;
      for (int turn = 0; turn < 5; ++turn) {
        if (!few) keep_busy(2);
        const double took = seconds(clock, call, [&] { graph.launch(call.stream); }) / together;
        if (turn == 0 || took < time) time = took;  // mutant 8
      }
      if (!best || time < least) least = time, best = algorithm;  // mutant 9
    }
    return best;
  }

  /// The time that the GPU needs for the work that f() queues.
  template <class F> static double seconds(Clock& clock, const Call& call, F&& f) {
    const double before = clock.busy();
    clock.begin(call.stream);
    f();
    clock.end(call.stream);
    device::check(cudaStreamSynchronize(call.stream), "cudaStreamSynchronize");
    return clock.busy() - before;
  }

  static void check(cublasStatus_t status, std::string_view call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const cudaError_t gpu = cudaDeviceSynchronize();
    if (gpu != cudaErrorStreamCaptureUnsupported && gpu != cudaErrorStreamCaptureInvalidated)  // both give no cause
      device::check(gpu, call);  // an earlier kernel, or the GPU itself, is the cause
    throw Error("entrain.device.4", call, "status " + std::to_string(static_cast<int>(status)), "CUBLAS_STATUS_SUCCESS",
                "check that libcublasLt is from the toolkit that built this program, and that the GPU has free memory");
  }
  static Owned<cublasLtMatrixLayout_t> layout(cudaDataType_t type, int rows, int cols, int stride) {
    cublasLtMatrixLayout_t made = nullptr;  // column-major: a row here is a column there
    check(cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows),
                                     stride),
          "cublasLtMatrixLayoutCreate");
    return Owned<cublasLtMatrixLayout_t>(made);
  }

  const Found& find(const Product& p, const Call& call) {
    const auto known = found_.find(p);
    if (known == found_.end()) return found_.emplace(p, make(p, call)).first->second;
    if (known->second.possible) point(p, known->second, call.operands);
    return known->second;
  }
  /// Requirements of an epilogue that no preference can state. Rows of aux must be a multiple of 8 numbers apart,
  /// according to the manual (CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD). Addresses must be multiples of 16, or cuBLASLt
  /// chooses a kernel that faults (github.com/pytorch/pytorch/pull/194497).
  static bool may_have_epilogue(const Product& p) { return p.align >= 16 && (!p.has_aux() || p.c_stride % 8 == 0); }

  Found make(const Product& p, const Call& call) {
    const bool plain = p.epilogue == CUBLASLT_EPILOGUE_DEFAULT;
    Found f;
    if (!plain && !may_have_epilogue(p)) return f;
    cublasLtMatmulDesc_t work = nullptr;
    check(cublasLtMatmulDescCreate(&work, p.sums, CUDA_R_32F), "cublasLtMatmulDescCreate");
    f.work.reset(work);
    const cublasOperation_t as_is = CUBLAS_OP_N, turned = CUBLAS_OP_T;
    describe(f, CUBLASLT_MATMUL_DESC_TRANSA, p.transpose_b ? turned : as_is);
    describe(f, CUBLASLT_MATMUL_DESC_TRANSB, p.transpose_a ? turned : as_is);
    // The bias has a number for each row of the result in cuBLASLt's layout: a column here. It and aux have the
    // result's type, for which the manual leaves the type unset (CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE).
    describe(f, CUBLASLT_MATMUL_DESC_EPILOGUE, p.epilogue);
    if (p.has_aux()) describe(f, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, static_cast<std::int64_t>(p.c_stride));
    point(p, f, call.operands);
    f.a = p.transpose_a ? layout(p.operands, p.depth, p.rows, p.a_stride)
                        : layout(p.operands, p.rows, p.depth, p.a_stride);
    f.b = p.transpose_b ? layout(p.operands, p.cols, p.depth, p.b_stride)
                        : layout(p.operands, p.depth, p.cols, p.b_stride);
    f.c = layout(p.result, p.rows, p.cols, p.c_stride);
    cublasLtMatmulPreference_t wish = nullptr;
    check(cublasLtMatmulPreferenceCreate(&wish), "cublasLtMatmulPreferenceCreate");
    const Owned<cublasLtMatmulPreference_t> preference(wish);
    const auto want = [&](cublasLtMatmulPreferenceAttributes_t what, const auto& value) {
      check(cublasLtMatmulPreferenceSetAttribute(wish, what, &value, sizeof value),
            "cublasLtMatmulPreferenceSetAttribute");
    };
    want(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, call.workspace_bytes);
    // Sums over parts of the depth are fp32 as well: by default cuBLASLt may add them in the result's type.
    want(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
         static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
    for (const auto matrix : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                              CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
      want(matrix, static_cast<std::uint32_t>(p.align));
    if (kept_)
      if (const auto* const known = kept_->of(p); known != nullptr && fits(f, *known, call.workspace_bytes)) {
        f.algorithm = *known, f.possible = true;
        return f;
      }
    Candidates candidates{};
    int count = 0;
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(handle_.get(), work, f.b.get(), f.a.get(), f.c.get(), f.c.get(), wish,
                                       kept_ ? most_candidates : 1, candidates.data(), &count);
    const auto fails = [](const cublasLtMatmulHeuristicResult_t& r) { return r.state != CUBLAS_STATUS_SUCCESS; };
    count =
        static_cast<int>(std::remove_if(candidates.begin(), candidates.begin() + count, fails) - candidates.begin());
    const bool none = status == CUBLAS_STATUS_NOT_SUPPORTED || (status == CUBLAS_STATUS_SUCCESS && count == 0);
    // According to the manual, a version without an epilogue may report it as "an impossible configuration".
    if (!plain && (none || status == CUBLAS_STATUS_INVALID_VALUE)) return f;
    check(none ? CUBLAS_STATUS_NOT_SUPPORTED : status, "cublasLtMatmulAlgoGetHeuristic");
    f.possible = true;
    f.algorithm = candidates[0].algo;
    if (!kept_) return f;
    if (const auto best = fastest(p, f, candidates, count, call)) f.algorithm = *best;
    kept_->keep(p, f.algorithm);  // measured or not: a training that resumes later has the same bits
    return f;
  }

  Owned<cublasLtHandle_t> handle_;
  std::string machine_;
  std::optional<Algorithms> kept_;
  std::map<Product, Found> found_;
};

}  // namespace entrain::device
