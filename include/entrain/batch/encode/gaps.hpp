// text > [batch] > embed > encode > head > optim > checkpoint
//
// Words for which a tokenizer makes no piece, as a lone U+200B or a variation selector. The encoder does not read them,
// as in transformers, whose word_ids leave them out. Encoded does not count them as words; this file moves tags past
// them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::batch {

/// The first word of a corpus that an encoder does not read as a whole, for messages. line 0: there is none, or its
/// place is unknown.
struct FirstUnread {
  std::string file, word;
  std::uint32_t line = 0;
};

/// Words of a text that an encoder does not read as a whole: distinct words of which it reads only the first pieces,
/// and words that have no piece.
struct Unread {
  std::size_t cut = 0, pieceless = 0;
  FirstUnread first_cut = {}, first_pieceless = {};

  bool any() const { return cut + pieceless > 0; }
  /// Adds those of the next text.
  void operator+=(const Unread& more) {
    cut += more.cut;  // a word in both texts counts twice
    pieceless += more.pieceless;
    if (first_cut.line == 0) first_cut = more.first_cut;
    if (first_pieceless.line == 0) first_pieceless = more.first_pieceless;
  }
};

/// The places of such words in a corpus; most corpora have none. If a sentence has only such words, the encoder reads
/// one unknown word in its place. That word replaces the sentence's first word, and no target is learned from it.
class Gaps {
 public:
  bool empty() const { return sentences_.empty(); }
  void clear() { sentences_.clear(), words_.clear(); }

  /// The gaps of a sentence, by their places in it, ascending. Sentences are added in their order.
  ///
  /// stand_in  all words of the sentence are gaps; its first word is then not in `words`
  void add(std::uint32_t sentence, std::span<const std::uint32_t> words, bool stand_in) {
    sentences_.push_back({sentence, static_cast<std::uint32_t>(words_.size()), stand_in});
    words_.insert(words_.end(), words.begin(), words.end());
  }

  struct OfSentence {
    std::span<const std::uint32_t> words;  // their places among the sentence's words in the corpus
    bool stand_in = false;
    bool any() const { return stand_in || !words.empty(); }
  };
  OfSentence of(std::size_t sentence) const {
    const auto at = std::lower_bound(sentences_.begin(), sentences_.end(), sentence,
                                     [](const Some& some, std::size_t s) { return some.sentence < s; });
    if (at == sentences_.end() || at->sentence != sentence) return {};
    const std::size_t end = at + 1 == sentences_.end() ? words_.size() : (at + 1)->begin;
    return {std::span(words_).subspan(at->begin, end - at->begin), at->stand_in};
  }
  /// The first sentence that has some. requires !empty()
  std::pair<std::uint32_t, OfSentence> first() const {
    const std::uint32_t sentence = sentences_.front().sentence;
    return {sentence, of(sentence)};
  }

 private:
  struct Some {
    std::uint32_t sentence, begin;  // begin: in words_
    bool stand_in;
  };
  std::vector<Some> sentences_;
  std::vector<std::uint32_t> words_;
};

/// Writes the tags of the words of a sentence that are read. The entities count all words of the sentence; each is cut
/// to its words that are read.
///
/// tags      one for each word that is read; ignored: the value for a word that has no target
template <text::TagScheme S> class GapEncoder {
 public:
  GapEncoder(Gaps::OfSentence gaps, std::span<text::Tag> tags, text::Tag ignored)
      : gaps_(gaps), tags_(tags), write_(tags) {
    if (gaps_.stand_in) tags_[0] = ignored;
  }
  void operator()(text::Span span) {
    if (gaps_.stand_in) return;
    span.begin -= before(span.begin), span.end -= before(span.end);
    if (span.begin < span.end) write_(span);
  }

 private:
  /// How many gaps are at places before this one.
  std::uint32_t before(std::uint32_t place) const {
    return static_cast<std::uint32_t>(std::lower_bound(gaps_.words.begin(), gaps_.words.end(), place) -
                                      gaps_.words.begin());
  }

  Gaps::OfSentence gaps_;
  std::span<text::Tag> tags_;
  text::Encoder<S> write_;
};

/// The tags of all words of a sentence, from the tags of the words that are read. A word that is not read is inside an
/// entity if the entity continues across it, else O.
template <text::TagScheme S>
void fill_gaps(Gaps::OfSentence gaps, std::span<const text::Tag> read, std::vector<text::Tag>& all) {
  all.clear();
  if (gaps.stand_in) {
    all.assign(1 + gaps.words.size(), 0);
    return;
  }
  auto next = gaps.words.begin();
  const auto put_gaps = [&](text::Tag before, text::Tag after) {
    text::Tag tag = 0;
    if (before > 0 && after > 0 && text::tag_type<S>(before) == text::tag_type<S>(after) &&
        S::continues(text::tag_part<S>(before), text::tag_part<S>(after)))
      tag = text::make_tag<S>(text::tag_type<S>(before), S::part(false, false, false));
    for (; next != gaps.words.end() && *next == all.size(); ++next) all.push_back(tag);
  };
  text::Tag before = 0;
  for (const text::Tag tag : read) {
    put_gaps(before, tag);
    all.push_back(tag);
    before = tag;
  }
  put_gaps(before, 0);
}

}  // namespace entrain::batch
