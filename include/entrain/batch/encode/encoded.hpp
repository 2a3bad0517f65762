// text > [batch] > embed > encode > head > optim > checkpoint
//
// An encoded corpus: every token is a word of the corpus's own vocabulary, and every distinct word is encoded once.
// Words for which a tokenizer makes no piece are left out (gaps.hpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/column.hpp"
#include "entrain/batch/encode/features.hpp"
#include "entrain/batch/encode/gaps.hpp"
#include "entrain/batch/encode/label_all_tokens.hpp"
#include "entrain/batch/encode/reader.hpp"
#include "entrain/batch/encode/targets.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::batch {

/// Features: the encoding of a token, as in HashedWords or Pieces. Word i of the vocabulary is `vocabulary[i]`.
template <class Features> struct Encoded {
  static_assert(AreFeatures<Features, has_vocabulary<Features>>::value);
  using Targets = TargetsOf<Features>;
  using Target = typename Targets::Number;

  Features features;
  Column<std::uint32_t> sentence{0};         // [S+1] first token of each sentence
  Column<std::int32_t> word;                 // [N]
  Column<Target> target;                     // [N] or [S], as Targets are; ids of labels
  std::vector<PieceTargets> in_pieces;       // [labels], where every piece is labelled
  Column<std::int32_t> rows;                 // [S] rows of the encoder that a sentence takes
  typename Features::Vocabulary vocabulary;  // distinct words, then for training their unknown_word_copies
  Unread unread;                             // words without pieces are not among those above
  Gaps gaps;                                 // their places; a training corpus need not keep them
  std::int32_t unknown_word_copies =
      0;  // the unknown_word_copy of word w is w + unknown_word_copies; 0: there are none

  static constexpr Target ignored = no_target<Target>();

  /// Removes all sentences, and keeps the memory.
  void clear() {
    sentence.clear();
    sentence.push_back(0);
    word.clear(), target.clear(), in_pieces.clear(), rows.clear(), vocabulary.clear();
    unread = {}, unknown_word_copies = 0;
    gaps.clear();
  }

  std::size_t size() const { return word.size(); }
  std::size_t sentences() const { return sentence.size() - 1; }
  std::size_t targets() const { return Targets::by_rows ? size() : sentences(); }
  int length(std::size_t s) const { return static_cast<int>(sentence[s + 1] - sentence[s]); }
  /// The most rows of a sentence.
  int longest() const {
    int most = 0;
    for (const std::int32_t n : rows) most = n > most ? n : most;
    return most;
  }
};

namespace detail {
/// Removes the words without pieces from a corpus that has some.
template <class Features> [[gnu::cold]] void leave_gaps(Encoded<Features>& e) {
  std::vector<std::uint32_t> places;
  std::int32_t unknown = -1;
  std::size_t kept = 0, from = 0;
  for (std::size_t s = 0; s < e.sentences(); ++s) {
    const std::size_t begin = from, end = e.sentence[s + 1], kept_before = kept;
    places.clear();
    for (; from < end; ++from) {
      if (e.word[from] == Reader<Features>::no_piece)
        places.push_back(static_cast<std::uint32_t>(from - begin));
      else
        e.word[kept++] = e.word[from];
    }
    if (!places.empty()) {
      e.unread.pieceless += places.size();
      const bool stand_in = kept == kept_before;
      if (stand_in) {
        if (unknown < 0) {
          unknown = static_cast<std::int32_t>(e.vocabulary.size());
          e.vocabulary.push_back(e.features.unknown({}));
        }
        e.word[kept++] = unknown;
      }
      e.gaps.add(static_cast<std::uint32_t>(s), std::span(places).subspan(stand_in ? 1 : 0), stand_in);
    }
    e.sentence[s + 1] = static_cast<std::uint32_t>(kept);
  }
  e.word.resize(kept);
  if constexpr (Encoded<Features>::Targets::by_rows) e.target.resize(kept);
}

[[gnu::cold]] inline FirstUnread unread_at(const text::Corpus& corpus, std::size_t at) {
  return {corpus.file_of(at), std::string(corpus.token(at)), corpus.line[at]};
}
/// requires !gaps.empty()
[[gnu::cold]] inline FirstUnread first_pieceless(const text::Corpus& corpus, const Gaps& gaps) {
  const auto [sentence, of] = gaps.first();
  return unread_at(corpus, corpus.sentence[sentence] + (of.stand_in ? 0 : of.words.front()));
}
/// words     the numbers of all words of the corpus        cut: one of them that is cut
[[gnu::cold]] inline FirstUnread first_cut(const text::Corpus& corpus, std::span<const std::int32_t> words,
                                           std::int32_t cut) {
  return unread_at(corpus, static_cast<std::size_t>(std::find(words.begin(), words.end(), cut) - words.begin()));
}
}  // namespace detail

/// Encodes a corpus into `e`, in its existing memory. Targets are left `ignored`; a caller that knows the label set
/// fills them in.
template <class Features>
void encode(const text::Corpus& corpus, const Features& features, Reader<Features>& read, Encoded<Features>& e) {
  e.features = features;
  e.sentence.clear();
  e.sentence.append(corpus.sentence);
  e.word.resize(corpus.size());
  e.target.assign(e.targets(), Encoded<Features>::ignored);
  e.in_pieces.clear();
  e.vocabulary.clear();
  read.start();
  read(corpus.bytes, corpus.begin, e.word.data(), e.vocabulary);
  if (e.unread.any()) e.unread = {};
  e.unread.cut = read.cut();
  if (e.unread.cut > 0) [[unlikely]]
    e.unread.first_cut = detail::first_cut(corpus, e.word, read.first_cut());
  e.gaps.clear();
  if constexpr (requires(const typename Reader<Features>::BatchBuilder& make) { make.pieceless(); })
    if (read.pieceless()) {
      detail::leave_gaps(e);
      e.unread.first_pieceless = detail::first_pieceless(corpus, e.gaps);
    }
  e.unknown_word_copies = 0;
  e.rows.resize(e.sentences());
  for (std::size_t s = 0; s < e.sentences(); ++s)
    e.rows[s] =
        features.rows_of(std::span(e.word).subspan(e.sentence[s], static_cast<std::size_t>(e.length(s))), e.vocabulary);
}
template <class Features>
Encoded<Features> encode(const text::Corpus& corpus, const Features& features, Reader<Features>& read) {
  Encoded<Features> e;
  encode(corpus, features, read, e);
  return e;
}
template <class Features> Encoded<Features> encode(const text::Corpus& corpus, const Features& features = {}) {
  static_assert(ReadsWords<Features>::value);
  if constexpr (has_vocabulary<Features> && reads_words<Features>) {
    Reader<Features> read(features.reader());
    return encode<Features>(corpus, features, read);
  } else {
    return {};
  }
}

/// Adds unknown_word_copies of all words, for word dropout.
template <class Features> [[gnu::cold]] void add_unknown_word_copies([[maybe_unused]] Encoded<Features>& e) {
  if constexpr (reads_words<Features>) {  // numbers have no unknown words
    e.unknown_word_copies = static_cast<std::int32_t>(e.vocabulary.size());
    e.vocabulary.reserve(2 * e.vocabulary.size());
    for (std::int32_t w = 0; w < e.unknown_word_copies; ++w)
      e.vocabulary.push_back(e.features.unknown(e.vocabulary[static_cast<std::size_t>(w)]));
  }
}
template <class Features>
[[deprecated("entrain: the name is add_unknown_word_copies")]] void add_twins(Encoded<Features>& e) {
  add_unknown_word_copies(e);
}

}  // namespace entrain::batch
