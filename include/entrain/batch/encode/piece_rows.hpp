// text > [batch] > embed > encode > head > optim > checkpoint
//
// The words of a batch as rows that are their pieces, in windows between the pieces around them. Called by Pieces.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "entrain/batch/encode/windows.hpp"
#include "entrain/batch/pack/strip.hpp"

namespace entrain::batch {

/// The pieces of many words, concatenated, and where those of each word begin.
struct PiecesOfWords {
  std::span<const std::int32_t> pieces;
  std::span<const std::uint32_t> begins;  // [words + 1]
};

/// Positions: of the table; the positions of a window begin at FirstPosition. The arrays grow to the largest batch and
/// keep that size.
template <int Positions, int FirstPosition = 0> class PieceRows {
 public:
  /// capacity: rows
  void reserve(std::size_t capacity) {
    make_room(capacity);
    for (auto* v : {&cu_seqlens_, &first_, &begin_, &row_, &more_, &long_}) v->reserve(capacity + 1);
  }

  /// room              pieces of words that a window holds        `before`, `after`   those around every window
  /// words, cu_seqlens the number of each word, and the batch's sentences
  void put(int room, std::span<const std::int32_t> before, std::span<const std::int32_t> after,
           std::span<const std::int32_t> words, std::span<const std::int32_t> cu_seqlens, const PiecesOfWords& of) {
    before_ = before;
    after_ = after;
    pieces_ = of.pieces;
    look_up(words, of.begins);
    if (longest(cu_seqlens) <= room && pieces_.size() >= usual)
      put_sentences(cu_seqlens);
    else
      put_windows(cu_seqlens, room);
  }

  std::span<const std::int32_t> cu_seqlens() const { return cu_seqlens_; }
  std::size_t count() const { return static_cast<std::size_t>(cu_seqlens_.back()); }
  /// [count]
  const std::int32_t* ids() const { return ids_.data(); }
  const std::int32_t* position() const { return position_.data(); }
  const std::int32_t* window() const { return window_.data(); }
  const std::int32_t* word_of() const { return word_of_.data(); }
  /// [words]
  const std::int32_t* first() const { return first_.data(); }

 private:
  /// Most words have at most this many pieces. This many are written for each word, and the next word overwrites the
  /// excess.
  static constexpr std::size_t usual = 4;
  static constexpr auto positions_in_order = [] {
    std::array<std::int32_t, Positions - FirstPosition + strip> all{};
    std::iota(all.begin(), all.end(), FirstPosition);
    return all;
  }();

  void make_room(std::size_t count) {
    if (ids_.size() < count + strip)
      for (auto* v : {&ids_, &position_, &window_, &word_of_}) v->resize(count + strip);
  }
  /// The last place from which `usual` pieces can be read.
  std::int32_t last() const { return static_cast<std::int32_t>(pieces_.size()) - static_cast<std::int32_t>(usual); }

  /// Looks up where the pieces of each word begin, how many pieces come before them, and which words have more than
  /// `usual`.
  void look_up(std::span<const std::int32_t> words, std::span<const std::uint32_t> begins) {
    begin_.resize(words.size());
    row_.resize(words.size() + 1);
    long_.resize(words.size() + 1);
    first_.resize(words.size());
    std::int32_t *const begin = begin_.data(), *const row = row_.data(), *const unusual = long_.data();
    const std::int32_t furthest = last();
    std::int32_t count = 0;
    std::size_t longs = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto w = static_cast<std::size_t>(words[i]);
      const auto from = static_cast<std::int32_t>(begins[w]), many = static_cast<std::int32_t>(begins[w + 1]) - from;
      begin[i] = from;
      row[i] = count;
      count += many;
      unusual[longs] = static_cast<std::int32_t>(i);
      longs += static_cast<unsigned>(many > static_cast<std::int32_t>(usual)) | static_cast<unsigned>(from > furthest);
    }
    row[words.size()] = count;
    long_.resize(longs);
  }
  /// Pieces of the sentence that has the most.
  int longest(std::span<const std::int32_t> cu_seqlens) const {
    int most = 0;
    for (std::size_t s = 0; s + 1 < cu_seqlens.size(); ++s)
      most = std::max(
          most, row_[static_cast<std::size_t>(cu_seqlens[s + 1])] - row_[static_cast<std::size_t>(cu_seqlens[s])]);
    return most;
  }

  /// Each sentence is one window: one loop writes the words of all of them, so the processor has to predict only its
  /// end.
  void put_sentences(std::span<const std::int32_t> cu_seqlens) {
    const std::size_t words = first_.size(), sentences = cu_seqlens.size() - 1;
    const auto around = static_cast<std::int32_t>(before_.size() + after_.size());
    make_room(static_cast<std::size_t>(row_[words]) + sentences * static_cast<std::size_t>(around));
    cu_seqlens_.resize(sentences + 1);
    more_.resize(words + 1);  // 0, except while a batch is written: rows before this word that belong to no word
    for (std::size_t s = 0; s <= sentences; ++s) {
      const auto word = static_cast<std::size_t>(cu_seqlens[s]);
      cu_seqlens_[s] = row_[word] + static_cast<std::int32_t>(s) * around;
      more_[word] += around;
    }
    fill_strips(word_of_.data(), count(), -1);
    put_words();
    for (std::size_t s = 0; s < sentences; ++s)
      put_around(cu_seqlens_[s], cu_seqlens_[s + 1], static_cast<std::int32_t>(s));
  }
  void put_words() {
    const std::size_t words = first_.size();
    std::int32_t *const ids = ids_.data(), *const word_of = word_of_.data(), *const first = first_.data(),
                        *const more = more_.data();
    const std::int32_t *const row = row_.data(), *const begin = begin_.data(), *const pieces = pieces_.data();
    const std::int32_t furthest = last();
    std::int32_t shift = -static_cast<std::int32_t>(after_.size());
    for (std::size_t i = 0; i < words; ++i) {
      shift += std::exchange(more[i], 0);
      const std::int32_t at = row[i] + shift;
      first[i] = at;
      word_of[at] = static_cast<std::int32_t>(i);
      std::memcpy(ids + at, pieces + std::min(begin[i], furthest), usual * sizeof *ids);
    }
    more[words] = 0;
    for (const std::int32_t i : long_) std::copy_n(pieces + begin[i], row[i + 1] - row[i], ids + first[i]);
  }

  void put_windows(std::span<const std::int32_t> cu_seqlens, int room) {
    cu_seqlens_.assign(1, 0);
    for (std::size_t s = 0; s + 1 < cu_seqlens.size(); ++s) {
      const std::int32_t begin = cu_seqlens[s], *const row = row_.data() + begin;
      windows(
          cu_seqlens[s + 1] - begin, room, overlap_of(room), [&](int i) { return row[i + 1] - row[i]; },
          [&](const Window& w) { put_window(begin, w); });
    }
  }
  /// Appends a window of the sentence whose first word is `sentence`.
  void put_window(std::int32_t sentence, const Window& w) {
    const std::int32_t start = cu_seqlens_.back(), *const row = row_.data() + sentence;
    const std::int32_t shift = start + static_cast<std::int32_t>(before_.size()) - row[w.begin];
    const std::int32_t end = row[w.end] + shift + static_cast<std::int32_t>(after_.size());
    if (ids_.size() < static_cast<std::size_t>(end) + strip) make_room(2 * static_cast<std::size_t>(end));
    fill_strips(word_of_.data() + start, static_cast<std::size_t>(end - start), -1);
    for (std::int32_t i = w.begin; i < w.end; ++i) {
      const std::int32_t at = row[i] + shift, word = sentence + i;
      std::copy_n(pieces_.data() + begin_[static_cast<std::size_t>(word)], row[i + 1] - row[i], ids_.data() + at);
      if (i < w.keep_begin || i >= w.keep_end) continue;  // another window has it too and keeps it
      first_[static_cast<std::size_t>(word)] = at;
      word_of_[static_cast<std::size_t>(at)] = word;
    }
    put_around(start, end, static_cast<std::int32_t>(cu_seqlens_.size()) - 1);
    cu_seqlens_.push_back(end);
  }

  /// The rows of a window that are not its words.
  void put_around(std::int32_t start, std::int32_t end, std::int32_t window) {
    std::int32_t* const ids = ids_.data();
    for (std::size_t i = 0; i < before_.size(); ++i) ids[static_cast<std::size_t>(start) + i] = before_[i];
    for (std::size_t i = 0; i < after_.size(); ++i) ids[static_cast<std::size_t>(end) - after_.size() + i] = after_[i];
    const auto n = static_cast<std::size_t>(end - start);
    copy_strips(positions_in_order.data(), n, position_.data() + start);
    fill_strips(window_.data() + start, n, window);
  }

  std::vector<std::int32_t> ids_, position_, window_, word_of_;  // at least as long as the largest batch so far
  std::vector<std::int32_t> cu_seqlens_, first_;                 // as long as this batch
  std::vector<std::int32_t> begin_, row_, more_, long_;          // of its words
  std::span<const std::int32_t> before_, after_, pieces_;        // while a batch is written
};

}  // namespace entrain::batch
