// [text] > batch > embed > encode > head > optim > checkpoint
//
// Files from a user's input: names, patterns as in shells, and "-" for standard input.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::text {

/// Whether a comes before b: character by character, but a run of digits is a number, so that part-2 comes before
/// part-10. It uses no locale: the order is the same on every machine.
ENTRAIN_INLINE bool in_natural_order(std::string_view a, std::string_view b);

/// Whether a folder may be in a list, for readers of whole folders (text/folder), or is refused.
enum class Folders : std::uint8_t { refused, kept };

/// The files of these patterns, in the order of the patterns; those of one pattern in natural order.
///
///   *  ?  [a-c]  [!a-c]   as in POSIX's glob(3): any run of letters, any letter, one of these, none of these;
///                         they match no '/', and no '.' at a name's beginning
///   {a,b}                 either; each of them must match a file
///   -                     standard input
///
/// A file whose whole name equals the pattern is that file, whatever characters it contains.
///
/// throws    entrain.text.1  no such file           .2   a directory, also among the matches of a pattern, unless kept
///           .3   a folder that cannot be read      .36  a pattern without a match
///           .37  a file that is named twice        .38  no pattern at all
ENTRAIN_INLINE std::vector<std::string> file_list(std::span<const std::string> patterns,
                                                  Folders folders = Folders::refused);
inline std::vector<std::string> file_list(const std::vector<std::string>& patterns,
                                          Folders folders = Folders::refused) {
  return file_list(std::span(patterns), folders);
}

/// Whether its bytes are gone after one reader: standard input, a pipe, a socket, a terminal.
ENTRAIN_INLINE bool can_be_read_once(const std::string& file);

/// Refuses a file that can be read once and that two purposes need.
///
/// named     a purpose, as in --dev, and a pattern; an empty one means no file
/// throws    entrain.text.39    .3, .36 as file_list
ENTRAIN_INLINE void refuse_read_twice(std::span<const std::pair<std::string, std::string>> named);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/files/file_list.ipp"
#endif
