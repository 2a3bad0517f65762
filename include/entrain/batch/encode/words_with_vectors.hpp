// text > [batch] > embed > encode > head > optim > checkpoint
//
// Words with rows in two kinds of tables: those of their hashes, and the row of their own vector in a table of word
// vectors. Read hashed_words.hpp first.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/column.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/sorted.hpp"
#include "entrain/core/error.hpp"
#include "entrain/device/step.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/text/corpus/vocabulary.hpp"
#include "entrain/text/unicode/unicode.hpp"  // lower

namespace entrain::batch {

/// Rows: of the table of word vectors. Row 0 is that of all words without a vector; word i of `words` has row i + 1.
///
/// A word's vector is that of its spelling; if there is none, that of its spelling in lower case. Word dropout keeps
/// it: a word that training has never seen may have a vector too.
template <class Words, int Rows> class WordsWithVectors;

template <int Hashes, int... R, int Rows> class WordsWithVectors<HashedWords<Hashes, R...>, Rows> {
  using Hashed = HashedWords<Hashes, R...>;

 public:
  static_assert(Rows >= 2,
                "entrain: a table of word vectors needs at least 2 rows: that of words without one, and one.");
  static constexpr int tables = Hashed::tables, hashes = Hashes, keys = Hashed::keys, vector_rows = Rows;
  static constexpr auto rows = Hashed::rows;
  static constexpr bool by_words = true;                             // the encoder's rows are words
  static constexpr std::string_view kept_file = "vector_words.txt";  // of a model folder: the words, one a line

  /// A word's rows in the tables of hashes, then its row in the table of vectors.
  using Word = std::array<std::int32_t, static_cast<std::size_t>(keys) + 1>;
  using Vocabulary = Column<Word>;

  WordsWithVectors() = default;
  /// throws    entrain.batch.7: more words than the table has rows for
  explicit WordsWithVectors(std::shared_ptr<const text::Vocabulary> words, std::string_view where = "word vectors")
      : words_(std::move(words)) {
    if (words_->size() >= static_cast<std::size_t>(Rows))
      throw Error("entrain.batch.7", where, std::to_string(words_->size()) + " words with vectors",
                  "at most " + std::to_string(Rows - 1) + ", as the table has " + std::to_string(Rows) + " rows",
                  "raise the number of rows in the type of the vectors");
  }

  /// The words with vectors, in the order of their rows; null: none were given.
  const std::shared_ptr<const text::Vocabulary>& words() const { return words_; }
  /// The row of a word in the table of vectors.
  std::int32_t row_of(std::string_view token) const {
    text::Vocabulary::Id id = words_->find(token);
    if (id == text::Vocabulary::unknown) {
      std::string lowered(text::lower_capacity(token.size()), '\0');
      lowered.resize(text::lower(token, std::span<char>(lowered)));
      id = words_->find(lowered);
    }
    return id == text::Vocabulary::unknown ? 0 : static_cast<std::int32_t>(id) + 1;
  }

  static Word unknown(const Word& word) {
    typename Hashed::Word hashed;
    std::copy_n(word.begin(), hashed.size(), hashed.begin());
    return joined(Hashed::unknown(hashed), word.back());
  }

  class Reader {
   public:
    explicit Reader(const WordsWithVectors& of) : of_(of) {}
    Word operator()(std::string_view token) const { return joined(Hashed::word(token), of_.row_of(token)); }

   private:
    WordsWithVectors of_;
  };
  /// throws    entrain.batch.8: no words were given
  Reader reader() const {
    if (words_ == nullptr)
      throw Error(
          "entrain.batch.8", "word vectors", "features without words", "the words that have vectors",
          "take the features of a model folder (train::open_features) or of a file of vectors (train::read_start)");
    return Reader(*this);
  }
  static int rows_of(std::span<const std::int32_t> words, const Vocabulary&) { return static_cast<int>(words.size()); }

  /// A batch, as the device reads it.
  struct View : Hashed::View {
    const std::int32_t* rows = nullptr;  // [count] of the table of vectors
    CsrIndex vectors;                    // row -> distinct words

    void each_array(int words, auto&& f) {
      Hashed::View::each_array(words, f);
      f(rows, static_cast<std::size_t>(this->count), Fill::with(0));
      vectors.each_array(f);
    }
    void fill(const BucketSizes& sizes) {
      Hashed::View::fill(sizes);
      vectors.fill(this->count, Rows);
    }
  };

  static Shape inside(Shape shape, const View&) { return shape; }
  static Geometry inside(Geometry geometry, const View&) { return geometry; }
  static View planned(int most) {
    View view;
    static_cast<typename Hashed::View&>(view) = Hashed::planned(most);
    return view;
  }

  /// The host arrays of a View. They grow to the largest batch and keep that size.
  class Buffer : public Hashed::Buffer {
   public:
    void reserve(std::size_t capacity) {
      Hashed::Buffer::reserve(capacity);
      rows_.reserve(capacity);
      of_vectors_.reserve(capacity, static_cast<std::size_t>(Rows));
    }
    View pack(const WordsWithVectors&, std::span<const std::int32_t> words, std::span<const std::int32_t> cu_seqlens,
              const Vocabulary& vocabulary) {
      View view;
      static_cast<typename Hashed::View&>(view) = Hashed::Buffer::pack({}, words, cu_seqlens, vocabulary);
      const auto count = static_cast<std::size_t>(view.count);
      this->make_room(rows_, count);
      for (std::size_t k = 0; k < count; ++k)
        rows_[k] = vocabulary[static_cast<std::size_t>(this->distinct()[k])].back();
      view.rows = rows_.data();
      view.vectors = of_vectors_.sort(count, static_cast<std::size_t>(Rows),
                                      [row = rows_.data()](std::size_t k) { return row[k]; });
      return view;
    }

   private:
    std::vector<std::int32_t> rows_;
    Sorted of_vectors_;
  };

 private:
  static Word joined(const typename Hashed::Word& hashed, std::int32_t row) {
    Word word;
    std::copy(hashed.begin(), hashed.end(), word.begin());
    word.back() = row;
    return word;
  }

  std::shared_ptr<const text::Vocabulary> words_;
};

}  // namespace entrain::batch
