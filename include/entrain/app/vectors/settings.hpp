// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The options of a program for word vectors.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "entrain/vectors/files.hpp"
#include "entrain/vectors/options.hpp"

namespace entrain::app {

enum class VectorCommand { train, nearest, analogy };

struct VectorSettings {
  VectorCommand command = VectorCommand::train;
  entrain::vectors::Options training;
  std::vector<std::string> files;  // train: patterns of text files
  std::string words = "unicode";   // how they are split: unicode or whitespace
  int sg = 1, vector_size = 100;   // which of the compiled trainers runs
  int threads = 0;                 // 0: as many as the machine has
  std::string output;
  std::string format = "auto";  // text, binary, or auto: by the name of the output

  std::string vectors;                 // nearest, analogy: the file
  std::vector<std::string> arguments;  // words
  std::string questions;               // a file of analogies
  std::size_t topn = 10;
  std::size_t restrict_vocab = 30000;  // answers of analogies are among these words
  bool quiet = false;
};

/// A trainer that the program was compiled with.
struct CompiledVectors {
  bool sg;
  int vector_size;
};

}  // namespace entrain::app
