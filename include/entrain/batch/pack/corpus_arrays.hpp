// text > [batch] > embed > encode > head > optim > checkpoint
//
// A corpus from which any batch is made by copying ranges: every sentence is packed alone, one after another, with
// numbers that count from the sentence's beginning.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entrain/batch/pack/packer.hpp"
#include "entrain/device/arena.hpp"

namespace entrain::batch {

/// Where a sentence begins among others: in its number, in rows of the batch, and in rows and windows of the encoder.
struct Place {
  std::int32_t sentence = 0, word = 0, row = 0, window = 0;
};

/// The host's arrays: places, targets, and those of the features.
template <class Features> class CorpusArrays;

/// The bytes that the arrays take on a device, each in an Arena.
template <class Features> std::size_t bytes_of(const CorpusArrays<Features>& corpus) {
  Arena arena;
  const auto take = [&]<class T>(const std::vector<T>& array) { arena.take<T>(array.size()); };
  take(corpus.places);
  take(corpus.targets);
  corpus.each_array(take);
  return arena.peak;
}

/// For a corpus whose words are pieces.
template <class Features>
requires(!Features::by_words) class CorpusArrays<Features> {
 public:
  /// class_weights: as the packer's
  [[gnu::cold]] CorpusArrays(const Encoded<Features>& corpus, std::span<const float> class_weights) {
    Packer<Features> packer(corpus.longest());
    Place here;
    for (std::uint32_t s = 0; s < corpus.sentences(); ++s) {
      const auto b = packer.pack_to_learn(corpus, std::span(&s, 1), 0, {}, class_weights);
      places.push_back(here);
      weight.push_back(b.target_weight);
      const auto append = [](std::vector<std::int32_t>& to, const std::int32_t* from, int count) {
        to.insert(to.end(), from, from + count);
      };
      targets.insert(targets.end(), b.targets.data, b.targets.data + b.targets.count(b.shape));
      append(ids, b.words.ids, b.words.count);
      append(position, b.words.position, b.words.count);
      append(window, b.words.window, b.words.count);
      append(word_of, b.words.word_of, b.words.count);
      append(starts, b.words.cu_seqlens, b.words.windows);
      append(first, b.words.first, b.shape.rows);
      ++here.sentence;
      here.word += b.shape.rows;
      here.row += b.words.count;
      here.window += b.words.windows;
    }
    places.push_back(here);
  }

  std::vector<Place> places;                                 // [S + 1]
  std::vector<double> weight;                                // [S] the divisor of the summed loss of its rows
  std::vector<typename Encoded<Features>::Target> targets;   // [rows], or [S]
  std::vector<std::int32_t> first;                           // [rows]
  std::vector<std::int32_t> ids, position, window, word_of;  // [rows of the encoder]
  std::vector<std::int32_t> starts;                          // [windows] the first row of each

  /// f(vector) for each array of the features.
  void each_array(auto&& f) const {
    for (const auto* array : {&ids, &position, &window, &word_of, &starts, &first}) f(*array);
  }
};

/// For a corpus whose words are hashed.
template <class Features>
requires(Features::by_words) class CorpusArrays<Features> {
  static_assert(
      !requires { Features::vector_rows; },
      "entrain: batch::Resident does not keep a corpus of words with vectors (embed::WithVectors) in a GPU's "
      "memory; use batch::Streamed.");

 public:
  [[gnu::cold]] CorpusArrays(const Encoded<Features>& corpus, std::span<const float> class_weights)
      : targets(corpus.target.begin(), corpus.target.end()), words(corpus.word.begin(), corpus.word.end()) {
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
      places.push_back({static_cast<std::int32_t>(s), static_cast<std::int32_t>(corpus.sentence[s])});
      constexpr bool by_rows = Encoded<Features>::Targets::by_rows;
      double sum = 0;
      for (std::size_t i = by_rows ? corpus.sentence[s] : s; i < (by_rows ? corpus.sentence[s + 1] : s + 1); ++i)
        sum += weight_of(targets[i], class_weights);
      weight.push_back(sum);
    }
    places.push_back({static_cast<std::int32_t>(corpus.sentences()), static_cast<std::int32_t>(corpus.size())});
    for (const auto& word : corpus.vocabulary) keys.insert(keys.end(), word.begin(), word.end());
    unknown_word_copies = corpus.unknown_word_copies;
  }

  std::vector<Place> places;                                // [S + 1]; no rows or windows of another encoder
  std::vector<double> weight;                               // [S]
  std::vector<typename Encoded<Features>::Target> targets;  // [rows], or [S]
  std::vector<std::int32_t> words;                          // [rows]
  std::vector<std::int32_t> keys;                           // [vocabulary, keys]
  std::int32_t unknown_word_copies = 0;

  void each_array(auto&& f) const {
    f(words);
    f(keys);
  }
};

}  // namespace entrain::batch
