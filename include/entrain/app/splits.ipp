// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of splits.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/baseline.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/report/number.hpp"
#include "entrain/score/counter.hpp"
#include "entrain/text/check_words.hpp"  // describe(Met)
#include "entrain/text/conll.hpp"

namespace entrain::app {
namespace detail {

inline std::string grouped(std::size_t n) { return std::string(report::grouped(static_cast<std::int64_t>(n)).view()); }

/// Mentions of each type of a split.
inline std::vector<std::size_t> mentions(const train::Tagged& split, const std::string& repair) {
  std::vector<std::size_t> n(split.types.names().size());
  for (std::size_t s = 0; s < split.corpus.sentences(); ++s)
    train::entities(split, s, repair, [&](const text::Span& span) { ++n[static_cast<std::size_t>(span.type)]; });
  return n;
}

inline void refuse_malformed(const text::ConllFile& file) {
  const std::uint64_t n = file.problems.total;
  if (n == 0 || file.problems.list.empty()) return;
  const text::Problem& first = file.problems.list.front();
  throw Error("entrain.app.4", file.corpus.name + ":" + std::to_string(first.line), first.reason, {},
              (n == 1 ? std::string("the only such line") : "one of " + grouped(n) + " such lines") +
                  ", see `check`: correct them, or skip them with --lenient");
}

}  // namespace detail

ENTRAIN_PART train::Tagged read_split(const std::string& split, const std::string& path, const Reading& reading,
                                      Talk& talk) {
  using detail::grouped;
  text::ConllFile file = text::inspect_conll(path, reading.conll);
  if (!reading.conll.lenient) detail::refuse_malformed(file);
  const std::string name = file.corpus.name;
  talk.fact(split, name);
  talk.fact("", file.layout.words);
  if (const std::string met = text::describe(file.corpus.met); !met.empty()) talk.fact("", "met " + met);
  if (file.problems.total > 0) talk.warn(name + ": " + grouped(file.problems.total) + " malformed lines skipped");

  train::Tagged gold = train::tagged(std::move(file.corpus), {reading.scheme, reading.repair});
  for (std::size_t i = 0; i < gold.notes.size(); ++i) {
    const std::string& note = gold.notes[i];
    if (i == 0)
      talk.fact("", note.starts_with(name + ": ") ? note.substr(name.size() + 2) : note);
    else
      talk.warn(note);
  }
  std::size_t entities = 0;
  for (const std::size_t n : detail::mentions(gold, reading.repair)) entities += n;
  talk.fact("", grouped(gold.corpus.sentences()) + " sentences, " + grouped(gold.corpus.size()) + " words, " +
                    grouped(entities) + " entities");
  return gold;
}

ENTRAIN_PART void warn_about(const train::Tagged& split, const std::vector<std::string>& known,
                             const std::string& repair, Talk& talk) {
  const auto mentions = detail::mentions(split, repair);
  const std::string& name = split.corpus.name;
  std::size_t total = 0, types = 0;
  std::string last;
  for (std::size_t t = 0; t < mentions.size(); ++t) {
    if (mentions[t] == 0) continue;
    total += mentions[t];
    ++types;
    last = split.types.names()[t];
    if (std::find(known.begin(), known.end(), last) == known.end())
      talk.warn(name + ": label '" + last + "' was never seen in training: its " + detail::grouped(mentions[t]) +
                (mentions[t] == 1 ? " mention counts" : " mentions count") + " as missed");
  }
  if (types == 0) talk.warn(name + ": no entity in " + detail::grouped(split.corpus.size()) + " words, all are O");
  if (types == 1)
    talk.warn(name + ": one label only, '" + last + "' (" + detail::grouped(total) +
              (total == 1 ? " mention)" : " mentions)"));
}

ENTRAIN_PART int longest_sentence(const train::Tagged& split, int batch_tokens, Talk& talk) {
  const text::Corpus& c = split.corpus;
  std::size_t longest = 0, where = 0, longer = 0;
  for (std::size_t s = 0; s < c.sentences(); ++s) {
    longer += c.length(s) > static_cast<std::size_t>(batch_tokens);
    if (c.length(s) > longest) longest = c.length(s), where = s;
  }
  if (longer > 0)
    talk.warn(c.where(c.sentence[where]) + ": a sentence of " + detail::grouped(longest) + " words; " +
              (longer == 1 ? "it is" : detail::grouped(longer) + " sentences are") + " longer than a batch of " +
              detail::grouped(static_cast<std::size_t>(batch_tokens)) + ", which each makes a batch alone");
  return static_cast<int>(longest);
}

ENTRAIN_PART score::Scores dictionary_scores(const train::Tagged& train, const train::Tagged& test,
                                             const std::string& repair) {
  const Dictionary dictionary(train, repair);
  return text::with_scheme(test.scheme, [&](auto scheme) {
    using Scheme = decltype(scheme);
    score::Counter<Scheme> counter{text::Labels<Scheme>(dictionary.types())};
    std::vector<text::Mark> distinct, gold;
    for (const std::string& tag : test.corpus.tags) distinct.push_back(counter.mark(tag));
    std::vector<text::Tag> found;
    for (std::size_t s = 0; s < test.corpus.sentences(); ++s) {
      gold.clear();
      for (std::size_t i = test.corpus.sentence[s]; i < test.corpus.sentence[s + 1]; ++i)
        gold.push_back(distinct[static_cast<std::size_t>(test.corpus.tag[i])]);
      found.resize(gold.size());
      text::Encoder<Scheme> write(found);
      dictionary.find(test.corpus, s, write);
      counter.sentence(std::span<const text::Mark>(gold), std::span<const text::Tag>(found));
    }
    return counter.scores();
  });
}

}  // namespace entrain::app
