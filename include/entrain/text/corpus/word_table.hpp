// [text] > batch > embed > encode > head > optim > checkpoint
//
// Spellings to numbers 0, 1, 2, ... as vocabulary.hpp, for callers that look up every word of a text: a usual word is
// compared inside its slot, in three numbers, and the table cannot return the word.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/corpus/vocabulary.hpp"

namespace entrain::text {

/// A word in the form that the table compares: up to 24 bytes, padded with zeros, and their hash. Of a longer word only
/// the length.
struct Spelling {
  static constexpr std::size_t most_bytes = 24;

  std::array<std::uint64_t, 3> eights{};
  std::uint32_t bytes = 0, hash = 0;

  /// Sets it to the first `size` bytes of `text`. If text has 24 bytes or more, it is read without a branch.
  void read(std::string_view text, std::size_t size) noexcept {
    bytes = static_cast<std::uint32_t>(size);
    if (size > most_bytes) return;
    if (text.size() >= most_bytes) {
      std::memcpy(eights.data(), text.data(), most_bytes);
      for (std::size_t i = 0; i < 3; ++i) eights[i] &= kept[size][i];
    } else {
      eights = {};
      if (size > 0) std::memcpy(eights.data(), text.data(), size);  // an empty text may have no address
    }
    hash = hash_of(eights, bytes);
  }

  static std::uint32_t hash_of(const std::array<std::uint64_t, 3>& eights, std::uint32_t bytes) noexcept {
    const auto& [a, b, c] = eights;
    std::uint64_t h = a * 0x9E3779B97F4A7C15u + b * 0xBF58476D1CE4E5B9u + c * 0x94D049BB133111EBu + bytes;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    return static_cast<std::uint32_t>(h >> 32);
  }

 private:
  static constexpr auto kept = [] {  // masks by word length
    std::array<std::array<std::uint64_t, 3>, most_bytes + 1> masks{};
    for (std::size_t size = 0; size <= most_bytes; ++size)
      for (std::size_t i = 0; i < size; ++i) masks[size][i / 8] |= std::uint64_t{0xFF} << i % 8 * 8;
    return masks;
  }();
};

/// memory    64 to 128 bytes a word of up to 24 bytes; longer ones are in a Vocabulary
class WordTable {
 public:
  struct Found {
    std::int32_t number;
    bool fresh;  // true: new, with the next number
  };

  /// word, spelling    hold the same bytes
  Found add(std::string_view word, const Spelling& spelling) {
    if (spelling.bytes > Spelling::most_bytes) [[unlikely]]
      return add_long(word);
    std::size_t at = spelling.hash & mask_;
    for (; slots_[at].number != no_number; at = (at + 1) & mask_)
      if (slots_[at].is(spelling)) return {slots_[at].number, false};
    slots_[at] = {spelling.eights, spelling.bytes, size_};
    if (2 * static_cast<std::size_t>(size_) > mask_) grow();
    return {size_++, true};
  }

  /// The number of a word; -1: the table does not have it.
  std::int32_t find(std::string_view word, const Spelling& spelling) const noexcept {
    if (spelling.bytes > Spelling::most_bytes) [[unlikely]] {
      const Vocabulary::Id id = long_.find(word);
      return id == Vocabulary::unknown ? no_number : numbers_of_long_[id];
    }
    for (std::size_t at = spelling.hash & mask_; slots_[at].number != no_number; at = (at + 1) & mask_)
      if (slots_[at].is(spelling)) return slots_[at].number;
    return no_number;
  }

  std::int32_t size() const noexcept { return size_; }

  /// Empties the table and keeps its memory.
  void clear() {
    slots_.assign(slots_.size(), Slot{});
    long_ = Vocabulary();
    numbers_of_long_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::int32_t no_number = -1;

  struct alignas(32) Slot {
    std::array<std::uint64_t, 3> eights{};
    std::uint32_t bytes = 0;
    std::int32_t number = no_number;

    bool is(const Spelling& s) const noexcept {  // in registers, without a call of memcmp
      return ((eights[0] ^ s.eights[0]) | (eights[1] ^ s.eights[1]) | (eights[2] ^ s.eights[2]) | (bytes ^ s.bytes)) ==
             0;
    }
  };

  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    mask_ = slots_.size() - 1;
    for (const Slot& slot : before) {
      if (slot.number == no_number) continue;
      std::size_t at = Spelling::hash_of(slot.eights, slot.bytes) & mask_;
      while (slots_[at].number != no_number) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }
  Found add_long(std::string_view word) {
    const auto before = long_.size();
    const Vocabulary::Id id = long_.add(word);
    if (long_.size() == before) return {numbers_of_long_[id], false};
    numbers_of_long_.push_back(size_);
    return {size_++, true};
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // open addressing, a power of two long, about half full at most
  std::size_t mask_ = 63;                            // their number - 1
  Vocabulary long_;
  std::vector<std::int32_t> numbers_of_long_;
  std::int32_t size_ = 0;
};

}  // namespace entrain::text
