// core > device, precision > tensor > [kernel] > layer
//
// Products for training in bf16: device::Cpu<kernel::Bf16Gemm>. Stored numbers stay fp32. A product rounds its operands
// to bf16, packs two of them into one lane, and sums in fp32. Nearly twice the speed of fp32 if the CPU has an
// instruction for that (AVX512_BF16) and executes it twice a cycle, as AMD's do from Zen 4; on other CPUs the same
// rounding, slower than fp32.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "entrain/kernel/gemm/block_panels.hpp"
#include "entrain/kernel/gemm/block_product.hpp"
#include "entrain/kernel/gemm/packed.hpp"
#include "entrain/kernel/gemm/pair_block.hpp"

namespace entrain::kernel {

/// c (+)= round(op(a)) round(op(b)) of fp32 operands, sums in fp32; fp64 as PackedGemm. A trainer has copies of
/// weights, which are rounded once per step.
///
/// Instead of oneDNN's matmul in bf16: the products of MiniLM and BERT-base are 1.00 to 1.31 times as fast by these
/// blocks, 1.09 times in the median (oneDNN 2.6.3, one core of a Zen 5, ./dev bench products).
///
/// source    bf16 in training: Kalamkar et al. 2019, arXiv:1905.12322; torch's autocast does the same to products on a
///           CPU
struct Bf16Gemm : PackedGemm {
  static constexpr std::string_view instructions = ENTRAIN_BF16_PRODUCTS ? "avx512_bf16" : "";  // that decide the bits
  static constexpr std::string_view rounds =
      ENTRAIN_BF16_PRODUCTS ? "bf16" : "bf16 (slower than fp32: not compiled for a CPU with AVX512_BF16)";
  using Block = detail::PairBlock;
  template <class T> static constexpr bool ends_blocks = std::is_same_v<T, float>;
  template <class T> static constexpr bool copies_weights = std::is_same_v<T, float>;
  static constexpr std::size_t shared_bytes = std::size_t(3) << 19;  // half of it is not faster (as strip_rows)
  /// Packing reads 256 neighbouring bytes of a transposed operand, not 128: the weights' gradients of MiniLM and
  /// BERT-base take 1/1.00 to 1/1.14 of the time that they take with 32 rows (medians of 27 passes, three interleaved
  /// runs, one core of a Zen 5). 128 rows slow a step with two threads down: 0.93 of the speed (medians of 11 slices).
  static constexpr int strip_rows = 64;

  static constexpr std::size_t workspace(std::size_t number) {
    return std::max(PackedGemm::workspace(number), shared_bytes + detail::RowOfBlocks::bytes(strip_rows));
  }
};

template <> struct Gemm<device::Cpu<Bf16Gemm>> : detail::BlockProduct<Bf16Gemm> {};

/// Products for prediction, on which models of Bf16Gemm predict: as BlockPanelGemm.
struct Bf16PanelGemm : BlockPanelGemm<detail::PairBlock> {
  static constexpr std::string_view instructions = Bf16Gemm::instructions;
};

}  // namespace entrain::kernel
