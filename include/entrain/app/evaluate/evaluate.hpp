// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `evaluate`: scores a saved model on a file with tags or classes.
#pragma once
#include <algorithm>

#include "entrain/app/console/console.hpp"
#include "entrain/app/input/class_splits.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/app/input/split_by.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/app/options/machine.hpp"
#include "entrain/app/options/settings.hpp"
#include "entrain/app/train/train.hpp"
#include "entrain/batch/encode/encoded.hpp"
#include "entrain/predict/decoder.hpp"
#include "entrain/predict/splitting.hpp"
#include "entrain/train/loop/decode.hpp"
#include "entrain/train/loop/decode_parts.hpp"

namespace entrain::app {

/// Reads the split, with texts split as the model splits them, and warns of labels that the model does not have.
///
/// config    of the model
template <class Model> [[gnu::cold]] task::Tagged gold_to_score(const Settings& s, const checkpoint::Config& config,
                                                                const typename Model::Task::Labels& labels,
                                                                Console& console) {
  if constexpr (task::is_tagging<typename Model::Task>) {
    const predict::Splitting splitting(config.splitter, config.sentence_splitter, train::config_path(s.model));
    task::Tagged gold = read_split(s.split, split_path(s), split_by(s.reading, splitting), console);
    say_labels_not_utf8(gold.corpus, gold.types.names(), s.reading.strict, console);
    warn_about(gold, labels.types().names(), s.reading.repair, console);
    return gold;
  } else {
    task::Tagged gold = read_classes(s.split, split_path(s), s.reading, Model::Features::by_words, console);
    warn_about_classes(gold, labels.names(), console);
    return gold;
  }
}

template <class Model, Precision P, class D> [[gnu::cold]] int evaluate_model(const Settings& s) {
  Console console(s.quiet);
  const predict::Net<Model, P, D> net(s.model);
  for (const std::string& note : net.notes) console.warn(note);
  if (s.files.examples) console.warn("no file is named: the scores are those of an example, " + split_path(s));
  const task::Tagged gold = gold_to_score<Model>(s, net.config, net.labels, console);

  const auto encoded = batch::encode<typename Model::Features>(gold.corpus, net.features);
  warn_of_sizes(gold, encoded, s.training.token_budget, console, train::decodes_in_parts<Model, D>);
  const int rows = train::rows_to_decode<Model, D>(s.training.token_budget, encoded.longest());
  predict::Decoder<Model, P, D> decoder(net, 1, threads_or_all(s.threads));
  train::naming_sentence(gold.corpus, encoded, [&] { decoder.reserve(rows); });
  if constexpr (!D::in_host_memory) console.fact("device", decoder.device().describe());
  batch::Packer<typename Model::Features> packer(rows);
  typename Model::Task::Scorer scorer(gold_of<typename Model::Task>(gold), net.labels);
  train::naming_sentence(gold.corpus, encoded, [&] {
    train::predict_all(decoder, encoded, packer,
                       [&](std::size_t sentence, auto predictions) { scorer.sentence(sentence, predictions); });
  });
  print_scores(scorer.scores(), s);
  return 0;
}

}  // namespace entrain::app
