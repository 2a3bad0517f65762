// [text] > batch > embed > encode > head > optim > checkpoint
//
// Finds the places of a byte in a text for a caller that asks repeatedly. Columns and lines are so short that separate
// searches would spend most of their time on setup and the last bytes.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace entrain::text {
namespace detail {

/// One bit for each of 64 bytes: whether it equals the byte that `byte` holds eight times.
inline std::uint64_t equal_bits(const char* at, std::uint64_t byte) noexcept {
  std::uint64_t found = 0;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t eight;
    std::memcpy(&eight, at + 8 * i, 8);
    constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    eight ^= byte;
    const std::uint64_t zero = ~(((eight & low) + low) | eight | low);  // the top bit of each byte that is 0
    found |= (zero >> 7) * 0x0102040810204080u >> 56 << 8 * i;          // these eight bits next to each other
  }
  return found;
}
inline std::uint64_t eight_times(char byte) noexcept { return 0x0101010101010101u * static_cast<unsigned char>(byte); }

}  // namespace detail

/// How often a byte occurs in a text.
inline std::size_t count_byte(std::string_view text, char byte) noexcept {
  std::size_t count = 0, at = 0;
  for (const std::uint64_t all = detail::eight_times(byte); at + 64 <= text.size(); at += 64)
    count += static_cast<std::size_t>(std::popcount(detail::equal_bits(text.data() + at, all)));
  for (; at < text.size(); ++at) count += text[at] == byte;
  return count;
}

/// Compares 64 bytes at a time and keeps one bit for each.
class ByteFinder {
 public:
  ByteFinder(std::string_view text, char byte) noexcept : text_(text), all_(detail::eight_times(byte)) {
    if (!text.empty()) compare(0);
  }

  /// The first occurrence at `from` or after it; the text's size if there is none.
  ///
  /// requires  from <= text.size()
  std::size_t operator()(std::size_t from) noexcept {
    if (from - block_ < 64)
      if (const std::uint64_t left = found_ >> (from - block_); left != 0)
        return from + static_cast<std::size_t>(std::countr_zero(left));
    return in_another_block(from);
  }

 private:
  [[gnu::noinline]] std::size_t in_another_block(std::size_t from) noexcept {
    if (from - block_ < 64) from = block_ + 64;
    for (; from < text_.size(); from = block_ + 64) {
      compare(from - from % 64);
      if (const std::uint64_t left = found_ >> from % 64; left != 0)
        return from + static_cast<std::size_t>(std::countr_zero(left));
    }
    return text_.size();
  }
  void compare(std::size_t block) noexcept {
    block_ = block;
    const std::size_t size = text_.size() - block;
    if (size >= 64) {
      found_ = detail::equal_bits(text_.data() + block, all_);
    } else {
      char last[64] = {};
      std::memcpy(last, text_.data() + block, size);
      found_ = detail::equal_bits(last, all_) & ((std::uint64_t{1} << size) - 1);
    }
  }

  std::string_view text_;
  std::uint64_t all_;        // eight times the byte
  std::uint64_t found_ = 0;  // one bit for each of the 64 bytes from block_ on
  std::size_t block_ = 0;
};

}  // namespace entrain::text
