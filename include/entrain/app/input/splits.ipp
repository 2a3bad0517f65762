// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of splits.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/evaluate/baseline.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/app/input/whole_file.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/train/long_sentences.hpp"
#include "entrain/report/number.hpp"
#include "entrain/score/report.hpp"
#include "entrain/task/count_tags.hpp"
#include "entrain/task/tag_targets.hpp"
#include "entrain/text/check/check_words.hpp"  // describe(Met)
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/unlabelled.hpp"

namespace entrain::app {
namespace detail {

/// Mentions of each type of a split.
inline std::vector<std::uint64_t> mentions(const task::Tagged& split, const std::string& repair) {
  std::vector<std::uint64_t> n(split.types.names().size());
  for (std::size_t s = 0; s < split.corpus.sentences(); ++s)
    task::entities(split, s, repair, [&](const text::Span& span) { ++n[static_cast<std::size_t>(span.type)]; });
  return n;
}

inline std::string place_of(const text::Problem& p, const std::string& name) {
  return (p.file.empty() ? name : p.file) + ":" + std::to_string(p.line);
}

/// For columns: the readers of other formats throw at once.
inline void refuse_malformed(const text::ConllFile& file) {
  const std::uint64_t n = file.problems.total;
  if (n == 0 || file.problems.list.empty()) return;
  const text::Problem& first = file.problems.list.front();
  throw Error("entrain.app.4", place_of(first, file.corpus.name), first.reason, {},
              (n == 1 ? std::string("the only such line") : "one of " + grouped(n) + " such lines") +
                  ", see `check`: correct them, or skip them with --lenient");
}

}  // namespace detail

ENTRAIN_INLINE void ProblemsSaid::say(std::span<const text::Problem> problems, const std::string& name,
                                      Console& console) {
  for (const text::Problem& p : problems) {
    std::size_t& said = said_[static_cast<std::size_t>(p.of)];
    if (said == most) continue;
    ++said;
    std::string words = detail::place_of(p, name) + ": " + p.reason;
    if (p.of == text::Concern::unlabelled)
      unlabelled_.push_back(std::move(words));
    else
      console.warn(words);
  }
}
ENTRAIN_INLINE void ProblemsSaid::say_total(const text::Met& met, const std::string& name, Console& console) {
  using text::Concern;
  const auto total = [&](Concern of, std::uint64_t n, const std::string& words, bool always) {
    const bool more = unsaid(of, n) > 0;
    if (n > 0 && (always || more)) console.warn(name + ": " + words + (more ? "; check --list all lists them" : ""));
  };
  total(Concern::line, met.malformed, counted(met.malformed, "malformed line", "malformed lines") + " skipped", true);
  total(Concern::annotation, met.bad_annotations(), counted(met.bad_annotations(), "bad entity", "bad entities"),
        false);
  total(Concern::other_text, met.other_texts,
        counted(met.other_texts, "text or token does", "texts or tokens do") +
            " not match their offsets; the offsets are used",
        false);
  total(Concern::unread_list, met.unread_lists,
        counted(met.unread_lists, "list", "lists") + " that may contain entities not read", false);
  if (met.labelled == 0) return;
  for (const std::string& text : std::exchange(unlabelled_, {})) console.warn(text);
  total(Concern::unlabelled, met.unlabelled,
        counted(met.unlabelled, "text has no entity list, while ", "texts have no entity list, while ") +
            counted(met.labelled, "other has one", "others have one") + ": read as texts without entities",
        true);
}

ENTRAIN_INLINE void say_notes(const std::vector<std::string>& notes, const std::string& name, const std::string& before,
                              Console& console) {
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const std::string& note = notes[i];
    if (i == 0)
      console.fact("", before + (note.starts_with(name + ": ") ? note.substr(name.size() + 2) : note));
    else
      console.warn(note);
  }
}

ENTRAIN_INLINE task::Tagged read_split(const std::string& split, const std::string& path, const Reading& reading,
                                       Console& console, std::string_view becomes) {
  text::ConllFile file = read_whole(path, reading);
  refuse_wordless(file);
  text::refuse_unlabelled(file.corpus.name, file.corpus.met);
  const bool columns = file.layout.columns > 0;
  if (columns && !reading.conll.lenient) detail::refuse_malformed(file);
  const std::string name = file.corpus.name;
  const std::size_t files = file.corpus.files.size();
  console.fact(split, name + (files > 0 ? " and " + counted(files, "file", "files") + " more" : ""));
  console.fact("", file.layout.words);
  if (!file.layout.doubt.empty()) console.warn(name + ": " + file.layout.doubt);
  if (const std::string met = text::describe(file.corpus.met); !met.empty()) console.fact("", "met " + met);
  ProblemsSaid problems;
  problems.say(file.problems.list, name, console);
  problems.say_total(file.corpus.met, name, console);
  say_not_utf8(file.corpus, reading.strict, becomes, console);

  task::Tagged gold = task::tagged(std::move(file.corpus), {reading.scheme, reading.repair});
  say_notes(gold.notes, name, "", console);
  std::uint64_t entities = 0;
  for (const std::uint64_t n : detail::mentions(gold, reading.repair)) entities += n;
  console.fact("", counted(gold.corpus.sentences(), "sentence", "sentences") + ", " +
                       counted(gold.corpus.size(), "word", "words") + ", " + counted(entities, "entity", "entities"));
  return gold;
}

ENTRAIN_INLINE void warn_about(const task::Tagged& split, const std::vector<std::string>& known,
                               const std::string& repair, Console& console) {
  warn_about(split.corpus.name, split.corpus.size(), split.types.names(), detail::mentions(split, repair), known,
             console);
}
ENTRAIN_INLINE void warn_about(const std::string& name, std::uint64_t words, const std::vector<std::string>& types,
                               std::span<const std::uint64_t> mentions, const std::vector<std::string>& known,
                               Console& console) {
  std::uint64_t total = 0;
  std::size_t met = 0;  // types
  std::string last;
  const std::unordered_set<std::string> learned(known.begin(), known.end());
  for (std::size_t t = 0; t < mentions.size(); ++t) {
    if (mentions[t] == 0) continue;
    total += mentions[t];
    ++met;
    last = types[t];
    if (!learned.contains(last))
      console.warn_of("labels that were never seen in training",
                      name + ": label '" + text::excerpt(last) + "' was never seen in training: its " +
                          grouped(mentions[t]) + (mentions[t] == 1 ? " mention counts" : " mentions count") +
                          " as missed");
  }
  if (met == 0)
    console.warn(name + ": no entity in " + grouped(words) + (words == 1 ? " word, which is O" : " words, all are O"));
  if (met == 1)
    console.warn(name + ": one label only, '" + text::excerpt(last) + "' (" + grouped(total) +
                 (total == 1 ? " mention)" : " mentions)"));
}

ENTRAIN_INLINE std::string place_of_first(const std::string& file, const batch::FirstUnread& first) {
  return first.line == 0 ? file
                         : first.file + ":" + std::to_string(first.line) + ": '" + text::excerpt(first.word) + "'";
}

ENTRAIN_INLINE std::string words_of_pieceless(const std::string& file, const batch::FirstUnread& first,
                                              std::size_t words) {
  return place_of_first(file, first) + ": " + counted(words, "word has", "words have") +
         " no piece, as the tokenizer drops all of their characters: the encoder does not read them; each is O, or "
         "part of the entity around it";
}

ENTRAIN_INLINE void warn_of_unread(const std::string& file, const batch::Unread& unread, Console& console) {
  if (unread.cut > 0)
    console.warn(
        place_of_first(file, unread.first_cut) + ": " +
        counted(unread.cut, "distinct word has", "distinct words have") +
        " more pieces than the encoder reads at once: only the first are read; tags and scores count every word");
  if (unread.pieceless > 0) console.warn(words_of_pieceless(file, unread.first_pieceless, unread.pieceless));
}

ENTRAIN_INLINE void warn_of_sizes(const task::Tagged& split, std::span<const std::int32_t> rows,
                                  const batch::Unread& unread, int batch_tokens, std::string_view unit,
                                  Console& console, bool in_parts) {
  const text::Corpus& c = split.corpus;
  LongSentences warned(batch_tokens, unit, in_parts);
  for (std::size_t s = 0; s < rows.size(); ++s)
    warned.see(static_cast<std::size_t>(rows[s]), [&] { return c.where(c.sentence[s]); });
  warned.warn(console);
  warn_of_unread(c.name, unread, console);
}

ENTRAIN_INLINE void warn_of_longest(const std::string& file, std::int32_t longest, const batch::Unread& unread,
                                    int batch_tokens, std::string_view unit, Console& console) {
  if (longest > batch_tokens)
    console.warn(file + ": the longest sentence has " + grouped(std::int64_t{longest}) + " " + std::string(unit) +
                 ", more than a batch of " + grouped(std::int64_t{batch_tokens}) + ": it fills a batch by itself");
  warn_of_unread(file, unread, console);
}

ENTRAIN_INLINE std::vector<std::int32_t> targets_of(const task::Tagged& split, const std::vector<std::string>& types,
                                                    text::SchemeId scheme, const std::string& repair) {
  struct NoFeatures {
    using Vocabulary = std::vector<char>;
  };
  batch::Encoded<NoFeatures> encoded;
  encoded.target.resize(split.corpus.size());
  text::with_scheme(scheme,
                    [&](auto id) { task::set_targets(encoded, split, text::Labels<decltype(id)>(types), repair); });
  return {encoded.target.begin(), encoded.target.end()};
}

ENTRAIN_INLINE score::Scores score_tags(const task::Tagged& gold, std::span<const text::Tag> tags,
                                        const std::vector<std::string>& types, text::SchemeId scheme) {
  task::TagScores scores(gold, types, scheme);
  for (std::size_t s = 0; s < gold.corpus.sentences(); ++s)
    scores.sentence(s, tags.subspan(gold.corpus.sentence[s], gold.corpus.length(s)));
  return scores.scores();
}

ENTRAIN_INLINE score::Scores dictionary_scores(const task::Tagged& train, const task::Tagged& test,
                                               const std::string& repair) {
  const Dictionary dictionary(train, repair);
  return text::with_scheme(test.scheme, [&](auto id) {
    task::CountTags<decltype(id)> counted(test, dictionary.types());
    for (std::size_t s = 0; s < test.corpus.sentences(); ++s)
      counted.sentence(s, [&](auto&& sink) { dictionary.find(test.corpus, s, sink); });
    return counted.scores();
  });
}

ENTRAIN_INLINE const std::string& split_path(const Settings& s) {
  const std::string& path = s.split == "train" ? s.files.train : s.split == "dev" ? s.files.dev : s.files.test;
  if (path.empty())
    throw WrongUsage("entrain.app.11", "--split " + s.split, "this file is not given", "--" + s.split + " FILE",
                     "or another --split");
  return path;
}

ENTRAIN_INLINE void print_scores(const score::Scores& scores, const Settings& s) {
  Output out("-");
  out.write(s.json ? score::json(scores) + "\n" : score::table(scores));
}

}  // namespace entrain::app
