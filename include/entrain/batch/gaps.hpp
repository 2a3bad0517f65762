// text > [batch] > embed > encode > head > optim > checkpoint
//
// Words that a tokenizer makes no piece of, as a lone U+200B or a variation selector: the encoder does not read them,
// as in transformers, whose word_ids leave them out. They are no words of Encoded; here is how tags get past them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "entrain/text/labels.hpp"
#include "entrain/text/scheme.hpp"
#include "entrain/text/spans.hpp"

namespace entrain::batch {

/// The first word of a corpus that an encoder does not read as a whole, for messages. line 0: there is none, or its
/// place is not known.
struct FirstUnread {
  std::string file, word;
  std::uint32_t line = 0;
};

/// Words of a text that an encoder does not read as a whole: distinct ones of which it reads the first pieces alone,
/// and those that have no piece.
struct Unread {
  std::size_t cut = 0, pieceless = 0;
  FirstUnread first_cut = {}, first_pieceless = {};

  bool any() const { return cut + pieceless > 0; }
  /// Those of a text that follows.
  void operator+=(const Unread& more) {
    cut += more.cut;  // a word that both texts have counts in each
    pieceless += more.pieceless;
    if (first_cut.line == 0) first_cut = more.first_cut;
    if (first_pieceless.line == 0) first_pieceless = more.first_pieceless;
  }
};

/// Where a corpus has such words; in most it has none. A sentence of such words alone is read as one unknown word,
/// which replaces its first word, and from which nothing is learned.
class Gaps {
 public:
  bool empty() const { return sentences_.empty(); }
  void clear() { sentences_.clear(), words_.clear(); }

  /// Those of a sentence, by their places in it, ascending. Sentences come in their order.
  ///
  /// stand_in  all of its words are such; its first is then none of `words`
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

/// Writes the tags of those words of a sentence that are read, of entities that count all of its words: an entity is
/// what is left of it.
///
/// tags      one a word that is read; ignored: what says that a word is not learned from
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

/// The tags of all words of a sentence, of those that are read. A word that is not read is in an entity where one goes
/// on over it, else O.
template <text::TagScheme S>
void fill_gaps(Gaps::OfSentence gaps, std::span<const text::Tag> read, std::vector<text::Tag>& all) {
  all.clear();
  if (gaps.stand_in) {
    all.assign(1 + gaps.words.size(), 0);
    return;
  }
  auto next = gaps.words.begin();
  const auto put_gaps = [&](text::Tag before, text::Tag behind) {
    text::Tag tag = 0;
    if (before > 0 && behind > 0 && text::tag_type<S>(before) == text::tag_type<S>(behind) &&
        S::continues(text::tag_part<S>(before), text::tag_part<S>(behind)))
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
