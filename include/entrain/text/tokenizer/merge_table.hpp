// [text] > batch > embed > encode > head > optim > checkpoint
//
// The merges of a BPE tokenizer: which two pieces become one, and how early. A hash table with open addressing. Read
// byte_bpe.hpp for its use.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace entrain::text {

/// The merge of two adjacent pieces.
struct Merge {
  std::uint32_t rank = 0;  // its number in the list of merges; the lowest is done first
  std::int32_t piece = 0;  // that the two become
};

/// memory    16 bytes a place, two to four places a merge: 2 MB for the 50,000 merges of RoBERTa
class MergeTable {
 public:
  explicit MergeTable(std::size_t merges = 0) : places_(std::bit_ceil(2 * merges + 1)) {}

  /// Returns false if there is a merge of the two already.
  /// requires  fewer calls than `merges` before it; left, right >= 0
  bool add(std::int32_t left, std::int32_t right, Merge merge) noexcept {
    Place& place = places_[find_place(key_of(left, right))];
    if (place.key != 0) return false;
    place = {key_of(left, right), merge};
    return true;
  }

  /// Null if the two are not merged.
  const Merge* find(std::int32_t left, std::int32_t right) const noexcept {
    const Place& place = places_[find_place(key_of(left, right))];
    return place.key == 0 ? nullptr : &place.merge;
  }

 private:
  struct Place {
    std::uint64_t key = 0;  // 0: empty
    Merge merge;
  };
  static std::uint64_t key_of(std::int32_t left, std::int32_t right) noexcept {
    return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right)) + 1;
  }
  std::size_t find_place(std::uint64_t key) const noexcept {
    std::uint64_t h = key * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    std::size_t at = static_cast<std::size_t>(h) & (places_.size() - 1);
    while (places_[at].key != 0 && places_[at].key != key) at = (at + 1) & (places_.size() - 1);
    return at;
  }

  std::vector<Place> places_;
};

}  // namespace entrain::text
