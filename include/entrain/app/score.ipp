// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `score`: any two files of the same words, gold first.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/files.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/score/counter.hpp"
#include "entrain/text/detect.hpp"

namespace entrain::app {

ENTRAIN_PART int score_files(const Settings& s) {
  Talk talk(s.quiet);
  const train::Tagged gold = read_split("gold", s.inputs[0], s.reading, talk);
  const train::Tagged predicted = read_split("predicted", s.inputs[1], s.reading, talk);
  const text::Corpus &a = gold.corpus, &b = predicted.corpus;
  if (a.sentence != b.sentence) {
    std::size_t first = 0;
    while (first < a.sentences() && first < b.sentences() && a.sentence[first + 1] == b.sentence[first + 1]) ++first;
    const auto length = [&](const text::Corpus& c) {
      return first < c.sentences() ? std::to_string(c.length(first)) + " words" : std::string("missing");
    };
    throw Error("entrain.app.12", b.name, "sentence " + std::to_string(first + 1) + " is " + length(b),
                length(a) + ", as in " + a.name, "score files of the same sentences");
  }
  std::size_t other_words = 0, first_other = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.token(i) != b.token(i) && other_words++ == 0) first_other = i;
  if (other_words > 0)
    talk.warn(b.where(first_other) + ": " + std::to_string(other_words) + " words are spelled otherwise than in " +
              a.name + "; only the tags are compared");

  const score::Scores scores = text::with_scheme(gold.scheme, [&](auto scheme) {
    score::Counter<decltype(scheme)> counter;
    std::vector<std::string_view> left, right;
    for (std::size_t sentence = 0; sentence < a.sentences(); ++sentence) {
      left.clear(), right.clear();
      for (std::size_t i = a.sentence[sentence]; i < a.sentence[sentence + 1]; ++i)
        left.push_back(a.tag_name(i)), right.push_back(b.tag_name(i));
      counter.sentence_of_tags(left, right);
    }
    return counter.scores();
  });
  if (predicted.scheme != gold.scheme && scores.strict.micro().predicted < scores.conlleval.micro().predicted)
    talk.warn(b.name + ": written in " + std::string(text::scheme_name(predicted.scheme)) + ", scored in " +
              std::string(text::scheme_name(gold.scheme)) + " as " + a.name + "; `convert` rewrites it");
  print_scores(scores, s);
  return 0;
}

}  // namespace entrain::app
