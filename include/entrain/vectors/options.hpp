// text > batch > kernel > [vectors] > embed > train > app
//
// The hyper-parameters of word vectors, by the names of word2vec and gensim.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/text/corpus/text_unit.hpp"

namespace entrain::vectors {

struct Options {
  int window = 5;                  // words to each side; each position draws 1 ... window
  int min_count = 5;               // rarer words are left out, before windows are formed
  std::size_t max_vocab_size = 0;  // words that counting may hold; beyond it rare ones are dropped. 0: any number
  double sample = 1e-3;            // words of a higher frequency are left out at random; 0: none
  int negative = 5;                // negative samples of a pair
  double ns_exponent = 0.75;       // samples are drawn by count^ns_exponent
  double alpha = 0;                // learning rate of the first step; 0: the objective's own
  double min_alpha = 1e-4;         // it falls linearly to this one
  int epochs = 5;
  std::uint64_t seed = 1;
  int min_n = 3, max_n = 0;  // code points of character n-grams; max_n 0: none
  int bucket = 2'000'000;    // rows for n-grams, which share them by a hash
  int batch_words = 512;     // positions of a step, whose gradients are computed from the same values
  double row_limit = 64;     // terms that a row may add up in a step at the full learning rate; see step.hpp
  bool lower = false;        // words in lower case
  text::TextUnit unit = text::TextUnit::paragraph;  // no window crosses its end
};

}  // namespace entrain::vectors
