// text > batch > [embed] > encode > head > optim > checkpoint
//
// Maps pieces to vectors as ModernBERT does: one table, normalised. Positions are the encoder's
// (encode/rotary_attention.hpp). In: the batch's pieces. Out: vectors [N,C], a row a piece. Read bert.hpp first.
#pragma once
#include <string>
#include <type_traits>

#include "entrain/batch/encode/pieces.hpp"
#include "entrain/device/backward_step.hpp"
#include "entrain/device/step.hpp"
#include "entrain/embed/embedding_config.hpp"
#include "entrain/family/contract.hpp"
#include "entrain/family/modern_bert.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/kernel/hash_embed/contract.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::embed {

/// y = dropout(norm(word[id])),  norm without a shift
///
/// Family    the names of tensors and extents in its folders (family/); it changes no number
///
/// shapes    word_embeddings [V,C], LayerNorm.weight [C]; y [N,C]
/// requires  T.types = 0. T.positions: how many pieces a window has at most; there is no table of them
/// saves     the pieces' vectors [N,C] and their statistics [N,2]
/// source    Warner et al. 2024, arXiv:2412.13663, section 2.1; transformers' ModernBertEmbeddings
template <EmbeddingConfig T, class OfFamily = family::ModernBert> struct ModernBert {
  static_assert(family::detail::begins_family<OfFamily>,
                "entrain: the second argument of embed::ModernBert is not a family such as family::ModernBert; see "
                "family/contract.hpp.");
  static_assert(!family::detail::begins_family<OfFamily> || family::family_contract<OfFamily>());
  static_assert(T.types == 0, "entrain: embed::ModernBert has no token types: write .types = 0.");
  using Family = std::conditional_t<family::is_family<OfFamily>, OfFamily, family::ModernBert>;  // no second error
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
    Weight<MasterOf<N>, 1, C> gain;
    static void each(auto&& f, auto& w) {
      f("word_embeddings.weight", w.word, init::embedding);
      f("LayerNorm.weight", w.gain, init::ones);
    }
  };

  /// f(CsrIndex) for the table: the rows that a batch reads.
  static void each_table(const typename Features::View& pieces, auto&& f) { f(pieces.touched); }

  template <Precision P, class D, Needs G> struct Impl {
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
      saved.sum.n = saved.stat.n = y.n;  // allocated for the most rows, used for this batch's
      kernel::hash_embed<1>(at.dev, w.word, pieces.ids, 1, 0, saved.sum);
      kernel::layer_norm(at.dev, Rows<const A, C>(saved.sum), w.gain, Weight<const Sum, 1, C>(), T.eps, saved.stat, y);
      if (at.training) kernel::dropout(at, Rows<const A, C>(y), y, Write::assign);
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
        at.side([&](const D& dev) {
          kernel::layer_norm_params(dev, slope, sum, stat, g.gain, Weight<Sum, 1, C>(), at.grads);
        });
        kernel::layer_norm_back(at.dev, slope, sum, stat, w.gain, dsum, Write::assign);
        kernel::hash_embed_back<1>(at, Rows<const Grad, C>(dsum), 0, pieces.touched, g.word);
      }
    }
  };
};

}  // namespace entrain::embed
