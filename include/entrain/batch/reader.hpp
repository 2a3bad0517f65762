// text > [batch] > embed > encode > head > optim > checkpoint
//
// Words of a text by their numbers in the text's own vocabulary. Who reads text after text keeps one reader: it looks
// words up that it has met in any of them.
#pragma once
#include <cstddef>
#include <cstdint>
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
  /// The number of the word that is the first `bytes` bytes of `text`. A word that is new in this text is put behind
  /// its vocabulary.
  std::int32_t operator()(std::string_view text, std::size_t bytes, Vocabulary& vocabulary) {
    const auto [number, fresh] = table_.add(text, bytes);
    if (fresh) make(text.substr(0, bytes));
    std::int32_t& here = here_[static_cast<std::size_t>(number)];
    if (here == nowhere) {
      here = static_cast<std::int32_t>(met_.size());
      met_.push_back(number);
      vocabulary.push_back(words_[static_cast<std::size_t>(number)]);
      cut_here_ += cut_[static_cast<std::size_t>(number)];
    }
    return here;
  }
  /// Distinct words of this text of which only the first pieces are read.
  std::size_t cut() const { return cut_here_; }

 private:
  static constexpr std::int32_t nowhere = -1;

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
