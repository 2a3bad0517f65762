// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Reads the files of a corpus and examines them: the warnings that a user should see before a model is trained on them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/batch/encode/encoded.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/score/scores.hpp"
#include "entrain/task/read_tags.hpp"
#include "entrain/task/tag_scores.hpp"

namespace entrain::app {

/// What a row of the encoder is.
template <class Features> inline constexpr std::string_view unit_of = Features::by_words ? "words" : "pieces";

/// Reads a tagged file and prints how it was read: columns, scheme, sizes. `split`: its name in messages.
///
/// becomes   how the output represents bytes that are not UTF-8 (not_utf8.hpp)
ENTRAIN_INLINE task::Tagged read_split(const std::string& split, const std::string& path, const Reading& reading,
                                       Console& console, std::string_view becomes = {});

/// Warns of data that training cannot learn from and that evaluation counts as missed: no entity, only one type, types
/// that are not among `known`, those of the model.
ENTRAIN_INLINE void warn_about(const task::Tagged& split, const std::vector<std::string>& known,
                               const std::string& repair, Console& console);
/// The same for files that are not kept in memory.
///
/// name, words   name of the first file, words of all     mentions      of each of `types`
ENTRAIN_INLINE void warn_about(const std::string& name, std::uint64_t words, const std::vector<std::string>& types,
                               std::span<const std::uint64_t> mentions, const std::vector<std::string>& known,
                               Console& console);

/// Prints the problems of lines and entities: the first ones of each kind, and how many. Texts without a list of
/// entities are reported with the total, if other texts have one.
///
/// name      used where a problem does not name its file     met   counts them all
class ProblemsSaid {
 public:
  ENTRAIN_INLINE void say(std::span<const text::Problem> problems, const std::string& name, Console& console);
  ENTRAIN_INLINE void say_total(const text::Met& met, const std::string& name, Console& console);

 private:
  static constexpr std::size_t most = 10;
  std::uint64_t unsaid(text::Concern of, std::uint64_t all) const { return all - said_[static_cast<std::size_t>(of)]; }

  std::array<std::size_t, text::concerns> said_{};
  std::vector<std::string> unlabelled_;  // the first ones
};

/// Prints warnings on how tags were read (task::scheme_notes); the first note is printed as a fact that begins with
/// `before`.
ENTRAIN_INLINE void say_notes(const std::vector<std::string>& notes, const std::string& name, const std::string& before,
                              Console& console);

/// `FILE:LINE: 'WORD'` of the first word of a kind; only the file if the word's place is not known.
ENTRAIN_INLINE std::string place_of_first(const std::string& file, const batch::FirstUnread& first);

/// The warning for words of a file that have no piece: the first of them, if its place is known, and how many.
ENTRAIN_INLINE std::string words_of_pieceless(const std::string& file, const batch::FirstUnread& first,
                                              std::size_t words);

/// Warns of words whose last pieces the encoder does not read, and of words that have no piece: the first word of each
/// kind, if its place is known, and how many.
ENTRAIN_INLINE void warn_of_unread(const std::string& file, const batch::Unread& unread, Console& console);

/// Warns of sentences that fill a batch alone, and of words that the encoder does not read as a whole.
///
/// rows, unread  of batch::Encoded; unit: what its rows are        in_parts    as LongSentences
ENTRAIN_INLINE void warn_of_sizes(const task::Tagged& split, std::span<const std::int32_t> rows,
                                  const batch::Unread& unread, int batch_tokens, std::string_view unit,
                                  Console& console, bool in_parts = false);
template <class Features> void warn_of_sizes(const task::Tagged& split, const batch::Encoded<Features>& encoded,
                                             int batch_tokens, Console& console, bool in_parts = false) {
  warn_of_sizes(split, encoded.rows, encoded.unread, batch_tokens, unit_of<Features>, console, in_parts);
}

/// The same for a file that is not kept in memory. longest: rows of its longest sentence
ENTRAIN_INLINE void warn_of_longest(const std::string& file, std::int32_t longest, const batch::Unread& unread,
                                    int batch_tokens, std::string_view unit, Console& console);

/// The tags of every word as a model learns them: in its scheme, of its types. Entities of other types are O.
ENTRAIN_INLINE std::vector<std::int32_t> targets_of(const task::Tagged& split, const std::vector<std::string>& types,
                                                    text::SchemeId scheme, const std::string& repair);

/// Scores a model's tags, all at once. `types` and `scheme` are the model's (task/tag_scores.hpp).
ENTRAIN_INLINE score::Scores score_tags(const task::Tagged& gold, std::span<const text::Tag> tags,
                                        const std::vector<std::string>& types, text::SchemeId scheme);

/// The file that --split names. throws entrain.app.11
ENTRAIN_INLINE const std::string& split_path(const Settings& s);

/// Prints scores as a table or as JSON, on standard output.
ENTRAIN_INLINE void print_scores(const score::Scores& scores, const Settings& s);

/// The scores of a dictionary of `train`'s entities (app/evaluate/baseline.hpp) on `test`.
ENTRAIN_INLINE score::Scores dictionary_scores(const task::Tagged& train, const task::Tagged& test,
                                               const std::string& repair);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/splits.ipp"
#endif
