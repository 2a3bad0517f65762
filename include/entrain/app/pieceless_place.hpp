// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The first word without pieces as a cache keeps it: a cache has no names of files in it, as they are no part of its
// key. Read batch/gaps.hpp first.
#pragma once
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "entrain/batch/gaps.hpp"
#include "entrain/text/file.hpp"  // name_of

namespace entrain::app {

/// `0:12:word` of line 12 of the first of the files; empty if it is in none of them.
inline std::string pieceless_place(const batch::FirstPieceless& first, const std::vector<std::string>& files) {
  for (std::size_t f = 0; f < files.size(); ++f)
    if (text::name_of(files[f]) == first.file)
      return std::to_string(f) + ":" + std::to_string(first.line) + ":" + first.word;
  return {};
}

/// The same from there. Of other words, as of a cache that an older version wrote: no place.
inline batch::FirstPieceless pieceless_from(std::string_view place, const std::vector<std::string>& files) {
  batch::FirstPieceless first;
  const auto number = [&](auto& to) {
    const auto [end, fault] = std::from_chars(place.data(), place.data() + place.size(), to);
    const auto digits = static_cast<std::size_t>(end - place.data());
    if (fault != std::errc() || digits == place.size() || place[digits] != ':') return false;
    place.remove_prefix(digits + 1);
    return true;
  };
  std::size_t file = 0;
  if (!number(file) || !number(first.line) || file >= files.size()) return {};
  first.file = text::name_of(files[file]);
  first.word = place;
  return first;
}

}  // namespace entrain::app
