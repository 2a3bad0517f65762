// bench: fine-tuning as examples/04_finetune_ner composes it. Read finetune_slices.hpp.
#include "bench/slices/finetune_slices.hpp"

#include "examples/04_finetune_ner/tagger.hpp"

int main(int argc, char** argv) { return slices::finetune<finetune::Trainer>(argc, argv); }
