// text > [batch] > embed > encode > head > optim > checkpoint
//
// Words of a text by their numbers in the text's own vocabulary. Who reads text after text keeps one reader: it looks
// words up that it has met in any of them.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/word_table.hpp"

namespace entrain::batch {

/// Features::reader() makes of a word what the model reads of it; here that is done once a spelling. What a text
/// becomes does not hang on the texts before it.
///
/// memory    of the words of the latest text, or of up to `remembered` earlier ones
template <class Features> class Reader {
 public:
  using Maker = decltype(std::declval<const Features&>().reader());
  using Vocabulary = typename Features::Vocabulary;

  explicit Reader(Maker make, std::size_t remembered = std::size_t{1} << 16)
      : make_(std::move(make)), remembered_(remembered) {}

  /// Another text, whose words have numbers from 0.
  void start() {
    for (const std::int32_t word : met_) here_[static_cast<std::size_t>(word)] = nowhere;
    met_.clear();
    if (words_.size() > remembered_) forget();
    cut_here_ = 0;
  }
  /// The numbers of words; those that are new in this text are put behind its vocabulary.
  ///
  /// begin     where each word begins in `bytes`, and the last one ends        numbers: one a word
  void operator()(std::string_view bytes, std::span<const std::uint64_t> begin, std::int32_t* numbers,
                  Vocabulary& vocabulary) {
    // A few at a time: what a word is looked up by does not wait until the one before it is found.
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

 private:
  static constexpr std::int32_t nowhere = -1;

  std::int32_t number_of(std::string_view word, const text::Spelling& spelling, Vocabulary& vocabulary) {
    const auto [number, fresh] = table_.add(word, spelling);
    if (fresh) make(word);
    std::int32_t& here = here_[static_cast<std::size_t>(number)];
    if (here == nowhere) {
      here = static_cast<std::int32_t>(met_.size());
      met_.push_back(number);
      vocabulary.push_back(words_[static_cast<std::size_t>(number)]);
      cut_here_ += cut_[static_cast<std::size_t>(number)];
    }
    return here;
  }

  void make(std::string_view word) {
    words_.push_back(make_(word));
    bool cut = false;
    if constexpr (requires { make_.cut(); }) cut = make_.cut();
    cut_.push_back(cut);
    here_.push_back(nowhere);
  }
  void forget() {
    table_.clear();
    words_ = {};
    cut_.clear();
    here_.clear();
  }

  Maker make_;
  std::size_t remembered_;
  text::WordTable table_;           // spellings to numbers
  Vocabulary words_;                // by these numbers, as all below
  std::vector<std::uint8_t> cut_;   // whether only a word's first pieces are read
  std::vector<std::int32_t> here_;  // a word's number in this text
  std::vector<std::int32_t> met_;   // the words of this text
  std::size_t cut_here_ = 0;
};

}  // namespace entrain::batch
