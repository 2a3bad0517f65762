// A light NER model that also reads word vectors, from any file of word2vec, GloVe or fastText.
//
//   word_vectors train books/*.txt --lower --output vectors.txt
//   tagger_with_vectors train --vectors vectors.txt --train a.conll --dev b.conll --test c.conll
//   tagger_with_vectors predict -m model letters.txt
#include <entrain/app/ner.hpp>

#include "tagger.hpp"

int main(int argc, char** argv) { return entrain::app::ner<light::Trainer>(argc, argv); }
