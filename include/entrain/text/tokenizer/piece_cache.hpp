// [text] > batch > embed > encode > head > optim > checkpoint
//
// A cache of words that were recently split into pieces. Text repeats itself, so most words need a look-up of one cache
// line and no split. The size is bounded: a new word replaces an earlier one. Read wordpiece.hpp first.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace entrain::text {

/// A word of 1 to 24 bytes as three numbers, which together with its length identify it.
struct WordKey {
  static constexpr std::size_t most_bytes = 24;

  std::uint64_t first = 0, middle = 0, last = 0;
  bool operator==(const WordKey&) const = default;

  WordKey() = default;
  explicit WordKey(std::string_view word) noexcept {
    const char* const at = word.data();
    const std::size_t n = word.size();
    if (n >= 8) {
      first = load<std::uint64_t>(at), last = load<std::uint64_t>(at + n - 8);
      if (n > 16) middle = load<std::uint64_t>(at + 8);
    } else if (n >= 4) {
      first = load<std::uint32_t>(at), last = load<std::uint32_t>(at + n - 4);
    } else {
      first = load<std::uint8_t>(at), middle = load<std::uint8_t>(at + n / 2), last = load<std::uint8_t>(at + n - 1);
    }
  }

 private:
  template <class T> static T load(const char* at) noexcept {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
};

/// The pieces of one run of bytes, which a tokenizer cuts by itself: ids, and code points [begin, end), counted from
/// the run's first.
struct alignas(64) CachedWord {
  static constexpr std::size_t most_pieces = 6;

  WordKey key;
  std::array<std::int32_t, most_pieces> id;
  std::array<std::uint8_t, most_pieces> begin, end;
  std::uint8_t pieces = 0, code_points = 0;
  std::uint8_t bytes = 0;  // 0: the entry is empty
};
static_assert(sizeof(CachedWord) == 64);

/// Two entries for each hash; a new word replaces the less recently used one. Threads must not share a cache: each has
/// its own.
///
/// memory    64 bytes a word, 4 MiB by default
class PieceCache {
 public:
  explicit PieceCache(std::size_t words = std::size_t{1} << 16) : words_(words < 2 ? 2 : words) {
    while ((words_.size() & (words_.size() - 1)) != 0) words_.resize(words_.size() & (words_.size() - 1));
  }

  /// The entry of `word`: found, or to be filled; then `bytes` is 0, and the key is already set.
  ///
  /// requires  0 < word.size() <= WordKey::most_bytes
  CachedWord& place(std::string_view word) noexcept {
    const WordKey key(word);
    CachedWord* const pair = &words_[hash(key, word.size()) & (words_.size() - 2)];
    const auto is = [&](const CachedWord& w) { return w.bytes == word.size() && w.key == key; };
    if (is(pair[0])) return pair[0];
    std::swap(pair[0], pair[1]);
    if (!is(pair[0])) pair[0].key = key, pair[0].bytes = 0;
    return pair[0];
  }

 private:
  static std::size_t hash(const WordKey& key, std::size_t bytes) noexcept {
    std::uint64_t h =
        (key.first ^ key.middle * 0x9E3779B97F4A7C15u ^ key.last * 0xBF58476D1CE4E5B9u ^ bytes) * 0x94D049BB133111EBu;
    h ^= h >> 32;
    return static_cast<std::size_t>(h * 0x9E3779B97F4A7C15u >> 20);
  }

  std::vector<CachedWord> words_;
};

}  // namespace entrain::text
