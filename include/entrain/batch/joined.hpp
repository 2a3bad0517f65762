// text > [batch] > embed > encode > head > optim > checkpoint
//
// Encoded sentences behind other ones. Words that two parts share, or that read alike, are one word.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "entrain/batch/encoded.hpp"

namespace entrain::batch {

/// join(part), one after the other, makes of an empty `to` what encode() makes of all parts' sentences at once.
template <class Features> class Joined {
 public:
  explicit Joined(Encoded<Features>& to) : to_(to) {}

  void operator()(const Encoded<Features>& part) {
    to_.features = part.features;
    ids_.clear();
    for (std::size_t w = 0; w < part.vocabulary.size(); ++w) ids_.push_back(id_of(part.vocabulary[w]));
    const auto before = static_cast<std::uint32_t>(to_.word.size());
    for (const std::int32_t w : part.word) to_.word.push_back(ids_[static_cast<std::size_t>(w)]);
    for (std::size_t s = 1; s < part.sentence.size(); ++s) to_.sentence.push_back(before + part.sentence[s]);
    to_.target.insert(to_.target.end(), part.target.begin(), part.target.end());
    to_.rows.insert(to_.rows.end(), part.rows.begin(), part.rows.end());
    to_.cut += part.cut;  // a word that several parts have counts in each
    if (to_.in_pieces.empty()) to_.in_pieces = part.in_pieces;
  }

 private:
  template <class Word> std::int32_t id_of(const Word& word) {
    std::uint64_t hash = 14695981039346656037u;
    for (const std::int32_t n : word) hash = (hash ^ static_cast<std::uint32_t>(n)) * 1099511628211u;
    auto [at, end] = known_.equal_range(hash);
    for (; at != end; ++at) {
      const auto& other = to_.vocabulary[static_cast<std::size_t>(at->second)];
      if (std::equal(word.begin(), word.end(), other.begin(), other.end())) return at->second;
    }
    const auto id = static_cast<std::int32_t>(to_.vocabulary.size());
    to_.vocabulary.push_back(word);
    known_.emplace(hash, id);
    return id;
  }

  Encoded<Features>& to_;
  std::unordered_multimap<std::uint64_t, std::int32_t> known_;
  std::vector<std::int32_t> ids_;
};

}  // namespace entrain::batch
