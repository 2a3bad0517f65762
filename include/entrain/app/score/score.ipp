// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `score`: scores any two files of the same words, gold first.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/files.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/input/split_by.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/score/counter.hpp"
#include "entrain/score/report.hpp"
#include "entrain/task/tag_targets.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/text/tags/detect.hpp"

namespace entrain::app {

namespace detail {

/// Whether the file's own scheme explains its tags better than `scheme`: fewer tags break it. Then its entities are
/// read in its own scheme.
inline bool is_in_another_scheme(const task::Tagged& file, text::SchemeId scheme) {
  if (file.scheme == scheme) return false;
  std::size_t own = 0, here = 0;
  for (std::size_t s = 0; s < file.corpus.sentences(); ++s) {
    const text::MarksAt marks{file.marks,
                              std::span(file.corpus.tag).subspan(file.corpus.sentence[s], file.corpus.length(s))};
    text::with_scheme(file.scheme,
                      [&](auto id) { text::violations<decltype(id)>(marks, [&](std::size_t) { ++own; }); });
    text::with_scheme(scheme, [&](auto id) { text::violations<decltype(id)>(marks, [&](std::size_t) { ++here; }); });
  }
  return own < here;
}

}  // namespace detail

ENTRAIN_INLINE int score_files(const Settings& s) {
  Console console(s.quiet);
  text::refuse_read_twice(
      std::vector<std::pair<std::string, std::string>>{{"GOLD", s.inputs[0]}, {"PREDICTED", s.inputs[1]}});
  const Reading reading = split_by(s.reading, predict::Splitting(s.splitter, s.sentence_splitter, "score"));
  const task::Tagged gold = read_split("gold", s.inputs[0], reading, console);
  const task::Tagged predicted = read_split("predicted", s.inputs[1], reading, console);
  for (const task::Tagged* const file : {&gold, &predicted})
    say_labels_not_utf8(file->corpus, file->types.names(), s.reading.strict, console);
  const text::Corpus &a = gold.corpus, &b = predicted.corpus;
  if (a.sentence != b.sentence) {
    std::size_t first = 0;
    while (first < a.sentences() && first < b.sentences() && a.sentence[first + 1] == b.sentence[first + 1]) ++first;
    const auto length = [&](const text::Corpus& c) {
      if (first >= c.sentences()) return std::string("missing");
      return std::to_string(c.length(first)) + (c.length(first) == 1 ? " word" : " words");
    };
    throw Error(
        "entrain.app.12", b.name, "sentence " + std::to_string(first + 1) + " is " + length(b),
        length(a) + ", as in " + a.name,
        "use files of the same sentences; for text without words name the splitters of the model, with --splitter and "
        "--sentence-splitter");
  }
  std::size_t other_words = 0, first_other = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.token(i) != b.token(i) && other_words++ == 0) first_other = i;
  if (other_words > 0)
    console.warn(b.where(first_other) + ": " + std::to_string(other_words) +
                 (other_words == 1 ? " word differs from that in " : " words differ from those in ") + a.name +
                 "; only the tags are compared");

  const bool another = detail::is_in_another_scheme(predicted, gold.scheme);
  const score::Scores scores = text::with_scheme(gold.scheme, [&](auto scheme) {
    score::Counter<decltype(scheme)> counter;
    if (another) counter.predicted_in(predicted.scheme);
    std::vector<text::Mark> of_a, of_b, left, right;
    for (const std::string& tag : a.tags) of_a.push_back(counter.mark(tag));
    for (const std::string& tag : b.tags) of_b.push_back(counter.mark(tag));
    for (std::size_t k = 0; k < a.sentences(); ++k) {
      left.clear(), right.clear();
      for (std::size_t i = a.sentence[k]; i < a.sentence[k + 1]; ++i) {
        left.push_back(of_a[static_cast<std::size_t>(a.tag[i])]);
        right.push_back(of_b[static_cast<std::size_t>(b.tag[i])]);
      }
      if (another)
        counter.sentence(left, predicted.scheme, right);
      else
        counter.sentence(left, right);
    }
    return counter.scores();
  });
  if (another && s.json) console.say(score::compared(scores));  // the table shows it already
  print_scores(scores, s);
  return 0;
}

}  // namespace entrain::app
