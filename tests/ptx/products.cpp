// tests > [ptx]
//
// cuBLASLt where there is no GPU: the products, with what comes after them, that include/entrain/device/products.cuh
// asks for, by the types of NVIDIA's own header. Sums are made in fp64 and each number of the result is rounded once.
// What the header's comments and the manual ask of a caller is asked for here.
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/ptx/machine.hpp"
#include "tests/ptx/queue.hpp"

struct cublasLtContext {};

namespace ptx {
namespace {

// what descriptors say: the header's opaque types are large enough for other things, these come with them

struct Work : cublasLtMatmulDescOpaque_t {
  cublasComputeType_t sums;
  cudaDataType_t scale;
  cublasOperation_t turn_a = CUBLAS_OP_N, turn_b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  void* aux = nullptr;
  std::int64_t aux_stride = 0;

  bool adds_bias() const { return (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
  bool has_gelu() const { return (epilogue & CUBLASLT_EPILOGUE_GELU) != 0; }
  bool has_slope() const { return epilogue == CUBLASLT_EPILOGUE_DGELU; }
  bool has_aux() const { return (epilogue & aux_bit) != 0; }

 private:
  static constexpr int aux_bit = CUBLASLT_EPILOGUE_GELU_AUX & ~CUBLASLT_EPILOGUE_GELU;
};
/// Column-major.
struct Layout : cublasLtMatrixLayoutOpaque_t {
  cudaDataType_t type;
  std::uint64_t rows, cols;
  std::int64_t stride;
};
struct Wish : cublasLtMatmulPreferenceOpaque_t {
  std::uint64_t workspace_bytes = 0;
  std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::array<std::uint32_t, 4> aligned = {256, 256, 256, 256};  // a, b, c, d
};
const Work& of(cublasLtMatmulDesc_t x) { return *static_cast<const Work*>(x); }
const Layout& of(cublasLtMatrixLayout_t x) { return *static_cast<const Layout*>(x); }
const Wish& of(cublasLtMatmulPreference_t x) { return *static_cast<const Wish*>(x); }

template <class T> cublasStatus_t set(T& to, const void* value, std::size_t bytes) {
  if (value == nullptr || bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

// numbers

std::size_t bytes_of(cudaDataType_t type) { return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2; }

template <class T> T at(const void* data, std::size_t i) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(data) + i * sizeof value, sizeof value);
  return value;
}
template <class T> void put(void* data, std::size_t i, const T& value) {
  std::memcpy(static_cast<std::byte*>(data) + i * sizeof value, &value, sizeof value);
}
double number_at(cudaDataType_t type, const void* data, std::size_t i) {
  switch (type) {
    case CUDA_R_64F:
      return at<double>(data, i);
    case CUDA_R_32F:
      return static_cast<double>(at<float>(data, i));
    case CUDA_R_16F:
      return static_cast<double>(__half2float(at<__half>(data, i)));
    default:
      return static_cast<double>(__bfloat162float(at<__nv_bfloat16>(data, i)));
  }
}
void put_number(cudaDataType_t type, void* data, std::size_t i, double value) {
  switch (type) {
    case CUDA_R_64F:
      return put(data, i, value);
    case CUDA_R_32F:
      return put(data, i, static_cast<float>(value));
    case CUDA_R_16F:
      return put(data, i, __double2half(value));
    default:
      return put(data, i, __double2bfloat16(value));
  }
}
/// To 10 bits after the first, halves away from 0, as cvt.rna.tf32.f32.
double in_tf32(double x) {
  constexpr std::uint32_t dropped = 13;
  const auto single = static_cast<float>(x);
  if (!std::isfinite(single)) return x;
  const auto bits = std::bit_cast<std::uint32_t>(single) + (1u << (dropped - 1));
  return static_cast<double>(std::bit_cast<float>(bits >> dropped << dropped));
}

/// GELU by tanh: x / 2 (1 + tanh u), u = sqrt(2 / pi) (x + 0.044715 x^3).
constexpr double root = 0.79788456080286535588, cubic = 0.044715;
double gelu(double x) { return 0.5 * x * (1 + std::tanh(root * (x + cubic * x * x * x))); }
double slope_of_gelu(double x) {
  const double t = std::tanh(root * (x + cubic * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * root * (1 + 3 * cubic * x * x);
}

// what is possible

struct Shapes {
  const Layout &a, &b, &c, &d;
};
std::uint64_t rows_of(const Layout& x, cublasOperation_t turn) { return turn == CUBLAS_OP_N ? x.rows : x.cols; }
std::uint64_t cols_of(const Layout& x, cublasOperation_t turn) { return turn == CUBLAS_OP_N ? x.cols : x.rows; }

bool fit(const Work& work, const Shapes& s) {
  const std::uint64_t depth = cols_of(s.a, work.turn_a);
  return s.d.rows > 0 && s.d.cols > 0 && depth > 0 && rows_of(s.a, work.turn_a) == s.d.rows &&
         rows_of(s.b, work.turn_b) == depth && cols_of(s.b, work.turn_b) == s.d.cols && s.c.rows == s.d.rows &&
         s.c.cols == s.d.cols;
}
/// source    cuBLAS, cublasLtMatmul(), table "when A, B, C, and D are regular column- or row-major matrices"
bool multiplies(const Work& work, const Shapes& s) {
  const cudaDataType_t from = s.a.type, to = s.d.type;
  if (s.b.type != from || s.c.type != to) return false;
  switch (work.sums) {
    case CUBLAS_COMPUTE_64F:
      return work.scale == CUDA_R_64F && from == CUDA_R_64F && to == CUDA_R_64F;
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return work.scale == CUDA_R_32F && from == CUDA_R_32F && to == CUDA_R_32F;
    case CUBLAS_COMPUTE_32F:
      return work.scale == CUDA_R_32F && (from == CUDA_R_32F || from == CUDA_R_16F || from == CUDA_R_16BF) &&
             (to == from || to == CUDA_R_32F);
    default:
      return false;
  }
}
/// source    cublasLt.h, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD. That GELU wants 16 bits was seen, and is documented
/// nowhere.
bool ends_so(const Work& work, const Shapes& s) {
  if (work.has_aux() && (work.aux_stride % 8 != 0 || work.aux_stride < static_cast<std::int64_t>(s.d.rows)))
    return false;
  switch (work.epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
      return true;
    case CUBLASLT_EPILOGUE_BIAS:
      return s.d.type != CUDA_R_64F;
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DGELU:
      return bytes_of(s.d.type) == 2;
    default:
      return false;
  }
}
cublasStatus_t possible(const Work& work, const Shapes& s) {
  if (!fit(work, s)) return CUBLAS_STATUS_INVALID_VALUE;
  return multiplies(work, s) && ends_so(work, s) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

// algorithms: they differ in what they ask for, not in what they give

struct Method {
  std::uint64_t mark, number, aligned, workspace_bytes;
  std::uint64_t sums, types, turns, epilogue;  // what it is for
  friend bool operator==(const Method&, const Method&) = default;
};
static_assert(sizeof(Method) == sizeof(cublasLtMatmulAlgo_t));
constexpr std::uint64_t mark_of_methods = 0x50545800'00000001;
constexpr std::size_t methods = 3, epilogue_aligned = 16;

Method method(std::uint64_t number, const Work& work, const Shapes& s, std::uint64_t aligned,
              std::uint64_t workspace_bytes) {
  const auto word = [](auto high, auto low) {
    return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
  };
  return {mark_of_methods,
          number,
          aligned,
          workspace_bytes,
          word(0, work.sums),
          word(s.a.type, s.d.type),
          word(work.turn_a, work.turn_b),
          word(0, work.epilogue)};
}
Method method_of(const cublasLtMatmulAlgo_t& algorithm) {
  Method method{};
  std::memcpy(&method, &algorithm, sizeof method);
  return method;
}
/// Whether it was made for such a product; of any size.
bool is_for(const Method& m, const Work& work, const Shapes& s) {
  return m.number < methods && m == method(m.number, work, s, m.aligned, m.workspace_bytes);
}
/// What an address is a multiple of, 256 at most.
std::uint64_t alignment_of(const void* p) {
  const auto bits = reinterpret_cast<std::uintptr_t>(p) | 256;
  return bits & (~bits + 1);
}
/// The first guess works in some of the workspace; the second sums parts of the depth there, each in fp32, and adds
/// them; the third needs none.
std::vector<Method> methods_for(const Work& work, const Shapes& s, const Wish& wish) {
  std::uint64_t aligned = *std::min_element(wish.aligned.begin(), wish.aligned.end());
  if (work.adds_bias()) aligned = std::min(aligned, alignment_of(work.bias));
  if (work.has_aux()) aligned = std::min(aligned, alignment_of(work.aux));
  if (work.epilogue != CUBLASLT_EPILOGUE_DEFAULT && aligned < epilogue_aligned) return {};
  if (aligned < std::max(bytes_of(s.a.type), bytes_of(s.d.type))) return {};
  constexpr std::uint64_t some = 64 << 10;
  std::vector<Method> all{method(0, work, s, aligned, std::min(wish.workspace_bytes, some))};
  const std::uint64_t parts = 2 * sizeof(float) * s.d.rows * s.d.cols;
  if ((wish.reductions & CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE) != 0 && parts <= wish.workspace_bytes)
    all.push_back(method(1, work, s, aligned, parts));
  all.push_back(method(2, work, s, std::min<std::uint64_t>(aligned, 16), 0));
  return all;
}
cublasLtMatmulHeuristicResult_t result(const Method& method) {
  cublasLtMatmulHeuristicResult_t made{};
  std::memcpy(&made.algo, &method, sizeof made.algo);
  made.workspaceSize = method.workspace_bytes;
  made.state = CUBLAS_STATUS_SUCCESS;
  made.wavesCount = 1;
  return made;
}

// memory: columns of n bytes

struct Columns {
  const std::byte* begin;
  std::size_t bytes, stride, count;

  const std::byte* end() const { return begin + (count - 1) * stride + bytes; }
};
Columns columns(const void* data, const Layout& x) {
  const std::size_t bytes = bytes_of(x.type);
  return {static_cast<const std::byte*>(data), x.rows * bytes, static_cast<std::size_t>(x.stride) * bytes, x.cols};
}
std::uintptr_t address(const std::byte* p) { return reinterpret_cast<std::uintptr_t>(p); }
/// For each column of b: of those of a that begin before it ends, the last is the one that may reach into it.
bool overlap(const Columns& a, const Columns& b) {
  if (address(a.end()) <= address(b.begin) || address(b.end()) <= address(a.begin)) return false;
  for (std::size_t j = 0; j < b.count; ++j) {
    const std::uintptr_t first = address(b.begin + j * b.stride), after = first + b.bytes;
    if (after <= address(a.begin)) continue;
    const std::size_t last = std::min((after - 1 - address(a.begin)) / a.stride, a.count - 1);
    if (address(a.begin + last * a.stride + a.bytes) > first) return true;
  }
  return false;
}
void check_held(const Columns& x, const char* what) {
  if (!memory().holds(x.begin, static_cast<std::size_t>(x.end() - x.begin)))
    throw Failure(std::string("cublasLtMatmul: ") + what + " does not lie in the card's memory");
}

// the product

/// All that was said when it was asked for.
struct Job {
  Work work;
  Layout a, b, c, d;
  const void *from_a, *from_b, *from_c;
  void* to;
  double scale, keep;
  void* workspace;
  std::size_t workspace_bytes;

  Layout aux() const { return {{}, d.type, d.rows, d.cols, work.aux_stride}; }
  Layout bias() const { return {{}, d.type, d.rows, 1, static_cast<std::int64_t>(d.rows)}; }
};

/// The result is computed in tiles, so that sums stay in registers.
constexpr std::size_t tall = 16, wide = 4;
template <class S> using Tile = std::array<std::array<S, tall>, wide>;

/// Panel by panel of n neighbours, one depth after the other; filled up with zeros.
/// across(neighbour, depth): the place of a number
template <class S, std::size_t LabelMatrix, class Across> std::vector<S> packed(const void* data, cudaDataType_t type,
                                                                                bool tf32, std::size_t count,
                                                                                std::size_t depth, Across across) {
  const std::size_t panels = (count + LabelMatrix - 1) / LabelMatrix;
  std::vector<S> all(panels * LabelMatrix * depth);
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t k = 0; k < depth; ++k) {
      const double x = number_at(type, data, across(n, k));
      all[(n / LabelMatrix * depth + k) * LabelMatrix + n % LabelMatrix] = static_cast<S>(tf32 ? in_tf32(x) : x);
    }
  return all;
}
template <class S> Tile<S> sums_of(const S* left, const S* right, std::size_t depth) {
  Tile<S> sums{};
  for (std::size_t k = 0; k < depth; ++k, left += tall, right += wide)
    for (std::size_t j = 0; j < wide; ++j)
      for (std::size_t i = 0; i < tall; ++i) sums[j][i] += left[i] * right[j];
  return sums;
}
void store(const Job& job, std::size_t i, std::size_t j, double sum) {
  const auto place = [&](const Layout& x) { return j * static_cast<std::size_t>(x.stride) + i; };
  double y = job.scale * sum;
  if (job.keep != 0) y += job.keep * number_at(job.c.type, job.from_c, place(job.c));
  if (job.work.adds_bias()) y += number_at(job.d.type, job.work.bias, i);
  if (job.work.has_gelu() && job.work.has_aux()) put_number(job.d.type, job.work.aux, place(job.aux()), y);
  if (job.work.has_gelu()) y = gelu(y);
  if (job.work.has_slope()) y *= slope_of_gelu(number_at(job.d.type, job.work.aux, place(job.aux())));
  put_number(job.d.type, job.to, place(job.d), y);
}
void check_memory(const Job& job) {
  const Columns d = columns(job.to, job.d), a = columns(job.from_a, job.a), b = columns(job.from_b, job.b);
  check_held(a, "the first operand"), check_held(b, "the second operand"), check_held(d, "the result");
  if (job.keep != 0) check_held(columns(job.from_c, job.c), "what is added to");
  if (overlap(a, d) || overlap(b, d)) throw Failure("cublasLtMatmul: an operand lies where the result goes");
  if (job.work.adds_bias()) check_held(columns(job.work.bias, job.bias()), "the bias");
  if (job.work.has_aux()) {
    const Columns aux = columns(job.work.aux, job.aux());
    check_held(aux, "aux");
    if (overlap(aux, d) || overlap(aux, a) || overlap(aux, b)) throw Failure("cublasLtMatmul: aux lies on a matrix");
  }
  if (job.workspace_bytes == 0) return;
  const Columns workspace{static_cast<const std::byte*>(job.workspace), job.workspace_bytes, job.workspace_bytes, 1};
  check_held(workspace, "the workspace");
  if (overlap(workspace, a) || overlap(workspace, b) || overlap(workspace, d))
    throw Failure("cublasLtMatmul: the workspace lies on a matrix");
}
/// Sums of S: of operands of 16 bits, whose products have room in fp32, in fp32 as on a card; else in fp64.
template <class S> void multiply_in(const Job& job) {
  const bool tf32 = job.work.sums == CUBLAS_COMPUTE_32F_FAST_TF32;
  const std::size_t rows = job.d.rows, cols = job.d.cols, depth = cols_of(job.a, job.work.turn_a);
  const auto stride_a = static_cast<std::size_t>(job.a.stride), stride_b = static_cast<std::size_t>(job.b.stride);
  const bool turned_a = job.work.turn_a != CUBLAS_OP_N, turned_b = job.work.turn_b != CUBLAS_OP_N;
  const std::vector<S> left =
      packed<S, tall>(job.from_a, job.a.type, tf32, rows, depth,
                      [&](std::size_t i, std::size_t k) { return turned_a ? i * stride_a + k : k * stride_a + i; });
  const std::vector<S> right =
      packed<S, wide>(job.from_b, job.b.type, tf32, cols, depth,
                      [&](std::size_t j, std::size_t k) { return turned_b ? k * stride_b + j : j * stride_b + k; });
  for (std::size_t j = 0; j < cols; j += wide)
    for (std::size_t i = 0; i < rows; i += tall) {
      const Tile<S> sums = sums_of(left.data() + i * depth, right.data() + j * depth, depth);
      for (std::size_t t = 0; t < wide && j + t < cols; ++t)
        for (std::size_t s = 0; s < tall && i + s < rows; ++s)
          store(job, i + s, j + t, static_cast<double>(sums[t][s]));
    }
}
void multiply(const Job& job) {
  check_memory(job);
  if (job.workspace_bytes != 0) std::memset(job.workspace, 0xFF, job.workspace_bytes);  // whose it is meanwhile
  const auto narrow = [](const Layout& x) { return x.type == CUDA_R_16F || x.type == CUDA_R_16BF; };
  if (narrow(job.a) && narrow(job.b))
    multiply_in<float>(job);
  else
    multiply_in<double>(job);
}

/// What is looked at when a product is asked for.
cublasStatus_t check_call(const Job& job, const Method& method, const void* workspace, std::size_t workspace_bytes) {
  const Shapes shapes{job.a, job.b, job.c, job.d};
  if (const cublasStatus_t status = possible(job.work, shapes); status != CUBLAS_STATUS_SUCCESS) return status;
  if (!is_for(method, job.work, shapes)) return CUBLAS_STATUS_INVALID_VALUE;
  if (method.workspace_bytes > workspace_bytes || alignment_of(workspace) < 256) return CUBLAS_STATUS_INVALID_VALUE;
  if (job.from_c == job.to && job.c.stride != job.d.stride) return CUBLAS_STATUS_INVALID_VALUE;
  const void* const bias = job.work.adds_bias() ? job.work.bias : job.to;
  const void* const aux = job.work.has_aux() ? job.work.aux : job.to;
  for (const void* p : {job.from_a, job.from_b, static_cast<const void*>(job.to), bias, aux})
    if (p == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  for (const void* p : {job.from_a, job.from_b, job.from_c, static_cast<const void*>(job.to), bias, aux})
    if (alignment_of(p) < method.aligned) return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace ptx

using namespace ptx;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) { return *handle = new cublasLtContext, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return delete handle, CUBLAS_STATUS_SUCCESS; }
std::size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t sums, cudaDataType_t scale) {
  return *made = new Work{{}, sums, scale}, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t x) {
  return delete static_cast<Work*>(x), CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t x, cublasLtMatmulDescAttributes_t which,
                                              const void* value, std::size_t bytes) {
  Work& work = *static_cast<Work*>(x);
  switch (which) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
      return set(work.sums, value, bytes);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return set(work.scale, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(work.turn_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(work.turn_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set(work.epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set(work.bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
      return set(work.aux, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
      return set(work.aux_stride, value, bytes);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType_t type, std::uint64_t rows,
                                          std::uint64_t cols, std::int64_t stride) {
  if (stride < 0 || static_cast<std::uint64_t>(stride) < rows) return CUBLAS_STATUS_INVALID_VALUE;
  return *made = new Layout{{}, type, rows, cols, stride}, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t x) {
  return delete static_cast<Layout*>(x), CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  return *made = new Wish{}, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t x) {
  return delete static_cast<Wish*>(x), CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t x,
                                                    cublasLtMatmulPreferenceAttributes_t which, const void* value,
                                                    std::size_t bytes) {
  Wish& wish = *static_cast<Wish*>(x);
  switch (which) {
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return set(wish.workspace_bytes, value, bytes);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
      return set(wish.reductions, value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
      return set(wish.aligned[0], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
      return set(wish.aligned[1], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
      return set(wish.aligned[2], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
      return set(wish.aligned[3], value, bytes);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t work, cublasLtMatrixLayout_t a,
                                              cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                              cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t wish, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  *found = 0;
  if (wanted <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const Shapes shapes{of(a), of(b), of(c), of(d)};
  if (const cublasStatus_t status = possible(of(work), shapes); status != CUBLAS_STATUS_SUCCESS) return status;
  for (const Method& method : methods_for(of(work), shapes, of(wish)))
    if (*found < wanted) results[(*found)++] = result(method);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t, cublasLtMatmulDesc_t work, cublasLtMatrixLayout_t a,
                                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algorithm, cublasLtMatmulHeuristicResult_t* found) {
  const Shapes shapes{of(a), of(b), of(c), of(d)};
  const Method method = method_of(*algorithm);
  if (const cublasStatus_t status = possible(of(work), shapes); status != CUBLAS_STATUS_SUCCESS) return status;
  if (!is_for(method, of(work), shapes)) return CUBLAS_STATUS_INVALID_VALUE;
  const cublasLtMatmulAlgo_t unchanged = found->algo;
  *found = result(method);
  found->algo = unchanged;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t work, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t layout_a, const void* b, cublasLtMatrixLayout_t layout_b,
                              const void* beta, const void* c, cublasLtMatrixLayout_t layout_c, void* d,
                              cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || beta == nullptr || algorithm == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Method method = method_of(*algorithm);
  const cudaDataType_t scale = of(work).scale;
  const Job job{of(work),
                of(layout_a),
                of(layout_b),
                of(layout_c),
                of(layout_d),
                a,
                b,
                c,
                d,
                number_at(scale, alpha, 0),
                number_at(scale, beta, 0),
                workspace,
                method.workspace_bytes};
  const cublasStatus_t status = check_call(job, method, workspace, workspace_bytes);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return queue(stream, [job] { multiply(job); }) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                : CUBLAS_STATUS_EXECUTION_FAILED;
}
