// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The first words that an encoder does not read as a whole, as a cache stores them: a cache stores no file names, as
// they are not part of its key. Read batch/encode/gaps.hpp first.
#pragma once
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "entrain/batch/encode/gaps.hpp"
#include "entrain/text/files/file.hpp"  // name_of

namespace entrain::app {

namespace detail {
inline constexpr std::string_view before_cut = "cut:";

/// `0:12:word` for line 12 of the first of the files; empty if the word is in none of them.
inline std::string stored_place(const batch::FirstUnread& first, const std::vector<std::string>& files) {
  if (first.line == 0) return {};
  for (std::size_t f = 0; f < files.size(); ++f)
    if (text::name_of(files[f]) == first.file)
      return std::to_string(f) + ":" + std::to_string(first.line) + ":" + first.word;
  return {};
}

/// Takes the digits at the beginning of a text, and the colon after them; false: the text begins with something else.
inline bool take_number(std::string_view& text, auto& to) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), to);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (fault != std::errc() || digits == text.size() || text[digits] != ':') return false;
  text.remove_prefix(digits + 1);
  return true;
}

inline batch::FirstUnread place_from(std::string_view place, const std::vector<std::string>& files) {
  batch::FirstUnread first;
  std::size_t file = 0;
  if (!take_number(place, file) || !take_number(place, first.line) || file >= files.size()) return {};
  first.file = text::name_of(files[file]);
  first.word = place;
  return first;
}
}  // namespace detail

/// The place of the first word without pieces, as `0:12:word`. If some word has too many pieces, it is preceded by
/// `cut:`, the length of that word's place, a colon and that place. Empty: there is neither.
inline std::string unread_places(const batch::Unread& unread, const std::vector<std::string>& files) {
  std::string places;
  if (const std::string cut = detail::stored_place(unread.first_cut, files); !cut.empty())
    places.append(detail::before_cut).append(std::to_string(cut.size())).append(":").append(cut);
  return places + detail::stored_place(unread.first_pieceless, files);
}

/// Reads the places from that text; the numbers of words are not in it. Other text gives no place. A cache of an older
/// version has at most the place of the first word without pieces.
inline batch::Unread unread_from(std::string_view places, const std::vector<std::string>& files) {
  batch::Unread unread;
  if (places.starts_with(detail::before_cut)) {
    places.remove_prefix(detail::before_cut.size());
    std::size_t bytes = 0;
    if (!detail::take_number(places, bytes) || bytes > places.size()) return unread;
    unread.first_cut = detail::place_from(places.substr(0, bytes), files);
    places.remove_prefix(bytes);
  }
  unread.first_pieceless = detail::place_from(places, files);
  return unread;
}

}  // namespace entrain::app
