// text > [batch] > embed > encode > head > optim > checkpoint
//
// Packs sentences: N rows without padding between them, with all arrays that the device reads.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/targets.hpp"
#include "entrain/batch/encode/windows.hpp"
#include "entrain/batch/pack/strip.hpp"
#include "entrain/core/config.hpp"
#include "entrain/core/random.hpp"
#include "entrain/device/step.hpp"

namespace entrain::batch {

/// A packed batch as the device reads it. The memory is the packer's.
template <class Features> struct Batch {
  Shape shape;
  Geometry geometry;
  TargetsOf<Features> targets;
  int real_targets = 0;      // targets that count in the loss
  double target_weight = 0;  // the sum of their class weights, by which the summed loss is divided
  typename Features::View words;
};

/// Trains on some words as if they were unknown, so that a model also uses what new words show: shape, affixes,
/// context. A pure function of its numbers; rate 0 changes no word.
struct WordDropout {
  float rate = 0;
  std::uint64_t seed = 0;
  std::uint32_t step = 0, micro_batch = 0;

  ENTRAIN_HD constexpr bool drops(std::size_t row) const {
    const auto words = philox({{static_cast<std::uint32_t>(row), step, micro_batch, 0x776F7264u}},
                              {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}});
    return uniform(words[0]) < rate;
  }
};

template <class Features> class Packer {
  static_assert(AreFeatures<Features>::value);
  using Targets = TargetsOf<Features>;
  using Target = typename Targets::Number;

 public:
  /// Memory is allocated as batches need it.
  Packer() = default;
  /// Memory for batches of up to `rows` rows of the encoder is allocated here; packing allocates nothing.
  explicit Packer(int rows) {
    const auto n = static_cast<std::size_t>(rows);
    cu_seqlens_.reserve(n + 1);
    make_room(n);
    words_.reserve(n);
  }

  /// A training batch: if every piece is labelled, its rows are pieces; else the batch of pack().
  Batch<Features> pack_to_learn(const Encoded<Features>& corpus, std::span<const std::uint32_t> sentences, int labels,
                                WordDropout dropout = {}, std::span<const float> class_weights = {}) {
    Batch<Features> batch = pack(corpus, sentences, labels, dropout, class_weights);
    if constexpr (labels_every_piece<Features>) spread(batch, corpus, class_weights);
    return batch;
  }

  /// class_weights: as the trainer's, empty or one a label
  Batch<Features> pack(const Encoded<Features>& corpus, std::span<const std::uint32_t> sentences, int labels,
                       WordDropout dropout = {}, std::span<const float> class_weights = {}) {
    cu_seqlens_.assign(1, 0);
    for (const std::uint32_t s : sentences) cu_seqlens_.push_back(cu_seqlens_.back() + corpus.length(s));
    const auto rows = static_cast<std::size_t>(cu_seqlens_.back());
    make_room(std::max(rows, sentences.size()));
    constexpr std::size_t ahead = 16;  // sentences to prefetch while others are packed: their places are random
    for (const std::uint32_t s : sentences.first(std::min(ahead, sentences.size()))) ask_for(corpus, s);
    for (std::size_t k = 0; k < sentences.size(); ++k) {
      if (k + ahead < sentences.size()) ask_for(corpus, sentences[k + ahead]);
      put(corpus, sentences[k], static_cast<std::int32_t>(k), static_cast<std::size_t>(cu_seqlens_[k]));
    }
    const std::span word(word_.data(), rows);
    if (dropout.rate > 0 && corpus.unknown_word_copies > 0)
      for (std::size_t row = 0; row < rows; ++row)
        if (dropout.drops(row)) word[row] += corpus.unknown_word_copies;
    Batch<Features> batch;
    batch.shape = {cu_seqlens_.back(), static_cast<int>(sentences.size()), labels};
    batch.geometry = {cu_seqlens_.data(), put_neighbours(rows), sentence_.data()};
    const auto targets = Targets::count(batch.shape);
    batch.targets = targets_.data();
    batch.real_targets = count_real(targets);
    if (class_weights.empty()) {
      batch.target_weight = batch.real_targets;
    } else {
      for (const Target& target : std::span(targets_).first(targets))
        batch.target_weight += weight_of(target, class_weights);
    }
    batch.words = words_.pack(corpus.features, word, cu_seqlens_, corpus.vocabulary);
    return batch;
  }

  /// Words [begin, end) of a sentence, as a sentence of their own, without targets. For decoding.
  Batch<Features> pack_part(const Encoded<Features>& corpus, std::size_t sentence, const Window& part, int labels) {
    const std::size_t from = corpus.sentence[sentence] + static_cast<std::size_t>(part.begin);
    const auto rows = static_cast<std::size_t>(part.end - part.begin);
    cu_seqlens_.assign({0, part.end - part.begin});
    make_room(rows);
    std::fill_n(sentence_.data(), rows, 0);
    std::copy_n(corpus.word.data() + from, rows, word_.data());
    Batch<Features> batch;
    batch.shape = {cu_seqlens_.back(), 1, labels};
    std::fill_n(targets_.data(), Targets::count(batch.shape), Encoded<Features>::ignored);
    batch.geometry = {cu_seqlens_.data(), put_neighbours(rows), sentence_.data()};
    batch.targets = targets_.data();
    batch.words = words_.pack(corpus.features, std::span(word_.data(), rows), cu_seqlens_, corpus.vocabulary);
    return batch;
  }

 private:
  void make_room(std::size_t rows) {
    if (word_.size() >= rows + strip) return;
    neighbours_.resize(margin + rows + strip);
    for (auto* array : {&sentence_, &word_}) array->resize(rows + strip);
    targets_.resize(rows + strip);
  }

  static void ask_for(const Encoded<Features>& corpus, std::uint32_t s) {
    for (const std::size_t end : {s, s + 1}) {
      __builtin_prefetch(corpus.word.data() + corpus.sentence[end]);
      __builtin_prefetch(corpus.target.data() + (Targets::by_rows ? corpus.sentence[end] : end));
    }
  }
  /// Writes sentence s of the corpus as the k-th of the batch; its first row is `to`.
  void put(const Encoded<Features>& corpus, std::uint32_t s, std::int32_t k, std::size_t to) {
    const std::size_t from = corpus.sentence[s], n = corpus.sentence[s + 1] - from;
    fill_strips(sentence_.data() + to, n, k);
    if constexpr (!Targets::by_rows) targets_[static_cast<std::size_t>(k)] = corpus.target[s];
    if (from + n + strip <= corpus.size()) {
      if constexpr (Targets::by_rows) copy_strips(corpus.target.data() + from, n, targets_.data() + to);
      copy_strips(corpus.word.data() + from, n, word_.data() + to);
    } else {
      if constexpr (Targets::by_rows) std::copy_n(corpus.target.data() + from, n, targets_.data() + to);
      std::copy_n(corpus.word.data() + from, n, word_.data() + to);
    }
  }
  /// Bit k of a row: row - k is of its sentence too; bit 4 + k: row + k is; k from 1 to 3. All bits are set except at a
  /// border, which affects three rows to each side of it. So the bits are one AND of the borders' masks, however short
  /// the sentences are.
  const std::uint8_t* put_neighbours(std::size_t rows) {
    std::uint8_t* const neighbours = neighbours_.data() + margin;
    fill_strips(neighbours, rows, std::uint8_t{0xEE});
    for (const std::int32_t border : cu_seqlens_) {
      std::array<std::uint8_t, 8> near;
      std::uint8_t* const from = neighbours + border - 3;
      std::memcpy(near.data(), from, sizeof near);
      for (std::size_t i = 0; i < near.size(); ++i) near[i] &= seen[i];
      std::memcpy(from, near.data(), sizeof near);
    }
    return neighbours;
  }
  static constexpr std::array<std::uint8_t, 8> seen{0x6E, 0x2E, 0x0E, 0xE0, 0xE2, 0xE6, 0xEE, 0xEE};
  static constexpr std::size_t margin = 8;  // rows before the first, for its border
  /// How many of the first `targets` targets count in the loss.
  int count_real(std::size_t targets) {
    std::array<std::int32_t, strip> real{};
    fill_strips(targets_.data() + targets, 1, Encoded<Features>::ignored);
    for (std::size_t i = 0; i < targets; i += strip)
      for (std::size_t j = 0; j < strip; ++j) real[j] += is_target(targets_[i + j]);
    return std::accumulate(real.begin(), real.end(), 0);
  }

  /// Replaces rows that are words by rows that are their pieces.
  void spread(Batch<Features>& batch, const Encoded<Features>& corpus, std::span<const float> class_weights) {
    static_assert(std::is_same_v<Targets, LabelPerRow>,
                  "entrain: LabelAllTokens trains on a target for every piece, but this head's task has none for "
                  "each word; embed the pieces without it.");
    Spread& to = spread_;
    to.cu_seqlens.assign(1, 0);
    to.targets.clear();
    to.first.clear();
    to.word_of.assign(static_cast<std::size_t>(batch.words.count), -1);
    batch.real_targets = 0;
    batch.target_weight = 0;
    for (std::size_t s = 0; s + 1 < cu_seqlens_.size(); ++s) {
      for (auto row = static_cast<std::size_t>(cu_seqlens_[s]); row < static_cast<std::size_t>(cu_seqlens_[s + 1]);
           ++row) {
        const auto pieces = static_cast<int>(corpus.vocabulary[static_cast<std::size_t>(word_[row])].size());
        for (int j = 0; j < pieces; ++j) {
          std::int32_t target = targets_[row];
          if (target >= 0 && pieces > 1) {
            const PieceTargets& of = corpus.in_pieces[static_cast<std::size_t>(target)];
            target = j == 0 ? of.first : j + 1 < pieces ? of.middle : of.last;
          }
          const std::int32_t piece = batch.words.first[row] + j;
          to.word_of[static_cast<std::size_t>(piece)] = static_cast<std::int32_t>(to.first.size());
          to.first.push_back(piece);
          to.targets.push_back(target);
          batch.real_targets += is_target(target);
          batch.target_weight += weight_of(target, class_weights);
        }
      }
      to.cu_seqlens.push_back(static_cast<std::int32_t>(to.first.size()));
    }
    batch.shape.rows = to.cu_seqlens.back();
    batch.geometry = {to.cu_seqlens.data(), nullptr, nullptr};
    batch.targets = to.targets.data();
    batch.words.first = to.first.data();
    batch.words.word_of = to.word_of.data();
  }

  struct Spread {
    std::vector<std::int32_t> cu_seqlens, targets, first, word_of;
  };

  std::vector<std::int32_t> cu_seqlens_;
  std::vector<std::int32_t> sentence_, word_;  // at least as long as the largest batch so far
  std::vector<Target> targets_;                // likewise
  std::vector<std::uint8_t> neighbours_;       // likewise
  Spread spread_;
  typename Features::Buffer words_;
};

}  // namespace entrain::batch
