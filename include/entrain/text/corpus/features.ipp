// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of features.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "entrain/core/hash.hpp"  // hash_string
#include "entrain/text/corpus/features.hpp"
#include "entrain/text/unicode/unicode.hpp"  // lower

namespace entrain::text {
namespace detail {

inline constexpr auto ascii_shapes = [] {
  std::array<char, 128> shapes{};
  for (char32_t cp = 0; cp < 128; ++cp) shapes[cp] = static_cast<char>(shape_of(cp));
  return shapes;
}();

/// The id of an ASCII word's shape. The shape is collected in registers, because storing single bytes and loading eight
/// of them stalls.
inline std::uint64_t ascii_shape_id(std::string_view word) noexcept {
  if (word.size() >= long_word) return hash_string("LONG");
  std::array<std::uint64_t, (long_word + 7) / 8> eights;
  std::uint64_t eight = 0;
  ShapeRun run;
  std::size_t n = 0;
  for (const char c : word) {
    const auto shape = static_cast<unsigned char>(ascii_shapes[static_cast<unsigned char>(c)]);
    if (!run.keep(shape)) continue;
    eight |= std::uint64_t{shape} << n % 8 * 8;
    if (++n % 8 == 0) eights[n / 8 - 1] = std::exchange(eight, 0);
  }
  return n == 0 ? 0 : entrain::detail::hash_words(n, 1, [&](std::size_t i) { return i < n / 8 ? eights[i] : eight; });
}

/// The id of a word's lower case if the word is ASCII. `seen`, the union of all bytes, shows whether it is.
inline std::uint64_t ascii_norm_id(std::string_view word, std::uint64_t& seen) noexcept {
  return entrain::detail::hash_words(word.size(), 1, [&](std::size_t i) {
    const std::uint64_t eight = entrain::detail::word_at(word, i);
    seen |= eight;
    return lower_eight(eight);
  });
}

inline std::string_view last_code_points(std::string_view word, std::span<const std::size_t> starts,
                                         std::size_t count) {
  return word.substr(count < 3 ? 0 : starts[count % 3]);
}

inline WordFeatures unicode_features(std::string_view word, std::span<char> lowered) noexcept {
  std::array<char, shape_capacity> shape;
  std::array<std::size_t, 3> starts{};  // positions of the last three code points, as a ring
  std::size_t count = 0, prefix = 0, lower_size = 0, shape_size = 0;
  ShapeRun run;
  for (std::size_t at = 0; at < word.size(); ++count) {
    const CodePoint p = decode(word, at);
    if (count == 0) prefix = p.bytes;
    starts[count % 3] = at;
    at += p.bytes;
    lower_size += encode(lower(p.cp), lowered.data() + lower_size);
    const char32_t of = shape_of(p.cp);
    if (count < long_word && run.keep(of)) shape_size += encode(of, shape.data() + shape_size);
  }
  const std::string_view shaped = count < long_word ? std::string_view(shape.data(), shape_size) : "LONG";
  return {hash_string({lowered.data(), lower_size}), hash_string(word.substr(0, prefix)),
          hash_string(last_code_points(word, starts, count)), hash_string(shaped)};
}

}  // namespace detail

ENTRAIN_INLINE WordFeatures features(std::string_view word) {
  if (word.empty()) return {};
  std::uint64_t seen = 0;
  const std::uint64_t norm = detail::ascii_norm_id(word, seen);
  if ((seen & 0x8080808080808080u) == 0) {
    return {norm, hash_string(word.substr(0, 1)), hash_string(word.substr(word.size() < 3 ? 0 : word.size() - 3)),
            detail::ascii_shape_id(word)};
  }
  constexpr std::size_t usual = 256;
  if (word.size() <= usual) {
    std::array<char, lower_capacity(usual)> lowered;
    return detail::unicode_features(word, lowered);
  }
  std::string lowered(lower_capacity(word.size()), '\0');
  return detail::unicode_features(word, lowered);
}

ENTRAIN_INLINE Affixes affixes(std::string_view word) noexcept {
  std::array<char32_t, 3> first;
  std::array<char32_t, 2> last;  // a ring
  std::size_t count = 0;
  for (std::size_t at = 0; at < word.size(); ++count) {
    const CodePoint p = decode(word, at);
    at += p.bytes;
    if (count < 3) first[count] = p.cp;
    last[count % 2] = p.cp;
  }
  const auto id = [](std::size_t length, auto code_point) {
    std::array<char, 3 * 4> bytes;
    std::size_t size = 0;
    for (std::size_t i = 0; i < length; ++i) size += encode(lower(code_point(i)), bytes.data() + size);
    return hash_string({bytes.data(), size});
  };
  const std::size_t two = std::min<std::size_t>(count, 2);
  return {id(std::min<std::size_t>(count, 3), [&](std::size_t i) { return first[i]; }),
          id(two, [&](std::size_t i) { return last[(count - two + i) % 2]; })};
}

}  // namespace entrain::text
