// bench: the products of MiniLM and BERT-base alone, forward and both gradients, by each policy of the CPU device.
//
//   bench_products [ROWS [THREADS]]
//
// Prints billions of operations a second, a multiplication and an addition being two: medians of nine passes in turn.
// Operands are fp32 in memory, so a product in bf16 also rounds them. `amx` is by matrix registers and `vector` by
// AVX512_BF16; 0 if this program was not compiled for them. `onednn` is oneDNN's matmul in bf16: both operands are
// rounded, the right one into oneDNN's blocked format, and multiplied. `copied` is `amx`, or `vector` without AMX,
// with a weight that is rounded and packed already, as a trainer's optimizer does once per step; a weight's gradient
// has none. `tiles` is what one core's matrix registers can do without any memory, measured between the passes.
#include <dnnl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/slices/fma_peak.hpp"
#include "entrain/core/random.hpp"
#include "entrain/kernel/gemm/amx.hpp"
#include "entrain/kernel/gemm/bf16.hpp"
#include "entrain/kernel/gemm/onednn.hpp"

using namespace entrain;

namespace {

void check(dnnl_status_t status) {
  if (status != dnnl_success) throw std::runtime_error("oneDNN: status " + std::to_string(status));
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// oneDNN's matmul in bf16 of fp32 operands a [m,k], or its transpose, and b [k,n], or its transpose; oneDNN's threads.
class OneDnnBf16 {
 public:
  OneDnnBf16(int m, int n, int k, bool transpose_a, bool transpose_b, float* a, float* b, float* c) {
    check(dnnl_engine_create(&engine_, dnnl_cpu, 0));
    check(dnnl_stream_create(&stream_, engine_, dnnl_stream_default_flags));
    const dnnl_dims_t of_a = {m, k}, of_b = {k, n}, of_c = {m, n};
    dnnl_memory_desc_t stored_a, stored_b, left, any, result;
    check(dnnl_memory_desc_init_by_tag(&stored_a, 2, of_a, dnnl_f32, transpose_a ? dnnl_ba : dnnl_ab));
    check(dnnl_memory_desc_init_by_tag(&stored_b, 2, of_b, dnnl_f32, transpose_b ? dnnl_ba : dnnl_ab));
    check(dnnl_memory_desc_init_by_tag(&left, 2, of_a, dnnl_bf16, dnnl_ab));
    check(dnnl_memory_desc_init_by_tag(&any, 2, of_b, dnnl_bf16, dnnl_format_tag_any));
    check(dnnl_memory_desc_init_by_tag(&result, 2, of_c, dnnl_f32, dnnl_ab));
    dnnl_matmul_desc_t matmul;
    check(dnnl_matmul_desc_init(&matmul, &left, &any, nullptr, &result));
    dnnl_primitive_desc_t described;
    check(dnnl_primitive_desc_create(&described, &matmul, nullptr, engine_, nullptr));
    check(dnnl_primitive_create(&matmul_, described));
    const dnnl_memory_desc_t* const right = dnnl_primitive_desc_query_md(described, dnnl_query_weights_md, 0);
    check(dnnl_memory_create(&a_, &stored_a, engine_, a));
    check(dnnl_memory_create(&b_, &stored_b, engine_, b));
    check(dnnl_memory_create(&c_, &result, engine_, c));
    check(dnnl_memory_create(&left_, &left, engine_, DNNL_MEMORY_ALLOCATE));
    check(dnnl_memory_create(&right_, right, engine_, DNNL_MEMORY_ALLOCATE));
    reorder(&stored_a, &left, &of_a_);
    reorder(&stored_b, right, &of_b_);
  }
  void run() {
    execute(of_a_, {dnnl_exec_arg_t{DNNL_ARG_FROM, a_}, {DNNL_ARG_TO, left_}});
    execute(of_b_, {dnnl_exec_arg_t{DNNL_ARG_FROM, b_}, {DNNL_ARG_TO, right_}});
    const std::array<dnnl_exec_arg_t, 3> with{{{DNNL_ARG_SRC, left_}, {DNNL_ARG_WEIGHTS, right_}, {DNNL_ARG_DST, c_}}};
    check(dnnl_primitive_execute(matmul_, stream_, 3, with.data()));
    check(dnnl_stream_wait(stream_));
  }

 private:
  void reorder(const dnnl_memory_desc_t* from, const dnnl_memory_desc_t* to, dnnl_primitive_t* made) {
    dnnl_primitive_desc_t described;
    check(dnnl_reorder_primitive_desc_create(&described, from, engine_, to, engine_, nullptr));
    check(dnnl_primitive_create(made, described));
  }
  void execute(dnnl_primitive_t what, std::array<dnnl_exec_arg_t, 2> with) {
    check(dnnl_primitive_execute(what, stream_, 2, with.data()));
  }
  dnnl_engine_t engine_;  // for the lifetime of the program
  dnnl_stream_t stream_;
  dnnl_primitive_t matmul_, of_a_, of_b_;
  dnnl_memory_t a_, b_, c_, left_, right_;
};

double tile_peak() {
#if ENTRAIN_MATRIX_TILES
  kernel::detail::Tiles tiles;
  constexpr int turns = 20000;
  const double begin = seconds();
  for (int i = 0; i < turns; ++i) {
    tiles.multiply<0, 4, 6>();
    tiles.multiply<1, 4, 7>();
    tiles.multiply<2, 5, 6>();
    tiles.multiply<3, 5, 7>();
  }
  return turns * 4 * 16384.0 / (seconds() - begin);
#else
  return 0;
#endif
}

/// Calls work() for some 5 ms; operations a second, if it does `operations`.
template <class F> double rate(double operations, F&& work) {
  const int times = std::max(1, static_cast<int>(2e9 / operations));
  const double begin = seconds();
  for (int i = 0; i < times; ++i) work();
  return operations * times / (seconds() - begin);
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int rows = argc > 1 ? std::stoi(argv[1]) : 800, threads = argc > 2 ? std::stoi(argv[2]) : 1;
  const device::Cpu<kernel::AmxGemm> amx(threads);
  const device::Cpu<kernel::Bf16Gemm> vector(threads);
  const device::Cpu<kernel::OneDnnGemm> fp32(threads);
  const std::size_t most = static_cast<std::size_t>(std::max(rows, 3072)) * 3072;
  std::vector<float> a(most), b(most), c(most), d(most);
  Random random(1);
  for (std::vector<float>* v : {&a, &b})
    for (float& x : *v) x = random.uniform() * 2 - 1;

  std::printf("GF/s, %d rows, %d thread%s\n%-10s %-20s %7s %7s %7s %7s %7s %7s\n", rows, threads,
              threads > 1 ? "s" : "", "product", "m x n x k", "amx", "onednn", "vector", "copied", "fp32", "tiles");
  std::map<std::string, double> least;
  for (const auto& [name, in, out] : {std::tuple{"MiniLM", 384, 1152},
                                      {"MiniLM", 384, 384},
                                      {"MiniLM", 384, 1536},
                                      {"MiniLM", 1536, 384},
                                      {"BERT-base", 768, 2304},
                                      {"BERT-base", 768, 768},
                                      {"BERT-base", 768, 3072},
                                      {"BERT-base", 3072, 768}}) {
    const auto product = [&]<bool A, bool B>(const char* what, int m, int n, int k) {
      const kernel::Matrix<const float> left{a.data(), A ? k : m, A ? m : k, A ? m : k},
          right{b.data(), B ? n : k, B ? k : n, B ? k : n};
      const kernel::Matrix<float> to{c.data(), m, n, n};
      OneDnnBf16 onednn(m, n, k, A, B, a.data(), b.data(), d.data());
      const double operations = 2.0 * m * n * k;
      // The right operand as a weight [outputs, inputs]; `copy` is null, or what the optimizer makes of it.
      const auto ours = [&](const auto& dev, const std::byte* copy) {
        using Gemm = kernel::Gemm<std::remove_cvref_t<decltype(dev)>>;
        return rate(operations, [&] {
          if constexpr (A) {
            Gemm::template run<A, B>(dev, left, right, to, Write::assign);
          } else {
            Gemm::template run<A, B>(dev, left, kernel::WeightMatrix<const float>{right, 1, copy}, to, Write::assign);
          }
        });
      };
      std::vector<float> memory;
      std::byte* copy = nullptr;
      if constexpr (!A) {
        using Copy = kernel::Gemm<device::Cpu<kernel::Bf16Gemm>>::Copy;  // AmxGemm has the same
        const Copy of(right.rows, right.cols);
        memory.resize(static_cast<std::size_t>(right.rows) * static_cast<std::size_t>(right.cols) + 16);
        copy = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
        for (int part = 0; part < of.parts(); ++part) of.make(part, right.data, copy);
      }
      std::array<std::vector<double>, 6> found;
      for (int pass = 0; pass < 9; ++pass) {
        found[0].push_back(ENTRAIN_MATRIX_TILES ? ours(amx, nullptr) : 0);
        omp_set_num_threads(threads);
        found[1].push_back(rate(operations, [&] { onednn.run(); }));
        found[2].push_back(ENTRAIN_BF16_PRODUCTS ? ours(vector, nullptr) : 0);
        found[3].push_back(ENTRAIN_MATRIX_TILES ? ours(amx, copy) : ENTRAIN_BF16_PRODUCTS ? ours(vector, copy) : 0);
        found[4].push_back(ours(fp32, nullptr));
        found[5].push_back(tile_peak());
      }
      std::printf("%-10s %4d x %4d x %4d  ", what, m, n, k);
      for (const auto& f : found) std::printf(" %7.0f", median(f) / 1e9);
      std::printf("\n");
      double& low = least.try_emplace(name, median(found[3])).first->second;
      low = std::min(low, median(found[3]));
    };
    std::printf("%s\n", name);
    product.operator()<false, true>("forward", rows, out, in);
    product.operator()<false, false>("input's", rows, in, out);
    product.operator()<true, false>("weight's", out, in, rows);
  }
  for (const auto& [name, low] : least) std::printf("%s: copied: at least %.0f GF/s\n", name.c_str(), low / 1e9);
}
