// text > batch > kernel > [vectors] > embed > train > app
//
// Character n-grams of words, each with a row of the table of inputs: words with common parts share vectors, and a word
// that training has not met has one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/vectors/lexicon.hpp"
#include "entrain/vectors/options.hpp"

namespace entrain::vectors {

/// f(bucket) for each n-gram of min_n to max_n code points of <word>, the same buckets as fastText's.
///
/// source    Bojanowski et al. 2017, "Enriching word vectors with subword information", arXiv:1607.04606, section 3.2;
///           fastText, Dictionary::computeSubwords and Dictionary::hash
template <class F> void each_ngram(std::string_view word, int min_n, int max_n, std::uint32_t buckets, F&& f) {
  const std::string text = "<" + std::string(word) + ">";
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues(i)) continue;
    std::uint32_t hash = 2166136261u;  // FNV-1a, of signed bytes
    std::size_t end = i;
    for (int n = 1; end < text.size() && n <= max_n; ++n) {
      do {
        hash = (hash ^ static_cast<std::uint32_t>(static_cast<std::int8_t>(text[end]))) * 16777619u;
      } while (++end < text.size() && continues(end));
      if (n >= min_n && !(n == 1 && (i == 0 || end == text.size()))) f(hash % buckets);
    }
  }
}

/// The rows of each word: its own, and lexicon.size() + bucket for each n-gram. Without n-grams: no lists.
class Subwords {
 public:
  Subwords() = default;
  Subwords(const Lexicon& lexicon, const Options& o) : words_(lexicon.size()) {
    if (o.max_n == 0) return;
    buckets_ = static_cast<std::size_t>(o.bucket);
    starts_.push_back(0);
    for (std::size_t w = 0; w < words_; ++w) {
      rows_.push_back(static_cast<std::int32_t>(w));
      each_ngram(lexicon.words()[static_cast<text::Vocabulary::Id>(w)], o.min_n, o.max_n,
                 static_cast<std::uint32_t>(o.bucket),
                 [&](std::uint32_t b) { rows_.push_back(static_cast<std::int32_t>(words_ + b)); });
      starts_.push_back(static_cast<std::int32_t>(rows_.size()));
    }
  }

  std::size_t words() const { return words_; }
  std::size_t table_rows() const { return words_ + buckets_; }
  const std::int32_t* starts() const { return starts_.empty() ? nullptr : starts_.data(); }
  const std::int32_t* rows() const { return rows_.data(); }

  /// f(row) for each row of a word.
  template <class F> void each(std::int32_t word, F&& f) const {
    if (starts_.empty()) return f(word);
    const auto w = static_cast<std::size_t>(word);
    for (auto i = static_cast<std::size_t>(starts_[w]); i < static_cast<std::size_t>(starts_[w + 1]); ++i) f(rows_[i]);
  }

 private:
  std::size_t words_ = 0, buckets_ = 0;
  std::vector<std::int32_t> starts_, rows_;
};

}  // namespace entrain::vectors
