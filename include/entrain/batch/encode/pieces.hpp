// text > [batch] > embed > encode > head > optim > checkpoint
//
// The input of a pretrained encoder for a batch: words as pieces, sentences as windows between [CLS] and [SEP], and the
// row that represents each word. After the encoder, rows are words again: labels, the head, scores.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/column.hpp"
#include "entrain/batch/encode/piece_rows.hpp"
#include "entrain/batch/encode/places.hpp"
#include "entrain/batch/encode/sorted.hpp"
#include "entrain/batch/encode/windows.hpp"
#include "entrain/core/error.hpp"
#include "entrain/device/step.hpp"
#include "entrain/tensor/csr_index.hpp"
#include "entrain/text/tokenizer/contract.hpp"

namespace entrain::batch {

/// Positions: pieces that the encoder reads at once, including [CLS] and [SEP] (max_position_embeddings). Rows: of its
/// table of pieces (vocab_size). FirstPosition: the row of its table of positions for the first piece of a window; the
/// rows before it are reserved. OfPieces: the tokenizer.
///
/// A word is represented by its first piece (Devlin et al. 2019, section 5.3). A word without pieces (U+200B or control
/// characters alone) is not read: gaps.hpp. If a word has more pieces than a window holds, only its first pieces are
/// read, and Encoded::cut counts it. As its row is that of its first piece, the number of targets, tags and gold
/// entities does not change.
template <int Positions, int Rows, class OfPieces, int FirstPosition = 0> class Pieces {
 public:
  static_assert(FirstPosition >= 0 && Positions - FirstPosition >= 8,
                "entrain: Pieces<Positions, Rows> needs at least 8 positions.");
  static_assert(text::tokenizer_contract<OfPieces>());
  using Tokenizer = OfPieces;
  static constexpr int positions = Positions, rows = Rows;  // of the tables
  static constexpr int first_position = FirstPosition;
  static constexpr bool by_words = false;  // the encoder's rows are pieces

  /// The pieces of one word.
  using Word = std::span<const std::int32_t>;

  /// The pieces of many words, concatenated.
  class Vocabulary {
   public:
    std::size_t size() const { return begin_.size() - 1; }
    void reserve(std::size_t words) { begin_.reserve(words + 1); }
    Word operator[](std::size_t w) const { return {ids_.data() + begin_[w], begin_[w + 1] - begin_[w]}; }
    void clear() {
      begin_.clear();
      begin_.push_back(0);
      ids_.clear();
    }
    void push_back(Word pieces) {
      for (const std::int32_t id : pieces) ids_.push_back(id);  // one or two: no call that copies memory
      begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
    }
    /// All pieces, and where those of each word begin.
    std::span<const std::int32_t> pieces() const { return {ids_.data(), ids_.size()}; }
    std::span<const std::uint32_t> begins() const { return {begin_.data(), begin_.size()}; }
    /// f(column) for each array of the vocabulary.
    static void each_column(auto& vocabulary, auto&& f) { f(vocabulary.begin_), f(vocabulary.ids_); }

   private:
    Column<std::uint32_t> begin_{0};
    Column<std::int32_t> ids_;
  };

  Pieces() = default;
  /// `before`, `after`: the pieces around every window, as [CLS] and [SEP]; where: the tokenizer, for messages
  /// throws    entrain.batch.1: an id that the tokenizer may give is no row of the table
  ///           .2: `before` and `after` leave no position for a word
  Pieces(std::shared_ptr<const Tokenizer> tokenizer, std::vector<std::int32_t> before, std::vector<std::int32_t> after,
         std::string_view where = "tokenizer")
      : tokenizer_(std::move(tokenizer)),
        before_(std::move(before)),
        after_(std::move(after)),
        unknown_{tokenizer_->unknown()} {
    if (const std::size_t pieces = tokenizer_->size(); pieces > static_cast<std::size_t>(Rows))
      throw Error("entrain.batch.1", where, std::to_string(pieces) + " pieces",
                  "at most " + std::to_string(Rows) + ", the rows of the model's table (vocab_size)",
                  "use the model's tokenizer");
    tokenizer_->each_special([&](std::int32_t id, std::string_view text) {
      check(id, where, [&] { return "added token '" + std::string(text) + "'"; });
    });
    for (const auto* around : {&before_, &after_})
      for (const std::int32_t id : *around) check(id, where, [] { return std::string("a special token"); });
    if (const std::size_t around = before_.size() + after_.size(); around >= static_cast<std::size_t>(longest_part))
      throw Error("entrain.batch.2", where, std::to_string(around) + " special tokens around every text",
                  "fewer than " + std::to_string(longest_part) + ", the model's positions (max_position_embeddings)",
                  "use the model's tokenizer");
  }

  /// Cuts one word after another into pieces; a result is valid until the next call.
  class Reader {
   public:
    explicit Reader(const Pieces& of) : of_(&of), reader_(*of.tokenizer_, none_cached) {}
    Word operator()(std::string_view token) {
      pieces_.clear();
      reader_.encode(token, pieces_, 0);
      return Word(pieces_.id).first(std::min(pieces_.size(), static_cast<std::size_t>(of_->room())));
    }
    /// Whether the last word has no piece.
    bool pieceless() const { return pieces_.size() == 0; }
    /// Whether it has more pieces than were given.
    bool cut() const { return pieces_.size() > static_cast<std::size_t>(of_->room()); }

   private:
    static constexpr std::size_t none_cached = 0;  // batch::Reader cuts each word once
    const Pieces* of_;
    typename Tokenizer::Reader reader_;
    text::Pieces pieces_;
  };
  Reader reader() const { return Reader(*this); }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  std::span<const std::int32_t> before() const { return before_; }
  std::span<const std::int32_t> after() const { return after_; }
  Word unknown(Word) const { return unknown_; }

  /// Pieces of words that a window holds.
  int room() const { return longest_part - around(); }
  /// Rows of the encoder that a sentence takes; words: ids in the vocabulary.
  int rows_of(std::span<const std::int32_t> words, const Vocabulary& vocabulary) const {
    int taken = around();
    for (std::size_t i = 0; i < words.size() && taken <= longest_part; ++i)
      taken += static_cast<int>(vocabulary[static_cast<std::size_t>(words[i])].size());
    if (taken <= longest_part) return taken;  // one window
    taken = 0;
    const auto count = [&](int i) {
      return static_cast<int>(vocabulary[static_cast<std::size_t>(words[static_cast<std::size_t>(i)])].size());
    };
    each_window(static_cast<int>(words.size()), count, [&](const Window& w) {
      taken += around();
      for (int i = w.begin; i < w.end; ++i) taken += count(i);
    });
    return taken;
  }

  /// Rows of the longest window, and each(Window) for the windows of a sentence, which do not depend on each other.
  static constexpr int longest_part = Positions - FirstPosition;
  template <class Each>
  void each_part(std::span<const std::int32_t> words, const Vocabulary& vocabulary, Each&& each) const {
    each_window(
        static_cast<int>(words.size()),
        [&](int i) {
          return static_cast<int>(vocabulary[static_cast<std::size_t>(words[static_cast<std::size_t>(i)])].size());
        },
        each);
  }

  /// A batch, as the device reads it.
  struct View {
    int count = 0;                             // rows of the encoder
    int windows = 0;                           // the encoder's sentences
    const std::int32_t* ids = nullptr;         // [count] the piece of each row
    const std::int32_t* position = nullptr;    // [count] its row of the table of positions
    const std::int32_t* cu_seqlens = nullptr;  // [windows + 1] first row of each window
    const std::int32_t* window = nullptr;      // [count] the window of each row
    const std::int32_t* first = nullptr;       // [word rows] the row that represents a word
    const std::int32_t* word_of = nullptr;     // [count] the word that a row represents, or -1
    CsrIndex touched;                          // piece -> rows
    CsrIndex placed;                           // position -> rows
    CsrIndex typed;                            // segment 0 -> all rows

    /// f(pointer, numbers, Fill) for each array of a batch of `words` words. A padding row is piece 0, alone in its
    /// window, and represents no word; a padding word is row 0, and no target uses it.
    void each_array(int words, auto&& f) {
      const auto every_row = static_cast<std::size_t>(count);
      f(ids, every_row, Fill::with(0));
      f(position, every_row, Fill::with(0));
      f(window, every_row, Fill::onwards(1, windows));
      f(word_of, every_row, Fill::with(-1));
      f(cu_seqlens, static_cast<std::size_t>(windows) + 1, Fill::onwards(1, count));
      f(first, static_cast<std::size_t>(words), Fill::with(0));
      for (CsrIndex* table : {&touched, &placed, &typed}) table->each_array(f);
    }
    /// Pads to bucket sizes, of which there are few. Each padding row is a window of its own.
    void fill(const BucketSizes& sizes) {
      const int filled = sizes(count);
      windows = std::max(filled, windows + filled - count);
      count = filled;
      touched.fill(count, Rows);
      placed.fill(count, Positions);
      typed.fill(count, 1);
    }
  };

  /// The encoder's sizes and geometry inside a step whose rows are words.
  static Shape inside(Shape shape, const View& view) { return {view.count, view.windows, shape.labels}; }
  static Geometry inside(Geometry, const View& view) { return {view.cu_seqlens, nullptr, view.window}; }
  /// The largest batch of `most` rows, for plans.
  static View planned(int most) {
    View view;
    view.count = view.windows = most;
    return view;
  }

  /// The host arrays of a View. They grow to the largest batch and keep that size.
  class Buffer {
   public:
    /// capacity: rows of the encoder
    void reserve(std::size_t capacity) {
      rows_.reserve(capacity);
      touched_.reserve(capacity, Rows);
      placed_.reserve(capacity, capacity);
      typed_.reserve(capacity, 1);
    }
    /// words: a vocabulary id for each row of the batch; cu_seqlens: its sentences.
    View pack(const Pieces& features, std::span<const std::int32_t> words, std::span<const std::int32_t> cu_seqlens,
              const Vocabulary& vocabulary) {
      rows_.put(features.room(), features.before_, features.after_, words, cu_seqlens,
                {vocabulary.pieces(), vocabulary.begins()});
      View view;
      view.count = rows_.cu_seqlens().back();
      view.windows = static_cast<int>(rows_.cu_seqlens().size()) - 1;
      view.ids = rows_.ids();
      view.position = rows_.position();
      view.cu_seqlens = rows_.cu_seqlens().data();
      view.window = rows_.window();
      view.first = rows_.first();
      view.word_of = rows_.word_of();
      view.touched = touched_.sort(rows_.count(), Rows, [ids = view.ids](std::size_t i) { return ids[i]; });
      view.placed = placed_(rows_.cu_seqlens(), FirstPosition);
      view.typed = typed_.sort(rows_.count(), 1, [](std::size_t) { return 0; });
      return view;
    }

   private:
    PieceRows<Positions, FirstPosition> rows_;
    Sorted touched_, typed_;
    Places placed_;
  };

 private:
  template <class Name> static void check(std::int32_t id, std::string_view where, Name&& name) {
    if (id < 0 || id >= Rows)
      throw Error("entrain.batch.1", where, name() + " with id " + std::to_string(id),
                  "an id below " + std::to_string(Rows) + ", the rows of the model's table (vocab_size)",
                  "use the model's tokenizer");
  }
  int around() const { return static_cast<int>(before_.size() + after_.size()); }
  /// count(i): pieces of word i.
  void each_window(int words, auto&& count, auto&& each) const {
    windows(words, room(), overlap_of(room()), count, each);
  }

  std::shared_ptr<const Tokenizer> tokenizer_;
  std::vector<std::int32_t> before_, after_, unknown_;
};

}  // namespace entrain::batch
