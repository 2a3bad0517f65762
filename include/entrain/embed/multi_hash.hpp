// text > batch > [embed] > encode > head > optim > checkpoint
//
// Maps words to vectors without a vocabulary: each attribute of a word is hashed to four rows of a small table, which
// are summed. The sums are concatenated and mixed. Done once for each distinct word of a batch, however often it
// occurs.
// In: the batch's distinct words. Out: vectors [N,C]. Read layer/maxout.hpp first.
#pragma once
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/gather/contract.hpp"
#include "entrain/kernel/hash_embed/contract.hpp"
#include "entrain/layer/dropout.hpp"
#include "entrain/layer/layer_norm.hpp"
#include "entrain/layer/maxout.hpp"
#include "entrain/layer/sequence.hpp"

namespace entrain::embed {

/// No vectors next to the sums of hashed rows: for MultiHash. embed/with_vectors.hpp has others.
///
/// shapes    no table
struct NoVectors {
  static constexpr int width = 0;
  static constexpr bool learns = false;
  template <class T> struct Weights {
    static void each(auto&&, auto&) {}
  };
};

/// MultiHash, and WithVectors of it.
///
/// Words     the features: batch::HashedWords, or batch::WordsWithVectors
/// Vectors   NoVectors, or a table with a row a word
///
/// shapes    table t: [R_t, C]; Vectors [Rows, Width]; distinct words [U, tables C + Width] -> [U, C]; y [N,C]
template <int C, int Pieces, class Words, class Vectors> struct HashedMix {
  using Features = Words;
  static constexpr int out = C, tables = Words::tables, hashes = Words::hashes, of_hashes = tables * C,
                       side_by_side = of_hashes + Vectors::width;
  static constexpr std::array<const char*, 6> attributes{"norm", "prefix", "suffix", "shape", "prefix3", "suffix2"};
  using Mix = layer::Sequence<layer::Maxout<side_by_side, C, Pieces>, layer::LayerNorm<C>, layer::Dropout<C>>;

  template <class T, std::size_t... I> static auto tables_of(std::index_sequence<I...>)
      -> std::tuple<Table<T, Words::rows[I], C>...>;

  template <class T> struct Weights {
    decltype(tables_of<T>(std::make_index_sequence<static_cast<std::size_t>(tables)>())) table;
    [[no_unique_address]] typename Vectors::template Weights<T> vectors;
    typename Mix::template Weights<T> mix;
    static void each(auto&& f, auto& w) {
      layer::detail::each_index<static_cast<std::size_t>(tables)>(
          [&](auto t) { f(attributes[t()], std::get<t()>(w.table), init::embedding); });
      if constexpr (Vectors::width > 0) f.part("vectors", w.vectors);
      f.part("mix", w.mix);
    }
  };

  /// f(CsrIndex) for each table, in the order of the weights: the rows that a batch reads.
  static void each_table(const typename Features::View& words, auto&& f) {
    for (const CsrIndex& touched : words.touched) f(touched);
    if constexpr (Vectors::learns) f(words.vectors);
  }

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using View = typename Features::View;
    using RealMix = entrain::Impl<Mix, P, D, Needs{G.params, G.params}>;
    struct Saved {
      Rows<A, side_by_side> sums;
      typename RealMix::Saved mix;
      Rows<A, C> vectors;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {take_rows<A, side_by_side>(arena, shape.rows), RealMix::allocate_saved(arena, shape),
              take_rows<A, C>(arena, shape.rows)};
    }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, const View& words, Rows<A, C> y,
                        Saved& saved) {
      saved.sums.n = saved.vectors.n = words.count;
      each_of_tables([&](auto t) {
        constexpr int first = static_cast<int>(t());
        // The batch of a plan has no arrays.
        const auto* const keys = words.keys == nullptr ? nullptr : words.keys + first * hashes;
        kernel::hash_embed<hashes>(at.dev, std::get<t()>(w.table), keys, Features::keys, first * C, saved.sums);
      });
      if constexpr (Vectors::width > 0)
        kernel::hash_embed<1>(at.dev, Vectors::table(w.vectors), words.rows, 1, of_hashes, saved.sums);
      RealMix::forward(at.with_rows(words.count), w.mix, Rows<const A, side_by_side>(saved.sums), saved.vectors,
                       saved.mix);
      kernel::gather(at.dev, Rows<const A, C>(saved.vectors), words.index, y);
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         const View& words, Rows<const Grad, C> dy, const Weights<typename P::Sum>& g) {
      if constexpr (G.params) {
        const Scratch give_back{at.scratch};
        auto dv = take_rows<Grad, C>(at.scratch, at.shape.rows);
        auto dsums = take_rows<Grad, side_by_side>(at.scratch, at.shape.rows);
        dv.n = dsums.n = words.count;
        kernel::scatter_add(at.dev, dy, words.tokens, dv);
        RealMix::backward(at.with_rows(words.count), w.mix, saved.mix, Rows<const Grad, C>(dv), dsums, Write::assign,
                          g.mix);
        each_of_tables([&](auto t) {
          kernel::hash_embed_back<hashes>(at, Rows<const Grad, side_by_side>(dsums), static_cast<int>(t()) * C,
                                          words.touched[t()], std::get<t()>(g.table));
        });
        if constexpr (Vectors::learns)
          kernel::hash_embed_back<1>(at, Rows<const Grad, side_by_side>(dsums), of_hashes, words.vectors,
                                     Vectors::table(g.vectors));
      }
    }

   private:
    static void each_of_tables(auto&& f) { layer::detail::each_index<static_cast<std::size_t>(tables)>(f); }
  };
};

/// v[u] = dropout(norm(maxout(sum_h NORM[..] | sum_h PREFIX[..] | ...)));   y[n] = v[word of n]
///
/// shapes    table t: [R_t, C]; distinct words [U, tables C] -> [U, C]; y [N,C]
/// saves     the concatenated sums [U, tables C], the vectors v [U,C], and what maxout, norm and dropout save
/// source    spaCy's MultiHashEmbed; Miranda et al. 2022, "Multi hash embeddings in spaCy", arXiv:2212.09255
template <int C, class Words = batch::SpacyWords, int Pieces = 3> struct MultiHash;

template <int C, int Hashes, int... R, int Pieces> struct MultiHash<C, batch::HashedWords<Hashes, R...>, Pieces>
    : HashedMix<C, Pieces, batch::HashedWords<Hashes, R...>, NoVectors> {};

}  // namespace entrain::embed
