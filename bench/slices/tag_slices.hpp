// bench: slices of fine-tuning a tagger of words on a file in CoNLL's columns. Read finetune_slices.hpp.
#pragma once
#include <entrain/text/conll/conll.hpp>
#include <entrain/train/data/data.hpp>
#include <entrain/train/data/targets.hpp>

#include "bench/slices/finetune_slices.hpp"

namespace slices {

template <class Trainer> int finetune_tagger(int argc, char** argv, const EncoderSize& size = mini_lm) {
  using Features = typename Trainer::Features;
  return main_of(argc, argv, [&](const Asked& asked) {
    const train::Tagged file = train::tagged(text::read_conll(asked.train), {});
    const typename Trainer::Labels labels(train::entity_types(file));
    const auto encoded = [&](const auto& features) {
      auto corpus = batch::encode<Features>(file.corpus, features);
      train::set_targets(corpus, file, labels, "conlleval");
      return corpus;
    };
    finetune<Trainer>(asked, labels, encoded, size);
  });
}

}  // namespace slices
