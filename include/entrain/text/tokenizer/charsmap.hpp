// [text] > batch > embed > encode > head > optim > checkpoint
//
// SentencePiece's map of characters, the precompiled_charsmap of its models: what NFKC and some rules of its own make
// of a text. Read unicode/graphemes.hpp first; unigram.hpp uses it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::text {

/// A text after the map, and for each byte of it the code point of the text that it is from, counted from 0.
struct MappedText {
  std::string text;
  std::vector<std::uint32_t> place;

  void clear() noexcept { text.clear(), place.clear(); }
};

/// Texts, and what replaces them. An empty map changes nothing.
///
/// file      how many bytes the double array has, four bytes, little-endian; the array; the replacements, a NUL byte
///           after each
/// source    SentencePiece's precompiled_charsmap; the package tokenizers' normalizer Precompiled
class Charsmap {
 public:
  Charsmap() = default;
  /// throws    entrain.text.18: the bytes are no such map
  ENTRAIN_INLINE explicit Charsmap(std::string bytes, const std::string& where = "precompiled_charsmap");

  const std::string& bytes() const noexcept { return bytes_; }

  /// Whether the map may change the ASCII character c where another one, or nothing, comes after it.
  bool changes(char ascii) const noexcept { return changes_[static_cast<unsigned char>(ascii)]; }

  /// Appends what the map makes of a text to `out`, and returns how many code points the text has. A grapheme cluster
  /// of at most five bytes that begins with a key becomes the replacement of the shortest such key, as a whole; of
  /// another cluster, each code point does so by itself.
  ///
  /// place     the code points of a replacement have the places of those that they replace, in order; of more code
  ///           points, the last ones have that of the one before them. tokenizers gives the places from 0 on if nothing
  ///           replaces the first code points of a text; here they are then counted
  /// requires  text is valid UTF-8
  ENTRAIN_INLINE std::uint32_t apply(std::string_view text, MappedText& out) const;

 private:
  /// What replaces the shortest key that the text begins with.
  ENTRAIN_INLINE std::optional<std::string_view> find(std::string_view text) const noexcept;
  std::string_view texts() const noexcept { return std::string_view(bytes_).substr(4 + 4 * units_.size()); }
  ENTRAIN_INLINE std::string fault() const;

  std::string bytes_;
  std::vector<std::uint32_t> units_;  // the double array
  std::array<bool, 128> changes_{};
};

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/charsmap.ipp"
#endif
