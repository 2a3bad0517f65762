// core > device, precision > tensor > [kernel] > layer
//
// Attention on the CPU: a tile is one head of one sentence. Queries and keys are multiplied in blocks that fit the
// second-level cache, so the memory does not grow with the sentence; an ordinary sentence is one block. With a window,
// only blocks that overlap it are multiplied.
#pragma once
#include <algorithm>
#include <cstdint>

#include "entrain/core/math.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/attention/band.hpp"
#include "entrain/kernel/attention/contract.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/bits.hpp"
#include "entrain/kernel/gemm/small_product.hpp"
#include "entrain/kernel/gemm/transpose.hpp"
#include "entrain/kernel/softmax/wide_pack.hpp"

namespace entrain::kernel {

template <class G> struct Attention<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int queries = 128, keys = 256;  // of a block
  static_assert(queries <= keys, "the first block of keys has one key for each query, for any window");

  template <int Window, class T, int H, int C3, int C>
  static void forward(const Step<D>& at, Rows<const T, C3> qkv, double scale, Rows<T, H> lse, Rows<T, C> out) {
    constexpr int d = C / H;
    using Near = Band<Window>;
    each_head<T, H, d>(at, [&](Head<T> head, Blocks<T> block) {
      const T* const first = qkv.row_at(head.first) + head.index * d;
      T* const to = out.row_at(head.first) + head.index * d;
      for (int i = 0; i < head.rows; i += queries) {  // mutant 36
        const int rows = std::min(queries, head.rows - i);
        T top[queries], total[queries];                                                  // mutant 37
        const int begin = Near::first(i, 0), end = Near::last(i + rows - 1, head.rows);  // mutant 38
        for (int j = begin; j < end; j += keys) {                                        // mutant 39
          const int columns = std::min(keys, end - j);
          const Write how = j == begin ? Write::assign : Write::add;
          detail::turn<T>(columns, d, view<const T>(first + C, j, C3), {block.keys, keys, 1});
          scores<d>(rows, columns, view<const T>(first, i, C3), block, static_cast<T>(scale));
          for (int r = 0; r < rows; ++r) {
            T* const p = block.score + r * keys;
            leave<Near>(p, i + r - j, columns);
            const T before = j == begin ? -detail::infinity<T> : top[r];
            const T largest = std::max(before, row_max(p, columns));
            // Sums that were made with a smaller maximum are scaled down.
            const T shrink = j == begin ? T(0) : math::exp(before - largest);
            const T sum = exponentials(p, columns, largest);
            total[r] = j == begin ? sum : total[r] * shrink + sum;
            top[r] = largest;
            if (at.training)
              drop(at, head, i + r, j, columns, [&](int c, Pack<T> m) { (Pack<T>::load(p + c) * m).store(p + c); });
            if (j > begin) multiply<d>(to + (i + r) * C, shrink);
          }
          detail::small_product<T>(rows, d, columns, {block.score, keys, 1}, view<const T>(first + 2 * C, j, C3),
                                   view<T>(to, i, C), T(1), how);
        }
        for (int r = 0; r < rows; ++r) multiply<d>(to + (i + r) * C, T(1) / total[r]);
        for (int r = 0; r < rows; r += Pack<T>::size) {  // mutant 40
          const int lanes = std::min(Pack<T>::size, rows - r);
          (Pack<T>::load(top + r, lanes) + math::log(Pack<T>::load(total + r, lanes))).store(top + r, lanes);
        }
        for (int r = 0; r < rows; ++r) lse(head.first + i + r, head.index) = top[r];
      }
    });
  }

  template <int Window, class T, int H, int C3, int C>
  static void backward(const Step<D>& at, Rows<const T, C> dout, Rows<const T, C3> qkv, double scale,
                       Rows<const T, H> lse, Rows<const T, C> out, Rows<T, H> delta, Rows<T, C3> dqkv) {
    constexpr int d = C / H;
    using Near = Band<Window>;
    using P = Pack<T>;
    const T by = static_cast<T>(scale);
    each_head<T, H, d>(at, [&](Head<T> head, Blocks<T> block) {
      const T* const first = qkv.row_at(head.first) + head.index * d;
      const T* const slope = dout.row_at(head.first) + head.index * d;
      const T* const result = out.row_at(head.first) + head.index * d;
      T* const to = dqkv.row_at(head.first) + head.index * d;
      for (int j = 0; j < head.rows; j += keys) {  // mutant 41
        const int columns = std::min(keys, head.rows - j);
        detail::turn<T>(columns, d, view<const T>(first + C, j, C3), {block.keys, keys, 1});
        detail::turn<T>(columns, d, view<const T>(first + 2 * C, j, C3), {block.values, keys, 1});
        // mutant 42
        const int begin = Near::first(j, 0) / queries * queries, end = Near::last(j + columns - 1, head.rows);
        for (int i = begin; i < end; i += queries) {  // mutant 43
          const int rows = std::min(queries, head.rows - i);
          const Write query = j == Near::first(i, 0) / keys * keys ? Write::assign : Write::add,
                      key = i == begin ? Write::assign : Write::add;
          const auto q = view<const T>(first, i, C3), k = view<const T>(first + C, j, C3),
                     dy = view<const T>(slope, i, C);
          scores<d>(rows, columns, q, block, by);
          detail::small_product<T>(rows, padded<T>(columns), d, dy, {block.values, keys, 1}, {block.slope, keys, 1},
                                   T(1), Write::assign);
          for (int r = 0; r < rows; ++r) {
            T *const p = block.score + r * keys, *const ds = block.slope + r * keys;
            const P norm(lse(head.first + i + r, head.index));
            T& kept = delta(head.first + i + r, head.index);
            leave<Near>(p, i + r - j, columns);
            if (query == Write::assign) kept = dot<d>(slope + (i + r) * C, result + (i + r) * C);
            const auto one = [&](int c, P m) {
              const P probability = clean(math::exp(P::load(p + c) - norm), c, columns);
              (probability * (P::load(ds + c) * m - P(kept))).store(ds + c);
              (probability * m).store(p + c);
            };
            if (at.training) {
              drop(at, head, i + r, j, columns, one);
            } else {
              for (int c = 0; c < columns; c += P::size) one(c, P(T(1)));
            }
          }
          const detail::Strided<const T> p{block.score, keys, 1}, ds{block.slope, keys, 1};
          detail::small_product<T>(rows, d, columns, ds, k, view<T>(to, i, C3), by, query);
          detail::small_product<T>(columns, d, rows, detail::transposed(ds), q, view<T>(to + C, j, C3), by, key);
          detail::small_product<T>(columns, d, rows, detail::transposed(p), dy, view<T>(to + 2 * C, j, C3), T(1), key);
        }
      }
    });
  }

 private:
  template <class T> struct Head {
    int first, rows, index;  // the sentence's first row, its length, and which head
  };
  /// A worker's memory: keys and values transposed [d, keys], scores and their slopes [queries, keys].
  template <class T> struct Blocks { T *keys, *values, *score, *slope; };

  template <class T, int H, int d, class F> static void each_head(const Step<D>& at, F&& f) {
    static_assert(sizeof(T) * (2 * d * keys + 2 * queries * keys) <= D::workspace_bytes,
                  "entrain: the CPU's workspace is too small for an attention head of this width.");
    at.dev.parallel(at.shape.sentences * H, [&](int tile, int worker) {
      const std::int32_t* const begin = at.geometry.cu_seqlens + tile / H;
      T* const memory = reinterpret_cast<T*>(at.dev.workspace(worker));
      f(Head<T>{begin[0], begin[1] - begin[0], tile % H},
        Blocks<T>{memory, memory + d * keys, memory + 2 * d * keys, memory + 2 * d * keys + queries * keys});
    });
  }

  /// Rows from `row` on of a matrix whose rows are `stride` numbers apart.
  template <class T> static detail::Strided<T> view(T* data, int row, int stride) {
    return {data + static_cast<std::ptrdiff_t>(row) * stride, stride, 1};
  }
  /// n rounded up to whole packs.
  template <class T> static constexpr int padded(int n) {
    return (n + Pack<T>::size - 1) / Pack<T>::size * Pack<T>::size;
  }

  template <int d, class T>
  static void scores(int rows, int columns, detail::Strided<const T> q, Blocks<T> block, T scale) {
    detail::small_product<T>(rows, padded<T>(columns), d, q, {block.keys, keys, 1}, {block.score, keys, 1}, scale,
                             Write::assign);
  }

  /// Masks the scores of one query, at `place` relative to the columns, for keys that it does not attend to.
  template <class Near, class T> static void leave(T* p, int place, int columns) {
    if constexpr (!Near::whole) {
      std::fill(p, p + std::min(Near::first(place, 0), columns), -detail::infinity<T>);
      std::fill(p + std::max(Near::last(place, columns), 0), p + columns, -detail::infinity<T>);
    }
  }
  template <class T> static Pack<T> clean(Pack<T> p, int c, int columns) {
    // mutant 44
    return c + Pack<T>::size <= columns ? p : select(detail::first_lanes<T>(columns - c), p, Pack<T>(T(0)));
  }
  template <class T> static T row_max(const T* p, int columns) {
    Pack<T> top(-detail::infinity<T>);
    for (int c = 0; c < columns; c += Pack<T>::size)  // mutant 45
      top = max(top, detail::load_padded(p, c, columns, -detail::infinity<T>));
    return top.largest();
  }
  /// p = e^(p - largest), zero after the last column; returns their sum.
  template <class T> static T exponentials(T* p, int columns, T largest) {
    Pack<T> sum(T(0));
    for (int c = 0; c < columns; c += Pack<T>::size) {
      const Pack<T> e = clean(math::exp(Pack<T>::load(p + c) - Pack<T>(largest)), c, columns);
      e.store(p + c);
      sum += e;
    }
    return sum.sum();
  }
  template <int d, class T> static void multiply(T* row, T by) {
    for (int i = 0; i < d; ++i) row[i] *= by;
  }
  template <int d, class T> static T dot(const T* a, const T* b) {
    Pack<T> sum(T(0));
    int i = 0;
    for (; i + Pack<T>::size <= d; i += Pack<T>::size) sum += Pack<T>::load(a + i) * Pack<T>::load(b + i);  // mutant 46
    if (i < d) sum += Pack<T>::load(a + i, d - i) * Pack<T>::load(b + i, d - i);                            // mutant 47
    return sum.sum();
  }

  /// f(column, factors) for each pack of keys of one query: dropout's factors.
  template <class T, class F>
  static void drop(const Step<D>& at, Head<T> head, int query, int first, int columns, F&& f) {
    std::uint16_t bits[keys + 32];  // a block of eight begins at the same key for all sentences
    const int key = head.first + first, early = key % 8;
    detail::dropout_bits(*at.counters, at.rng_stream, head.first + query, attention_block(head.index, key),
                         (early + padded<T>(columns) + 31) / 32 * 4, bits);
    const detail::DropoutFactor<T> factor(*at.counters);
    for (int c = 0; c < columns; c += Pack<T>::size) f(c, factor(bits + early + c));
  }
};

}  // namespace entrain::kernel
