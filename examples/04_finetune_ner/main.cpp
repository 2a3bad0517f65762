// Fine-tuning: turns a pretrained encoder of Hugging Face into a tagger.
//
//   finetune_ner train --pretrained all-MiniLM-L6-v2 --train a.conll --dev b.conll --test c.conll
#include <entrain/app/ner.hpp>

#include "tagger.hpp"  // the composition

int main(int argc, char** argv) { return entrain::app::ner<finetune::Trainer>(argc, argv); }
