// bench: prediction by a fine-tuned MiniLM. Read predict_slices.hpp.
#include "bench/slices/predict_slices.hpp"

#include "examples/04_finetune_ner/tagger.hpp"

int main(int argc, char** argv) {
  return slices::predict_slices<entrain::predict::TaggerOf<finetune::Trainer>>(argc, argv);
}
