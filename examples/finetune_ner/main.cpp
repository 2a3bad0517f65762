// Fine-tuning: a pretrained encoder of Hugging Face made into a tagger.
//
//   finetune_ner train --pretrained all-MiniLM-L6-v2 --train a.conll --dev b.conll --test c.conll
#include <entrain/app/ner.hpp>

#include "tagger.hpp"  // the composition

int main(int argc, char** argv) {
  entrain::train::Options options;  // of the fine-tuning recipe; the command line overrides
  options.epochs = 3;
  options.token_budget = 1024;
  options.learning_rate = 5e-5;
  options.lr_scheduler_type = entrain::optim::Decay::linear;
  options.dropout = 0.1;
  options.word_dropout = 0;
  return entrain::app::ner<finetune::Trainer>(argc, argv, options);
}
