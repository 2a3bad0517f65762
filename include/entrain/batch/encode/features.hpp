// text > [batch] > embed > encode > head > optim > checkpoint
//
// The requirements on features (hashed_words.hpp and pieces.hpp have examples), and one sentence for a type that does
// not meet them.
#pragma once
#include <concepts>
#include <cstdint>
#include <span>

#include "entrain/core/contract.hpp"

namespace entrain::batch {

/// What a model reads of words. An embedding names its features, as Embed::Features. Members:
///
///   Vocabulary             what the distinct words of a corpus become
///   View, Buffer           what a device reads of a batch, and the batch's memory
///   by_words               whether a row of the encoder is a word
///   reader()               a function that turns a word into what Vocabulary has for it; features of samples that are
///                          numbers have none (samples.hpp)
///   rows_of(words, v)      rows of the encoder that a sentence takes
///   inside(Shape, View)    the Shape of a batch as the encoder sees it
template <class F>
concept IsFeatures = requires(const F& f, std::span<const std::int32_t> words, const typename F::Vocabulary& vocabulary,
                              const typename F::View& view) {
  { F::by_words } -> std::convertible_to<bool>;
  typename F::Buffer;
  { f.rows_of(words, vocabulary) } -> std::convertible_to<int>;
  { F::inside(Shape{}, view) } -> std::convertible_to<Shape>;
};

/// For static_assert, as text::is_scheme; and of what an encoded corpus alone needs.
template <class F> inline constexpr bool is_features = IsFeatures<F>;
template <class F> inline constexpr bool has_vocabulary = requires { typename F::Vocabulary; };
template <class F> inline constexpr bool reads_words = requires(const F& f) { f.reader(); };

/// `static_assert(AreFeatures<F>::value);` does not compile for other types. The name appears in the message.
template <class F, bool Are = is_features<F>> struct AreFeatures {
  static constexpr bool value = true;
  static_assert(Are,
                "entrain: this type is not a feature type; see AreFeatures<F>: use the features of the "
                "trainer or the embedding, Trainer::Features, or batch::HashedWords or batch::Pieces.");
};

/// `static_assert(ReadsWords<F>::value);` does not compile for features of samples that are numbers.
template <class F, bool Reads = reads_words<F> || !is_features<F>> struct ReadsWords {
  static constexpr bool value = true;
  static_assert(Reads,
                "entrain: these features are of numbers, so no text can be encoded for them; see ReadsWords<F>: use "
                "batch::EncodeSamples, or a model that reads words.");
};

}  // namespace entrain::batch
