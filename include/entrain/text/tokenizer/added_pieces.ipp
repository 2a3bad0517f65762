// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of added_pieces.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/text/tokenizer/added_pieces.hpp"
#include "entrain/text/unicode/unicode.hpp"  // class_of, is_letter
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

ENTRAIN_INLINE void say_added(Fields& fields, const std::vector<AddedPiece>& added) {
  fields.number("added", static_cast<std::int64_t>(added.size()));
  for (const AddedPiece& one : added) {
    fields.say("text", one.text);
    fields.number("id", one.id);
    fields.number("flags", one.lstrip | one.rstrip << 1 | one.single_word << 2);
  }
}

ENTRAIN_INLINE AddedPieces::AddedPieces(std::vector<AddedPiece> all) {
  std::unordered_map<std::string_view, std::size_t> last;
  for (std::size_t i = 0; i < all.size(); ++i) last[all[i].text] = i;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (last.at(all[i].text) == i) all_.push_back(all[i]);
  std::sort(all_.begin(), all_.end(), [](const AddedPiece& a, const AddedPiece& b) {
    return a.text.size() != b.text.size() ? a.text.size() > b.text.size() : a.text < b.text;
  });
  std::vector<std::pair<std::string_view, std::int32_t>> pieces;
  for (const AddedPiece& one : all_) {
    if (one.text.empty()) continue;
    pieces.emplace_back(one.text, static_cast<std::int32_t>(pieces.size()));
    if (first_bytes_.find(one.text[0]) == std::string::npos) first_bytes_ += one.text[0];
  }
  trie_ = PieceTrie(std::move(pieces));
}

namespace detail {
/// \w of the package tokenizers: letters, marks, decimal digits, and these: connectors (the underscore), joiners, and
/// numbers and symbols that are letters (Roman numerals, circled letters).
/// source    Unicode Technical Standard 18, annex C
inline bool is_word_code_point(char32_t cp) noexcept {
  struct Range {
    char32_t first, last;
  };
  constexpr Range others[]{{'_', '_'},         {0x16EE, 0x16F0},   {0x200C, 0x200D},   {0x203F, 0x2040},
                           {0x2054, 0x2054},   {0x2160, 0x2182},   {0x2185, 0x2188},   {0x24B6, 0x24E9},
                           {0x3007, 0x3007},   {0x3021, 0x3029},   {0x3038, 0x303A},   {0xA6E6, 0xA6EF},
                           {0xFE33, 0xFE34},   {0xFE4D, 0xFE4F},   {0xFF3F, 0xFF3F},   {0x10140, 0x10174},
                           {0x10341, 0x10341}, {0x1034A, 0x1034A}, {0x103D1, 0x103D5}, {0x12400, 0x1246E},
                           {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189}};
  const Class c = class_of(cp);
  if (is_letter(c) || c == Class::mark || c == Class::digit) return true;
  for (const auto& [first, last] : others)
    if (first <= cp && cp <= last) return true;
  return false;
}
}  // namespace detail

ENTRAIN_INLINE bool AddedPieces::touches_before(std::string_view text, std::size_t begin) {
  return begin > 0 && detail::is_word_code_point(last_of(text.substr(0, begin)).cp);
}
ENTRAIN_INLINE bool AddedPieces::touches_after(std::string_view text, std::size_t end) {
  return end < text.size() && detail::is_word_code_point(decode(text, end).cp);
}

}  // namespace entrain::text
