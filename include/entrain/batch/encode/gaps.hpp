// text > [batch] > embed > encode > head > optim > checkpoint
//
// Words for which a tokenizer makes no piece, as a lone U+200B or a variation selector. The encoder does not read them,
// as in transformers, whose word_ids leave them out. Encoded does not count them as words. A task with a target for
// each word moves its targets past them (task/tag_gaps.hpp is an example).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace entrain::batch
