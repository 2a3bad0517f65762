// text > [batch] > embed > encode > head > optim > checkpoint
//
// The input of a hash embedding for a batch: its distinct words, the table rows of each word's attributes, and both
// directions of every look-up. The packer sorts them here so that the device never sorts.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "entrain/batch/encode/column.hpp"
#include "entrain/batch/encode/sorted.hpp"
#include "entrain/core/hash.hpp"  // mix
#include "entrain/device/step.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/text/corpus/features.hpp"  // NORM, PREFIX, SUFFIX, SHAPE

namespace entrain::batch {

/// Tables of R... rows for the attributes NORM, PREFIX, SUFFIX, SHAPE, PREFIX3 and SUFFIX2, in this order; every word
/// has Hashes rows in each.
template <int Hashes, int... R> struct HashedWords {
  static constexpr int tables = sizeof...(R), hashes = Hashes, keys = tables * Hashes;
  static constexpr std::array<int, tables> rows{R...};
  static_assert(1 <= tables && tables <= 6,
                "entrain: HashedWords has 1 to 6 tables: NORM, PREFIX, SUFFIX, SHAPE, PREFIX3, SUFFIX2.");
  static_assert(1 <= Hashes && Hashes <= 4, "entrain: HashedWords has 1 to 4 hashes for each attribute.");

  /// A word's rows in each table.
  using Word = std::array<std::int32_t, static_cast<std::size_t>(keys)>;

  using Vocabulary = Column<Word>;        // of a corpus
  static constexpr bool by_words = true;  // the encoder's rows are words

  static Word word(std::string_view token) {
    const text::WordFeatures f = text::features(token);
    std::array<std::uint64_t, 6> ids{f.norm, f.prefix, f.suffix, f.shape};
    if constexpr (tables > 4) {
      const text::Affixes more = text::affixes(token);
      ids[4] = more.prefix3;
      ids[5] = more.suffix2;
    }
    Word w{};
    for (std::size_t t = 0; t < tables; ++t) {
      const Keys k = mix(ids[t], static_cast<std::uint32_t>(9 + t));
      for (std::size_t h = 0; h < Hashes; ++h)
        w[t * Hashes + h] = static_cast<std::int32_t>(k.key[h] % static_cast<std::uint32_t>(rows[t]));
    }
    return w;
  }

  /// The same word as an unknown word: its NORM is that of the empty text, its other attributes do not change.
  static Word unknown(Word w) {
    const Keys k = mix(0, 9);
    for (std::size_t h = 0; h < Hashes; ++h)
      w[h] = static_cast<std::int32_t>(k.key[h] % static_cast<std::uint32_t>(rows[0]));
    return w;
  }

  struct Reader {
    Word operator()(std::string_view token) const { return word(token); }
  };
  static Reader reader() { return {}; }
  /// Rows of the encoder that a sentence takes.
  static int rows_of(std::span<const std::int32_t> words, const Vocabulary&) { return static_cast<int>(words.size()); }

  /// A batch, as the device reads it.
  struct View {
    int count = 0;                         // distinct words
    const std::int32_t* index = nullptr;   // [rows] the distinct word of each row
    CsrIndex tokens;                       // word -> rows
    const std::int32_t* keys = nullptr;    // [count, keys] table rows
    std::array<CsrIndex, tables> touched;  // table row -> positions word * Hashes + hash

    /// f(pointer, numbers, Fill) for each array of a batch of `words` rows. A padding word is in no row; a padding row
    /// is word 0, and adds nothing to its gradient.
    void each_array(int words, auto&& f) {
      f(index, static_cast<std::size_t>(words), Fill::with(0));
      tokens.each_array(f, Fill::onwards(1, count));
      f(keys, static_cast<std::size_t>(count) * HashedWords::keys, Fill::with(0));
      for (CsrIndex& table : touched) table.each_array(f);
    }
    /// Pads to bucket sizes, of which there are few.
    void fill(const BucketSizes& sizes) {
      count = sizes(count);
      tokens.fill(sizes(tokens.positions), count);
      for (std::size_t t = 0; t < tables; ++t) touched[t].fill(count * Hashes, HashedWords::rows[t]);
    }
  };

  /// The encoder's sizes and geometry inside a step whose rows are words.
  static Shape inside(Shape shape, const View&) { return shape; }
  static Geometry inside(Geometry geometry, const View&) { return geometry; }
  /// The largest batch of `most` rows, for plans: all words are distinct.
  static View planned(int most) {
    View view;
    view.count = view.tokens.positions = most;
    return view;
  }

  /// The host arrays of a View. They grow to the largest batch and keep that size.
  class Buffer {
   public:
    void reserve(std::size_t capacity) {
      for (auto* array : {&index_, &seen_}) array->reserve(capacity);
      keys_.reserve(capacity * static_cast<std::size_t>(HashedWords::keys));
      for (auto& one : of_table_) one.reserve(capacity * Hashes);
      tokens_.reserve(capacity, capacity);
      for (std::size_t t = 0; t < tables; ++t)
        touched_[t].reserve(capacity * Hashes, static_cast<std::size_t>(rows[t]));
    }

    /// words: one vocabulary id for each row of the batch; vocabulary: their table rows, and others after these.
    template <class Words> View pack(const HashedWords&, std::span<const std::int32_t> words,
                                     std::span<const std::int32_t>, const Words& vocabulary) {
      const std::size_t count = number(words, vocabulary);
      make_room(keys_, count * static_cast<std::size_t>(HashedWords::keys));
      for (auto& one : of_table_) make_room(one, count * Hashes);
      for (std::size_t k = 0; k < count; ++k) {
        const auto& word = vocabulary[static_cast<std::size_t>(seen_[k])];
        std::memcpy(keys_.data() + k * static_cast<std::size_t>(HashedWords::keys), word.data(), sizeof(Word));
        for (std::size_t t = 0; t < tables; ++t)  // again, so that the keys of a table are contiguous for sorting
          std::memcpy(of_table_[t].data() + k * Hashes, word.data() + t * Hashes, Hashes * sizeof word[0]);
      }

      View view;
      view.count = static_cast<int>(count);
      view.index = index_.data();
      view.keys = keys_.data();
      view.tokens = tokens_.sort(words.size(), count, [index = index_.data()](std::size_t i) { return index[i]; });
      for (std::size_t t = 0; t < tables; ++t)
        view.touched[t] = touched_[t].sort(count * Hashes, static_cast<std::size_t>(rows[t]),
                                           [key = of_table_[t].data()](std::size_t i) { return key[i]; });
      return view;
    }
    /// The vocabulary ids of the distinct words of the latest batch, as View::index numbers them.
    const std::int32_t* distinct() const { return seen_.data(); }

   protected:
    static void make_room(std::vector<std::int32_t>& array, std::size_t size) {
      if (array.size() < size) array.resize(size);
    }

   private:
    /// Numbers the distinct words in order of appearance, without an unpredictable branch; returns how many there are.
    std::size_t number(std::span<const std::int32_t> words, const auto& vocabulary) {
      for (auto* array : {&index_, &seen_}) make_room(*array, words.size());
      if (slot_.size() < vocabulary.size()) slot_.resize(vocabulary.size(), -1);
      std::int32_t *const slot = slot_.data(), *const seen = seen_.data(), *const index = index_.data();
      std::int32_t count = 0;
      for (std::size_t i = 0; i < words.size(); ++i) {
        const std::int32_t id = words[i], there = slot[id], mine = there < 0 ? count : there;
        __builtin_prefetch(&vocabulary[static_cast<std::size_t>(id)]);
        seen[count] = id;  // kept if the word is new
        slot[id] = index[i] = mine;
        count += there < 0;
      }
      for (std::int32_t k = 0; k < count; ++k) slot[seen[k]] = -1;
      return static_cast<std::size_t>(count);
    }

    std::vector<std::int32_t> index_, keys_, seen_;           // at least as long as the largest batch so far
    std::array<std::vector<std::int32_t>, tables> of_table_;  // its keys; likewise
    std::vector<std::int32_t> slot_;                          // [vocabulary] -1, except while numbering
    Sorted tokens_;
    std::array<Sorted, tables> touched_;
  };
};

/// spaCy's tables: 5,000 lower-cased words, 1,000 prefixes, 2,500 suffixes, 2,500 shapes, four hashes each.
using SpacyWords = HashedWords<4, 5000, 1000, 2500, 2500>;

/// Also 2,500 rows each for the first three and the last two code points in lower case, which a rare or misspelt word
/// shares with known words.
using AffixWords = HashedWords<4, 5000, 1000, 2500, 2500, 2500, 2500>;

}  // namespace entrain::batch
