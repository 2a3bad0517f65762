// text > [batch] > embed > encode > head > optim > checkpoint
//
// Sentences put back to back: N rows, no padding between them, with everything the device reads beside.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "entrain/batch/encoded.hpp"
#include "entrain/device/step.hpp"

namespace entrain::batch {

/// A packed batch as the device reads it. The memory is the packer's.
template <class Features> struct Batch {
  Shape shape;
  Geometry geometry;
  const std::int32_t* targets = nullptr;  // [rows]
  int real_targets = 0;                   // rows whose target counts in the loss
  typename Features::View words;
};

template <class Features> class Packer {
 public:
  /// Memory for batches of up to `rows` rows is taken here; packing takes none.
  explicit Packer(int rows) {
    const auto n = static_cast<std::size_t>(rows);
    cu_seqlens_.reserve(n + 1);
    neighbours_.reserve(n);
    targets_.reserve(n);
    word_.reserve(n);
    words_.reserve(n);
  }

  Batch<Features> pack(const Encoded<Features>& corpus, std::span<const std::uint32_t> sentences, int labels) {
    cu_seqlens_.assign(1, 0);
    neighbours_.clear();
    targets_.clear();
    word_.clear();
    int real = 0;
    for (const std::uint32_t s : sentences) {
      const int n = corpus.length(s);
      for (int i = 0; i < n; ++i) {
        const std::size_t token = corpus.sentence[s] + static_cast<std::size_t>(i);
        unsigned bits = 0;
        for (int k = 1; k <= 3; ++k) bits |= (i >= k ? 1u << k : 0u) | (i + k < n ? 1u << (4 + k) : 0u);
        neighbours_.push_back(static_cast<std::uint8_t>(bits));
        targets_.push_back(corpus.target[token]);
        word_.push_back(corpus.word[token]);
        real += corpus.target[token] >= 0;
      }
      cu_seqlens_.push_back(cu_seqlens_.back() + n);
    }
    Batch<Features> batch;
    batch.shape = {cu_seqlens_.back(), static_cast<int>(sentences.size()), labels};
    batch.geometry = {cu_seqlens_.data(), neighbours_.data()};
    batch.targets = targets_.data();
    batch.real_targets = real;
    batch.words = words_.pack(word_, corpus.vocabulary);
    return batch;
  }

 private:
  std::vector<std::int32_t> cu_seqlens_, targets_, word_;
  std::vector<std::uint8_t> neighbours_;
  typename Features::Buffer words_;
};

}  // namespace entrain::batch
