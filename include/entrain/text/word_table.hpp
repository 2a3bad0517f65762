// [text] > batch > embed > encode > head > optim > checkpoint
//
// Spellings to numbers 0, 1, 2, ... as vocabulary.hpp, for who looks up every word of a text: a usual word is compared
// where it is found, in three numbers, and what it was is not given back.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/vocabulary.hpp"

namespace entrain::text {

/// memory    64 to 128 bytes a word of up to 24 bytes; longer ones are in a Vocabulary
class WordTable {
 public:
  static constexpr std::size_t most_bytes = 24;  // of a word in the table itself
  struct Found {
    std::int32_t number;
    bool fresh;  // it is new, and has the next number
  };

  /// The word that is the first `bytes` bytes of `text`. Where text goes on for 24 bytes it is read without a branch.
  Found add(std::string_view text, std::size_t bytes) {
    if (bytes > most_bytes) return add_long(text.substr(0, bytes));
    const Slot word{text.size() >= most_bytes ? Key(text.data(), bytes) : Key(text.substr(0, bytes)),
                    static_cast<std::uint32_t>(bytes), size_};
    if (2 * (static_cast<std::size_t>(size_) + 1) > slots_.size()) grow();
    Slot& slot = place(word);
    if (slot.number != nobody) return {slot.number, false};
    slot = word;
    return {size_++, true};
  }

  std::int32_t size() const noexcept { return size_; }

  /// As if nothing had been added, in the same memory.
  void clear() {
    slots_.assign(slots_.size(), Slot{});
    long_ = Vocabulary();
    numbers_of_long_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::int32_t nobody = -1;

  /// Up to 24 bytes, with zeros behind.
  struct Key {
    std::array<std::uint64_t, 3> eights{};

    Key() = default;
    explicit Key(std::string_view word) noexcept { std::memcpy(eights.data(), word.data(), word.size()); }
    /// requires  24 bytes at `at`
    Key(const char* at, std::size_t bytes) noexcept {
      std::memcpy(eights.data(), at, sizeof eights);
      for (std::size_t i = 0; i < 3; ++i) eights[i] &= kept[bytes][i];
    }
    friend bool operator==(const Key& x, const Key& y) noexcept {  // in registers: no call that compares memory
      return ((x.eights[0] ^ y.eights[0]) | (x.eights[1] ^ y.eights[1]) | (x.eights[2] ^ y.eights[2])) == 0;
    }

    /// Of a word of so many bytes.
    static constexpr auto kept = [] {
      std::array<std::array<std::uint64_t, 3>, most_bytes + 1> masks{};
      for (std::size_t bytes = 0; bytes <= most_bytes; ++bytes)
        for (std::size_t i = 0; i < bytes; ++i) masks[bytes][i / 8] |= std::uint64_t{0xFF} << i % 8 * 8;
      return masks;
    }();
  };
  struct alignas(32) Slot {
    Key key;
    std::uint32_t bytes = 0;
    std::int32_t number = nobody;
  };

  static std::size_t hash(const Slot& word) noexcept {
    const auto& [a, b, c] = word.key.eights;
    std::uint64_t h = a * 0x9E3779B97F4A7C15u + b * 0xBF58476D1CE4E5B9u + c * 0x94D049BB133111EBu + word.bytes;
    h = (h ^ h >> 32) * 0xD6E8FEB86659FD93u;
    return static_cast<std::size_t>(h ^ h >> 32);
  }

  /// Where the word is, or would be.
  Slot& place(const Slot& word) noexcept {
    for (std::size_t at = hash(word);; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.number == nobody || (slot.key == word.key && slot.bytes == word.bytes)) return slot;
    }
  }
  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    for (const Slot& slot : before)
      if (slot.number != nobody) place(slot) = slot;
  }
  Found add_long(std::string_view word) {
    const auto before = long_.size();
    const Vocabulary::Id id = long_.add(word);
    if (long_.size() == before) return {numbers_of_long_[id], false};
    numbers_of_long_.push_back(size_);
    return {size_++, true};
  }

  std::vector<Slot> slots_;  // open addressing, a power of two long, at most half full
  Vocabulary long_;
  std::vector<std::int32_t> numbers_of_long_;
  std::int32_t size_ = 0;
};

}  // namespace entrain::text
