// The quick start: a whole program that trains, evaluates and runs a light NER model on a CPU.
//
//   ner_light train                                         on the sentences of examples/data
//   ner_light train --train a.conll --dev b.conll --test c.conll
//   ner_light predict -m model letters.txt
#include <entrain/app/ner.hpp>

#include "tagger.hpp"  // the composition

int main(int argc, char** argv) { return entrain::app::ner<light::Trainer>(argc, argv); }
