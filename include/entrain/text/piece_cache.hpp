// [text] > batch > embed > encode > head > optim > checkpoint
//
// Words that were cut into pieces lately. Text repeats itself, so most words are looked up, not cut: one cache line
// each. Bounded: a word that comes takes the place of one that was there. Read wordpiece.hpp first.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace entrain::text {

/// The pieces of one run of bytes without ASCII spaces: ids, and code points [begin, end) from its first on.
struct alignas(64) CachedWord {
  static constexpr std::size_t most_bytes = 22, most_pieces = 6;

  std::array<std::int32_t, most_pieces> id;
  std::array<std::uint8_t, most_pieces> begin, end;
  std::uint8_t pieces = 0, code_points = 0;
  std::uint8_t bytes = 0;  // 0: nobody lives here
  std::array<char, most_bytes> key;
};
static_assert(sizeof(CachedWord) == 64);

/// Two places for each hash; the word that was met longer ago leaves. Not to be shared by threads: each has its own.
///
/// memory    64 bytes a word, 4 MiB by default
class PieceCache {
 public:
  explicit PieceCache(std::size_t words = std::size_t{1} << 16) : words_(words < 2 ? 2 : words) {
    while ((words_.size() & (words_.size() - 1)) != 0) words_.resize(words_.size() & (words_.size() - 1));
  }

  /// The place of `word`, found or to be filled: `bytes` says which. requires 0 < word.size() <= most_bytes
  CachedWord& place(std::string_view word) noexcept {
    CachedWord* const pair = &words_[hash(word) & (words_.size() - 2)];
    if (is(pair[0], word)) return pair[0];
    std::swap(pair[0], pair[1]);
    if (!is(pair[0], word)) pair[0].bytes = 0;
    return pair[0];
  }

 private:
  static bool is(const CachedWord& w, std::string_view word) noexcept {
    return w.bytes == word.size() && std::memcmp(w.key.data(), word.data(), word.size()) == 0;
  }
  static std::size_t hash(std::string_view word) noexcept {
    std::uint64_t first = 0, last = 0;
    const std::size_t n = word.size();
    if (n >= 8) {
      std::memcpy(&first, word.data(), 8);
      std::memcpy(&last, word.data() + n - 8, 8);
      if (n > 16) {
        std::uint64_t middle;
        std::memcpy(&middle, word.data() + 8, 8);
        first ^= middle * 0x9E3779B97F4A7C15u;
      }
    } else {
      std::memcpy(&first, word.data(), n);
    }
    std::uint64_t h = (first ^ last * 0xBF58476D1CE4E5B9u ^ n) * 0x94D049BB133111EBu;
    h ^= h >> 32;
    return static_cast<std::size_t>(h * 0x9E3779B97F4A7C15u >> 20);
  }

  std::vector<CachedWord> words_;
};

}  // namespace entrain::text
