// text > [batch] > embed > encode > head > optim > checkpoint
//
// The words of a text as numbers in the text's own vocabulary. A caller that reads several texts keeps one reader,
// which finds words again that it has seen in any of them.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/corpus/word_table.hpp"

namespace entrain::batch {

/// Features::reader() makes of a word what the model reads; Reader calls it once a spelling. The result for a text does
/// not depend on the texts before it.
///
/// memory    of the words of the latest text, or of up to `remembered` earlier ones
template <class Features> class Reader {
 public:
  using BatchBuilder = decltype(std::declval<const Features&>().reader());
  using Vocabulary = typename Features::Vocabulary;

  explicit Reader(BatchBuilder make, std::size_t remembered = std::size_t{1} << 16)
      : make_(std::move(make)), remembered_(remembered) {}

  /// Begins another text, whose words have numbers from 0.
  void start() {
    for (const std::int32_t word : met_) here_[static_cast<std::size_t>(word)] = nowhere;
    met_.clear();
    next_ = 0;
    pieceless_here_ = false;
    if (words_.size() > remembered_) forget();
    cut_here_ = 0;
  }
  /// The number of a word that has no piece. It is not in the vocabulary.
  static constexpr std::int32_t no_piece = -2;

  /// The numbers of words; words that are new in this text are appended to its vocabulary.
  ///
  /// begin     where each word begins in `bytes`, and where the last one ends        numbers: one a word
  void operator()(std::string_view bytes, std::span<const std::uint64_t> begin, std::int32_t* numbers,
                  Vocabulary& vocabulary) {
    // A few words at a time: the hash of one word does not wait for the look-up of the word before it.
    constexpr std::size_t together = 16;
    std::array<text::Spelling, together> spelling;
    const std::size_t words = begin.size() - 1;
    for (std::size_t first = 0; first < words; first += together) {
      const std::size_t n = std::min(together, words - first);
      const std::uint64_t* const at = begin.data() + first;
      for (std::size_t i = 0; i < n; ++i)
        spelling[i].read({bytes.data() + at[i], bytes.size() - at[i]}, at[i + 1] - at[i]);
      for (std::size_t i = 0; i < n; ++i)
        numbers[first + i] = number_of({bytes.data() + at[i], spelling[i].bytes}, spelling[i], vocabulary);
    }
  }
  /// Distinct words of this text of which only the first pieces are read.
  std::size_t cut() const { return cut_here_; }
  /// The number of the first such word. requires cut() > 0
  [[gnu::cold]] std::int32_t first_cut() const {
    const auto first = std::find_if(met_.begin(), met_.end(), [&](std::int32_t word) {
      return kind_[static_cast<std::size_t>(word)] == Kind::cut;
    });
    return here_[static_cast<std::size_t>(*first)];
  }
  /// Whether words of this text have no piece.
  bool pieceless() const { return pieceless_here_; }

 private:
  static constexpr std::int32_t nowhere = -1;
  enum class Kind : std::uint8_t { whole, cut, pieceless };  // cut: only a word's first pieces are read
  static constexpr bool may_be_pieceless = requires(const BatchBuilder& make) { make.pieceless(); };

  std::int32_t number_of(std::string_view word, const text::Spelling& spelling, Vocabulary& vocabulary) {
    const auto [number, fresh] = table_.add(word, spelling);
    if (fresh) make(word);
    std::int32_t& here = here_[static_cast<std::size_t>(number)];
    if (here == nowhere) {
      met_.push_back(number);
      if constexpr (may_be_pieceless) {
        if (kind_[static_cast<std::size_t>(number)] == Kind::pieceless) {
          pieceless_here_ = true;
          return here = no_piece;
        }
      }
      here = next_++;
      vocabulary.push_back(words_[static_cast<std::size_t>(number)]);
      cut_here_ += kind_[static_cast<std::size_t>(number)] == Kind::cut;
    }
    return here;
  }

  void make(std::string_view word) {
    words_.push_back(make_(word));
    Kind kind = Kind::whole;
    if constexpr (requires { make_.cut(); })
      if (make_.cut()) kind = Kind::cut;
    if constexpr (may_be_pieceless)
      if (make_.pieceless()) kind = Kind::pieceless;
    kind_.push_back(kind);
    here_.push_back(nowhere);
  }
  void forget() {
    table_.clear();
    words_ = {};
    kind_.clear();
    here_.clear();
  }

  BatchBuilder make_;
  std::size_t remembered_;
  text::WordTable table_;  // spellings to numbers
  Vocabulary words_;       // by these numbers, as all below
  std::vector<Kind> kind_;
  std::vector<std::int32_t> here_;  // a word's number in this text
  std::vector<std::int32_t> met_;   // the words of this text, in the order of their first places
  std::int32_t next_ = 0;           // of the next new word
  std::size_t cut_here_ = 0;
  bool pieceless_here_ = false;
};

}  // namespace entrain::batch
