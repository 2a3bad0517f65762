// core > device, precision > tensor > [kernel] > layer
//
// Products for training in bf16 with the registers for matrices of Intel AMX: device::Cpu<kernel::AmxGemm>. Stored
// numbers stay fp32. A product rounds its operands to bf16 while it packs them, and sums in fp32.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "entrain/kernel/gemm/amx_block.hpp"
#include "entrain/kernel/gemm/block_panels.hpp"
#include "entrain/kernel/gemm/block_product.hpp"
#include "entrain/kernel/gemm/packed.hpp"

namespace entrain::kernel {

/// c (+)= round(op(a)) round(op(b)) of fp32 operands, sums in fp32; fp64 as PackedGemm. A trainer has copies of
/// weights, which are rounded once per step.
///
/// Instead of oneDNN's matmul, which is up to twice as fast with operands that are packed already, but has to round
/// fp32 operands into its own format first: the products of MiniLM and BERT-base are 1.3 to 3.4 times as fast by these
/// tiles, 1.7 times in the median (oneDNN 2.6.3, one core of an Emerald Rapids, ./dev bench products).
///
/// source    bf16 in training: Kalamkar et al. 2019, arXiv:1905.12322
struct AmxGemm : PackedGemm {
  static constexpr std::string_view instructions = ENTRAIN_MATRIX_TILES ? "amx" : "";  // that decide the bits
  static constexpr std::string_view rounds =
      ENTRAIN_MATRIX_TILES ? "bf16" : "bf16 (slower than fp32: not compiled for a CPU with AMX)";
  using Block = detail::AmxBlock<>;
  template <class T> static constexpr bool ends_blocks = std::is_same_v<T, float>;
  template <class T> static constexpr bool copies_weights = std::is_same_v<T, float>;
  /// Of the right operand, packed for all workers at once. With 3 MiB, more than the second-level cache of 2 MiB, the
  /// products of BERT-base take 1.12 times as long (medians of 11 interleaved passes, one core of an Emerald Rapids).
  static constexpr std::size_t shared_bytes = std::size_t(3) << 19;

  /// With 128 rows, a step of MiniLM took 1.13 times as long where another program used one of two cores at times
  /// (medians of 11 interleaved slices).
  static constexpr int strip_rows = 32;

  /// Asks the system for the registers, which a process may not use before.
  ///
  /// throws    entrain.device.9: the CPU has no such registers, or the system does not allow them
  static void prepare() { detail::allow_tiles(); }

  static constexpr std::size_t workspace(std::size_t number) {
    return std::max(PackedGemm::workspace(number), shared_bytes + detail::RowOfBlocks::bytes(strip_rows));
  }
};

template <> struct Gemm<device::Cpu<AmxGemm>> : detail::BlockProduct<AmxGemm> {};

/// Products for prediction, on which models of AmxGemm predict: as BlockPanelGemm.
struct AmxPanelGemm : BlockPanelGemm<detail::AmxBlock<>> {
  static constexpr std::string_view instructions = AmxGemm::instructions;

  /// throws    entrain.device.9: the CPU has no registers for matrices, or the system does not allow them
  static void prepare() { detail::allow_tiles(); }
};

}  // namespace entrain::kernel
