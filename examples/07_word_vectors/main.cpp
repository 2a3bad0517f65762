// Word vectors from raw text: skip-gram or CBOW with negative sampling, for vectors of 100 numbers.
//
//   word_vectors train books/*.txt --output vectors.txt --lower
//   word_vectors nearest vectors.txt whale
//   word_vectors analogy vectors.txt he she king
//
// Another width is another template argument: the inner loops are compiled for it.
#include <entrain/app/vectors/vectors.hpp>
#include <entrain/word_vectors.hpp>

namespace vectors = entrain::vectors;
using SkipGram = vectors::Trainer<vectors::SkipGram<100>>;
using Cbow = vectors::Trainer<vectors::Cbow<100>>;

int main(int argc, char** argv) { return entrain::app::vectors<SkipGram, Cbow>(argc, argv); }
