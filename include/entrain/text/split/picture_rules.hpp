// [text] > batch > embed > encode > head > optim > checkpoint
//
// Rules of text::UnicodeWords for emoji and for emoticons made of signs. Read text/split/scan.hpp first.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

#include "entrain/text/split/scan.hpp"  // peek, byte_at, is_word, skip_extenders

namespace entrain::text::detail {

// ---- pictures
// ------------------------------------------------------------------------------------------------------------

/// One emoji as a user perceives it: a flag, or a pictograph with its tone, variation, and the parts after zero-width
/// joiners. source    Unicode 14.0, UTS 51, ED-16, and UAX 29, rules GB11 to GB13: close to those rules, not exactly
/// them
inline std::size_t emoji(std::string_view s, std::size_t at) noexcept {
  const auto regional = [](char32_t cp) { return cp >= 0x1F1E6 && cp <= 0x1F1FF; };
  CodePoint p = peek(s, at);
  if (regional(p.cp)) {
    const CodePoint second = peek(s, at + p.bytes);
    return skip_extenders(s, at + p.bytes + (regional(second.cp) ? second.bytes : 0));
  }
  if (p.cp < 0x80 || !is_pictograph(p.cp) || is_letter(p.cp)) return at;
  std::size_t end = at + p.bytes;
  for (bool joined = false;; end += p.bytes) {
    p = peek(s, end);
    const bool tone = p.cp >= 0x1F3FB && p.cp <= 0x1F3FF;
    const bool tied = joined && is_pictograph(p.cp);
    if (p.bytes == 0 || (!tone && !tied && !is_extender(p.cp))) return end;
    joined = p.cp == 0x200D;
  }
}

/// Emoticons that are matched as a whole.
inline constexpr auto whole_faces = std::to_array<std::string_view>({"\u00AF\\_(\u30C4)_/\u00AF",
                                                                     "</3",
                                                                     "<3",
                                                                     "^_^",
                                                                     "^.^",
                                                                     "^^",
                                                                     "-_-",
                                                                     "-.-",
                                                                     "._.",
                                                                     ">_<",
                                                                     ">.<",
                                                                     "\\o/",
                                                                     "\\m/",
                                                                     "(:",
                                                                     "(-:",
                                                                     "(;",
                                                                     "(-;",
                                                                     "8-)",
                                                                     "xD",
                                                                     "XD",
                                                                     "x-D",
                                                                     "X-D",
                                                                     "o_O",
                                                                     "O_o",
                                                                     "o_o",
                                                                     "O_O",
                                                                     "o.O",
                                                                     "O.o",
                                                                     "T_T",
                                                                     "T.T",
                                                                     ";_;"});

/// Bytes that may begin an emoticon, a whole one or one that begins with eyes.
inline constexpr auto begins_face = [] {
  std::array<bool, 256> begins{};
  for (const std::string_view face : whole_faces) begins[static_cast<unsigned char>(face[0])] = true;
  for (const char c : std::string_view(">:;=")) begins[static_cast<unsigned char>(c)] = true;
  return begins;
}();

/// :-) ;P :'( >:( =D <3 ^_^ and similar ones. `glued`: a word is directly before. No letter or digit may follow.
inline std::size_t emoticon(std::string_view s, std::size_t at, bool glued) noexcept {
  if (!begins_face[static_cast<unsigned char>(s[at])]) return at;
  const auto free = [&](std::size_t end) { return !is_word(peek(s, end).cp); };
  if (!glued) {
    for (const std::string_view face : whole_faces)
      if (face[0] == s[at] && s.substr(at, face.size()) == face && free(at + face.size())) return at + face.size();
  }
  std::size_t i = at + (s[at] == '>' ? 1 : 0);
  const char eyes = byte_at(s, i);
  if (eyes != ':' && eyes != ';' && (eyes != '=' || glued)) return at;
  ++i;
  const auto mouth = [&](std::size_t m) -> std::size_t {
    const char c = byte_at(s, m);
    const bool plain = one_of(static_cast<unsigned char>(c), ")(");
    if (!plain && (glued || !one_of(static_cast<unsigned char>(c), eyes == '=' ? "]DPp" : "][DPpOo3/\\|*$SsXx@><")))
      return at;
    std::size_t end = m + 1;
    while (byte_at(s, end) == c) ++end;
    return free(end) ? end : at;
  };
  if (byte_at(s, i) == '\'') ++i;
  if (one_of(static_cast<unsigned char>(byte_at(s, i)), "-o^~"))
    if (const std::size_t end = mouth(i + 1); end != at) return end;
  return mouth(i);
}

}  // namespace entrain::text::detail
