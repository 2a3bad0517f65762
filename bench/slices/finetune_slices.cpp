// bench: fine-tuning as examples/04_finetune_ner composes it. Read finetune_slices.hpp.
#include "bench/slices/tag_slices.hpp"

#include "examples/04_finetune_ner/tagger.hpp"

int main(int argc, char** argv) { return slices::finetune_tagger<finetune::Trainer>(argc, argv); }
