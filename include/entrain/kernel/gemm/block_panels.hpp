// core > device, precision > tensor > [kernel] > layer
//
// Products for prediction in bf16. A weight is rounded and packed once, when the model is loaded, in half of its own
// memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "entrain/kernel/gemm/block_packing.hpp"
#include "entrain/kernel/gemm/panels.hpp"
#include "entrain/kernel/gemm/row_of_blocks.hpp"

namespace entrain::kernel {

/// As PanelGemm, but c (+)= round(a) round(w)^T where a factor's outputs and inputs are multiples of 32, as those of
/// pretrained encoders are; other factors, and fp64, are PanelGemm's.
///
/// Block    AmxBlock or PairBlock
template <class Block> struct BlockPanelGemm : PanelGemm {
  static constexpr std::size_t workspace(std::size_t number) {
    return std::max(PanelGemm::workspace(number), detail::RowOfBlocks::bytes());
  }

  template <class T> [[gnu::cold]] static void arrange(T* w, int outputs, int inputs) {
    if constexpr (std::is_same_v<T, float>) {
      if (detail::has_whole_blocks(outputs, inputs)) {
        std::vector<detail::Pair> packed(static_cast<std::size_t>(outputs) * static_cast<std::size_t>(inputs) / 2);
        detail::pack_tiles<detail::SumAxis::along, detail::Side::right>(w, inputs, outputs / detail::tile_rows, outputs,
                                                                        inputs, packed.data());
        std::memcpy(w, packed.data(), sizeof(detail::Pair) * packed.size());
        return;
      }
    }
    PanelGemm::arrange(w, outputs, inputs);
  }

  template <class D, class T, class F = detail::NoEnd> static void arranged(const D& dev, Matrix<const T> a,
                                                                            Matrix<const T> w, int factors, Matrix<T> c,
                                                                            Write how, F after = {}) {
    if constexpr (std::is_same_v<T, float>) {
      if (detail::has_whole_blocks(c.cols / factors, a.cols)) return packed(dev, a, w, factors, c, how, after);
    }
    PanelGemm::arranged(dev, a, w, factors, c, how, after);
  }

 private:
  /// A task is a row of blocks, or a part of one where there are few: a single sentence is one row. Each part packs the
  /// row again, so there are no more than the threads need. The first row of blocks fetches the weights of its next
  /// block meanwhile: those of a model exceed the second-level cache. Both together: a sentence of 20 words takes
  /// 1/1.24 of the time with one thread, the same with two (MiniLM, 25 interleaved slices of 200 calls, Emerald
  /// Rapids).
  template <class D, class F> static void packed(const D& dev, Matrix<const float> a, Matrix<const float> w,
                                                 int factors, Matrix<float> c, Write how, F after) {
    using namespace detail;
    if (c.rows == 0) return;
    constexpr int most = RowOfBlocks::depth / tile_depth;                // tiles along the sum at once
    const int least_tasks = dev.threads() == 1 ? 1 : 2 * dev.threads();  // mutant 223
    const int down = (c.rows + block_rows - 1) / block_rows, panels = c.cols / block_rows, of_factor = panels / factors;
    const int parts = std::clamp(least_tasks / down, 1, panels);
    const int all = a.cols / tile_depth;
    const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(all) * tile_size;  // pairs: 16 columns of w
    dev.parallel(down * parts, [&](int task, int worker) {
      const int row = task / parts * block_rows, height = std::min(block_rows, c.rows - row), part = task % parts;
      const RowOfBlocks blocks(dev.workspace(worker));
      Block block;
      for (int k = 0; k < all; k += most) {
        const int deep = std::min(most, all - k);
        pack_tiles<SumAxis::along, Side::left>(a.data + static_cast<std::ptrdiff_t>(row) * a.stride + k * tile_depth,
                                               a.stride, 2, height, deep * tile_depth, blocks.left);
        for (int p = panels * part / parts; p < panels * (part + 1) / parts; ++p) {
          // The pairs of a factor [outputs, inputs] are in the first half of its memory.
          const float* const factor = w.data + p / of_factor * (4 * of_factor * step);
          const Pair* const right = reinterpret_cast<const Pair*>(factor) + p % of_factor * 2 * step + k * tile_size;
          const Matrix<float> to{c.data + static_cast<std::ptrdiff_t>(row) * c.stride + p * block_rows, height,
                                 block_rows, c.stride};
          blocks.multiply(block, right, step, deep, to, k == 0 ? how : Write::add,
                          row == 0 ? right + 2 * step : nullptr);
          if (k + deep == all) after(to, p * block_rows);
        }
      }
    });
  }
};

}  // namespace entrain::kernel
