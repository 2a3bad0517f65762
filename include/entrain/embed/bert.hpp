// text > batch > [embed] > encode > head > optim > checkpoint
//
// Maps pieces to vectors as BERT does: tables of pieces, positions and segments, summed and normalised.
// In: the batch's pieces. Out: vectors [N,C], a row a piece. Read batch/encode/pieces.hpp first.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>

#include "entrain/batch/encode/pieces.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/embed/embedding_config.hpp"
#include "entrain/family/bert.hpp"
#include "entrain/family/contract.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/kernel/hash_embed/contract.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/kernel/piece_embed/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::embed {

/// y = dropout(norm(word[id] + position[place] + type[0])),  without type if there are no segments
///
/// Family    the names of tensors and extents in its folders (family/); it changes no number
///
/// shapes    word_embeddings [V,C], position_embeddings [P,C], token_type_embeddings [S,C]; y [N,C]
/// requires  S = 0 if the family has no token types, else S >= 1
/// saves     the sum [N,C] and its statistics [N,2]
/// source    Devlin et al. 2018, arXiv:1810.04805, section 3; without segments Sanh et al. 2019, arXiv:1910.01108,
///           section 3; names of Hugging Face
template <EmbeddingConfig T, class OfFamily = family::Bert> struct Bert {
  static_assert(family::detail::begins_family<OfFamily>,
                "entrain: the second argument of embed::Bert is not a family such as family::Bert; see "
                "family/contract.hpp.");
  static_assert(!family::detail::begins_family<OfFamily> || family::family_contract<OfFamily>());
  static_assert(family::has_types<OfFamily>(T.types),
                "entrain: embed::Bert<EmbeddingConfig, Family> has the wrong number of token types for the family: "
                "family::DistilBert needs .types = 0, and family::Bert at least 1.");
  using Family = std::conditional_t<family::is_family<OfFamily>, OfFamily, family::Bert>;  // no second error
  using Features = batch::Pieces<T.positions, T.vocabulary, typename Family::Tokenizer, Family::first_position>;
  static constexpr int out = T.width, C = T.width;
  static constexpr bool supports_deferred_join = true;
  static std::string describe() { return T.describe(Family::embedding); }

  /// Sets the keys of config.json, by Hugging Face's names.
  static void extents(auto& config) {
    config.vocab_size = T.vocabulary, config.max_position_embeddings = T.positions, config.type_vocab_size = T.types;
    config.embedding_size = T.width;
    config.family = &family::of<Family>;
  }

  template <class N> struct Weights {
    Table<N, T.vocabulary, C> word;
    Table<N, T.positions, C> position;
    Table<N, T.types, C> type;
    Weight<MasterOf<N>, 1, C> gain, shift;
    static void each(auto&& f, auto& w) {
      f("word_embeddings.weight", w.word, init::embedding);
      f("position_embeddings.weight", w.position, init::embedding);
      if constexpr (T.types > 0)
        f("token_type_embeddings.weight", w.type, init::embedding);
      else
        f.unused(w.type);
      f("LayerNorm.weight", w.gain, init::ones);
      f("LayerNorm.bias", w.shift, init::zeros);
    }
  };

  /// f(CsrIndex) for each table, in the order of the weights: the rows that a batch reads.
  static void each_table(const typename Features::View& pieces, auto&& f) {
    f(pieces.touched);
    f(pieces.placed);
    if constexpr (T.types > 0) f(pieces.typed);
  }

  template <Precision P, class D, Needs G> struct Impl {
    // A missing kernel is refused here and not where forward() calls it, ten lines of g++'s output deeper.
    static_assert(sizeof(kernel::PieceEmbed<D>) > 0);
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    using View = typename Features::View;
    struct Saved {
      Rows<A, C> sum;
      Rows<Sum, 2> stat;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {take_rows<A, C>(arena, shape.rows), take_rows<Sum, 2>(arena, shape.rows)};
    }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, const View& pieces, Rows<A, C> y,
                        Saved& saved) {
      saved.sum.n = y.n;
      kernel::piece_embed_norm(at, w.word, pieces.ids, w.position, pieces.position, w.type, w.gain, w.shift, T.eps,
                               saved.sum, saved.stat, y);
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         const View& pieces, Rows<const Grad, C> dy, const Weights<Sum>& g) {
      if constexpr (G.params) {
        const BackwardStep at(step);
        const auto d = take_rows<Grad, C>(at.scratch, at.shape.rows);
        const auto dsum = take_rows<Grad, C>(at.scratch, at.shape.rows);
        const Rows<const A, C> sum = saved.sum;
        const Rows<const Sum, 2> stat = saved.stat;
        auto slope = dy;
        if (at.training) {
          kernel::dropout(at, dy, d, Write::assign);
          slope = d;
        }
        at.side([&](const D& dev) { kernel::layer_norm_params(dev, slope, sum, stat, g.gain, g.shift, at.grads); });
        kernel::layer_norm_back(at.dev, slope, sum, stat, w.gain, dsum, Write::assign);
        const Rows<const Grad, C> read = dsum;
        at.side([&](const D& dev) { kernel::hash_embed_back<1>(at.on(dev), read, 0, pieces.placed, g.position); });
        kernel::hash_embed_back<1>(at, read, 0, pieces.touched, g.word);
        if constexpr (T.types > 0) kernel::hash_embed_back<1>(at, read, 0, pieces.typed, g.type);
      }
    }
  };
};

}  // namespace entrain::embed
