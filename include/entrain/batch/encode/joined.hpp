// text > [batch] > embed > encode > head > optim > checkpoint
//
// Appends encoded sentences to others. Words that two parts share, or that have the same spelling, become one word.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"

namespace entrain::batch {

/// join(part), called for one part after another, makes of an empty `to` what encode() makes of all parts' sentences at
/// once. Without a `to`, into() sets it, any number of times.
template <class Features> class Joined {
 public:
  Joined() = default;
  explicit Joined(Encoded<Features>& to) : to_(&to) {}

  void into(Encoded<Features>& to) {
    to_ = &to;
    std::fill(slots_.begin(), slots_.end(), Slot{});
  }

  void operator()(const Encoded<Features>& part) {
    Encoded<Features>& to = *to_;
    to.features = part.features;
    const std::size_t before = to.word.size();
    to.word.resize(before + part.size());
    std::int32_t* const words = to.word.data() + before;
    if constexpr (requires { to.vocabulary.join(part.vocabulary); }) {  // words of numbers are not compared
      const std::int32_t first = to.vocabulary.join(part.vocabulary);
      for (std::size_t i = 0; i < part.size(); ++i) words[i] = first + part.word[i];
    } else {
      ids_.resize(part.vocabulary.size());
      for (std::size_t w = 0; w < ids_.size(); ++w) ids_[w] = id_of(part.vocabulary[w]);
      for (std::size_t i = 0; i < part.size(); ++i) words[i] = ids_[static_cast<std::size_t>(part.word[i])];
    }
    for (std::size_t s = 1; s < part.sentence.size(); ++s)
      to.sentence.push_back(static_cast<std::uint32_t>(before) + part.sentence[s]);
    to.target.insert(to.target.end(), part.target.begin(), part.target.end());
    to.rows.insert(to.rows.end(), part.rows.begin(), part.rows.end());
    if (part.unread.any()) to.unread += part.unread;
    if (to.in_pieces.empty()) to.in_pieces = part.in_pieces;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t id = no_word;
  };
  static constexpr std::int32_t no_word = -1;

  template <class Word> std::int32_t id_of(const Word& word) {
    auto& vocabulary = to_->vocabulary;
    if (2 * (vocabulary.size() + 1) > slots_.size()) grow();
    const std::uint32_t hash = hash_of(word);
    for (std::size_t at = hash;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.id == no_word) {
        slot = {hash, static_cast<std::int32_t>(vocabulary.size())};
        vocabulary.push_back(word);
        return slot.id;
      }
      if (slot.hash != hash) continue;
      const auto& other = vocabulary[static_cast<std::size_t>(slot.id)];
      if (std::equal(word.begin(), word.end(), other.begin(), other.end())) return slot.id;
    }
  }
  template <class Word> static std::uint32_t hash_of(const Word& word) {
    std::uint64_t h = word.size();
    for (const std::int32_t n : word) h = (h ^ static_cast<std::uint32_t>(n)) * 0x9E3779B97F4A7C15u;
    return static_cast<std::uint32_t>(h >> 32);
  }
  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    for (const Slot& slot : before) {
      if (slot.id == no_word) continue;
      std::size_t at = slot.hash;
      while (slots_[at & (slots_.size() - 1)].id != no_word) ++at;
      slots_[at & (slots_.size() - 1)] = slot;
    }
  }

  Encoded<Features>* to_ = nullptr;
  std::vector<Slot> slots_;  // open addressing over the vocabulary, a power of two long, at most half full
  std::vector<std::int32_t> ids_;
};

}  // namespace entrain::batch
