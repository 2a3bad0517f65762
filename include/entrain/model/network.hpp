// text > batch > embed > encode > head > [model] > optim > checkpoint
//
// The three parts of a model, joined: the only place where embedding, encoder and head meet. tagger.hpp and
// classifier.hpp are the two models; they differ in the rows that the head reads.
#pragma once
#include <string_view>

#include "entrain/batch/encode/targets.hpp"
#include "entrain/batch/encode/whole_texts.hpp"
#include "entrain/core/contract.hpp"
#include "entrain/device/backward_parts.hpp"
#include "entrain/device/step.hpp"
#include "entrain/embed/contract.hpp"
#include "entrain/encode/contract.hpp"
#include "entrain/family/contract.hpp"
#include "entrain/head/contract.hpp"
#include "entrain/kernel/gather/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/task/old_scheme.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::model {
namespace detail {

/// The family of a pretrained embedding, through its wrappers; null: it reads words.
template <class Embed> constexpr const family::Description* family_of() {
  if constexpr (requires { typename Embed::Described; }) {
    return family_of<typename Embed::Described>();
  } else if constexpr (requires { typename Embed::Family; }) {
    return &family::of<typename Embed::Family>;
  } else {
    return nullptr;
  }
}

}  // namespace detail

/// loss = head(read(encode(embed(words))), targets), a sum over the batch
///
/// EmbedFeatures   those of Embed, or batch::WholeTexts of them: then the head reads every row of the encoder, and the
///                 rows of a sentence are those of its text
template <class Embed, class EncodeType, class HeadType, class EmbedFeatures> struct Network
    : task::OldScheme<typename HeadType::Task> {
  using Encode = EncodeType;
  using Head = HeadType;
  static_assert(task::task_contract<typename Head::Task>());  // before anything reads a member of the task
  static_assert(WidthsMeet<Embed::out, Encode::in>::value);
  static_assert(WidthsMeet<Encode::out, Head::in>::value);
  using Embedding = Embed;
  using Task = typename Head::Task;
  using Features = batch::FeaturesFor<EmbedFeatures, typename Task::Targets>;
  static constexpr int width = Encode::out;
  static constexpr std::string_view loss_name = Head::loss_name;
  static constexpr const family::Description* family = detail::family_of<Embed>();

  template <class T> struct Weights {
    typename Embed::template Weights<T> embed;
    typename Encode::template Weights<T> encode;
    typename Head::template Weights<T> head;
    static void each(auto&& f, auto& w) {
      f.part("embed", w.embed);
      f.part("encode", w.encode);
      f.block("head", w.head);
    }
  };

  /// Sets the keys of a pretrained encoder's config.json, by Hugging Face's names; layers are added to
  /// config.num_hidden_layers.
  static void extents(auto& config) {
    Embed::extents(config);
    Encode::extents(config);
  }
  /// f(CsrIndex) for each table, in the order of the weights: the rows that a batch reads.
  static void each_table(const typename Features::View& words, auto&& f) { Embed::each_table(words, f); }

  template <Precision P, class D> struct Impl {
    static_assert(encode::encoder_contract<Encode, P, D>());
    static_assert(head::head_contract<Head, P, D>());
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    /// Backward continues down to the lowest part that learns.
    static constexpr bool embed_learns = trainable<Embed>, below_head = embed_learns || trainable<Encode>;
    static constexpr Needs of_embed{embed_learns, false}, of_encode{trainable<Encode>, embed_learns},
        of_head{true, below_head};
    static_assert(embed::embedding_contract<Embed, P, D, of_embed>());
    using Embedder = entrain::Impl<Embed, P, D, of_embed>;
    using Encoder = entrain::Impl<Encode, P, D, of_encode>;
    using Reader = entrain::Impl<Encode, P, D, Needs{false, false}>;  // the encoder without a backward pass
    using Labeller = entrain::Impl<Head, P, D, of_head>;
    using Words = typename Features::View;
    template <class Through> struct Kept {
      typename Embedder::Saved embed;
      Rows<A, Encode::in> embedded;  // empty if backward does not read it
      typename Through::Saved encode;
      Rows<A, Encode::out> encoded, read;  // what the head reads: the same, or words only if the encoder picks rows
      typename Labeller::Saved head;
    };
    using Saved = Kept<Encoder>;

    static Saved allocate_saved(Arena& arena, Shape shape, const Words& words) {
      return allocate_saved<Encoder>(arena, shape, words);
    }
    /// targets: of the head's task; loss: one number on the device
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Words& words,
                        typename Task::Targets targets, typename P::Sum* loss, Saved& saved) {
      context<Encoder>(at, w, words, saved);
      device::forward_block(reading(at, words).at(2), [&](const Step<D>& of_head) {
        Labeller::forward(of_head, w.head, Rows<const A, Encode::out>(saved.read), targets, loss, saved.head);
      });
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         const Words& words, typename Task::Targets targets, const Weights<typename P::Sum>& g) {
      const Step<D> inner = inside(step, words);
      const device::BackwardParts at(step, supports_deferred_join<Head> && device::defers_joins(inner));
      const auto dout = take_rows<Grad, Encode::out>(at.scratch, picks ? at.shape.rows : inner.shape.rows);
      auto din = take_rows<Grad, Encode::in>(at.scratch, embed_learns && !passes ? inner.shape.rows : 0);
      const Rows<const Grad, Encode::out> dout_read = dout;
      const auto head = [&](Rows<Grad, Encode::out> dx) {
        at.block(reading(step, words).at(2), supports_deferred_join<Head>,
                 [&](const Step<D>& of_head) { Labeller::backward(of_head, w.head, saved.head, targets, dx, g.head); });
      };
      if constexpr (reads_all || picks) {
        head(dout);
      } else {
        const auto dwords = take_rows<Grad, Encode::out>(at.scratch, at.shape.rows);
        head(dwords);
        if constexpr (below_head)
          kernel::gather_back(at.dev, Rows<const Grad, Encode::out>(dwords), words.word_of, dout);
      }
      if constexpr (passes) {
        din = dout;
      } else if constexpr (below_head) {
        at.part(inner.at(1), supports_deferred_join<Encode>, [&](const Step<D>& of_encoder) {
          if constexpr (picks) {
            Encoder::backward_rows(of_encoder, w.encode, saved.encode, dout_read, words.word_of, din, Write::assign,
                                   g.encode);
          } else {
            Encoder::backward(of_encoder, w.encode, saved.encode, dout_read, din, Write::assign, g.encode);
          }
        });
      }
      if constexpr (embed_learns)
        at.part(inner.at(0), supports_deferred_join<Embed>, [&](const Step<D>& of_embedding) {
          Embedder::backward(of_embedding, w.embed, saved.embed, words, Rows<const Grad, Encode::in>(din), g.embed);
        });
    }
    /// The prediction of the head's task for the batch.
    static void decode(const Step<D>& at, const Weights<const typename P::Weight>& w, const Words& words,
                       typename Task::Prediction out) {
      const Scratch give_back{at.scratch};
      auto saved = allocate_saved<Reader>(at.scratch, at.shape, words);
      context<Reader>(at.evaluating(), w, words, saved);
      Labeller::decode(reading(at, words).at(2), w.head, Rows<const A, Encode::out>(saved.read), out);
    }
    /// decode in two parts, if the head has them: the scores of each row, and the tags from them. Sentences that are
    /// longer than a batch are scored in parts (train/loop/decode_parts.hpp).
    static void score(const Step<D>& at, const Weights<const typename P::Weight>& w, const Words& words,
                      LabelMatrix<typename P::Sum> scores) {
      const Scratch give_back{at.scratch};
      auto saved = allocate_saved<Reader>(at.scratch, at.shape, words);
      context<Reader>(at.evaluating(), w, words, saved);
      Labeller::score(reading(at, words).at(2), w.head, Rows<const A, Encode::out>(saved.read), scores);
    }
    static void choose(const Step<D>& at, const Weights<const typename P::Weight>& w,
                       LabelMatrix<const typename P::Sum> scores, typename Task::Prediction out) {
      Labeller::choose(at.at(2), w.head, scores, out);
    }

   private:
    /// Whether the head reads every row of the encoder: words, or pieces of whole texts.
    static constexpr bool reads_all = Features::by_words || batch::whole_texts<Features>;
    static constexpr bool picks = !reads_all && picks_rows<Encode>;
    static constexpr bool passes = passes_rows_on<Encode>;
    static constexpr bool keeps_embedded = embed_learns || passes || reads_input_later<Encode>;

    template <class Through> static Kept<Through> allocate_saved(Arena& arena, Shape shape, const Words& words) {
      const Shape inner = Features::inside(shape, words);
      Kept<Through> saved{Embedder::allocate_saved(arena, inner),
                          take_rows<A, Encode::in>(arena, keeps_embedded ? inner.rows : 0),
                          Through::allocate_saved(arena, inner),
                          take_rows<A, Encode::out>(arena, picks || passes ? 0 : inner.rows),
                          {},
                          {}};
      saved.read = reads_all ? saved.encoded : take_rows<A, Encode::out>(arena, shape.rows);
      saved.head = Labeller::allocate_saved(arena, reading(shape, words));
      return saved;
    }
    template <class Through> static void context(const Step<D>& at, const Weights<const typename P::Weight>& w,
                                                 const Words& words, Kept<Through>& saved) {
      const Scratch give_back{at.scratch};
      const Step<D> inner = inside(at, words);
      if constexpr (!keeps_embedded) saved.embedded = take_rows<A, Encode::in>(at.scratch, inner.shape.rows);
      Embedder::forward(inner.at(0), w.embed, words, saved.embedded, saved.embed);
      const Rows<const A, Encode::in> embedded = saved.embedded;
      if constexpr (picks) {
        Through::forward_rows(inner.at(1), w.encode, embedded, words.first, saved.read, saved.encode);
      } else {
        if constexpr (passes) {
          saved.encoded = saved.embedded;
          if constexpr (reads_all) saved.read = saved.encoded;
        } else {
          Through::forward(inner.at(1), w.encode, embedded, saved.encoded, saved.encode);
        }
        if constexpr (!reads_all)
          kernel::gather(at.dev, Rows<const A, Encode::out>(saved.encoded), words.first, saved.read);
      }
    }
    /// The step as the encoder sees it: its rows are pieces, its sentences windows.
    static Step<D> inside(const Step<D>& at, const Words& words) {
      Step<D> inner = at;
      inner.shape = Features::inside(at.shape, words);
      inner.geometry = Features::inside(at.geometry, words);
      return inner;
    }
    /// The sizes of a batch, and the step, as the head sees them.
    static Shape reading(Shape shape, const Words& words) {
      if constexpr (batch::whole_texts<Features>) {
        return Features::of_texts(shape, words);
      } else {
        return shape;
      }
    }
    static Step<D> reading(const Step<D>& at, const Words& words) {
      Step<D> texts = at;
      if constexpr (batch::whole_texts<Features>) {
        texts.shape = Features::of_texts(at.shape, words);
        texts.geometry = Features::of_texts(words);
      }
      return texts;
    }
  };
};

}  // namespace entrain::model
